import CSyrinxPulse
import CoreAudioTypes
import Glibc
import Synchronization

/// The state of libpulse's thread while a `PulseOutput` runs.
///
/// All of it with the main loop's lock.
struct PulseRenderState: ~Copyable {
    /// Whether the sound is held: the server may still ask, and gets nothing.
    private var isHeld = false
    /// When it was held last, by libpulse's clock.
    private var heldAt: pa_usec_t = 0
    /// Whether the server plays: running dry before that is not an underrun.
    var isPlaying = false
    private var frame: Int64 = 0
    /// Frames of silence that are still to go before the first render.
    private var leadIn: Int
    private var hasAskedForPriority = false
    private var recent: RewindBuffer
    private var rewind = SinkRewind()
    /// Whether the sink is still to be asked what it gives back, and whether it has been asked and not answered.
    private var asksForRewind: Bool
    private var awaitsRewind = false
    /// The loop of a thread that waits for the stream to have begun to play.
    var waiting: OpaquePointer?
    private var backlog = SinkBacklog()
    private var cycle = PipeWireCycle()
    private let serverKind: PulseServerKind
    private let sampleRate: Double
    private let block: RenderBlock
    private let frameByteCount: Int
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let moves: PulseMoves

    /// The first moments of a stream are easily lost: a sink that sleeps takes a while to wake, and what listens to its
    /// monitor has been given up to its own latency of silence beforehand.
    ///
    /// Nothing was lost here with 20 ms, but in that time not every server answers whether its sink gives back what it holds.
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

    /// The server asks for `byteCount` more bytes.
    mutating func serve(_ stream: OpaquePointer, byteCount: Int) {
        cycle.note(requestFor: microseconds(byteCount), at: pa_rtclock_now())
        fill(stream)
    }

    private func microseconds(_ byteCount: Int) -> UInt64 {
        UInt64(Double(max(0, byteCount / frameByteCount)) / sampleRate * 1_000_000)
    }

    /// Renders nothing until `release`.
    mutating func hold() {
        isHeld = true
        heldAt = pa_rtclock_now()
    }

    /// Renders what has become free meanwhile.
    mutating func release(_ stream: OpaquePointer) {
        isHeld = false
        fill(stream)
    }

