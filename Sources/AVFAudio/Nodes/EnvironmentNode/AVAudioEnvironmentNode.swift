public import Foundation
import Synchronization
import SyrinxDSP

/// A mixer that places its inputs around a listener.
///
/// A mono input is heard from its `position`, which `AVAudio3DMixing` gives to players, mixers and other nodes that have a
/// volume; other inputs are mixed by volume and pan, unless their `sourceMode` says otherwise. The output is stereo; an output
/// connection of other channels gets it as a mixer would give it. Any thread may change the settings while it plays: gains glide
/// within 20 ms, and directions fade within 15 ms. Sources that the filters of a
/// head place are heard a little later than others: see `latency`.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: values are atomics; `inputs` and `kernel` are touched under the engine's lock, angles under `angles`.
    private let values = PublishedValues(EnvironmentValues.initial)
    private let angles = Mutex(AVAudio3DAngularOrientation())
    private let volumeOfOutput = RampedParameter(1)
    private var inputs: [AVAudioNodeBus: (source: ObjectIdentifier, input: SpatialInput)] = [:]
    private var kernel: EnvironmentKernel?

    /// The loss of level with distance.
    public let distanceAttenuationParameters: AVAudioEnvironmentDistanceAttenuationParameters

    /// The reverb.
    public let reverbParameters: AVAudioEnvironmentReverbParameters

    /// An environment, to be attached to an engine.
    public override init() {
        distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters(values)
        reverbParameters = AVAudioEnvironmentReverbParameters(values)
        super.init()
    }

    override var addsInputs: Bool { true }

    /// The gain of the whole, 0…1, default 1.
    ///
    /// A change is taken up with the next block and ramped over 10 ms.
    open var outputVolume: Float {
        get { volumeOfOutput.value }
        set { volumeOfOutput.set(MixingValue.volume(newValue)) }
    }

    /// The device on which it is heard, default `auto`: what `AVAudio3DMixingRenderingAlgorithm.auto` goes by.
    open var outputType: AVAudioEnvironmentOutputType {
        get { AVAudioEnvironmentOutputType(rawValue: Int(values.value(EnvironmentValues.outputType))) ?? .auto }
        set { values.set(EnvironmentValues.outputType, [Float(newValue.rawValue)]) }
    }

    /// The lowest input that nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { engine?.graph.nextAvailableInputBus(of: self) ?? 0 }

    /// The highest input that is connected plus one, and at least 1: with 16 connections and no gap between them, 16.
    ///
    /// More can be connected at any time. Apple's documentation does not say what their nodes count: this is what programs expect of
    /// them.
    open override var numberOfInputs: Int { engine?.graph.inputCount(of: self) ?? 1 }

    /// The place of the listener in meters, default the origin.
    open var listenerPosition: AVAudio3DPoint {
        get { vector(at: EnvironmentValues.position) }
        set { values.set(EnvironmentValues.position, [newValue.x, newValue.y, newValue.z]) }
    }

    /// The direction of the listener's head by vectors, default forward (0, 0, −1) and up (0, 1, 0).
    ///
    /// It takes the place of `listenerAngularOrientation`, whose value stays.
    open var listenerVectorOrientation: AVAudio3DVectorOrientation {
        get {
            AVAudio3DVectorOrientation(
                forward: vector(at: EnvironmentValues.forward),
                up: vector(at: EnvironmentValues.up)
            )
        }
        set {
            let (forward, up) = (newValue.forward, newValue.up)
            values.set(EnvironmentValues.forward, [forward.x, forward.y, forward.z, up.x, up.y, up.z])
        }
    }

    /// The direction of the listener's head by angles, default 0.
    ///
    /// Setting it sets `listenerVectorOrientation`, too.
    open var listenerAngularOrientation: AVAudio3DAngularOrientation {
        get { angles.withLock { $0 } }
        set {
            angles.withLock { $0 = newValue }
            let (forward, up) = ListenerFrame.vectors(
                yaw: Double(newValue.yaw),
                pitch: Double(newValue.pitch),
                roll: Double(newValue.roll)
            )
            values.set(
                EnvironmentValues.forward,
                [forward.x, forward.y, forward.z, up.x, up.y, up.z].map(Float.init)
            )
        }
    }

    /// Whether the listener's orientation follows the head: always false, because no device here reports a head's direction.
    ///
    /// Setting it has no effect.
    open var isListenerHeadTrackingEnabled: Bool {
        get { false }
        set { _ = newValue }
    }

    /// The raw values of the algorithms that the node renders: without libmysofa's measured head none of the HRTF, in whose place
    /// sources have `sphericalHead`.
    open var applicableRenderingAlgorithms: [NSNumber] {
        let always: [AVAudio3DMixingRenderingAlgorithm] = [
            .equalPowerPanning, .sphericalHead, .stereoPassThrough, .auto,
        ]
        return (MeasuredHead.isInstalled ? always + [.HRTF, .HRTFHQ] : always).map { NSNumber(value: $0.rawValue) }
    }

    /// Drops what the reverb, the heads' filters and the changes of sample rate hold, with the next block.
    open override func reset() {
        engine?.run.resetResamplers(into: self)
        resets.wrappingAdd(1, ordering: .releasing)
    }

    let resets = Atomic<Int>(0)

    /// The delay of the sources that the filters of a head place: a block of their convolution, 2.7 ms at 48 kHz.
    ///
    /// 0 while there is no such source. Other sources are not delayed, and neither is the reverb.
    open override var latency: TimeInterval {
        guard let rate = engine?.graph.headRate(in: self), rate > 0 else { return 0 }
        return Double(BinauralMixer.blockFrames(sampleRate: rate)) / rate
    }

    /// The reverb's decay, the heads' filters and the filters of changes of sample rate.
    open override var tailTime: TimeInterval {
        let resampling = engine?.graph.resamplingTail(into: self) ?? 0
        let preset = ReverbPreset(rawValue: Int(values.value(EnvironmentValues.reverbPreset))) ?? .mediumHall
        let reverb = reverbParameters.enable ? ReverbSettings(preset).tailTime(sampleRate: 48_000) : 0
        var heads = 0.01
        if let rate = engine?.graph.headRate(in: self), rate > 0 {
            heads = Double(BinauralMixer.tailFrames(sampleRate: rate)) / rate
        }
        return resampling + max(reverb, heads)
    }

    private func vector(at index: Int) -> AVAudio3DPoint {
        AVAudio3DPoint(x: values.value(index), y: values.value(index + 1), z: values.value(index + 2))
    }

    // MARK: Plans

    /// The kernel for a format, kept from plan to plan while its sample rate stays.
    func kernel(sampleRate: Double, maximumFrameCount: Int) -> EnvironmentKernel {
        if let kernel, kernel.sampleRate == sampleRate, kernel.maximumFrameCount >= maximumFrameCount { return kernel }
        let new = EnvironmentKernel(
            sampleRate: sampleRate,
            maximumFrameCount: maximumFrameCount,
            values: values,
            reverbFilter: reverbParameters.store,
            volume: volumeOfOutput,
            node: self
        )
        kernel = new
        inputs = [:]
        return new
    }

    /// Lets go of inputs that nothing is connected to any more, so that a new connection begins afresh.
    func forgetInputs(except connections: [Graph.Connection]) {
        let buses = Set(connections.map(\.destinationBus))
        inputs = inputs.filter { buses.contains($0.key) }
    }

    /// The state of an input, kept from plan to plan as long as the same node feeds it.
    func input(
        on bus: AVAudioNodeBus,
        from source: AVAudioNode,
        format: AVAudioFormat,
        parameters: MixingParameters,
        kernel: EnvironmentKernel
    ) -> SpatialInput {
        let speakers = ChannelSpeaker.order(of: format)
        if let known = inputs[bus], known.source == ObjectIdentifier(source),
            known.input.fits(parameters, speakers, kernel)
        {
            return known.input
        }
        let input = SpatialInput(parameters: parameters, speakers: speakers, kernel: kernel)
        inputs[bus] = (ObjectIdentifier(source), input)
        return input
    }
}
