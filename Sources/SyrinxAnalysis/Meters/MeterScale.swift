/// Decibels brought to 0 … 1 for a drawing: 0 at the bottom of a range and below, 1 at 0 dB and above.
public struct MeterScale: Sendable, Equatable {
    /// The bottom of the range in decibels, less than 0.
    public let minimum: Float

    /// A scale from `minimum` up to 0 dB.
    /// - Precondition: `minimum` is less than 0.
    public init(minimum: Float = -80) {
        precondition(minimum < 0 && minimum.isFinite, "a meter's range ends at 0 dB")
        self.minimum = minimum
    }

    /// Returns the position of a level; 0 for one that is not finite.
    public func position(_ decibels: Float) -> Float {
        guard decibels.isFinite, decibels > minimum else { return 0 }
        return decibels >= 0 ? 1 : (decibels - minimum) / -minimum
    }
}
