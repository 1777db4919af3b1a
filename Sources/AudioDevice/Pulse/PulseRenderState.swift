import CPulse
import CoreAudioTypes
import Glibc
import Synchronization

/// What libpulse's thread works with while a `PulseOutput` runs.
///
/// All of it with the main loop's lock.
struct PulseRenderState: ~Copyable {
    /// Whether the sound is held: the server may still ask, and gets nothing.
    var isHeld = false
    /// Whether the server plays: running dry before that is not an underrun.
    var isPlaying = false
    private var frame: Int64 = 0
    /// Frames of silence that are still to go before the first render.
    private var leadIn: Int
    private var hasAskedForPriority = false
    private var recent: RecentSamples
    private var rewind = SinkRewind()
    /// Whether the sink is still to be asked what it gives back.
    private var asksForRewind: Bool
    private let takesBack: Bool
    private let sampleRate: Double
    private let block: RenderBlock
    private let frameByteCount: Int
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<Gauges>
    private let changes: ChangeReporter

    /// The first moments of a stream are easily lost: a sink that sleeps takes a while to wake, and what listens to its
    /// monitor has been given up to its own latency of silence beforehand.
    ///
    /// 50 ms cover what was seen here.
    private static var leadInSeconds: Double { 0.05 }

    /// - Parameter takesBack: Whether the server lets what it has been given be written over.
    init(
        _ callback: RenderCallback,
        format: DeviceFormat,
        takesBack: Bool,
        gauges: UnsafeMutablePointer<Gauges>,
        changes: ChangeReporter
    ) {
        block = RenderBlock(callback, channelCount: format.channelCount)
        frameByteCount = format.channelCount * MemoryLayout<Float>.stride
        sampleRate = format.sampleRate
        asksForRewind = takesBack
        self.takesBack = takesBack
        recent = RecentSamples(capacity: Int(Self.recentSeconds * format.sampleRate) * format.channelCount)
        leadIn = Int(Self.leadInSeconds * format.sampleRate)
        self.gauges = gauges
        self.changes = changes
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

    /// How much is kept to be taken back: more than a server holds that is asked for the usual tenth of a second.
    private static var recentSeconds: Double { 0.25 }
    private static var fadeSeconds: Double { 0.005 }

    /// Whether what is rendered is being heard.
    var isAudible: Bool { !isHeld && isPlaying }

    /// Whether what the sink has been handed can be taken back, too.
    var sinkGivesBack: Bool { rewind.keptBySink != nil }

    /// Takes back what has not been played, or what a sink that gives nothing back has not been handed, but for the next
    /// milliseconds, has `change` called, and writes what is rendered then over it, with a fade of what was there.
    /// - Returns: False if there is too little of it to be worth that; nothing is done then.
    mutating func replaceUnheard(_ stream: OpaquePointer, _ answer: PulseAnswerTime, after change: () -> Void) -> Bool {
        guard isAudible,
            let unheard = report(of: stream)?.unheardByteCount(answer, keptBySink: rewind.keptBySink)
        else { return false }
        let frameCount = min(unheard / frameByteCount, recent.count / block.channelCount)
        let fadeCount = Int(Self.fadeSeconds * sampleRate)
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
                done += fillWithSound(count, samples + done * block.channelCount, stream)
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
        guard takesBack, let report = report(of: stream) else { return }
        rewind.note(report.look)
        if report.isPlaying { askForRewind(stream, played: report.played) }
    }

    private func report(of stream: OpaquePointer) -> PulseReport? {
        guard let info = pa_stream_get_timing_info(stream)?.pointee, info.read_index_corrupt == 0 else { return nil }
        var timestamp = info.timestamp
        return PulseReport(
            writeIndex: info.write_index_corrupt == 0 ? info.write_index : nil,
            readIndex: info.read_index,
            sinkLatency: info.sink_usec,
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
        _ stream: OpaquePointer
    ) -> Int {
        var stamp = BlockTime.stamp(frame: frame, hostTime: hearingTime(stream))
        _ = block.render(frameCount, at: &stamp)
        block.interleave(frameCount, into: samples)
        block.didRender()
        frame &+= Int64(frameCount)
        return frameCount
    }

    /// When what is written next is heard.
    ///
    /// Also notes the latency, if the server has told it by now.
    private func hearingTime(_ stream: OpaquePointer) -> UInt64 {
        gauges.pointee.noteLatency(of: stream)
        return MonotonicClock.time(MonotonicClock.now(), plus: gauges.pointee.latency.load(ordering: .relaxed))
    }

    /// The server has begun to play, or to play again.
    mutating func didBeginToPlay(_ stream: OpaquePointer) {
        isPlaying = true
        guard asksForRewind else { return }
        forget(pa_stream_update_timing_info(stream, nil, nil))
    }

    /// The server has run dry.
    mutating func didUnderflow() {
        if isPlaying && !isHeld { gauges.pointee.underruns.add(1, ordering: .relaxed) }
    }

    /// The server has moved the stream to another sink.
    mutating func didMove() {
        rewind.moved()
        asksForRewind = false
        changes.report()
    }
}
