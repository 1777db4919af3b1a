import SyrinxByteStream

/// Dates and durations as feeds write them.
enum FeedDates {
    /// Returns the seconds since 1970 of a date of RFC 822, RFC 3339 or C, with the variations that feeds have; `nil` if it is none.
    ///
    /// The name of the day never counts. Without a zone the date is in UTC, without a time it is midnight, and years may have two digits.
    /// Names of months may be English, German, Dutch, French, Italian, Portuguese, Spanish or Scandinavian.
    static func seconds(_ text: String) -> Double? { FeedDate(text)?.seconds }

    /// Returns the seconds of `H:MM:SS`, `M:SS` or a number of seconds; `nil` if it is none, or none that a recording has.
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
