public import CoreAudioTypes
public import Foundation
import Synchronization

/// A unit without an input: a generator or an instrument of the program's own.
///
/// Made by `AVAudioUnit.instantiate(with:)` for a class that is registered with the type `augn` or `aumu`.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
    // Unchecked: `source` is touched under the engine's lock only.
    private var source: (format: AVAudioFormat, kernel: SourceKernel, renderer: HostedRenderer)?

    override init(hosting unit: AUAudioUnit) { super.init(hosting: unit) }

    /// The generator of a description.
    ///
    /// Stops the program, with a sentence, if none is registered or its class throws: `AVAudioUnit.instantiate(with:)` throws
    /// instead.
    public convenience init(audioComponentDescription: AudioComponentDescription) {
        guard let unit = try? UnitRegistry.shared.entry(audioComponentDescription)?.make() else {
            fatalError(
                "No generator of that description is registered: use AVAudioUnit.instantiate(with:), which throws."
            )
        }
        self.init(hosting: unit)
    }

    /// None.
    open override var numberOfInputs: Int { 0 }

    override var takesFormatOfTap: Bool { true }

    /// Whether the unit is silent.
    ///
    /// Default false.
    open var bypass: Bool {
        get { auAudioUnit.shouldBypassEffect }
        set { auAudioUnit.shouldBypassEffect = newValue }
    }

    /// Drops what the unit holds, with the next block.
    open override func reset() { auAudioUnit.reset() }

    /// Seconds by which the output lags.
    open override var latency: TimeInterval { hosted?.latency ?? 0 }

    /// The kernel for a connection, kept from plan to plan while its format stays.
    /// - Throws: `.formatMismatch` if the unit does not take the format.
    func kernel(format: AVAudioFormat, maximumFrameCount: Int) throws(AVAudioEngineError) -> SourceKernel {
        if let source, source.format == format { return source.kernel }
        source?.renderer.close()
        let unit = auAudioUnit
        let renderer = try HostedRenderer.make(
            unit,
            format: format,
            maximumFrameCount: maximumFrameCount,
            hasInput: false
        )
        let control = unit.control
        let channelCount = Int(format.channelCount)
        let places = PlaneList(channelCount: channelCount)
        let kernel = SourceKernel(channelCount: channelCount, form: nil, maximumFrameCount: maximumFrameCount) {
            silence,
            time,
            frameCount,
            data in
            let list = UnsafeMutableAudioBufferListPointer(data)
            for channel in 0..<channelCount {
                guard let plane = list[channel].mData else { return kAudioUnitErr_InvalidPropertyValue }
                places.channels[channel] = plane.assumingMemoryBound(to: Float.self)
            }
            renderer.render(
                nil,
                into: UnsafePointer(places.channels),
                frameCount: Int(frameCount),
                // The engine's own count of frames, which fits. A checked conversion is generic, and allocates in debug builds.
                time: Int64(time.pointee.mSampleTime),
                hostTime: time.pointee.mHostTime
            )
            if control.bypass.load(ordering: .relaxed) { silence.pointee = true }
            return noErr
        }
        source = (format, kernel, renderer)
        return kernel
    }
}

/// Memory for one pointer a channel.
private final class PlaneList: @unchecked Sendable {
    // Unchecked: the render thread alone touches what it points to.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(channelCount: Int) { channels = .allocate(capacity: max(channelCount, 1)) }

    deinit { channels.deallocate() }
}

extension AVAudioUnit {
    /// Returns a node that renders a unit of the program's own, by its type.
    static func hosting(_ unit: AUAudioUnit) -> AVAudioUnit {
        switch unit.componentDescription.componentType {
        case kAudioUnitType_Generator, kAudioUnitType_MusicDevice: AVAudioUnitGenerator(hosting: unit)
        default: AVAudioUnitEffect(hosting: unit)
        }
    }
}

extension ParameterStore {
    /// A store of the parameters of a unit of the program's own, whose values are in its tree.
    convenience init(_ unit: AUAudioUnit) {
        let parameters = unit.parameterTree?.allParameters ?? []
        let descriptions = parameters.map { parameter in
            UnitParameter(
                parameter.address,
                parameter.identifier,
                parameter.displayName,
                parameter.unit,
                parameter.minValue...parameter.maxValue,
                parameter.value,
                valueNames: parameter.valueStrings ?? [],
                isReadOnly: parameter.flags.contains(.flag_MeterReadOnly)
            )
        }
        self.init(
            descriptions,
            bridge: Bridge(get: { parameters[$0].value }, set: { parameters[$0].value = $1 })
        )
    }
}
