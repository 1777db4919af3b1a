import CoreAudioTypes

/// The description of a unit's parameter.
struct UnitParameter: Sendable {
    /// The address, which is Core Audio's parameter id.
    let address: UInt64
    /// The name for use in programs.
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
