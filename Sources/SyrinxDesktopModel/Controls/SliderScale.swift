/// The range and steps of a slider, and the texts of its values.
public struct SliderScale: Sendable, Equatable {
    /// The minimum and maximum value.
    public let range: ClosedRange<Double>
    /// The difference between adjacent values.
    public let step: Double
    /// The default value, which a double-click restores.
    public let normal: Double

    /// The scale of the playback rate: 0.25 to 4 in steps of 0.25.
    public static let rate = SliderScale(0.25...4, step: 0.25, normal: 1)

    /// Creates a scale.
    /// - Parameters:
    ///   - range: The minimum and maximum value, finite and different.
    ///   - step: The difference between adjacent values, greater than 0.
    ///   - normal: The default value, within the range.
    /// - Precondition: The range and the step are valid.
    public init(_ range: ClosedRange<Double>, step: Double, normal: Double) {
        precondition(range.lowerBound < range.upperBound && step > 0, "a slider has a range and steps")
        self.range = range
        self.step = step
        self.normal = normal
    }

    /// Returns the nearest step.
    /// - Parameter value: Any number; infinity and NaN count as the default value.
    /// - Returns: A value in the range.
    public func stepped(_ value: Double) -> Double {
        let value = value.finite(or: normal).clamped(to: range)
        let steps = ((value - normal) / step).rounded()
        return (normal + steps * step).clamped(to: range)
    }

    /// Returns a playback rate as text, such as "1.25×".
    /// - Parameter rate: The playback rate.
    /// - Returns: The rate with at most two decimals, or three below 0.1.
    public static func rateText(_ rate: Double) -> String {
        guard rate.isFinite else { return "–" }
        let digits = abs(rate) < 0.1 ? 3 : 2
        return trimmed(rate, digits: digits) + "×"
    }

    /// Returns a pitch shift as text, such as "+3 semitones" or "−150 cents".
    /// - Parameter cents: The pitch shift, in cents.
    /// - Returns: The number of semitones if it is an integer, otherwise the cents.
    public static func pitchText(_ cents: Double) -> String {
        guard cents.isFinite else { return "–" }
        let whole = Int(nearest: cents)
        guard whole != 0 else { return "±0" }
        let sign = whole < 0 ? "\u{2212}" : "+"
        let size = abs(whole)
        guard size % 100 == 0 else { return "\(sign)\(size) cents" }
        return "\(sign)\(size / 100) semitone\(size == 100 ? "" : "s")"
    }

    /// Returns a volume as text, such as "80 %".
    /// - Parameter gain: The gain, 0…1.
    public static func volumeText(_ gain: Double) -> String {
        "\(Int(nearest: gain.finite(or: 0).clamped(to: 0...1) * 100)) %"
    }

    /// Returns a balance as text, such as "30 % to the left".
    /// - Parameter value: The balance, −1…1.
    public static func balanceText(_ value: Double) -> String {
        let percent = Int(nearest: value.finite(or: 0).clamped(to: -1...1) * 100)
        return percent == 0 ? "In the middle" : "\(abs(percent)) % to the \(percent < 0 ? "left" : "right")"
    }

    private static func trimmed(_ value: Double, digits: Int) -> String {
        let scale = digits == 3 ? 1000 : 100
        let units = Int(nearest: abs(value) * Double(scale))
        var fraction = String(units % scale)
        fraction = String(repeating: "0", count: digits - fraction.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = value < 0 && units > 0 ? "\u{2212}" : ""
        return sign + "\(units / scale)" + (fraction.isEmpty ? "" : "." + fraction)
    }
}
