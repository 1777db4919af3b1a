import Foundation
import SyrinxByteStream

/// Dates as playlists write them: ISO 8601, with a fraction of a second or without.
enum HLSDate {
    /// Parses a date; returns seconds since 1970, or `nil` for an invalid date.
    static func seconds(of text: String) -> Double? { plainSeconds(of: Array(text.utf8)) ?? parsedSeconds(of: text) }

    /// Parses a date in the form `2010-02-19T14:54:23.031+08:00`, which a playlist may have for each segment.
    ///
    /// Foundation's parser is many times slower.
    private static func plainSeconds(of text: [UInt8]) -> Double? {
        func number(_ range: Range<Int>, within bounds: ClosedRange<Int>) -> Int? {
            guard range.upperBound <= text.count else { return nil }
            var value = 0
            for byte in text[range] {
                guard 0x30...0x39 ~= byte else { return nil }
                value = 10 * value + Int(byte - 0x30)
            }
            return bounds.contains(value) ? value : nil
        }
        guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54, text[13] == 0x3A, text[16] == 0x3A,
            let year = number(0..<4, within: 1970...9999), let month = number(5..<7, within: 1...12),
            let day = number(8..<10, within: 1...31), let hour = number(11..<13, within: 0...23),
            let minute = number(14..<16, within: 0...59), let second = number(17..<19, within: 0...59)
        else { return nil }
        var zone = 19
        var fraction = 0.0
        if text[19] == UInt8(ascii: ".") {
            zone = text[20...].firstIndex { !(0x30...0x39 ~= $0) } ?? text.count
            // More digits than a date needs.
            guard 21...29 ~= zone, let part = Double(text[19..<zone].text) else { return nil }
            fraction = part
        }
        guard let offset = offset(of: text[zone...], number) else { return nil }
        var date = tm()
        // Bounded: numbers of four digits.
        (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        (date.tm_hour, date.tm_min, date.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        let seconds = timegm(&date)
        // The C library turns an invalid day of a month into a day of the next month.
        guard Int(date.tm_mday) == day else { return nil }
        return Double(seconds - offset) + fraction
    }

    /// Seconds by which the clock of a time zone is ahead of UTC.
    private static func offset(
        of zone: ArraySlice<UInt8>,
        _ number: (Range<Int>, ClosedRange<Int>) -> Int?
    ) -> Int? {
        if zone.elementsEqual([0x5A]) { return 0 }
        let start = zone.startIndex
        guard zone.count == 6, zone[start + 3] == 0x3A, let hours = number(start + 1..<start + 3, 0...23),
            let minutes = number(start + 4..<start + 6, 0...59)
        else { return nil }
        // Bounded: less than a day.
        let seconds = (hours * 60 + minutes) * 60
        switch zone[start] {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    private static func parsedSeconds(of text: String) -> Double? {
        let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return (date ?? (try? Date(text, strategy: .iso8601)))?.timeIntervalSince1970
    }

    /// The date in UTC, to the millisecond.
    static func text(of seconds: Double) -> String {
        // The format style truncates digits after the millisecond.
        Date(timeIntervalSince1970: seconds + 0.0005).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        )
    }
}
