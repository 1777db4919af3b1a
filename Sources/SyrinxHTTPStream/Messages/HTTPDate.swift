/// Parses dates in the preferred form of RFC 9110 (5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Returns a date in seconds since 1970; `nil` if it is invalid.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split { " ,:".contains($0) }
        guard parts.count >= 7, let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: parts[2].lowercased()),
            let hour = Int(parts[4]), let minute = Int(parts[5]), let second = Int(parts[6].prefix(2)),
            (1...31).contains(day), (1_970...9_999).contains(year),
            // A minute may have a leap second.
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days from the civil date, with years that start in March.
        // Bounded: every part of the date is in its range.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        // Bounded: every part of the date is in its range.
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}
