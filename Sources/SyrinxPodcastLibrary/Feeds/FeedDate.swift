import Foundation

/// Parses a date of a feed from the numbers, words and punctuation of its text.
struct FeedDate {
    private enum Token: Equatable {
        /// A number, and its count of digits.
        case number(Int, digits: Int)
        /// A word, in lower case and without accents.
        case word(String)
        case sign(Character)
    }

    private var year = 0
    private var month = 1
    private var day = 1
    private var hour = 0
    private var minute = 0
    private var second = 0
    /// The time zone's offset from UTC, in seconds, positive to the east.
    private var offset = 0

    /// The number of seconds since 1970.
    var seconds: Double {
        Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    }

    /// Parses a text; returns `nil` if it contains no date, or a part is out of range.
    init?(_ text: String) {
        let tokens = Self.tokens(text)
        let time = takeTime(tokens)
        let before = tokens[..<(time?.lowerBound ?? tokens.endIndex)]
        let rest = tokens[(time?.upperBound ?? tokens.endIndex)...]
        guard takeDate(before, rest) else { return nil }
        offset = Self.offset(rest)
        guard 1...9_999 ~= year, 1...12 ~= month, 1...31 ~= day, 0...24 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }
    }

    private static func tokens(_ text: String) -> [Token] {
        let plain = text.prefix(100).lowercased().folding(options: .diacriticInsensitive, locale: nil)
        var tokens: [Token] = []
        var rest = plain[...]
        while let first = rest.first {
            let run: Substring
            if first.isASCII, first.isNumber {
                run = rest.prefix { $0.isASCII && $0.isNumber }
                tokens.append(.number(Int(run) ?? Int.max, digits: run.count))
            } else if first.isLetter {
                run = rest.prefix(while: \.isLetter)
                tokens.append(.word(String(run)))
            } else {
                run = rest.prefix(1)
                if !first.isWhitespace { tokens.append(.sign(first == "\u{2212}" ? "-" : first)) }
            }
            rest = rest[run.endIndex...]
        }
        return tokens
    }

    // MARK: The time of day

    /// Parses the first `H:MM`, `H:MM:SS` or, after the `T` of ISO 8601, `HHMMSS`, and returns its range of tokens.
    private mutating func takeTime(_ tokens: [Token]) -> Range<Int>? {
        for (place, token) in tokens.enumerated() {
            guard case .number(let number, let digits) = token else { continue }
            if digits == 4 || digits == 6, place > 0, tokens[place - 1] == .word("t") {
                let parts = digits == 6 ? number : number * 100
                (hour, minute, second) = (parts / 10_000, parts / 100 % 100, parts % 100)
                return place - 1..<place + 1
            }
            guard digits <= 2, let found = Self.number(tokens, place + 1, after: ":") else { continue }
            (hour, minute) = (number, found)
            var end = place + 3
            if let found = Self.number(tokens, end, after: ":") {
                second = found
                end += 2
                // Skip fractions of a second.
                if end + 1 < tokens.count, tokens[end] == .sign(".") || tokens[end] == .sign(","),
                    case .number = tokens[end + 1]
                {
                    end += 2
                }
            }
            takeHalfOfDay(tokens[end...])
            return place..<end
        }
        return nil
    }

    /// Returns the number of at most two digits after a separator.
    private static func number(_ tokens: [Token], _ place: Int, after sign: Character) -> Int? {
        guard place + 1 < tokens.count, tokens[place] == .sign(sign),
            case .number(let number, let digits) = tokens[place + 1], digits <= 2
        else { return nil }
        return number
    }

    /// Parses AM or PM, with or without full stops.
    private mutating func takeHalfOfDay(_ rest: ArraySlice<Token>) {
        let isDotted = rest.dropFirst().first == .sign(".")
        guard case .word(let word)? = rest.first,
            word == "am" || word == "pm" || isDotted && (word == "a" || word == "p"),
            1...12 ~= hour
        else { return }
        hour = hour % 12 + (word.hasPrefix("p") ? 12 : 0)
    }

    // MARK: The day

    /// Parses year, month and day before the time; the year may also follow the time.
    ///
    /// Returns false if there are none.
    private mutating func takeDate(_ before: ArraySlice<Token>, _ rest: ArraySlice<Token>) -> Bool {
        let isBehind = !before.contains { if case .number = $0 { true } else { false } }
        let place = isBehind ? rest : before
        let numbers = place.compactMap { token -> (value: Int, digits: Int)? in
            if case .number(let value, let digits) = token { (value, digits) } else { nil }
        }
        let words = place.compactMap { if case .word(let word) = $0 { word } else { nil } }
        // Use the last of several month names, because "mar" is also Tuesday in Spanish.
        guard let named = words.compactMap(Self.month).last else { return takeNumbers(numbers, place, words.isEmpty) }
        month = named
        let short = numbers.filter { $0.digits <= 2 }
        guard let first = short.first else { return false }
        day = first.value
        if let year = (numbers.first { $0.digits == 4 })?.value ?? (isBehind ? nil : Self.year(rest)) {
            self.year = year
            return true
        }
        guard short.count > 1 else { return false }
        year = Self.century(short[1].value)
        return true
    }

    /// Parses a numeric date: with the year first, or as `D.M.Y`, `D-M-Y` or `M/D/Y`.
    private mutating func takeNumbers(
        _ numbers: [(value: Int, digits: Int)],
        _ place: ArraySlice<Token>,
        _ isBare: Bool
    ) -> Bool {
        guard let first = numbers.first else { return false }
        switch (first.digits, numbers.count) {
        case (8, _):
            (year, month, day) = (first.value / 10_000, first.value / 100 % 100, first.value % 100)
        case (4, 1) where isBare: year = first.value
        case (4, 2) where numbers[1].digits == 3:
            (year, day) = (first.value, numbers[1].value)
            // The number of the day in the year (ISO 8601).
            guard 1...366 ~= day else { return false }
            while day > Self.daysOfMonth(month, year) {
                day -= Self.daysOfMonth(month, year)
                month += 1
            }
        case (4, 2) where isBare: (year, month) = (first.value, numbers[1].value)
        case (4, 3...): (year, month, day) = (first.value, numbers[1].value, numbers[2].value)
        case (1...2, 3...):
            let last = numbers[2]
            guard last.digits == 2 || last.digits == 4 else { return false }
            year = last.digits == 2 ? Self.century(last.value) : last.value
            (day, month) = (first.value, numbers[1].value)
            if place.contains(.sign("/")), day <= 12 || month > 12 { swap(&day, &month) }
        default: return false
        }
        return true
    }

    /// Returns the year after the time, as in C's date format; four digits after a sign are a time zone.
    private static func year(_ rest: ArraySlice<Token>) -> Int? {
        for (previous, token) in zip([.word("")] + rest, rest) {
            if case .number(let value, digits: 4) = token, previous != .sign("+"), previous != .sign("-") {
                return value
            }
        }
        return nil
    }

    private static func century(_ year: Int) -> Int { year < 70 ? 2_000 + year : 1_900 + year }

    /// Prefixes of month names in several languages, without accents.
    private static let months: [(beginning: String, month: Int)] = [
        "jan ene gen", "feb fev", "mar maa mrz mrt", "apr abr avr", "may mai mag maj mei", "jun juin giu",
        "jul juil lug",
        "aug ago aou", "sep set", "oct okt out ott", "nov", "dec dez dic des",
    ].enumerated().flatMap { index, names in names.split(separator: " ").map { (String($0), index + 1) } }

    private static func month(_ word: String) -> Int? {
        months.last { word.hasPrefix($0.beginning) }?.month
    }

    private static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return month == 2 ? isLeap ? 29 : 28 : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The number of days since 1970 in the Gregorian calendar, computed with years that start in March.
    private var days: Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    // MARK: The zone

    /// Returns the UTC offset in seconds, such as `+0200`, `-5:00`, `GMT+2` or a zone name, after the time.
    private static func offset(_ rest: ArraySlice<Token>) -> Int {
        for (place, token) in zip(rest.indices, rest) {
            guard token == .sign("+") || token == .sign("-"), place + 1 < rest.endIndex,
                case .number(let number, let digits) = rest[place + 1], digits <= 4
            else { continue }
            // Bounded: the place is within the text.
            let minutes = digits > 2 ? number % 100 : Self.number(Array(rest[(place + 2)...].prefix(2)), 0, after: ":")
            let hours = digits > 2 ? number / 100 : number
            guard hours <= 14, minutes ?? 0 < 60 else { return 0 }
            let seconds = (hours * 60 + (minutes ?? 0)) * 60
            return token == .sign("-") ? -seconds : seconds
        }
        for case .word(let word) in rest { if let hours = zones[word] { return Int(hours * 3_600) } }
        return 0
    }

    /// The UTC offsets of named time zones, in hours; unknown zones count as UTC.
    private static let zones: [String: Double] = [
        "est": -5, "edt": -4, "et": -5, "cst": -6, "cdt": -5, "ct": -6, "mst": -7, "mdt": -6, "mt": -7, "pst": -8,
        "pdt": -7, "pt": -8, "akst": -9, "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "nst": -3.5, "ndt": -2.5,
        "brt": -3, "art": -3, "west": 1, "bst": 1, "cet": 1, "mez": 1, "met": 1, "cest": 2, "mesz": 2, "mest": 2,
        "eet": 2, "sast": 2, "eest": 3, "msk": 3, "ist": 5.5, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9,
        "acst": 9.5, "aest": 10, "acdt": 10.5, "aedt": 11, "nzst": 12, "nzdt": 13,
    ]
}
