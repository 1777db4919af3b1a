import CSyrinxPulse

/// A timing request for whose response a thread waits.
private struct PulseTimingAnswer {
    let loop: OpaquePointer
    var sinkLevel: pa_usec_t?
    var isComplete = false

    mutating func complete() {
        isComplete = true
        pa_threaded_mainloop_signal(loop, 0)
    }
}

/// The timing of a request to the server, in microseconds.
struct PulseRoundTrip {
    /// The sink's fill level, which any of its streams may have lowered; 0 if it was not requested.
    let sinkLevel: pa_usec_t
    /// The duration of the round trip.
    let tookTime: pa_usec_t

    /// The time until the next request reaches the sink: half of a round trip, or longer on a busy system.
    ///
    /// Frames between `soonest` and `latest` may lose the start of a fade, and later ones also the start of the sound.
    var soonest: pa_usec_t { min(250 + tookTime / 2, 5_000) }
    var latest: pa_usec_t { min(1_500 + 2 * min(tookTime, 5_000), 5_000) }
}

extension PulseConnection {
    /// The maximum time to wait for a timing report during a seek, in seconds: much longer than usual, but not
    /// noticeable.
    private static var timingPatience: Double { 0.05 }

    /// Requests a current timing report of `stream`; libpulse itself requests only a few per second.
    ///
    /// Requires the lock, which is released while waiting.
    /// - Returns: `nil` if the server did not respond.
    func renewTiming(of stream: OpaquePointer, withLevel: Bool) -> PulseRoundTrip? {
        let begin = pa_rtclock_now()
        // Freed only after the operations have ended or were cancelled, because libpulse's thread writes to it until
        // then.
        let timing = UnsafeMutablePointer.make(PulseTimingAnswer(loop: OpaquePointer(signalTarget)))
        defer { timing.destroy() }
        let sink = pa_stream_get_device_index(stream)
        let operations = [
            withLevel ? pa_context_get_sink_info_by_index(context, sink, noteLevel, timing) : nil,
            pa_stream_update_timing_info(stream, noteEnd, timing),
        ].compactMap { $0 }
        defer {
            for operation in operations {
                pa_operation_cancel(operation)
                pa_operation_unref(operation)
            }
        }
        guard operations.count == (withLevel ? 2 : 1) else { return nil }
        _ = wait(patience: Self.timingPatience) { timing.pointee.isComplete || !isReady }
        guard timing.pointee.isComplete, let level = withLevel ? timing.pointee.sinkLevel : 0 else { return nil }
        return PulseRoundTrip(sinkLevel: level, tookTime: pa_rtclock_now() &- begin)
    }
}

private let noteLevel: pa_sink_info_cb_t = { _, info, end, userdata in
    guard end == 0, let info else { return }
    userdata?.assumingMemoryBound(to: PulseTimingAnswer.self).pointee.sinkLevel = info.pointee.configured_latency
}

/// The server responds in order, so this response also means that the level is known.
private let noteEnd: pa_stream_success_cb_t = { _, _, userdata in
    userdata?.assumingMemoryBound(to: PulseTimingAnswer.self).pointee.complete()
}
