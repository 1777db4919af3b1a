import Foundation
import SyrinxMediaCodec

/// A node whose audio is supplied by a block of the program, on the render thread.
///
/// ```swift
/// let noise = AVAudioSourceNode { _, _, frameCount, outputData in
///     for buffer in UnsafeMutableAudioBufferListPointer(outputData) {
///         let samples = buffer.mData!.assumingMemoryBound(to: Float.self)
///         for frame in 0..<Int(frameCount) { samples[frame] = .random(in: -0.1...0.1) }
///     }
///     return noErr
/// }
/// engine.attach(noise)
/// engine.connect(noise, to: engine.mainMixerNode, format: nil)
/// ```
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: `kernel` requires the engine's lock.
    private let block: AVAudioSourceNodeRenderBlock
    /// The format of the block's samples; `nil` is that of the connection.
    private let format: AVAudioFormat?
    private var kernel: (channelCount: Int, kernel: SourceKernel)?

    /// Creates a source node whose format is that of its connection, as 32-bit float with one buffer per channel.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        format = nil
        super.init()
    }

    /// Creates a source node whose block supplies audio in `format`: uncompressed, with any common sample type.
    ///
    /// If the connection has another sample rate or channel count, the engine converts the audio.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        require(
            PCMLayout(format.streamDescription.pointee) != nil,
            "A source node needs an uncompressed format, not \(format)."
        )
        self.block = block
        self.format = format
        super.init()
    }

    override var ownFormat: AVAudioFormat? { format?.asStandard }

    override var takesFormatOfTap: Bool { format == nil }

    func kernel(channelCount: Int) -> SourceKernel {
        if let kernel, kernel.channelCount == channelCount { return kernel.kernel }
        let form = format.flatMap { $0.isStandard ? nil : PCMLayout($0.streamDescription.pointee) }
        let new = SourceKernel(
            channelCount: channelCount,
            form: form,
            maximumFrameCount: EngineRun.maximumFrameCount,
            block: block
        )
        kernel = (channelCount, new)
        return new
    }
}
