import CSyrinxPulse
import CoreAudioTypes
import Glibc
import Synchronization

/// The state of a running `PulseOutput`, used on libpulse's thread.
///
/// Requires the main loop's lock.
struct PulseRenderState: ~Copyable {
    /// Whether playback is paused; requests of the server are then ignored.
    private var isHeld = false
    /// The time of the last pause, by libpulse's clock.
    private var heldAt: pa_usec_t = 0
    /// Whether the server plays; running dry before that is not an underrun.
    var isPlaying = false
    private var frame: Int64 = 0
    /// The number of frames of silence before the first rendered frame.
    private var leadIn: Int
    private var hasAskedForPriority = false
    private var recent: RewindBuffer
    private var rewind = SinkRewind()
    /// Whether the sink must still be tested for rewinding, and whether the test is in progress.
    private var asksForRewind: Bool
    private var awaitsRewind = false
    /// The main loop of a thread that waits until the stream plays.
    var waiting: OpaquePointer?
    private var backlog = SinkBacklog()
    private var cycle = PipeWireCycle()
    private let serverKind: PulseServerKind
    private let sampleRate: Double
    private let block: RenderBlock
    private let frameByteCount: Int
    // Outlives this object: allocated from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let moves: PulseMoves

    /// The silence before the first rendered frame, in seconds, because the start of a stream is easily lost.
    ///
    /// A suspended sink takes time to resume, and a program that records its monitor has already received silence.
    /// Nothing was lost in tests with 20 ms, but not every server reports within that time whether its sink can rewind.
    private static var leadInSeconds: Double { 0.03 }
    private static var keptLeadInSeconds: Double { 0.02 }

    init(
        _ callback: RenderCallback,
        format: DeviceFormat,
        serverKind: PulseServerKind,
        gauges: UnsafeMutablePointer<DeviceCounters>,
        moves: PulseMoves
    ) {
        block = RenderBlock(callback, channelCount: format.channelCount)
        frameByteCount = format.channelCount * MemoryLayout<Float>.stride
        sampleRate = format.sampleRate
        asksForRewind = serverKind == .pulseAudio
        self.serverKind = serverKind
        recent = RewindBuffer(capacity: Int(Self.recentSeconds * format.sampleRate) * format.channelCount)
        leadIn = Int(Self.leadInSeconds * format.sampleRate)
        self.gauges = gauges
        self.moves = moves
    }

    /// Processes the server's request for `byteCount` more bytes.
    mutating func serve(_ stream: OpaquePointer, byteCount: Int) {
        cycle.note(requestFor: microseconds(byteCount), at: pa_rtclock_now())
        fill(stream)
    }

    private func microseconds(_ byteCount: Int) -> UInt64 {
        UInt64(Double(max(0, byteCount / frameByteCount)) / sampleRate * 1_000_000)
    }

    /// Stops rendering until `release`.
    mutating func hold() {
        isHeld = true
        heldAt = pa_rtclock_now()
    }

    /// Resumes rendering, and fills the free space of the server's buffer.
    mutating func release(_ stream: OpaquePointer) {
        isHeld = false
        fill(stream)
    }

    /// Fills the free space of the server's buffer, rendering directly into its memory.
    ///
    /// It has no performance annotations, because it calls libpulse.
    mutating func fill(_ stream: OpaquePointer) {
        if isHeld { return }
        let writable = pa_stream_writable_size(stream)
        // (size_t) −1 means that the stream has failed, which its state callback reports.
        guard writable != Int.max, writable != -1 else { return }
        var left = Int(writable) / frameByteCount
        while left > 0 {
            var byteCount = min(left, RenderBlock.maximumFrameCount) * frameByteCount
            var memory: UnsafeMutableRawPointer?
            guard pa_stream_begin_write(stream, &memory, &byteCount) >= 0, let memory else { return }
            let frameCount = min(byteCount / frameByteCount, left, RenderBlock.maximumFrameCount)
            guard frameCount > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let samples = memory.assumingMemoryBound(to: Float.self)
            let written = leadIn > 0 ? fillWithSilence(frameCount, samples) : fillWithSound(frameCount, samples, stream)
            recent.append(samples, count: written * block.channelCount)
            let status = pa_stream_write(stream, memory, written * frameByteCount, nil, 0, PA_SEEK_RELATIVE)
            guard status >= 0 else { return }
            left &-= written
        }
    }

    // MARK: Taking back

    /// The duration of audio that is kept for rewinding, in seconds: more than a server buffers with the usual latency
    /// of 0.1 s.
    private static var recentSeconds: Double { 0.25 }
    private static var fadeSeconds: Double { 0.005 }

