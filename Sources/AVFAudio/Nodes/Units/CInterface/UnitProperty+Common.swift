import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxMediaCodec

/// The properties that all units have.
extension UnitProperty {
    private static let global = kAudioUnitScope_Global
    private static let input = kAudioUnitScope_Input
    private static let output = kAudioUnitScope_Output

    static let common: [AudioUnitPropertyID: UnitProperty] = [
        kAudioUnitProperty_ClassInfo: state(\.fullState),
        kAudioUnitProperty_ClassInfoFromDocument: state(\.fullStateForDocument),
        // Units are connected by an engine.
        kAudioUnitProperty_MakeConnection: UnitProperty(input, size: MemoryLayout<AudioUnitConnection>.size, read: nil),
        kAudioUnitProperty_SampleRate: sampleRate,
        kAudioUnitProperty_StreamFormat: streamFormat,
        kAudioUnitProperty_ElementCount: elementCount,
        kAudioUnitProperty_ElementName: elementName,
        kAudioUnitProperty_SupportedNumChannels: UnitProperty(global) { unit, _ in .values(unit.channelInfo) },
        kAudioUnitProperty_MaximumFramesPerSlice: maximumFrames,
        kAudioUnitProperty_Latency: UnitProperty(global, size: 8) { unit, _ in .value(unit.unit.latency) },
        kAudioUnitProperty_TailTime: UnitProperty(global, size: 8) { unit, _ in .value(unit.unit.tailTime) },
        kAudioUnitProperty_BypassEffect: bypass,
        kAudioUnitProperty_LastRenderError: UnitProperty(global, size: 4) { unit, _ in
            .value(unit.callbacks.lastError.exchange(noErr, ordering: .relaxed))
        },
        kAudioUnitProperty_SetRenderCallback: renderCallback,
        kAudioUnitProperty_RenderQuality: quality,
        kAudioUnitProperty_InPlaceProcessing: UnitProperty(global, size: 4) { unit, _ in
            .flag(unit.unit.canProcessInPlace)
        },
        kAudioUnitProperty_ShouldAllocateBuffer: allocation,
        kAudioUnitProperty_OfflineRender: UnitProperty(
            global,
            size: 4,
            write: { unit, _, input in unit.unit.isRenderingOffline = try input.flag() },
            read: { unit, _ in .flag(unit.unit.isRenderingOffline) }
        ),
        kAudioUnitProperty_ContextName: UnitProperty(
            global,
            size: 8,
            write: { unit, _, input in unit.unit.contextName = String(describing: try input.object(NSString.self)) },
            read: { unit, _ in .object(NSString(string: unit.unit.contextName ?? "")) }
        ),
    ].merging(parameters) { first, _ in first }.merging(presets) { first, _ in first }

    // MARK: Formats

    private static let sampleRate = UnitProperty(
        global,
        input,
        output,
        size: 8,
        write: { unit, place, input in
            let rate = try input.value(Double.self)
            let places = place.busType == nil ? unit.allPlaces : [place]
            for place in places {
                var description = try unit.format(at: place).basicDescription
                description.mSampleRate = rate
                try unit.setFormat(description, at: place)
            }
        },
        read: { unit, place in
            guard place.busType == nil else { return .value(try unit.format(at: place).sampleRate) }
            return .value(try unit.format(at: try unit.firstPlace).sampleRate)
        }
    )

    private static let streamFormat = UnitProperty(
        global,
        input,
        output,
        size: MemoryLayout<AudioStreamBasicDescription>.size,
        write: { unit, place, input in
            let description = try input.value(AudioStreamBasicDescription.self)
            // The global scope is that of the first output, as for Apple's units.
            try unit.setFormat(description, at: place.busType == nil ? try unit.firstPlace : place)
        },
        read: { unit, place in
            let place = place.busType == nil ? try unit.firstPlace : place
            return .value(try unit.format(at: place).basicDescription)
        }
    )

