/// The ranges of the parameters that a listener changes.
package enum SoundLimits {
    /// The rate: how many seconds of the input pass in a second.
    ///
    /// `AVAudioUnitTimePitch` has the same range.
    package static let rate = 1.0 / 32...32
    /// The rates at which steps stop, of keys and sliders.
    package static let steppedRate = 0.25...4.0
    /// The pitch in cents.
    package static let pitch = -2400.0...2400
    /// The volume, as a factor of the amplitude.
    package static let volume = 0.0...1.0
    /// The balance, from the left channel alone to the right channel alone.
    package static let balance = -1.0...1.0
    /// The sample rates in hertz that at least one of the output formats supports.
    package static let sampleRate = 4000.0...384_000.0

    /// The range as a message gives it, for example `0.03125 … 32`.
    package static func text(_ range: ClosedRange<Double>) -> String {
        "\(number(range.lowerBound)) … \(number(range.upperBound))"
    }

    /// The range as the help gives it, with the minus sign of print.
    package static func help(_ range: ClosedRange<Double>) -> String {
        String(text(range).map { $0 == "-" ? "\u{2212}" : $0 })
    }

    /// A number as the help gives it, with the minus sign of print.
    package static func help(_ value: Double) -> String { String(number(value).map { $0 == "-" ? "\u{2212}" : $0 }) }

    /// A number without a needless fraction.
    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
