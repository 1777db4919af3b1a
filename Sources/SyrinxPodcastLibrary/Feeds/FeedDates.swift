import SyrinxByteStream

/// Parses the dates and durations of feeds.
enum FeedDates {
    /// Returns the seconds since 1970 of a date in the format of RFC 822, RFC 3339 or C, or in a common variation.
    ///
    /// Returns `nil` for other text. The weekday is ignored. A date without a time zone is in UTC, and one without a
    /// time means midnight. Years may have two digits. Month names may be English, German, Dutch, French, Italian,
    /// Portuguese, Spanish or Scandinavian.
    static func seconds(_ text: String) -> Double? { FeedDate(text)?.seconds }

    /// Returns the seconds of `H:MM:SS`, `M:SS` or a number of seconds; `nil` for other or implausible text.
    static func duration(_ text: String) -> Double? {
        let parts = text.prefix(40).filter { !$0.isWhitespace }.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.map { Double($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for number in numbers {
            guard let number, number.isFinite, number >= 0 else { return nil }
            seconds = seconds * 60 + number
        }
        return 0...10_000_000 ~= seconds ? seconds : nil
    }
}