    private static let elementCount = UnitProperty(
        global,
        input,
        output,
        size: 4,
        write: { unit, place, input in
            guard try input.value(UInt32.self) == unit.elementCount(place.scope) else { throw UnitStatus.notWritable }
        },
        read: { unit, place in .value(unit.elementCount(place.scope)) }
    ).withOwnElements

    private static let elementName = UnitProperty(
        input,
        output,
        size: 8,
        write: { unit, place, input in
            let name = try input.object(NSString.self)
            try unit.bus(at: place).name = String(describing: name)
        },
        read: { unit, place in .object(NSString(string: try unit.bus(at: place).name ?? "")) }
    )

    // MARK: Rendering

    private static let maximumFrames = UnitProperty(
        global,
        size: 4,
        write: { unit, _, input in
            let count = try input.value(UInt32.self)
            guard (1...UnitInstance.frameLimit).contains(count) else { throw UnitStatus.invalidValue }
            guard !unit.isInitialized else { throw UnitStatus.initialized }
            unit.unit.maximumFramesToRender = count
        },
        read: { unit, _ in .value(unit.unit.maximumFramesToRender) }
    )

    private static let bypass = UnitProperty(
        global,
        size: 4,
        write: { unit, _, input in
            guard unit.canBeBypassed else { throw UnitStatus.invalidProperty }
            unit.unit.shouldBypassEffect = try input.flag()
        },
        read: { unit, _ in
            guard unit.canBeBypassed else { throw UnitStatus.invalidProperty }
            return .flag(unit.unit.shouldBypassEffect)
        }
    )

    private static let renderCallback = UnitProperty(
        input,
        global,
        size: MemoryLayout<AURenderCallbackStruct>.size,
        write: { unit, place, input in
            let callback = try input.value(AURenderCallbackStruct.self)
            guard unit.unit.hostingEngine == nil else { throw UnitStatus.notWritable }
            guard unit.elementCount(kAudioUnitScope_Input) > place.element else { throw UnitStatus.invalidElement }
            unit.callbacks.change {
                $0.inputs[Int(place.element)] = callback.inputProc == nil ? nil : .callback(callback)
            }
        },
        read: nil
    )

    /// Units have one quality, which is the best.
    private static let quality = UnitProperty(
        global,
        size: 4,
        write: { _, _, input in
            guard try input.value(UInt32.self) <= kRenderQuality_Max else { throw UnitStatus.invalidValue }
        },
        read: { _, _ in .value(kRenderQuality_Max) }
    )

    private static let allocation = UnitProperty(
        input,
        output,
        size: 4,
        write: { unit, place, input in
            guard let type = place.busType else { throw UnitStatus.invalidScope }
            let allocates = try input.flag()
            guard !unit.isInitialized else { throw UnitStatus.initialized }
            unit.setAllocatesMemory(allocates, type, Int(place.element))
        },
        read: { unit, place in
            guard let type = place.busType else { throw UnitStatus.invalidScope }
            return .flag(unit.allocatesMemory(type, Int(place.element)))
        }
    )

    // MARK: State

    private static func state(_ path: any ReferenceWritableKeyPath<AUAudioUnit, [String: Any]?> & Sendable)
        -> UnitProperty
    {
        UnitProperty(
            global,
            size: 8,
            write: { unit, _, input in
                let info = try input.object(NSDictionary.self)
                guard let state = info as? [String: Any], unit.isOwnState(state) else { throw UnitStatus.invalidValue }
                unit.unit[keyPath: path] = state
            },
            read: { unit, _ in
                var state = unit.unit[keyPath: path] ?? [:]
                state.merge(unit.stateHead) { _, new in new }
                return .object(NSDictionary(dictionary: state))
            }
        )
    }

    /// The same, with elements that are no busses.
    var withOwnElements: UnitProperty {
        var other = self
        other.hasOwnElements = true
        return other
    }
}

extension UnitInstance {
    /// Whether the unit has an input that it can pass through.
    fileprivate var canBeBypassed: Bool {
        switch unit.componentDescription.componentType {
        case kAudioUnitType_Output, kAudioUnitType_MusicDevice, kAudioUnitType_Mixer: false
        default: true
        }
    }

    // MARK: Busses

