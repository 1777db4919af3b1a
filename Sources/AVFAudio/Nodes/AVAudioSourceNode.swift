import CoreAudioTypes
import Foundation

/// Makes its sound by calling a block.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: `kernel` is touched under the engine's lock only.
    private let block: AVAudioSourceNodeRenderBlock
    private let format: AVAudioFormat?
    private var kernel: (channelCount: Int, kernel: SourceKernel)?

    /// A source whose format is that of its connection.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        format = nil
        super.init()
    }

    /// A source that gives `format`, which has to be standard: 32-bit float, one buffer a channel.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        precondition(format.isStandard, "A source node gives 32-bit float with one buffer a channel, not \(format).")
        self.block = block
        self.format = format
        super.init()
    }

    override var ownFormat: AVAudioFormat? { format }

    func kernel(channelCount: Int) -> SourceKernel {
        if let kernel, kernel.channelCount == channelCount { return kernel.kernel }
        let new = SourceKernel(channelCount: channelCount, block: block)
        kernel = (channelCount, new)
        return new
    }
}
