import CSyrinxPulse
import Synchronization

extension DeviceCounters {
    /// Stores the latency of `stream` that the server has measured, if it is known.
    func noteLatency(of stream: OpaquePointer) {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return }
        let told = isNegative != 0 ? 0 : min(microseconds, PulsePlaybackPosition.longestLatency)
        latency.store(Double(told) / 1_000_000, ordering: .relaxed)
    }
}
