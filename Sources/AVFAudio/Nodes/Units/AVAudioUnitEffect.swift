public import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxByteStream

/// A unit that gives as many frames as it takes.
///
/// To write one's own, subclass it and give it a kernel. The unit holds the parameters, which anybody may change; the kernel
/// does the work, on the render thread, and reads them:
///
/// ```swift
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
    // Unchecked: the parameters are atomic; `processor` is touched under the engine's lock only.
    private let control: UnitControl
    private var processor: UnitProcessor?
    private var hostedRenderer: HostedRenderer?
    /// The effect of the library; `nil` for a unit of the program's own.
    let definition: EffectDefinition?
    /// A unit that does what its kernel does.
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

    /// The effect of a description: of a class that is registered, or of the library: every unit of type `aufx`.
    ///
    /// Its parameters are set through `AudioUnitSetParameter`. Stops the program, with a sentence, if there is none, or its class
    /// throws: `AVAudioUnit.instantiate(with:)` throws instead.
    /// - Parameter audioComponentDescription: For a unit of the library type and subtype say which.
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

    /// An effect of the library whose parameters are in `store`.
    init(_ definition: EffectDefinition, store: ParameterStore) {
        self.definition = definition
        control = UnitControl()
        super.init(store: store)
    }

    override var component: UnitComponent? { definition.map(UnitComponent.of) }

    /// Seconds by which the output lags, 0 unless the effect looks ahead.
    open override var latency: TimeInterval {
        hosted?.latency ?? definition?.latency(store, outputFormat(forBus: 0).sampleRate) ?? 0
    }

    /// Whether the input goes through unchanged.
    ///
    /// Default false. A change is taken up with the next block and faded over 5 ms; a kernel that comes back begins afresh.
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

    /// Returns the kernel for a connection of `format`, which is 32-bit float with one buffer for each channel.
    ///
    /// Called off the render thread when the unit comes into use with a format; the kernel of the format before may still be
    /// rendering then. Unless overridden, that of the description, or one that copies.
    /// - Parameters:
    ///   - format: The format of the connection.
    ///   - maximumFrameCount: The most that `process` will be asked for.
    open func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
        let channelCount = Int(format.channelCount)
        return definition?.makeKernel(store, format.sampleRate, channelCount) ?? CopyKernel(channelCount: channelCount)
    }

    /// Drops what the unit holds of its input, with the next block.
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
/// What is called there must not allocate, lock, log or wait; memory is taken in `init`. See `AVAudioUnitEffect`.
open class AVAudioUnitKernel {
    /// The sample time of the first frame that is processed next, on the engine's count.
    @exclusivity(unchecked) final var blockTime: Int64 = 0
    /// The host time of that frame; 0 without a clock.
    @exclusivity(unchecked) final var blockHostTime: UInt64 = 0

    /// A kernel that has done nothing yet.
    public init() {}

    /// Makes `output` of `input`: one pointer a channel, `frameCount` frames each, 1 or more.
    ///
    /// What it makes must not depend on how frames are cut into blocks. The two lie in different memory.
    open func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        fatalError("\(type(of: self)) does not override process(_:into:frameCount:).")
    }

    /// Forgets the input: what comes after is what a new kernel would make.
    open func reset() {}

    /// Returns the seconds for which it sounds on from now, on the render thread where the input ends.
    ///
    /// Below 0, as by default, the unit's `tailTime` counts.
    func currentTailTime(sampleRate: Double) -> Double { -1 }

    /// Returns the longest silence within its tail, in seconds, such as that between two echoes.
    ///
    /// A negative value, the default, means unknown: the tail then lasts for all of `tailTime`.
    func longestGap(sampleRate: Double) -> Double { -1 }
}

/// Does nothing.
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
