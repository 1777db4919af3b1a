public import CoreAudioTypes
public import Foundation
import Synchronization

/// The base class of the nodes for audio input and output of an engine.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// The delay in seconds between a frame at the node and its sound: until it is audible, or since it was captured.
    open var presentationLatency: TimeInterval { latency }

    /// The unit of the engine's device (see `audioUnit`).
    ///
    /// Without an engine, a unit that represents only the node.
    public override var auAudioUnit: AUAudioUnit { engine?.deviceUnit ?? super.auAudioUnit }
}

/// The output node, which passes its input to the engine's device or to the manual renderer.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    override init() { super.init() }

    /// Always 1.
    open override var numberOfInputs: Int { 1 }

    /// Always 0: the device's side is not part of the graph.
    open override var numberOfOutputs: Int { 0 }

    /// The format of the device.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.output.format ?? EngineOutput.fallbackFormat
    }

    /// Clears the sample rate converter before the device, at the next block.
    open override func reset() { engine?.run.resetResamplers(into: self) }

    /// Seconds from the render of a frame until the frame is audible.
    open override var latency: TimeInterval { engine?.output.latency ?? 0 }

    /// The tail in seconds of the sample rate converter before the device: 64 frames of the lower rate; 0 without one.
    open override var tailTime: TimeInterval { engine?.graph.resamplingTail(into: self) ?? 0 }
}

/// A block that supplies the input node of an engine in manual rendering mode.
///
/// The block is called on the rendering thread, with the number of frames to supply. In real-time mode the block must
/// not allocate, lock or wait. Return `nil` if no data is available; if the list has fewer frames, silence follows.
/// The returned memory must stay unchanged until the render ends.
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The source node for the engine's input device, or for input from the program in manual rendering.
///
/// The device is open, at the sample rate of the output, while the node leads to the output or to a sink node, or
/// while it has a tap.
///
/// ```swift
/// let input = engine.inputNode
/// let format = input.outputFormat(forBus: 0)
/// input.installTap(onBus: 0, bufferSize: 4096, format: format) { buffer, time in
///     print("captured", buffer.frameLength, "frames")
/// }
/// try engine.start()
/// ```
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: the members of the kernel are set while nothing renders, or are atomics.
    let kernel = InputKernel()

    override init() { super.init() }

    /// Always 0: the device's side is not part of the graph.
    open override var numberOfInputs: Int { 0 }

    override var ownFormat: AVAudioFormat? { kernel.suppliedFormat ?? engine?.input.format }

    /// The format of the device or of `setManualRenderingInputPCMFormat`; equal to `outputFormat(forBus:)`.
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

    /// The format of the node's connection, if it was specified; else the format of the device or of
    /// `setManualRenderingInputPCMFormat`.
    ///
    /// If the device is closed, the call opens it, which may take several seconds. Without a device the format has 0
    /// Hz and 0 channels. A connection or tap with that format is treated like one with `nil`; Apple's implementation
    /// stops the program.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard let engine, !engine.isInManualRenderingMode else { return super.outputFormat(forBus: bus) }
        engine.input.prepare()
        return engine.input.format == nil ? AVAudioFormat() : super.outputFormat(forBus: bus)
    }

    /// Seconds from a sound at the device until the node provides it, as last measured.
    open override var latency: TimeInterval { engine?.input.latency ?? 0 }

    /// Sets the format and the block that supply the node's input in manual rendering mode.
    ///
    /// Call it while the engine is stopped. A second call replaces the block.
    /// - Parameters:
    ///   - format: The format of the input: uncompressed, with any common sample type.
    ///   - block: Called for each rendered block that reads the node.
    /// - Returns: `false`, without any change, if the engine is not in manual rendering mode, if it runs, or if
    ///   `format` is compressed.
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
