import CSyrinxPulse
import Synchronization

extension DeviceCounters {
    /// Records the latency of `stream` as the server measures it, if it has told that by now.
    func noteLatency(of stream: OpaquePointer) {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return }
        let told = isNegative != 0 ? 0 : min(microseconds, PulsePlaybackPosition.longestLatency)
        latency.store(Double(told) / 1_000_000, ordering: .relaxed)
    }
}
