public import Foundation

/// Adds its inputs up, each with a volume and a pan of its own, whatever their sample rates and channels.
///
/// Sample rates are converted with linear phase and no delay. Channels that the output lacks are folded into those that it
/// has with the coefficients of ITU-R BS.775-3: centre and surrounds go to the front left and right with 1/√2, low-frequency
/// effects are left out. Mono goes to left and right whole, and is the centre of more channels; to mono goes the mean of
/// stereo. Nothing is scaled down to make room for the sum.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: the kernel's parameters are atomics; `inputs` is touched under the engine's lock.
    let kernel = MixerKernel()
    private var inputs: [AVAudioNodeBus: (source: ObjectIdentifier, input: MixerInput)] = [:]

    /// A mixer, to be attached to an engine.
    public override init() { super.init() }

    override var takesFormatOfTap: Bool { true }
    override var addsInputs: Bool { true }

    /// The gain of the whole mix, 0…1, default 1.
    ///
    /// A change is taken up with the next block and ramped over 10 ms.
    open var outputVolume: Float {
        get { kernel.outputVolume.value }
        set { kernel.outputVolume.set(MixingValue.volume(newValue)) }
    }

    /// Has `outputVolume` reach `volume` in a straight line over `frameCount` frames of the mixer's output.
    ///
    /// It begins with the next block. An addition to Apple's interface.
    public func rampOutputVolume(to volume: Float, over frameCount: AVAudioFrameCount) {
        kernel.outputVolume.set(MixingValue.volume(volume), frames: frameCount)
    }

    /// The lowest input that nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { engine?.graph.nextAvailableInputBus(of: self) ?? 0 }

    /// The highest input that is connected plus one, and at least 1: with 16 connections and no gap between them, 16.
    ///
    /// More can be connected at any time. Apple's documentation does not say what their nodes count: this is what programs expect of
    /// them.
    open override var numberOfInputs: Int { engine?.graph.inputCount(of: self) ?? 1 }

    /// Drops what the changes of sample rate at the inputs hold, with the next block.
    open override func reset() { engine?.run.resetResamplers(into: self) }

    /// Half the filter of the greatest change of sample rate at the inputs, 64 frames of the lower rate; 0 without one.
    open override var tailTime: TimeInterval { engine?.graph.resamplingTail(into: self) ?? 0 }

    /// Lets go of inputs that nothing is connected to any more, so that a new connection begins afresh.
    func forgetInputs(except connections: [Graph.Connection]) {
        let buses = Set(connections.map(\.destinationBus))
        inputs = inputs.filter { buses.contains($0.key) }
    }

    /// The state of an input, kept from plan to plan as long as the same node feeds it.
    func input(on bus: AVAudioNodeBus, from source: AVAudioNode, parameters: MixingParameters) -> MixerInput {
        if let known = inputs[bus], known.source == ObjectIdentifier(source), known.input.parameters === parameters {
            return known.input
        }
        let input = MixerInput(parameters: parameters)
        inputs[bus] = (ObjectIdentifier(source), input)
        return input
    }
}