    /// The time for which PipeWire may continue to read after a pause, in microseconds.
    private static var holdingTime: pa_usec_t { 100_000 }

    private var fadeFrameCount: Int { Int(Self.fadeSeconds * sampleRate) }

    /// Whether it is worthwhile to ask the server how much of at most `frameCount` frames can be taken back.
    func mayTakeBack(_ frameCount: Int) -> Bool {
        guard isPlaying, serverKind != .unknown, frameCount > 2 * fadeFrameCount else { return false }
        return !isHeld || serverKind == .pulseAudio || pa_rtclock_now() &- heldAt > Self.holdingTime
    }

    /// Whether the stream has started to play and its sink has been tested for rewinding, or playback is paused.
    var hasBegun: Bool { isHeld || isPlaying && !asksForRewind && !awaitsRewind }

    /// Wakes the thread that waits until the stream plays.
    private func tellWaiting() {
        if let waiting, hasBegun { pa_threaded_mainloop_signal(waiting, 0) }
    }

    /// Whether the sink's fill level must be known, because the sink cannot rewind.
    var needsSinkLevel: Bool { serverKind == .pulseAudio && !isHeld && rewind.keptBySink == nil }

    /// Returns the number of bytes at the end that can be overwritten before they are heard; `nil` if it is unknown.
    private func unheardByteCount(_ stream: OpaquePointer, _ answer: PulseRoundTrip) -> Int? {
        guard let report = report(of: stream) else { return nil }
        if isHeld { return report.unreadByteCount }
        guard serverKind == .pipeWire else { return report.unheardByteCount(answer, keptBySink: rewind.keptBySink) }
        // A request is for all of the free space in the buffer.
        guard let unread = report.unreadByteCount, let target = pa_stream_get_buffer_attr(stream)?.pointee.tlength,
            let ahead = cycle.readAhead(
                at: pa_rtclock_now(),
                latest: answer.latest,
                read: microseconds(Int(target) - unread)
            )
        else { return nil }
        // With rate conversion, blocks can differ by one frame.
        return report.unreadByteCount(after: Int64(ahead)).map { max(0, $0 - frameByteCount) }
    }

    /// Extends the limit by the silence at the start, if everything rendered so far may be taken back.
    ///
    /// The first part of the silence is kept, because a program that records the sink's monitor may already have
    /// received it.
    private func withLeadIn(_ limit: Int) -> Int {
        guard Int64(limit) >= frame, leadIn == 0, limit < .max / 2 else { return limit }
        return limit + Int((Self.leadInSeconds - Self.keptLeadInSeconds) * sampleRate)
    }

