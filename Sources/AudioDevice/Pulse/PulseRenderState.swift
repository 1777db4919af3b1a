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

    init(
        _ callback: RenderCallback,
        format: DeviceFormat,
        gauges: UnsafeMutablePointer<Gauges>,
        changes: ChangeReporter
    ) {
        block = RenderBlock(callback, channelCount: format.channelCount)
        frameByteCount = format.channelCount * MemoryLayout<Float>.stride
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
            let status = pa_stream_write(stream, memory, written * frameByteCount, nil, 0, PA_SEEK_RELATIVE)
            guard status >= 0 else { return }
            left &-= written
        }
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
    mutating func didBeginToPlay() { isPlaying = true }

    /// The server has run dry.
    mutating func didUnderflow() {
        if isPlaying && !isHeld { gauges.pointee.underruns.add(1, ordering: .relaxed) }
    }

    /// The server has moved the stream to another sink.
    func didMove() { changes.report() }
}
