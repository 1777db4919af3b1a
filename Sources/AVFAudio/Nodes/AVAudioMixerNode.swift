public import Foundation

/// A node that mixes its inputs, each with its own volume and pan, sample rate and channel count.
///
/// Sample rates are converted with linear phase and without delay. Surplus channels are mixed down with the
/// coefficients of ITU-R BS.775-3. Centre and surround channels go to front left and right with a gain of 1/√2, and
/// the LFE channel is omitted. A mono input goes to left and right at full level, or to the centre of a surround
/// output. A mono output gets the mean of left and right. The sum is not scaled down.
///
/// ```swift
/// let drums = AVAudioMixerNode(), kick = AVAudioPlayerNode(), snare = AVAudioPlayerNode()
/// for node in [drums, kick, snare] { engine.attach(node) }
/// engine.connect(kick, to: drums, format: nil)
/// engine.connect(snare, to: drums, format: nil)
/// engine.connect(drums, to: engine.mainMixerNode, format: nil)
/// drums.outputVolume = 0.8
/// ```
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: the kernel's parameters are atomics; `inputs` requires the engine's lock.
    let kernel = MixerKernel()
    private var inputs: [AVAudioNodeBus: (source: ObjectIdentifier, input: MixerInput)] = [:]

    /// Creates a mixer.
    ///
    /// Attach it to an engine to use it.
    public override init() { super.init() }

    override var takesFormatOfTap: Bool { true }
    override var addsInputs: Bool { true }

    /// The gain of the whole mix, 0…1, default 1.
    ///
    /// A change starts with the next block and is ramped over 10 ms.
    open var outputVolume: Float {
        get { kernel.outputVolume.value }
        set { kernel.outputVolume.set(MixingValue.volume(newValue)) }
    }

    /// Ramps `outputVolume` linearly to `volume` within `frameCount` frames of the mixer's output.
    ///
    /// The ramp begins with the next block. An addition to Apple's interface.
    public func rampOutputVolume(to volume: Float, over frameCount: AVAudioFrameCount) {
        kernel.outputVolume.set(MixingValue.volume(volume), frames: frameCount)
    }

    /// The index of the lowest unconnected input.
    open var nextAvailableInputBus: AVAudioNodeBus { engine?.graph.nextAvailableInputBus(of: self) ?? 0 }

    /// The index of the highest connected input plus 1, at least 1.
    ///
    /// You can connect further inputs at any time. Apple does not document how its class counts; programs expect this
    /// value.
    open override var numberOfInputs: Int { engine?.graph.inputCount(of: self) ?? 1 }

    /// Clears the sample rate converters at the inputs, at the next block.
    open override func reset() { engine?.run.resetResamplers(into: self) }

    /// The longest tail in seconds of the sample rate converters at the inputs: 64 frames of the lower rate; 0 without
    /// one.
    open override var tailTime: TimeInterval { engine?.graph.resamplingTail(into: self) ?? 0 }

    /// Removes the state of inputs without a connection, so that a new connection starts with cleared state.
    func forgetInputs(except connections: [Graph.Connection]) {
        let buses = Set(connections.map(\.destinationBus))
        inputs = inputs.filter { buses.contains($0.key) }
    }

    /// Returns the state of an input, which is reused in later plans as long as the same node feeds the input.
    func input(on bus: AVAudioNodeBus, from source: AVAudioNode, parameters: MixingParameters) -> MixerInput {
        if let known = inputs[bus], known.source == ObjectIdentifier(source), known.input.parameters === parameters {
            return known.input
        }
        let input = MixerInput(parameters: parameters)
        inputs[bus] = (ObjectIdentifier(source), input)
        return input
    }
}
