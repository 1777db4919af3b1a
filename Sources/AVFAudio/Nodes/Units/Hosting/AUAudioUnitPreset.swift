public import Foundation

/// A preset of a unit.
open class AUAudioUnitPreset: NSObject, @unchecked Sendable {
    // Unchecked: set before it is shared.

    /// The number: 0 or more for presets of the unit, negative for user presets.
    open var number = 0
    /// The display name.
    open var name = ""

    /// Creates a preset with the number 0 and an empty name.
    public override init() {}

    init(number: Int, name: String) {
        super.init()
        (self.number, self.name) = (number, name)
    }
}
