import SyrinxByteStream

/// Dates and durations as feeds write them.
enum FeedDates {
    /// Returns the seconds since 1970 of a date of RFC 822 or RFC 3339, with the mistakes that feeds make; `nil` if it is neither.
    ///
    /// Day names, seconds and the zone may be missing (then it is UTC), years may have two digits.
    static func seconds(_ text: String) -> Double? {
        let text = text.prefix(100)
        if let match = text.firstMatch(
            of: /(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(.*)/
        ) {
            let time = [match.4, match.5, match.6].map { $0.flatMap { Int($0) } ?? 0 }
            return seconds(Int(match.1), Int(match.2), Int(match.3), time, zone: match.7)
        }
        let pattern =
            /(\d{1,2})[ \-]+([A-Za-z]{3})[A-Za-z.]*[ \-,]+(\d{4}|\d{2})(?:[ ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?(.*)/
        guard let match = text.firstMatch(of: pattern) else { return nil }
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let month = months.firstIndex(of: match.2.lowercased()).map { $0 + 1 }
        let year = Int(match.3).map { $0 >= 100 ? $0 : $0 < 70 ? 2_000 + $0 : 1_900 + $0 }
        let time = [match.4, match.5, match.6].map { $0.flatMap { Int($0) } ?? 0 }
        return seconds(year, month, Int(match.1), time, zone: match.7)
    }

    private static func seconds(_ year: Int?, _ month: Int?, _ day: Int?, _ time: [Int], zone: Substring) -> Double? {
        guard let year, let month, let day, 1...12 ~= month, 1...31 ~= day, 0...24 ~= time[0], 0...59 ~= time[1],
            0...60 ~= time[2]
        else { return nil }
        let days = days(year, month, day)
        return Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2] - offset(zone))
    }

    /// The days since 1970 of a date of the Gregorian calendar, counted in years that begin with March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The seconds east of Greenwich of `+0200`, `-05:00` or a name of RFC 822.
    private static func offset(_ zone: Substring) -> Int {
        if let match = zone.firstMatch(of: /([+\-])(\d{2}):?(\d{2})/), let hours = Int(match.2),
            let minutes = Int(match.3)
        {
            guard hours <= 14, minutes < 60 else { return 0 }
            // Bounded: at most 14 hours.
            let seconds = (hours * 60 + minutes) * 60
            return match.1 == "-" ? -seconds : seconds
        }
        let hours = ["EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7]
        return (hours[zone.filter(\.isLetter).uppercased()] ?? 0) * 3_600
    }

    /// Returns the seconds of `H:MM:SS`, `M:SS` or a number of seconds; `nil` if it is none, or none that a recording has.
    static func duration(_ text: String) -> Double? {
        let parts = text.prefix(40).filter { !$0.isWhitespace }.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.map { Double($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for number in numbers {
            guard let number, number.isFinite, number >= 0 else { return nil }
            // Bounded: floating point does not trap.
            seconds = seconds * 60 + number
        }
        return 0...10_000_000 ~= seconds ? seconds : nil
    }
}
