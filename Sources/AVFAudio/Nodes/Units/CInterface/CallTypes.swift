public import CoreAudioTypes
public import Foundation

/// A handle of a unit for the functions of Core Audio.
///
/// The handle is valid as long as its `AVAudioUnit` or `AUAudioUnit` exists, or until `AudioComponentInstanceDispose`.
public typealias AudioUnit = OpaquePointer
/// A handle of an instance of a component for the functions of Core Audio.
public typealias AudioComponentInstance = OpaquePointer
/// A unit that can be made.
///
/// Valid for ever.
public typealias AudioComponent = OpaquePointer

/// A function that is called after a change of a property.
///
/// Its arguments are the listener's pointer, the unit, the property, its scope and its element.
public typealias AudioUnitPropertyListenerProc =
    @convention(c) (
        _ inRefCon: UnsafeMutableRawPointer,
        _ inUnit: AudioUnit,
        _ inID: AudioUnitPropertyID,
        _ inScope: AudioUnitScope,
        _ inElement: AudioUnitElement
    ) -> Void

// The structures below refer to Foundation objects, which are not available to the C header. Their layout equals that
// of C.

/// A connection of one unit to another.
///
/// Units are connected by `AVAudioEngine` only: `kAudioUnitProperty_MakeConnection` is refused.
public struct AudioUnitConnection {
    /// The source unit; `nil` removes the connection.
    public var sourceAudioUnit: AudioUnit?
    /// The output of that unit.
    public var sourceOutputNumber: UInt32
    /// The input bus of the destination.
    public var destInputNumber: UInt32

    /// Creates a connection.
    public init(sourceAudioUnit: AudioUnit? = nil, sourceOutputNumber: UInt32 = 0, destInputNumber: UInt32 = 0) {
        self.sourceAudioUnit = sourceAudioUnit
        self.sourceOutputNumber = sourceOutputNumber
        self.destInputNumber = destInputNumber
    }
}

/// A preset of a unit.
public struct AUPreset {
    /// The number: 0 or more for presets of the unit, negative for user presets.
    public var presetNumber: Int32
    /// The display name.
    public var presetName: Unmanaged<CFString>?

    /// Creates a preset.
    public init(presetNumber: Int32 = 0, presetName: Unmanaged<CFString>? = nil) {
        self.presetNumber = presetNumber
        self.presetName = presetName
    }
}

/// A request for the text of a parameter value.
public struct AudioUnitParameterStringFromValue {
    /// The parameter.
    public var inParamID: AudioUnitParameterID
    /// The value; `nil` means the current value.
    public var inValue: UnsafePointer<AudioUnitParameterValue>?
    /// The text, which the caller has to release.
    public var outString: Unmanaged<CFString>?

    /// Creates a request for the text of a value.
    public init(
        inParamID: AudioUnitParameterID = 0,
        inValue: UnsafePointer<AudioUnitParameterValue>? = nil,
        outString: Unmanaged<CFString>? = nil
    ) {
        self.inParamID = inParamID
        self.inValue = inValue
        self.outString = outString
    }
}

/// A request for the parameter value of a text.
public struct AudioUnitParameterValueFromString {
    /// The parameter.
    public var inParamID: AudioUnitParameterID
    /// The text.
    public var inString: Unmanaged<CFString>?
    /// The value.
    public var outValue: AudioUnitParameterValue

    /// Creates a request for the value of a text.
    public init(
        inParamID: AudioUnitParameterID = 0,
        inString: Unmanaged<CFString>? = nil,
        outValue: AudioUnitParameterValue = 0
    ) {
        self.inParamID = inParamID
        self.inString = inString
        self.outValue = outValue
    }
}

/// An instrument for a sampler to load.
public struct AUSamplerInstrumentData {
    /// The URL of the file.
    ///
    /// An `NSURL`, because on Linux `CFURL` is a structure that `Unmanaged` cannot refer to.
    public var fileURL: Unmanaged<NSURL>
    /// `kInstrumentType_SF2Preset` or `kInstrumentType_Audiofile`.
    public var instrumentType: UInt8
    /// The most significant byte of the bank number.
    public var bankMSB: UInt8
    /// The least significant byte of the bank number.
    public var bankLSB: UInt8
    /// The program: 0…127.
    public var presetID: UInt8

    /// Creates the description of an instrument.
    public init(
        fileURL: Unmanaged<NSURL>,
        instrumentType: UInt8,
        bankMSB: UInt8,
        bankLSB: UInt8,
        presetID: UInt8
    ) {
        self.fileURL = fileURL
        self.instrumentType = instrumentType
        self.bankMSB = bankMSB
        self.bankLSB = bankLSB
        self.presetID = presetID
    }
}
