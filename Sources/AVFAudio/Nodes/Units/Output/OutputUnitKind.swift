import CoreAudioTypes

/// The kinds of output units, all of which are one unit here.
enum OutputUnitKind: CaseIterable {
    case defaultOutput
    case systemOutput
    case halOutput
    case remoteIO
    /// The same as `remoteIO`: it neither cancels echoes nor sets levels.
    case voiceProcessing
    /// A unit without a device, rendered by `AudioUnitRender`.
    case genericOutput

    var subtype: OSType {
        switch self {
        case .defaultOutput: kAudioUnitSubType_DefaultOutput
        case .systemOutput: kAudioUnitSubType_SystemOutput
        case .halOutput: kAudioUnitSubType_HALOutput
        case .remoteIO: kAudioUnitSubType_RemoteIO
        case .voiceProcessing: kAudioUnitSubType_VoiceProcessingIO
        case .genericOutput: kAudioUnitSubType_GenericOutput
        }
    }

    /// Core Audio's name.
    var name: String {
        switch self {
        case .defaultOutput: "DefaultOutputUnit"
        case .systemOutput: "SystemOutputUnit"
        case .halOutput: "AudioDeviceOutput"
        case .remoteIO: "AURemoteIO"
        case .voiceProcessing: "AUVoiceProcessor"
        case .genericOutput: "GenericOutput"
        }
    }

    /// Whether it records.
    var hasInput: Bool {
        switch self {
        case .halOutput, .remoteIO, .voiceProcessing: true
        case .defaultOutput, .systemOutput, .genericOutput: false
        }
    }

    var description: AudioComponentDescription {
        AudioComponentDescription(
            componentType: kAudioUnitType_Output,
            componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    }

    /// The kind of a description.
    init?(_ description: AudioComponentDescription) {
        guard description.componentType == kAudioUnitType_Output,
            let kind = Self.allCases.first(where: { $0.subtype == description.componentSubType })
        else { return nil }
        self = kind
    }
}
