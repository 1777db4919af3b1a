/// The receiver of the samples of a recording that arrives, in blocks of a fixed length.
///
/// Use it on one thread.
package protocol ArrivalSink: AnyObject {
    /// The number of frames in a block; at least 1.
    var blockLength: Int { get }
    /// The number of complete blocks that were not handed over.
    var blockCount: Int { get }
    /// The number of frames in the incomplete block.
    var pendingFrameCount: Int { get }

    /// Discards samples that were not handed over, and continues at a frame that starts a block.
    /// - Parameter frame: The frame of the recording.
    func begin(at frame: Int64)
    /// Adds samples.
    /// - Parameters:
    ///   - channels: One pointer for each channel of the recording.
    ///   - frameCount: The number of frames.
    func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int)
    /// Completes the last block at the end of the recording.
    func finish()
    /// Hands over the complete blocks.
    /// - Parameters:
    ///   - index: The index of the first block in the recording.
    ///   - lastFrameCount: The number of frames of the last block, if it is the last of the recording and incomplete.
    func handOver(from index: Int, lastFrameCount: Int?)
}

/// Builds the waveform of a recording that arrives.
final class WaveformSink: ArrivalSink {
    private var builder: PeakBuilder
    private let tell: (WaveformUpdate) -> Void

    init(_ settings: PeakBuilder.Settings, _ tell: @escaping (WaveformUpdate) -> Void) {
        builder = PeakBuilder(settings)
        self.tell = tell
    }

    var blockLength: Int { builder.settings.samplesPerPixel }
    var blockCount: Int { builder.waveform.count }
    var pendingFrameCount: Int { builder.pendingFrameCount }

    func begin(at frame: Int64) {
        builder.dropPending()
        _ = builder.takeBlocks()
    }

    func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        builder.append(channels, frameCount: frameCount)
    }

    func finish() { builder.finish() }

    func handOver(from index: Int, lastFrameCount: Int?) {
        tell(.blocks(builder.takeBlocks(), index: index, lastFrameCount: lastFrameCount))
    }
}
