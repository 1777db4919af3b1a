/// The receiver of the samples of a recording that arrives, which it takes as blocks of one length.
///
/// One thread.
package protocol ArrivalSink: AnyObject {
    /// The frames of a block; 1 or more.
    var blockLength: Int { get }
    /// The whole blocks that have not been handed over.
    var blockCount: Int { get }
    /// The frames of the block that is not whole.
    var pendingFrameCount: Int { get }

    /// Forgets the samples that have not been handed over; the next ones begin at a frame, which begins a block.
    /// - Parameter frame: The frame of the recording.
    func begin(at frame: Int64)
    /// Takes the next samples.
    /// - Parameters:
    ///   - channels: One pointer for each channel of the recording.
    ///   - frameCount: The frames.
    func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int)
    /// Makes a block of the frames that are left: the recording ends with them.
    func finish()
    /// Hands over the whole blocks.
    /// - Parameters:
    ///   - index: The number of the first one in the recording.
    ///   - lastFrameCount: The frames of the last one, where it is the recording's last and shorter than the others.
    func handOver(from index: Int, lastFrameCount: Int?)
}

/// The waveform of a recording that arrives.
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