    /// The places of all busses.
    fileprivate var allPlaces: [UnitPlace] {
        [kAudioUnitScope_Output, kAudioUnitScope_Input].flatMap { scope in
            (0..<elementCount(scope)).map { UnitPlace(scope: scope, element: $0) }
        }
    }

    fileprivate var firstPlace: UnitPlace {
        get throws(UnitStatus) {
            guard let first = allPlaces.first else { throw UnitStatus.invalidElement }
            return first
        }
    }

    fileprivate func bus(at place: UnitPlace) throws(UnitStatus) -> AUAudioUnitBus {
        let busses = place.busType == .input ? unit.inputBusses : unit.outputBusses
        guard Int(place.element) < busses.count else { throw UnitStatus.invalidElement }
        return busses[Int(place.element)]
    }

    fileprivate func format(at place: UnitPlace) throws(UnitStatus) -> AVAudioFormat {
        if let node = unit.hostingNode, node.engine != nil {
            return place.busType == .input
                ? node.inputFormat(forBus: Int(place.element)) : node.outputFormat(forBus: Int(place.element))
        }
        return try bus(at: place).format
    }

    /// Sets the format of a bus.
    ///
    /// The values of the description are untrusted.
    fileprivate func setFormat(_ description: AudioStreamBasicDescription, at place: UnitPlace) throws(UnitStatus) {
        guard unit.hostingEngine == nil else { throw UnitStatus.notWritable }
        guard !isInitialized else { throw UnitStatus.initialized }
        guard let format = AVAudioFormat.checked(description), format.isStandard || unit is OutputUnit else {
            throw UnitStatus.formatNotSupported
        }
        do {
            try bus(at: place).setFormat(format)
        } catch {
            throw UnitStatus(error)
        }
    }

    /// The numbers of channels that inputs and outputs take together: −1 is any, and both −1 is any that are equal.
    fileprivate var channelInfo: [AUChannelInfo] {
        let hasInput = elementCount(kAudioUnitScope_Input) > 0
        let counts = unit.outputBusses.count > 0 ? unit.outputBusses[0].supportedChannelCounts ?? [] : []
        let any: Int16 = -1
        guard !counts.isEmpty else { return [AUChannelInfo(inChannels: hasInput ? any : 0, outChannels: any)] }
        return counts.map { count in
            let channels = Int16(clamping: count.intValue)
            return AUChannelInfo(inChannels: hasInput ? channels : 0, outChannels: channels)
        }
    }

    // MARK: State

    /// The entries of a state that identify its unit.
    fileprivate var stateHead: [String: Any] {
        let description = unit.componentDescription
        return [
            "type": NSNumber(value: description.componentType),
            "subtype": NSNumber(value: description.componentSubType),
            "manufacturer": NSNumber(value: description.componentManufacturer),
            "version": NSNumber(value: 0),
            "name": unit.currentPreset?.name ?? "",
        ]
    }

    /// Returns whether a state belongs to this kind of unit.
    ///
    /// Missing entries count as equal.
    fileprivate func isOwnState(_ state: [String: Any]) -> Bool {
        ["type", "subtype", "manufacturer"].allSatisfy { key in
            guard let found = state[key] as? NSNumber, let own = stateHead[key] as? NSNumber else { return true }
            return found == own
        }
    }
}

extension AVAudioFormat {
    /// Returns a validated format for an untrusted description: uncompressed, 1 to 768 kHz and up to 64 channels; else
    /// `nil`.
    ///
    /// The limits bound the memory of the sample rate converter.
    static func checked(_ description: AudioStreamBasicDescription) -> AVAudioFormat? {
        guard description.mSampleRate >= 1_000, description.mSampleRate <= 768_000,
            (1...64).contains(description.mChannelsPerFrame), PCMLayout(description) != nil
        else { return nil }
        let channels = description.mChannelsPerFrame
        let layout = channels > 2 ? AVAudioChannelLayout.usual(for: channels) : nil
        return withUnsafePointer(to: description) { AVAudioFormat(streamDescription: $0, channelLayout: layout) }
    }
}
