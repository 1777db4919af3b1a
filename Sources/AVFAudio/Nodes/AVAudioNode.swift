public import Foundation
import Synchronization

/// A node of an engine's graph: a source, an effect, a mixer, or an input or output.
///
/// Call the methods from any thread except the render thread.
open class AVAudioNode: NSObject, @unchecked Sendable {
    // Unchecked: subclasses guard mutable state with locks or atomics, and `owner` is written under the engine's lock.

    /// The engine to which the node is attached; `nil` for none.
    public internal(set) weak var engine: AVAudioEngine?

    /// Volume and pan at the mixers that the node feeds.
    let mixing = SourceMixing()
    let taps = Mutex(TapList())

    private let nodeUnit = Mutex<AUAudioUnit?>(nil)

    override init() {
        super.init()
    }

    /// The node as a unit: its busses and their formats, its latency; for an `AVAudioUnit` its parameters, presets and
    /// state too.
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

    /// Returns the format of the connection to input `bus`; without a connection, the node's output format.
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.graph.inputFormat(of: self, bus: bus) ?? EngineOutput.fallbackFormat
    }

    /// Returns the format of the connection from output `bus`; without a connection, the node's own format.
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        engine?.graph.outputFormat(of: self) ?? ownFormat ?? EngineOutput.fallbackFormat
    }

    /// The format of the node's output, if it does not depend on connections.
    var ownFormat: AVAudioFormat? { nil }

    /// Whether the node has as many inputs as are connected, and adds them up.
    var addsInputs: Bool { false }

    /// Whether an unconnected node outputs the format that its tap requests.
    var takesFormatOfTap: Bool { false }

    /// The time of the last render, as a sample time of the node; `nil` while the engine is stopped.
    open var lastRenderTime: AVAudioTime? { engine?.lastRenderTime(of: self) }

    /// The number of rendered frames; `nil` for a node without a count of its own.
    var renderedFrames: Int64? { nil }

    /// Clears the audio in the node: delay lines, reverb tails, look-ahead buffers.
    ///
    /// Parameters keep their values.
    open func reset() {}

    /// The delay of the node's output relative to its input, in seconds.
    open var latency: TimeInterval { 0 }

    /// The maximum time in seconds during which the node still outputs sound after its input has become silent.
    ///
    /// It includes the latency, and depends on the current parameters. An addition to Apple's interface; there only
    /// `AUAudioUnit` has this property.
    open var tailTime: TimeInterval { 0 }

    /// Installs a block that receives all audio of an output bus.
    ///
    /// Each bus allows one tap.
    ///
    /// You may install a tap while the engine runs. A node with a tap is rendered even if it leads to no output. A tap
    /// on the output node receives the audio sent to the device. A second tap on the same bus stops the program with a
    /// message.
    ///
    /// ```swift
    /// engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, _ in
    ///     guard let samples = buffer.floatChannelData?[0] else { return }
    ///     let peak = (0..<Int(buffer.frameLength)).map { abs(samples[$0]) }.max() ?? 0
    ///     print("peak", peak)
    /// }
    /// ```
    /// - Parameters:
    ///   - bus: The output bus: 0 for all built-in nodes.
    ///   - bufferSize: The frames per buffer, at least 64; smaller values mean 64.
    ///   - format: The format of the buffers: uncompressed, with any common sample type, sample rate and channel
    ///     count. `nil`, or a format with 0 Hz or 0 channels, selects the format of the output. For other formats the
    ///     audio is converted as in a mixer, without delay, and time stamps use the rate of `format`. A mixer, player
    ///     or source without a connection takes `format` as its own. On Apple's systems a tap converts only on an
    ///     unconnected output, and stops the program on a connected one.
    ///   - tapBlock: Called in order on a private queue of the tap.
    open func installTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        installOnlyTap(onBus: bus, bufferSize, format, tapBlock)
    }

    /// Removes the tap that `installTap` has installed on `bus`, if any.
    open func removeTap(onBus bus: AVAudioNodeBus) {
        taps.withLock { $0.only[bus] }?.remove()
    }

    /// The time in seconds until the node's output is audible.
    ///
    /// It is the latency of the nodes downstream, along the longest path, plus that of the device. The value is 0 if
    /// the node is not attached, and only the latency of the device if its output is not connected.
    open var outputPresentationLatency: TimeInterval { engine?.graph.presentationLatency(of: self) ?? 0 }
}
