public import Foundation

/// A preset of a unit.
open class AUAudioUnitPreset: NSObject, @unchecked Sendable {
    // Unchecked: set before it is shared.

    /// The number: 0 and more for presets of the unit, below 0 for the user's.
    open var number = 0
    /// The name for people.
    open var name = ""

    /// A preset with the number 0 and no name.
    public override init() {}

    init(number: Int, name: String) {
        super.init()
        (self.number, self.name) = (number, name)
    }
}