    /// Renders all that the server has room for, straight into the memory that it will play from.
    ///
    /// Not annotated as free of locks: libpulse's own calls are not ours to promise for.
    mutating func fill(_ stream: OpaquePointer) {
        if isHeld { return }
        let writable = pa_stream_writable_size(stream)
        // (size_t) -1 is libpulse's error: the stream has failed, and its state callback says so.
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

    /// The duration that is kept to be taken back: more than a server holds when asked for the usual tenth of a second.
    private static var recentSeconds: Double { 0.25 }
    private static var fadeSeconds: Double { 0.005 }

    /// PipeWire may read a stream for so long after it was told to hold it, in microseconds.
    private static var holdingTime: pa_usec_t { 100_000 }

    private var fadeFrameCount: Int { Int(Self.fadeSeconds * sampleRate) }

    /// Whether it makes sense to ask the server how much of at most `frameCount` frames can be taken back.
    func mayTakeBack(_ frameCount: Int) -> Bool {
        guard isPlaying, serverKind != .unknown, frameCount > 2 * fadeFrameCount else { return false }
        return !isHeld || serverKind == .pulseAudio || pa_rtclock_now() &- heldAt > Self.holdingTime
    }

    /// Whether a stream that is to play has begun to, and its sink has shown what it gives back.
    var hasBegun: Bool { isHeld || isPlaying && !asksForRewind && !awaitsRewind }

    /// Wakes the thread that waits for the stream to have begun.
    private func tellWaiting() {
        if let waiting, hasBegun { pa_threaded_mainloop_signal(waiting, 0) }
    }

    /// Whether it has to be known how far the sink fills itself: where it gives nothing back.
    var needsSinkLevel: Bool { serverKind == .pulseAudio && !isHeld && rewind.keptBySink == nil }

    /// Returns the number of the last bytes that will not be heard before they are overwritten; `nil` if that is not known.
    private func unheardByteCount(_ stream: OpaquePointer, _ answer: PulseRoundTrip) -> Int? {
        guard let report = report(of: stream) else { return nil }
        if isHeld { return report.unreadByteCount }
        guard serverKind == .pipeWire else { return report.unheardByteCount(answer, keptBySink: rewind.keptBySink) }
        // A request is for all that there is room for.
        guard let unread = report.unreadByteCount, let target = pa_stream_get_buffer_attr(stream)?.pointee.tlength,
            let ahead = cycle.readAhead(
                at: pa_rtclock_now(),
                latest: answer.latest,
                read: microseconds(Int(target) - unread)
            )
        else { return nil }
        // Where it converts the rate, one block is a frame longer than another.
        return report.unreadByteCount(after: Int64(ahead)).map { max(0, $0 - frameByteCount) }
    }

    /// Returns the most frames to take back with the silence at the start, where all that was rendered since may be.
    ///
    /// Its beginning stays: what listens to a sink's monitor may have got that already.
    private func withLeadIn(_ limit: Int) -> Int {
        guard Int64(limit) >= frame, leadIn == 0, limit < .max / 2 else { return limit }
        return limit + Int((Self.leadInSeconds - Self.keptLeadInSeconds) * sampleRate)
    }

    /// Takes back at most `limit` unplayed frames, calls `change`, and writes newly rendered frames over them.
    ///
    /// The frames that are replaced fade out. From a sink that does not rewind, only frames that it has not read are taken back.
    /// The next few milliseconds stay.
    /// - Returns: False, without any effect, if there are too few such frames.
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
            // All of it at once: a sink that has given back much would run dry of what comes in pieces.
            var done = 0
            while done < frameCount {
                let count = min(frameCount - done, RenderBlock.maximumFrameCount)
                let position = samples + done * block.channelCount
                // They are written before the end of what the server has, and not yet.
                done += fillWithSound(count, position, stream, offset: done - frameCount)
            }
            for index in fade.indices {
                samples[index] += fade[index] * (1 - Float(index / block.channelCount + 1) / Float(fadeCount))
            }
            recent.append(samples, count: sampleCount)
            let offset = -Int64(frameCount * frameByteCount)
            // A stream that takes nothing has failed, and its state callback says so.
            _ = pa_stream_write(stream, samples, frameCount * frameByteCount, nil, offset, PA_SEEK_RELATIVE)
        }
        return true
    }

    /// Takes note of what the server says of the stream.
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

    /// Has a sink that is to play silence of its own first take that back.
    private mutating func shortenBacklog(_ stream: OpaquePointer, _ report: PulsePlaybackPosition) {
        let count = backlog.requestCount(unplayed: report.look.unplayed, latency: report.sinkLevel)
        guard count > 0 else { return }
        // A stream that is held and let go asks its sink to rewind, even if nothing of it has been played.
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

    /// Has the sink show what it gives back, if what it plays is still the silence before the first sound, and will be.
    private mutating func askForRewind(_ stream: OpaquePointer, played: Int64) {
        guard asksForRewind, !isHeld else { return }
        asksForRewind = false
        guard Double(played) / 1_000_000 < 0.8 * Self.leadInSeconds else { return }
        awaitsRewind = true
        // The server does one after the other, so that the stream is held for a fraction of a millisecond.
        forget(pa_stream_cork(stream, 1, nil, nil))
        forget(pa_stream_update_timing_info(stream, nil, nil))
        forget(pa_stream_cork(stream, 0, nil, nil))
    }

    private func forget(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    /// Asks once for real-time priority for the calling thread, and does without if it is refused.
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

    /// Returns the time at which what is written `offset` frames behind the last frames is heard.
    ///
    /// Also notes the latency, if the server has told it by now.
    private func hearingTime(_ stream: OpaquePointer, offset: Int) -> UInt64 {
        gauges.pointee.noteLatency(of: stream)
        let latency = gauges.pointee.latency.load(ordering: .relaxed) + Double(offset) / sampleRate
        return MonotonicClock.time(MonotonicClock.now(), plus: max(0, latency))
    }

    /// The server has begun to play, or to play again.
    mutating func didBeginToPlay(_ stream: OpaquePointer) {
        isPlaying = true
        guard asksForRewind else { return tellWaiting() }
        forget(pa_stream_update_timing_info(stream, nil, nil))
    }

    /// The server has run dry.
    mutating func didUnderflow() {
        if isPlaying && !isHeld { gauges.pointee.underruns.add(1, ordering: .relaxed) }
    }

    /// The server has moved the stream to another sink.
    mutating func didMove(_ stream: OpaquePointer) {
        rewind.moved()
        (asksForRewind, awaitsRewind) = (false, false)
        moves.report(to: pa_stream_get_device_name(stream).map { String(cString: $0) })
    }
}
