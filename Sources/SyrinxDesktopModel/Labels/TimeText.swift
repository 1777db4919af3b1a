import Foundation
package import SyrinxListening

/// Formats times for labels and screen readers.
public enum TimeText {
    /// The text for an unknown time.
    public static let unknown = "–:––"
    private static let minus = "\u{2212}"

    private static func isUsable(_ seconds: Double) -> Bool { seconds.isFinite && abs(seconds) <= 1e9 }

    private static func clock(whole seconds: Int, hours: Bool) -> String {
        ClockTime.text(Double(seconds), like: hours ? 3600 : 0)
    }

    /// Returns a time as `m:ss` or `h:mm:ss`, rounded down.
    /// - Parameters:
    ///   - seconds: The time in seconds; negative values count as 0.
    ///   - total: The duration of the recording. From an hour, all its times include hours, so that a label keeps its
    ///     width.
    /// - Returns: The text, or `unknown` for infinity and NaN.
    public static func clock(_ seconds: Double, of total: Double? = nil) -> String {
        guard isUsable(seconds) else { return unknown }
        let hours = total.map { isUsable($0) && $0 >= 3600 } ?? false
        return clock(whole: Int(floor: max(seconds, 0)), hours: hours)
    }

    /// Returns a time with as many decimals as differ between pixels, for the label at the pointer.
    /// - Parameters:
    ///   - seconds: The time in seconds; negative values count as 0.
    ///   - total: The duration of the recording, in seconds.
    ///   - secondsPerPixel: The zoom: one decimal below 0.1, two below 0.01, three below 0.001.
    /// - Returns: The text, or `unknown` for infinity and NaN.
    public static func precise(_ seconds: Double, of total: Double? = nil, secondsPerPixel: Double) -> String {
        guard isUsable(seconds), secondsPerPixel.isFinite, secondsPerPixel < 0.1 else {
            return clock(seconds, of: total)
        }
        let digits = secondsPerPixel < 0.001 ? 3 : secondsPerPixel < 0.01 ? 2 : 1
        let scale = [10, 100, 1000][digits - 1]
        let units = Int(floor: max(seconds, 0) * Double(scale) + 1e-6)
        let fraction = String(units % scale)
        let padded = String(repeating: "0", count: digits - fraction.count) + fraction
        return clock(Double(units / scale), of: total) + "." + padded
    }

    /// Returns the number of the current chapter and the time that is left in it, such as `2 of 9, −3:26`.
    /// - Parameters:
    ///   - index: The index of the chapter.
    ///   - count: The number of chapters.
    ///   - position: The playback position, in seconds.
    ///   - end: The end of the chapter, in seconds.
    ///   - rate: The playback rate, by which the time is divided; 0, negative values and NaN count as 1.
    package static func chapter(_ index: Int, of count: Int, at position: Double, end: Double, rate: Double) -> String {
        let left = max(end - position, 0) / (rate > 0 ? rate : 1)
        return "\(index + 1) of \(count), \(minus)\(clock(left))"
    }

    /// Returns the remaining time with a minus sign, preceded by the listening time if the rate is not 1.
    ///
    /// The remaining time is the difference of the two rounded labels, so that both change at the same moment.
    /// - Parameters:
    ///   - position: The playback position, in seconds.
    ///   - total: The duration of the recording, in seconds.
    ///   - rate: The playback rate; 0, negative values and NaN count as 1.
    /// - Returns: The text, or `unknown` for infinity and NaN.
    public static func remaining(_ position: Double, of total: Double, rate: Double = 1) -> String {
        guard isUsable(position), isUsable(total) else { return unknown }
        let seconds = max(total.rounded(.down) - max(position, 0).rounded(.down), 0)
        let text = minus + clock(whole: Int(nearest: seconds), hours: total >= 3600)
        guard rate != 1, rate > 0, isUsable(seconds / rate) else { return text }
        return "\(clock(seconds / rate)) at \(SliderScale.rateText(rate))   \(text)"
    }

    /// Returns a time in words, such as "1 hour 2 minutes 5 seconds".
    /// - Parameter seconds: The time in seconds, rounded down; negative values count as 0.
    /// - Returns: The words, or "unknown" for infinity and NaN.
    public static func spoken(_ seconds: Double) -> String {
        guard isUsable(seconds) else { return "unknown" }
        let whole = Int(floor: max(seconds, 0))
        let parts = [(whole / 3600, "hour"), (whole / 60 % 60, "minute"), (whole % 60, "second")]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
    }

    /// Returns a position in words, such as "1 minute 5 seconds of 2 hours", for the value of a seek bar.
    /// - Parameters:
    ///   - position: The playback position, in seconds.
    ///   - total: The duration of the recording in seconds, if it is known.
    /// - Returns: The words.
    public static func spoken(_ position: Double, of total: Double?) -> String {
        var text = spoken(position)
        if let total, isUsable(total), total > 0 { text += " of " + spoken(total) }
        return text
    }

    /// The text of a sleep timer, such as `Sleep in 14:59`.
    package static func sleep(_ goal: SleepGoal) -> String {
        switch goal {
        case .time(let left): "Sleep in \(clock(max(left, 0).rounded(.up)))"
        case .endOfChapter: "Sleep at the end of the chapter"
        case .endOfItem: "Sleep at the end of the recording"
        }
    }
}
