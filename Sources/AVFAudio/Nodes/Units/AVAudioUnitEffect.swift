public import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxByteStream

/// A unit whose output has as many frames as its input.
///
/// To write an effect, subclass this class and supply a kernel. The unit has the parameters, which any thread may
/// change. The kernel reads them and processes the audio on the render thread:
///
/// ```swift
/// import Synchronization
///
/// final class Tremolo: AVAudioUnitEffect {
///     final class Parameters: Sendable { let depth = Atomic<Float>(0.5) }
///     private let parameters = Parameters()
///     var depth: Float {
///         get { parameters.depth.load(ordering: .relaxed) }
///         set { parameters.depth.store(newValue, ordering: .relaxed) }
///     }
///
///     override func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
///         Kernel(parameters, step: 2 * .pi * 5 / Float(format.sampleRate), channels: Int(format.channelCount))
///     }
///
///     private final class Kernel: AVAudioUnitKernel {
///         private let parameters: Parameters
///         private let step: Float
///         private let channels: Int
///         private var phase: Float = 0
///
///         init(_ parameters: Parameters, step: Float, channels: Int) {
///             self.parameters = parameters
///             self.step = step
///             self.channels = channels
///         }
///
///         override func process(
///             _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
///             into output: UnsafePointer<UnsafeMutablePointer<Float>>,
///             frameCount: Int
///         ) {
///             let depth = parameters.depth.load(ordering: .relaxed)
///             for frame in 0..<frameCount {
///                 let gain = 1 - depth * (0.5 + 0.5 * sin(phase))
///                 for channel in 0..<channels { output[channel][frame] = input[channel][frame] * gain }
///                 phase += step
///             }
///         }
///
///         override func reset() { phase = 0 }
///     }
/// }
/// ```
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
    // Unchecked: the parameters are atomic; `processor` requires the engine's lock.
    private let control: UnitControl
    private var processor: UnitProcessor?
    private var hostedRenderer: HostedRenderer?
    /// The effect of the library; `nil` for a unit of the program's own.
    let definition: EffectDefinition?
    /// Creates a unit that copies its input, for subclasses that override `makeKernel`.
    public override init() {
        definition = nil
        control = UnitControl()
        super.init()
    }

    /// An effect that renders a unit of the program's own.
    override init(hosting unit: AUAudioUnit) {
        definition = nil
        control = unit.control
        super.init(hosting: unit)
    }

    /// Creates the effect of a description: a registered class, or a built-in unit of type `aufx`.
    ///
    /// Set its parameters with `AudioUnitSetParameter`. If no unit matches or its class throws, the initializer stops
    /// the program with a message; `AVAudioUnit.instantiate(with:)` throws instead.
    /// - Parameter audioComponentDescription: The description. For a built-in unit, only type and subtype matter.
    public convenience init(audioComponentDescription: AudioComponentDescription) {
        if let unit = try? UnitRegistry.shared.entry(audioComponentDescription)?.make() {
            self.init(hosting: unit)
            return
        }
        let definition = EffectDefinition.all.first {
            audioComponentDescription.componentType == kAudioUnitType_Effect
                && audioComponentDescription.componentSubType == $0.subtype
        }
        guard let definition else {
            fatalError("There is no effect of that description: use AVAudioUnit.instantiate(with:), which throws.")
        }
        require(
            UnitComponent.of(Self.self)?.matches(audioComponentDescription) != false,
            "\(Self.self) is not the unit of that description: use AVAudioUnit.instantiate(with:)."
        )
        self.init(definition)
    }

    /// An effect of the library.
    convenience init(_ definition: EffectDefinition) {
        self.init(definition, store: ParameterStore(definition.parameters))
    }

    /// Creates a built-in effect whose parameters are in `store`.
    init(_ definition: EffectDefinition, store: ParameterStore) {
        self.definition = definition
        control = UnitControl()
        super.init(store: store)
    }

    override var component: UnitComponent? { definition.map(UnitComponent.of) }

    /// The delay of the output in seconds; 0 unless the effect needs look-ahead.
    open override var latency: TimeInterval {
        hosted?.latency ?? definition?.latency(store, outputFormat(forBus: 0).sampleRate) ?? 0
    }

    /// Whether the input passes through unchanged.
    ///
    /// Default `false`. A change takes effect at the next block with a fade of 5 ms. When bypass ends, the kernel
    /// starts with cleared state.
    open var bypass: Bool {
        get { control.bypass.load(ordering: .relaxed) }
        set { control.bypass.store(newValue, ordering: .relaxed) }
    }

    /// Seconds for which the unit sounds on when its input has become silent.
    ///
    /// Default 0. Looked at when the graph changes, for an effect of the library when the input ends.
    open override var tailTime: TimeInterval {
        hosted?.tailTime ?? definition?.tailTime(store, outputFormat(forBus: 0).sampleRate) ?? 0
    }

    /// Creates the kernel for a connection of `format`, which is 32-bit float with one buffer per channel.
    ///
    /// The method is not called on the render thread. It is called when the unit is first used with a format, while
    /// the kernel of the previous format may still be rendering. The default implementation returns the kernel of the
    /// unit's description, or a kernel that copies its input.
    /// - Parameters:
    ///   - format: The format of the connection.
    ///   - maximumFrameCount: The maximum number of frames in a call of `process`.
    open func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
        let channelCount = Int(format.channelCount)
        return definition?.makeKernel(store, format.sampleRate, channelCount) ?? CopyKernel(channelCount: channelCount)
    }

    /// Clears the unit's internal audio, such as delay lines, at the next block.
    open override func reset() {
        hosted?.reset()
        if hosted == nil { control.resets.wrappingAdd(1, ordering: .releasing) }
    }

    /// The processor for a connection, kept from plan to plan while its format stays.
    /// - Throws: `.formatMismatch` if a unit of the program's own does not take the format.
    func processor(format: AVAudioFormat, maximumFrameCount: Int) throws(AVAudioEngineError) -> UnitProcessor {
        if let processor, processor.format == format { return processor }
        let kernel =
            try hostedKernel(format, maximumFrameCount)
            ?? makeKernel(format: format, maximumFrameCount: AVAudioFrameCount(maximumFrameCount))
        let new = UnitProcessor(kernel: kernel, format: format, tailTime: tailTime, control: control)
        processor = new
        return new
    }

    /// The processor for a host without an engine.
    func standaloneProcessor(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> UnitProcessor {
        let kernel = makeKernel(format: format, maximumFrameCount: maximumFrameCount)
        return UnitProcessor(kernel: kernel, format: format, tailTime: tailTime, control: control)
    }

    private func hostedKernel(
        _ format: AVAudioFormat,
        _ maximumFrameCount: Int
    ) throws(AVAudioEngineError) -> AVAudioUnitKernel? {
        guard let hosted else { return nil }
        hostedRenderer?.close()
        let renderer = try HostedRenderer.make(
            hosted,
            format: format,
            maximumFrameCount: maximumFrameCount,
            hasInput: true
        )
        hostedRenderer = renderer
        return HostedKernel(renderer)
    }
}

