/// The description of a unit's parameter.
struct UnitParameter: Sendable {
    /// The address, which is Core Audio's parameter id.
    let address: UInt64
    /// The name that programs know it by.
    let identifier: String
    /// The name for people.
    let name: String
    let unit: AudioUnitParameterUnit
    let range: ClosedRange<Float>
    let initial: Float
    /// The names of the values, for a parameter of `indexed` values.
    var valueNames: [String] = []
    /// Whether the render thread writes it, as a meter.
    var isReadOnly = false

    init(
        _ address: UInt64,
        _ identifier: String,
        _ name: String,
        _ unit: AudioUnitParameterUnit,
        _ range: ClosedRange<Float>,
        _ initial: Float,
        valueNames: [String] = [],
        isReadOnly: Bool = false
    ) {
        (self.address, self.identifier, self.name, self.unit) = (address, identifier, name, unit)
        (self.range, self.initial, self.valueNames, self.isReadOnly) = (range, initial, valueNames, isReadOnly)
    }

    /// Returns the value that the parameter can have: clamped to the range, and the default for NaN.
    func clamped(_ value: Float) -> Float {
        value.isNaN ? initial : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The meaning of a parameter's numbers.
///
/// Raw values are Core Audio's.
public enum AudioUnitParameterUnit: UInt32, Sendable {
    case generic = 0
    case indexed = 1
    case boolean = 2
    case percent = 3
    case seconds = 4
    case sampleFrames = 5
    case phase = 6
    case rate = 7
    case hertz = 8
    case cents = 9
    case relativeSemiTones = 10
    case midiNoteNumber = 11
    case midiController = 12
    case decibels = 13
    case linearGain = 14
    case degrees = 15
    case equalPowerCrossfade = 16
    case mixerFaderCurve1 = 17
    case pan = 18
    case meters = 19
    case absoluteCents = 20
    case octaves = 21
    case BPM = 22
    case beats = 23
    case milliseconds = 24
    case ratio = 25
    case customUnit = 26
}
