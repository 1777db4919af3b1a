public import CoreAudioTypes
public import Foundation

/// The name of a parameter in ASCII, closed by a 0: an array of C.
public typealias AudioUnitParameterNameBytes = (
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar,
    CChar
)

/// The description of a parameter, the value of `kAudioUnitProperty_ParameterInfo`.
///
/// The unit owns the names, which are valid as long as the unit exists; `flags` never contains `flag_CFNameRelease`.
public struct AudioUnitParameterInfo {
    /// The ASCII characters of the name, truncated to the capacity.
    public var name: AudioUnitParameterNameBytes
    /// The name of the unit if `unit` is `customUnit`.
    public var unitName: Unmanaged<CFString>?
    /// The group of the parameter; 0 for none.
    public var clumpID: UInt32
    /// The name.
    public var cfNameString: Unmanaged<CFString>?
    /// The unit of the value.
    public var unit: AudioUnitParameterUnit
    /// The minimum value.
    public var minValue: AudioUnitParameterValue
    /// The maximum value.
    public var maxValue: AudioUnitParameterValue
    /// The default value.
    public var defaultValue: AudioUnitParameterValue
    /// The options of the parameter.
    public var flags: AudioUnitParameterOptions

    /// Creates an empty description.
    public init() {
        name = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
        unitName = nil
        clumpID = 0
        cfNameString = nil
        unit = .generic
        minValue = 0
        maxValue = 0
        defaultValue = 0
        flags = []
    }

    /// The description of a parameter of a tree.
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - initial: Its value at first.
    ///   - name: Its name, which has to live as long as the description is in use.
    ///   - unitName: The name of its unit, likewise.
    init(_ parameter: AUParameter, initial: Float, name: CFString, unitName: CFString?) {
        self.init()
        let ascii = parameter.displayName.utf8.prefix { $0 < 0x80 }.prefix(MemoryLayout.size(ofValue: self.name) - 1)
        withUnsafeMutableBytes(of: &self.name) { $0.copyBytes(from: ascii) }
        cfNameString = Unmanaged.passUnretained(name)
        self.unitName = unitName.map { Unmanaged.passUnretained($0) }
        unit = parameter.unit
        (minValue, maxValue, defaultValue) = (parameter.minValue, parameter.maxValue, initial)
        flags = parameter.flags.union(.flag_HasCFNameString)
    }
}
