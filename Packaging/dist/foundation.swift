import Foundation

// Prints answers of Foundation that need ICU data, of the kinds that the command asks for. scripts/test-dist links it with the whole
// data and with the part that the one file has, and compares what both print in several languages and time zones.

let moments = [0, 951_782_400, 1_711_846_800, 1_730_000_000.25, 4_102_444_800].map(Date.init(timeIntervalSince1970:))
let texts = [
    "Crème Brûlée", "ÅNGSTRÖM", "İstanbul ıssız", "straße", "ΟΔΥΣΣΕΥΣ", "ｶﾀｶﾅ ＡＢＣ", "가각", "Đorđe", "naïve e\u{301}",
    "Été 5", "ÆØÅ", "ﬁn",
]

// Dates of feeds, lists of podcasts, positions and options.
let formatter = ISO8601DateFormatter()
for moment in moments {
    print(formatter.string(from: moment), moment.formatted(.iso8601), moment.ISO8601Format())
    print(moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    print(moment.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day()))
}
for text in ["2024-02-29", "2024-02-29T23:59:59Z", "2024-06-30T12:00:00+02:00", "2024-13-01", "no date"] {
    let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    print(
        text,
        formatter.date(from: text) as Any,
        (try? Date(text, strategy: .iso8601)) as Any,
        (try? Date(text, strategy: day)) as Any
    )
}

// Calendars and time zones.
for name in ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "UTC", "GMT+3", "Nowhere/Else"] {
    guard let zone = TimeZone(identifier: name) else {
        print(name, "none")
        continue
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    for moment in moments {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday, .weekOfYear],
            from: moment
        )
        print(name, zone.secondsFromGMT(for: moment), zone.isDaylightSavingTime(for: moment), parts)
        print(calendar.date(from: parts) as Any, calendar.startOfDay(for: moment))
    }
}
print(Calendar.current.identifier, Calendar.current.firstWeekday, TimeZone.current.identifier)

// Texts: searching and sorting without case, accents and width.
for text in texts {
    let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
    print(text.decomposedStringWithCanonicalMapping.folding(options: options, locale: nil))
    print(
        text.folding(options: .diacriticInsensitive, locale: nil),
        text.lowercased(),
        text.uppercased(),
        text.capitalized
    )
    print(text.precomposedStringWithCompatibilityMapping, text.components(separatedBy: .whitespaces))
    print(
        text.range(of: "E", options: [.caseInsensitive, .diacriticInsensitive]).map {
            text.distance(from: text.startIndex, to: $0.lowerBound)
        } as Any
    )
}
print(texts.sorted(), texts.sorted { $0.compare($1, options: [.caseInsensitive, .numeric]) == .orderedAscending })

// Numbers, languages, addresses and messages.
for number in [0, 1.005, -14.25, 1_234_567.891, .infinity, .nan] {
    print(String(format: "%.1f %.3f %g %8.2f|%@", number, number, number, number, "text"), number.description)
}
for code in ["deu", "eng", "jpn", "ces", "zho", "xxx", "und"] {
    print(code, Locale.LanguageCode(code).identifier(.alpha2) as Any, Locale(identifier: code).identifier)
}
for address in [
    "https://bücher.example/ä ö?q=ß#x", "http://例え.jp/", "https://EXAMPLE.org:443/a/../b", "http://[::1]:80/", "a b",
] {
    let url = URL(string: address)
    print(
        url?.absoluteString as Any,
        url?.host as Any,
        url?.path as Any,
        URLComponents(string: address)?.percentEncodedHost as Any
    )
}
do { _ = try Data(contentsOf: URL(fileURLWithPath: "/nonexistent/file")) } catch { print(error.localizedDescription) }
do { _ = try JSONDecoder().decode([Int].self, from: Data("{".utf8)) } catch { print(error.localizedDescription) }
