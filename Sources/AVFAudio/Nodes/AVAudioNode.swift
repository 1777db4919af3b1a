public import Foundation
import Synchronization

/// A part of an engine's graph: makes sound, changes it, mixes it, or hands it on.
///
/// All methods may be called from any thread but the render thread.
open class AVAudioNode: NSObject, @unchecked Sendable {
    // Unchecked: subclasses keep what changes behind a lock or in atomics; `owner` is written under the engine's lock.

    /// The engine that the node is attached to, if there is one.
    public internal(set) weak var engine: AVAudioEngine?

    /// Volume and pan at the mixers that the node feeds.
    let mixing = SourceMixing()
    let taps = Mutex(TapList())

    private let nodeUnit = Mutex<AUAudioUnit?>(nil)

    override init() {
        super.init()
    }

    /// The node as a unit: its busses and their formats, its latency; for an `AVAudioUnit` its parameters, presets and state too.
    ///
    /// Always the same object.
    public var auAudioUnit: AUAudioUnit {
        nodeUnit.withLock { unit in
            if let unit { return unit }
            let new = NodeAudioUnit(self)
            unit = new
            return new
        }
    }

    /// The number of inputs of the node.
    open var numberOfInputs: Int { 0 }

    /// The number of outputs of the node.
    open var numberOfOutputs: Int { 1 }

    /// The format that comes in at `bus`: that of the connection there, or silence of the engine's own format.
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.graph.inputFormat(of: self, bus: bus) ?? EngineOutput.fallbackFormat
    }

    /// The format that goes out at `bus`: that of the connection there, or the node's own.
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.graph.outputFormat(of: self) ?? ownFormat ?? EngineOutput.fallbackFormat
    }

    /// The format that the node gives whatever it is connected to, if it has one.
    var ownFormat: AVAudioFormat? { nil }

    /// Whether the node has as many inputs as are connected, and adds them up.
    var addsInputs: Bool { false }

    /// Whether the node gives whatever format its tap asks for, if it leads nowhere.
    var takesFormatOfTap: Bool { false }

    /// When the node last rendered, on its own count of frames; `nil` when the engine does not run.
    open var lastRenderTime: AVAudioTime? { engine?.lastRenderTime(of: self) }

    /// Frames given so far, if the node keeps a count of its own.
    var renderedFrames: Int64? { nil }

    /// Clears what the node still holds of its input: delay lines, tails, look-ahead.
    ///
    /// Parameters stay.
    open func reset() {}

    /// Seconds by which the node's output lies behind its input.
    open var latency: TimeInterval { 0 }

    /// Seconds for which the node sounds on, at the most, when its input has become silent: its latency, and what it holds.
    ///
    /// As its parameters are now. An addition to Apple's interface, where `AUAudioUnit` has it.
    open var tailTime: TimeInterval { 0 }

    /// Has `tapBlock` called with everything that an output gives; one such tap a bus.
    ///
    /// May be called while the engine runs. A node that is tapped is rendered while the engine runs, also if it leads nowhere.
    /// On the output node it is what goes to the device. A second tap on the same bus stops the program with a sentence.
    /// - Parameters:
    ///   - bus: The output; 0 for every node of the engine.
    ///   - bufferSize: Frames of each buffer: any number from 64 up; fewer are taken as 64.
    ///   - format: What the buffers are to be: uncompressed, of any common sample type, rate and number of channels. `nil`, or
    ///     one of 0 Hz or 0 channels, is what the output gives. What differs from that is converted, as a mixer would, without
    ///     a delay and with times at the rate of `format`. A mixer, player or source that leads nowhere takes `format` as its
    ///     own. On Apple's systems a tap converts on an output that is not connected, and stops the program on one that is.
    ///   - tapBlock: Called on a queue of the tap's own, in order.
    open func installTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        installOnlyTap(onBus: bus, bufferSize, format, tapBlock)
    }

    /// Ends the tap that `installTap` made on `bus`, if there is one.
    open func removeTap(onBus bus: AVAudioNodeBus) {
        taps.withLock { $0.only[bus] }?.remove()
    }

    /// Seconds until what the node gives is heard: the latency of what lies behind it, on the longest way, and of the device.
    open var outputPresentationLatency: TimeInterval { engine?.graph.presentationLatency(of: self) ?? 0 }
}
