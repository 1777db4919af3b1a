public import Foundation
import Synchronization
import SyrinxDSP

/// A mixer that places its inputs in 3D space around a listener.
///
/// A mono input is heard from its `position`, which `AVAudio3DMixing` adds to players, mixers and other nodes with a
/// volume. Other inputs are mixed by volume and pan, unless their `sourceMode` differs. The output is stereo; a
/// connection with other channels receives a mix as from a mixer. Change settings from any thread during playback:
/// gains ramp within 20 ms, and directions crossfade within 15 ms. HRTF sources are delayed slightly: see `latency`.
///
/// ```swift
/// let environment = AVAudioEnvironmentNode()
/// engine.attach(environment)
/// engine.connect(environment, to: engine.mainMixerNode, format: nil)
/// let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
/// engine.connect(player, to: environment, format: mono)
/// player.renderingAlgorithm = .HRTFHQ
/// player.position = AVAudio3DPoint(x: -2, y: 0, z: -1)  // left and in front, in meters
/// environment.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: 30, pitch: 0, roll: 0)
/// ```
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    // Unchecked: values are atomics; `inputs` and `kernel` require the engine's lock, and angles `angles`.
    private let values = PublishedValues(EnvironmentValues.initial)
    private let angles = Mutex(AVAudio3DAngularOrientation())
    private let volumeOfOutput = RampedParameter(1)
    private var inputs: [AVAudioNodeBus: (source: ObjectIdentifier, input: SpatialInput)] = [:]
    private var kernel: EnvironmentKernel?

    /// The attenuation with distance.
    public let distanceAttenuationParameters: AVAudioEnvironmentDistanceAttenuationParameters

    /// The reverb.
    public let reverbParameters: AVAudioEnvironmentReverbParameters

    /// Creates an environment.
    ///
    /// Attach it to an engine to use it.
    public override init() {
        distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters(values)
        reverbParameters = AVAudioEnvironmentReverbParameters(values)
        super.init()
    }

    override var addsInputs: Bool { true }

    /// The gain of the whole, 0…1, default 1.
    ///
    /// A change starts with the next block and is ramped over 10 ms.
    open var outputVolume: Float {
        get { volumeOfOutput.value }
        set { volumeOfOutput.set(MixingValue.volume(newValue)) }
    }

    /// The output device of the listener; default `auto`.
    ///
    /// `AVAudio3DMixingRenderingAlgorithm.auto` depends on it.
    open var outputType: AVAudioEnvironmentOutputType {
        get { AVAudioEnvironmentOutputType(rawValue: Int(values.value(EnvironmentValues.outputType))) ?? .auto }
        set { values.set(EnvironmentValues.outputType, [Float(newValue.rawValue)]) }
    }

    /// The index of the lowest unconnected input.
    open var nextAvailableInputBus: AVAudioNodeBus { engine?.graph.nextAvailableInputBus(of: self) ?? 0 }

    /// The index of the highest connected input plus 1, at least 1.
    ///
    /// You can connect further inputs at any time. Apple does not document how its class counts; programs expect this
    /// value.
    open override var numberOfInputs: Int { engine?.graph.inputCount(of: self) ?? 1 }

    /// The position of the listener in meters; default: the origin.
    open var listenerPosition: AVAudio3DPoint {
        get { vector(at: EnvironmentValues.position) }
        set { values.set(EnvironmentValues.position, [newValue.x, newValue.y, newValue.z]) }
    }

    /// The orientation of the listener's head as vectors; default forward (0, 0, −1) and up (0, 1, 0).
    ///
    /// The orientation that was set last applies, as vectors or as angles. Setting the vectors does not change the
    /// value of `listenerAngularOrientation`. If a vector has length 0, or both are parallel, the default applies.
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

    /// Whether the listener's orientation follows the head: always false, because no device here reports a head's
    /// direction.
    ///
    /// Setting it has no effect.
    open var isListenerHeadTrackingEnabled: Bool {
        get { false }
        set { _ = newValue }
    }

    /// The raw values of the available algorithms.
    ///
    /// Without libmysofa the HRTF algorithms are missing, and sources that request them use `sphericalHead`.
    open var applicableRenderingAlgorithms: [NSNumber] {
        let always: [AVAudio3DMixingRenderingAlgorithm] = [
            .equalPowerPanning, .sphericalHead, .stereoPassThrough, .auto,
        ]
        return (MeasuredHead.isInstalled ? always + [.HRTF, .HRTFHQ] : always).map { NSNumber(value: $0.rawValue) }
    }

    /// Clears the reverb, the HRTF filters and the sample rate converters, at the next block.
    open override func reset() {
        engine?.run.resetResamplers(into: self)
        resets.wrappingAdd(1, ordering: .releasing)
    }

    let resets = Atomic<Int>(0)

    /// The delay of HRTF sources in seconds: one block of the convolution, 2.7 ms at 48 kHz.
    ///
    /// The value is 0 while no source uses an HRTF. Other sources and the reverb are not delayed.
    open override var latency: TimeInterval {
        guard let rate = engine?.graph.headRate(in: self), rate > 0 else { return 0 }
        return Double(BinauralMixer.blockFrames(sampleRate: rate)) / rate
    }

    /// The tail in seconds of the reverb, the HRTF filters and the sample rate converters.
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

    /// Removes the state of inputs without a connection, so that a new connection starts with cleared state.
    func forgetInputs(except connections: [Graph.Connection]) {
        let buses = Set(connections.map(\.destinationBus))
        inputs = inputs.filter { buses.contains($0.key) }
    }

    /// Returns the state of an input, which is reused in later plans as long as the same node feeds the input.
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
