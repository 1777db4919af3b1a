import AVFAudio

/// The ranges of the parameters that a listener changes.
enum SoundLimits {
    /// The rate: how many seconds of the input pass in a second.
    static let rate = AVAudioUnitTimePitch.rateRange
    /// The pitch in cents.
    static let pitch = AVAudioUnitTimePitch.pitchRange
    /// The volume, as a factor of the amplitude.
    static let volume = 0.0...1.0
    /// The sample rate in frames per second: what the formats that can be written hold between them.
    static let sampleRate = 4000.0...384_000.0

    /// The range as a message gives it, for example `0.03125 … 32`.
    static func text(_ range: ClosedRange<Double>) -> String {
        "\(number(range.lowerBound)) … \(number(range.upperBound))"
    }

    /// The range as the help gives it, with the minus sign of print.
    static func help(_ range: ClosedRange<Double>) -> String {
        String(text(range).map { $0 == "-" ? "\u{2212}" : $0 })
    }

    /// A number as the help gives it, with the minus sign of print.
    static func help(_ value: Double) -> String { String(number(value).map { $0 == "-" ? "\u{2212}" : $0 }) }

    /// A number without a needless fraction.
    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