    /// Takes back at most `limit` unplayed frames, calls `change`, and overwrites them with newly rendered frames.
    ///
    /// The old frames fade out. If the sink cannot rewind, only frames that it has not received are taken back. Frames
    /// of the next few milliseconds are kept.
    /// - Returns: `false`, without any effect, if there are too few such frames.
    mutating func replaceUnheard(
        _ stream: OpaquePointer,
        _ answer: PulseRoundTrip,
        atMost limit: Int,
        after change: () -> Void
    ) -> Bool {
        guard mayTakeBack(limit), let unheard = unheardByteCount(stream, answer) else { return false }
        let frameCount = min(unheard / frameByteCount, recent.count / block.channelCount, withLeadIn(limit))
        let fadeCount = fadeFrameCount
        guard frameCount > 2 * fadeCount else { return false }
        let fadeSampleCount = fadeCount * block.channelCount
        let sampleCount = frameCount * block.channelCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: fadeSampleCount + sampleCount) { room in
            let fade = UnsafeMutableBufferPointer(rebasing: room[..<fadeSampleCount])
            guard let samples = room.baseAddress.map({ $0 + fadeSampleCount }) else { return }
            recent.takeBack(sampleCount, first: fade)
            change()
            // Write everything at once, because a sink that has rewound far would run dry between smaller writes.
            var done = 0
            while done < frameCount {
                let count = min(frameCount - done, RenderBlock.maximumFrameCount)
                let position = samples + done * block.channelCount
                // The position is relative to the end of the stream, where the frames will be written.
                done += fillWithSound(count, position, stream, offset: done - frameCount)
            }
            for index in fade.indices {
                samples[index] += fade[index] * (1 - Float(index / block.channelCount + 1) / Float(fadeCount))
            }
            recent.append(samples, count: sampleCount)
            let offset = -Int64(frameCount * frameByteCount)
            // A stream that rejects data has failed, which its state callback reports.
            _ = pa_stream_write(stream, samples, frameCount * frameByteCount, nil, offset, PA_SEEK_RELATIVE)
        }
        return true
    }

    /// Processes the server's timing report of the stream.
    mutating func noteTiming(_ stream: OpaquePointer) {
        guard serverKind == .pulseAudio, let report = report(of: stream) else { return }
        rewind.note(report.look)
        if !report.isPlaying { awaitsRewind = false }
        defer { tellWaiting() }
        if report.isPlaying {
            askForRewind(stream, played: report.played)
        } else if !isPlaying, !isHeld {
            shortenBacklog(stream, report)
        }
    }

    /// Makes a sink take back its own silence before the stream starts.
    private mutating func shortenBacklog(_ stream: OpaquePointer, _ report: PulsePlaybackPosition) {
        let count = backlog.requestCount(unplayed: report.look.unplayed, latency: report.sinkLevel)
        guard count > 0 else { return }
        // Corking and uncorking a stream makes its sink rewind, even before the stream has played.
        for _ in 0..<count {
            forget(pa_stream_cork(stream, 1, nil, nil))
            forget(pa_stream_cork(stream, 0, nil, nil))
        }
        forget(pa_stream_update_timing_info(stream, nil, nil))
    }

    private func report(of stream: OpaquePointer) -> PulsePlaybackPosition? {
        guard let info = pa_stream_get_timing_info(stream)?.pointee, info.read_index_corrupt == 0 else { return nil }
        var timestamp = info.timestamp
        return PulsePlaybackPosition(
            writeIndex: info.write_index_corrupt == 0 ? info.write_index : nil,
            readIndex: info.read_index,
            sinkLatency: info.sink_usec,
            configuredLatency: info.configured_sink_usec,
            time: pa_timeval_load(&timestamp),
            age: pa_timeval_age(&timestamp),
            isPlaying: info.playing != 0,
            frameByteCount: frameByteCount,
            sampleRate: sampleRate
        )
    }

    /// Tests whether the sink can rewind, while it still plays the silence before the first sound.
    private mutating func askForRewind(_ stream: OpaquePointer, played: Int64) {
        guard asksForRewind, !isHeld else { return }
        asksForRewind = false
        guard Double(played) / 1_000_000 < 0.8 * Self.leadInSeconds else { return }
        awaitsRewind = true
        // The server processes these requests in order, so the stream is corked only for a fraction of a millisecond.
        forget(pa_stream_cork(stream, 1, nil, nil))
        forget(pa_stream_update_timing_info(stream, nil, nil))
        forget(pa_stream_cork(stream, 0, nil, nil))
    }

    private func forget(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    /// Requests real-time priority for the calling thread, once; a refusal is ignored.
    private mutating func askForPriority() {
        guard !hasAskedForPriority else { return }
        hasAskedForPriority = true
        DeviceThread.askForPriority(pthread_self())
    }

    private mutating func fillWithSilence(_ frameCount: Int, _ samples: UnsafeMutablePointer<Float>) -> Int {
        askForPriority()
        let count = min(leadIn, frameCount)
        samples.update(repeating: 0, count: count * block.channelCount)
        leadIn &-= count
        return count
    }

    private mutating func fillWithSound(
        _ frameCount: Int,
        _ samples: UnsafeMutablePointer<Float>,
        _ stream: OpaquePointer,
        offset: Int = 0
    ) -> Int {
        var stamp = RenderTimestamp.stamp(frame: frame, hostTime: hearingTime(stream, offset: offset))
        _ = block.render(frameCount, at: &stamp)
        block.interleave(frameCount, into: samples)
        block.didRender()
        frame &+= Int64(frameCount)
        return frameCount
    }

    /// Returns the time at which data that are written `offset` frames after the end will be heard.
    ///
    /// Also stores the latency, if the server has reported it.
    private func hearingTime(_ stream: OpaquePointer, offset: Int) -> UInt64 {
        gauges.pointee.noteLatency(of: stream)
        let latency = gauges.pointee.latency.load(ordering: .relaxed) + Double(offset) / sampleRate
        return MonotonicClock.time(MonotonicClock.now(), plus: max(0, latency))
    }

    /// Called when the server has started to play, or resumed after an underrun.
    mutating func didBeginToPlay(_ stream: OpaquePointer) {
        isPlaying = true
        guard asksForRewind else { return tellWaiting() }
        forget(pa_stream_update_timing_info(stream, nil, nil))
    }

    /// Called when the server has run out of data.
    mutating func didUnderflow() {
        if isPlaying && !isHeld { gauges.pointee.underruns.add(1, ordering: .relaxed) }
    }

    /// Called when the server has moved the stream to another sink.
    mutating func didMove(_ stream: OpaquePointer) {
        rewind.moved()
        (asksForRewind, awaitsRewind) = (false, false)
        moves.report(to: pa_stream_get_device_name(stream).map { String(cString: $0) })
    }
}
