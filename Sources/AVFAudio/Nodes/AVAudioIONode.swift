public import CoreAudioTypes
public import Foundation
import Synchronization

/// An end of the graph: where sound leaves the engine, or comes into it.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// Seconds between a frame at the node and its being heard, or between its sounding and its coming to the node.
    open var presentationLatency: TimeInterval { latency }

    /// The unit of the engine's device, see `audioUnit`; of a node without an engine, one that shows the node.
    public override var auAudioUnit: AUAudioUnit { engine?.deviceUnit ?? super.auAudioUnit }
}

/// The end of the graph: passes its input to the engine's device, or to the manual renderer.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
    // Unchecked: no state of its own.

    override init() { super.init() }

    /// One.
    open override var numberOfInputs: Int { 1 }

    /// None within the graph.
    open override var numberOfOutputs: Int { 0 }

    /// The format of the device.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.output.format ?? EngineOutput.fallbackFormat
    }

    /// Drops what a change of sample rate in front of the device holds, with the next block.
    open override func reset() { engine?.run.resetResamplers(into: self) }

    /// Seconds until a frame rendered now is heard.
    open override var latency: TimeInterval { engine?.output.latency ?? 0 }

    /// Half the filter of a change of sample rate in front of the device, 64 frames of the lower rate; 0 without one.
    open override var tailTime: TimeInterval { engine?.graph.resamplingTail(into: self) ?? 0 }
}

/// Supplies the input node of an engine that renders manually.
///
/// Called where the engine is rendered, for `inNumberOfFrames` frames; in real-time mode it must not allocate, lock or wait.
/// `nil` says that there is no data; fewer frames than asked for are followed by silence. What it returns has to stay as it is
/// until the render ends.
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The beginning of the graph: gives the frames of the engine's input device, or those of the manual renderer.
///
/// The device is opened, in the rate of the output, while the node leads to the output or to a sink node, or has a tap.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: the kernel's parts are set while nothing renders, or are atomics.
    let kernel = InputKernel()

    override init() { super.init() }

    /// None within the graph.
    open override var numberOfInputs: Int { 0 }

    override var ownFormat: AVAudioFormat? { kernel.suppliedFormat ?? engine?.input.format }

    /// The format of the device, or what `setManualRenderingInputPCMFormat` was told; as `outputFormat(forBus:)`.
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

    /// The format of the device, or what `setManualRenderingInputPCMFormat` was told; that of its connection if one is said.
    ///
    /// A device that is not open is opened for it, which takes as long as it takes to answer, up to some seconds. If there is
    /// none, the format is one of 0 Hz and 0 channels; a connection or a tap that is given it is made as if it was `nil`, where
    /// Apple's stops the program.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard let engine, !engine.isInManualRenderingMode else { return super.outputFormat(forBus: bus) }
        engine.input.prepare()
        return engine.input.format == nil ? AVAudioFormat() : super.outputFormat(forBus: bus)
    }

    /// Seconds between a sound and its coming to the node, as last measured.
    open override var latency: TimeInterval { engine?.input.latency ?? 0 }

    /// Gives the engine its input while it renders manually.
    ///
    /// To be called while the engine is stopped; again with another block replaces it.
    /// - Parameters:
    ///   - format: Uncompressed, of any common sample type.
    ///   - block: Called for each block of rendering that reads the node.
    /// - Returns: `false`, and nothing is changed, if the engine does not render manually, or runs, or `format` is not
    ///   uncompressed.
    @discardableResult
    open func setManualRenderingInputPCMFormat(
        _ format: AVAudioFormat,
        inputBlock block: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        guard let engine else { return false }
        return engine.lock.withLock {
            guard engine.output.manual != nil, engine.run.renderer == nil else { return false }
            return kernel.supply(format, block)
        }
    }
}
