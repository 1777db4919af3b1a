/// Maps decibels to 0…1 for a drawing: 0 at the minimum and below, 1 at 0 dB and above.
public struct MeterScale: Sendable, Equatable {
    /// The lowest level of the scale in decibels, below 0.
    public let minimum: Float

    /// Creates a scale from `minimum` to 0 dB.
    /// - Precondition: `minimum` is below 0 and finite.
    public init(minimum: Float = -80) {
        precondition(minimum < 0 && minimum.isFinite, "a meter's range ends at 0 dB")
        self.minimum = minimum
    }

    /// Returns the position of a level, 0…1; 0 for a level that is not finite.
    public func position(_ decibels: Float) -> Float {
        guard decibels.isFinite, decibels > minimum else { return 0 }
        return decibels >= 0 ? 1 : (decibels - minimum) / -minimum
    }
}
