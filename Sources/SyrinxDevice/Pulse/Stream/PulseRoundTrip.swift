import CSyrinxPulse

/// An answer that is being waited for.
private struct PulseTimingAnswer {
    let loop: OpaquePointer
    var sinkLevel: pa_usec_t?
    var isComplete = false

    mutating func complete() {
        isComplete = true
        pa_threaded_mainloop_signal(loop, 0)
    }
}

/// The timing of a server's answer beside the indices of a stream, in microseconds.
struct PulseRoundTrip {
    /// Up to how much the sink fills itself, which any of its streams may have made fewer; 0 if that was not asked for.
    let sinkLevel: pa_usec_t
    /// The duration of the round trip.
    let tookTime: pa_usec_t

    /// The time that the next request may take to reach the sink: half of a round trip, and more where the machine is busy.
    ///
    /// Frames after `soonest` lose the beginning of a fade, those after `latest` that of the sound, too.
    var soonest: pa_usec_t { min(250 + tookTime / 2, 5_000) }
    var latest: pa_usec_t { min(1_500 + 2 * min(tookTime, 5_000), 5_000) }
}

extension PulseConnection {
    /// Seconds that a seek waits for the server to say where it is: many times what one takes that runs, and not felt.
    private static var timingPatience: Double { 0.05 }

    /// Has libpulse know of `stream` what is so now: by itself it asks a few times a second at the most.
    ///
    /// With the lock, which is let go while the server is waited for.
    /// - Returns: `nil` if the server did not say.
    func renewTiming(of stream: OpaquePointer, withLevel: Bool) -> PulseRoundTrip? {
        let begin = pa_rtclock_now()
        // Freed only after the operations have ended or were cancelled: libpulse's thread writes to it until then.
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

/// The server answers in the order that it is asked in: then the level is known, too.
private let noteEnd: pa_stream_success_cb_t = { _, _, userdata in
    userdata?.assumingMemoryBound(to: PulseTimingAnswer.self).pointee.complete()
}