/// The part of a unit that runs on the render thread.
///
/// Methods called there must not allocate, lock, log or wait. Allocate all memory in `init`. See `AVAudioUnitEffect`
/// for an example.
open class AVAudioUnitKernel {
    /// The sample time of the first frame that is processed next, on the engine's count.
    @exclusivity(unchecked) final var blockTime: Int64 = 0
    /// The host time of that frame; 0 without a clock.
    @exclusivity(unchecked) final var blockHostTime: UInt64 = 0

    /// Creates a kernel with cleared state.
    public init() {}

    /// Processes `frameCount` frames (at least 1) of `input` into `output`, each with one pointer per channel.
    ///
    /// The result must not depend on the division of the audio into blocks. Input and output never share memory.
    open func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        fatalError("\(type(of: self)) does not override process(_:into:frameCount:).")
    }

    /// Clears the state, so that the next output equals that of a new kernel.
    open func reset() {}

    /// Returns the remaining tail in seconds.
    ///
    /// Called on the render thread when the input ends.
    ///
    /// A negative value, the default, means that the unit's `tailTime` applies.
    func currentTailTime(sampleRate: Double) -> Double { -1 }

    /// Returns the longest silence within its tail, in seconds, such as that between two echoes.
    ///
    /// A negative value, the default, means unknown: the tail then lasts for all of `tailTime`.
    func longestGap(sampleRate: Double) -> Double { -1 }
}

/// A kernel that copies its input.
private final class CopyKernel: AVAudioUnitKernel {
    private let channelCount: Int

    init(channelCount: Int) { self.channelCount = channelCount }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        for channel in 0..<channelCount {
            copySamples(from: input[channel], to: output[channel], count: frameCount)
        }
    }
}

/// The values that control sets on a unit.
final class UnitControl: Sendable {
    let bypass = Atomic<Bool>(false)
    let resets = Atomic<Int>(0)
}
