import Foundation

/// The relation between the places of a slider, 0 … 1, and its values, with steps and marks.
public struct SliderScale: Sendable, Equatable {
    /// The spacing of the values.
    public enum Spacing: Sendable, Equatable {
        /// Equal differences are equally far apart.
        case linear
        /// Equal ratios are equally far apart; the range is above 0.
        case logarithmic
    }

    /// The least and the greatest value.
    public let range: ClosedRange<Double>
    /// The difference of two neighbouring values of a linear scale; the number of steps in a doubling of a logarithmic one.
    public let step: Double
    /// The spacing of the values.
    public let spacing: Spacing
    /// The value to which a double-click returns.
    public let normal: Double
    /// The values with a mark, to which a drag nearby jumps.
    public let marks: [Double]
    /// The places by which a drag may miss a mark.
    private static let snap = 0.015

    /// The rate of playback from 0.5 to 3 in steps of 0.25.
    public static let rate = SliderScale(0.5...3, step: 0.25, normal: 1, marks: [1, 1.5, 2])
    /// The rate of playback over all that the engine offers, 1/32 … 32, in quarters of an octave.
    public static let wideRate = SliderScale(
        1.0 / 32...32,
        step: 4,
        spacing: .logarithmic,
        normal: 1,
        marks: [1.0 / 32, 0.25, 0.5, 1, 2, 4, 32]
    )
    /// The pitch in cents: two octaves up and down in semitones.
    public static let pitch = SliderScale(-2400...2400, step: 100, normal: 0, marks: [-1200, 0, 1200])
    /// The volume: 0 … 1 in hundredths.
    public static let volume = SliderScale(0...1, step: 0.01, normal: 1, marks: [])

    /// Creates a scale.
    /// - Parameters:
    ///   - range: The least and the greatest value; finite, not empty, and above 0 for a logarithmic scale.
    ///   - step: The difference of two values, or the number of them in a doubling; more than 0.
    ///   - spacing: The spacing of the values; linear by default.
    ///   - normal: The value to which a double-click returns, within the range.
    ///   - marks: The values with a mark.
    /// - Precondition: The range and the step are as said.
    public init(
        _ range: ClosedRange<Double>,
        step: Double,
        spacing: Spacing = .linear,
        normal: Double,
        marks: [Double]
    ) {
        precondition(range.lowerBound < range.upperBound && step > 0, "a slider has a range and steps")
        precondition(spacing == .linear || range.lowerBound > 0, "a logarithmic slider is above 0")
        self.range = range
        self.step = step
        self.spacing = spacing
        self.normal = normal
        self.marks = marks
    }

    /// Returns the place of a value.
    /// - Parameter value: Any number; what is infinite or no number counts as the normal value.
    /// - Returns: 0 … 1.
    public func place(of value: Double) -> Double {
        let value = value.finite(or: normal).clamped(to: range)
        switch spacing {
        case .linear: return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .logarithmic: return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
        }
    }

    /// Returns the value at a place, between the steps.
    /// - Parameter place: 0 … 1; other places count as the nearer end.
    /// - Returns: A value of the range.
    public func value(at place: Double) -> Double {
        let place = place.clamped(to: 0...1)
        switch spacing {
        case .linear: return (range.lowerBound + place * (range.upperBound - range.lowerBound)).clamped(to: range)
        case .logarithmic:
            return (range.lowerBound * pow(range.upperBound / range.lowerBound, place)).clamped(to: range)
        }
    }

    /// Returns the value that a drag to a place sets: a mark nearby, else the nearest step.
    /// - Parameter place: 0 … 1; other places count as the nearer end.
    /// - Returns: A mark or a step of the range.
    public func snapped(at place: Double) -> Double {
        let place = place.clamped(to: 0...1)
        let nearest = marks.min { abs(self.place(of: $0) - place) < abs(self.place(of: $1) - place) }
        if let nearest, abs(self.place(of: nearest) - place) <= Self.snap { return nearest }
        return stepped(value(at: place))
    }

    /// Returns the nearest step.
    /// - Parameter value: Any number; what is infinite or no number counts as the normal value.
    /// - Returns: A value of the range.
    public func stepped(_ value: Double) -> Double {
        let value = value.finite(or: normal).clamped(to: range)
        switch spacing {
        case .linear:
            let steps = ((value - normal) / step).rounded()
            return (normal + steps * step).clamped(to: range)
        case .logarithmic:
            let steps = (log2(value / normal) * step).rounded()
            return (normal * exp2(steps / step)).clamped(to: range)
        }
    }

    /// Returns the value some steps away: arrow keys and the wheel.
    /// - Parameters:
    ///   - value: The present value.
    ///   - steps: The number of steps, negative for less; up to a million either way.
    /// - Returns: A step of the range.
    public func moved(_ value: Double, by steps: Int) -> Double {
        guard steps != 0 else { return stepped(value) }
        let count = Double(steps.clamped(to: -1_000_000...1_000_000))
        let from = value.finite(or: normal).clamped(to: range)
        // From between two steps, the next step is the one in that direction.
        switch spacing {
        case .linear:
            let place = (from - normal) / step
            let base = count > 0 ? (place + 1e-9).rounded(.down) : (place - 1e-9).rounded(.up)
            return (normal + (base + count) * step).clamped(to: range)
        case .logarithmic:
            let place = log2(from / normal) * step
            let base = count > 0 ? (place + 1e-9).rounded(.down) : (place - 1e-9).rounded(.up)
            return (normal * exp2((base + count) / step)).clamped(to: range)
        }
    }

    /// The text of a rate, such as "1.25×".
    /// - Parameter rate: The rate.
    /// - Returns: The rate with at most two decimals, or three below 0.1.
    public static func rateText(_ rate: Double) -> String {
        guard rate.isFinite else { return "–" }
        let digits = abs(rate) < 0.1 ? 3 : 2
        return trimmed(rate, digits: digits) + "×"
    }

    /// The text of a pitch, such as "+3 semitones" or "−150 cents".
    /// - Parameter cents: The pitch.
    /// - Returns: Semitones where they are whole, else cents.
    public static func pitchText(_ cents: Double) -> String {
        guard cents.isFinite else { return "–" }
        let whole = Int(nearest: cents)
        guard whole != 0 else { return "±0" }
        let sign = whole < 0 ? "\u{2212}" : "+"
        let size = abs(whole)
        guard size % 100 == 0 else { return "\(sign)\(size) cents" }
        return "\(sign)\(size / 100) semitone\(size == 100 ? "" : "s")"
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
