public import CoreAudioTypes
public import Foundation

/// An available unit: built in, or registered by the program.
open class AVAudioUnitComponent: NSObject, @unchecked Sendable {
    // Unchecked: constants.

    /// Core Audio's description.
    public let audioComponentDescription: AudioComponentDescription
    /// The display name of the unit.
    public let name: String
    /// The manufacturer of the unit.
    public let manufacturerName: String
    /// The version; 1 for built-in units.
    public let version: Int

    /// The display name of the type, such as `Effect`.
    open var typeName: String {
        switch audioComponentDescription.componentType {
        case kAudioUnitType_Effect: "Effect"
        case kAudioUnitType_MusicEffect: "Music Effect"
        case kAudioUnitType_MusicDevice: "Instrument"
        case kAudioUnitType_Generator: "Generator"
        case kAudioUnitType_FormatConverter: "Format Converter"
        case kAudioUnitType_Output: "Output"
        default: "Unit"
        }
    }

    /// The version as text.
    open var versionString: String { "\(version)" }
    /// Whether the unit accepts MIDI messages.
    open var hasMIDIInput: Bool {
        [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect].contains(audioComponentDescription.componentType)
    }
    /// Always `false`.
    open var hasMIDIOutput: Bool { false }
    /// Always `true`: all units run in the process of the program.
    open var isSandboxSafe: Bool { true }

    /// The component handle for Core Audio functions.
    public let audioComponent: AudioComponent

    init(_ record: ComponentRecord) {
        audioComponentDescription = record.description
        (name, manufacturerName, version) = (record.unitName, record.manufacturerName, Int(record.version))
        audioComponent = record.handle
    }
}

/// Lists the available units.
///
/// Callable from any thread.
open class AVAudioUnitComponentManager: NSObject, @unchecked Sendable {
    // Unchecked: no state.
    private static let instance = AVAudioUnitComponentManager()

    /// Returns the manager.
    open class func shared() -> AVAudioUnitComponentManager { instance }

    private var all: [AVAudioUnitComponent] {
        UnitRegistry.shared.components.map { AVAudioUnitComponent($0) }
    }

    /// Returns the units that match a description, in which 0 matches any value.
    open func components(matching description: AudioComponentDescription) -> [AVAudioUnitComponent] {
        all.filter { $0.audioComponentDescription.matches(description) }
    }

    /// Returns the units for which `testHandler` returns `true`.
    ///
    /// The search ends when the handler sets its second argument to `true`.
    open func components(
        passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
    ) -> [AVAudioUnitComponent] {
        var stops = ObjCBool(false)
        var found: [AVAudioUnitComponent] = []
        for component in all {
            if testHandler(component, &stops) { found.append(component) }
            if stops.boolValue { break }
        }
        return found
    }
}
