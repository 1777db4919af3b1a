import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// Every number of a response head, set to extreme values.
@Suite("Foreign numbers in response heads")
struct ForeignNumberTests {
    static let numbers = [
        "0", "1", "-1", "+5", "00", "2147483647", "4294967296", "281474976710656", "4611686018427387904",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e308", "-1e308",
        "1e999", "nan", "inf", "-inf", "0x7fffffffffffffff", "", " ", "1 2", "\u{661}",
        String(repeating: "9", count: 400),
    ]

    /// A date in which each number in turn is another one.
    private static func dates(_ number: String) -> [String] {
        [
            "Sun, \(number) Nov 1994 08:49:37 GMT", "Sun, 06 Nov \(number) 08:49:37 GMT",
            "Sun, 06 Nov 1994 \(number):49:37 GMT", "Sun, 06 Nov 1994 08:\(number):37 GMT",
            "Sun, 06 Nov 1994 08:49:\(number) GMT", "Sun, 06 Nov 9999 23:59:\(number) GMT",
        ]
    }

    // What `date -d '31 Dec 9999 23:59:60 UTC' +%s` gives.
    private static let lastSecond = 253_402_300_800.0

    @Test("A parsed date lies in the years 1970 to 9999", arguments: numbers)
    func dates(number: String) throws {
        for date in Self.dates(number) {
            if let seconds = HTTPDate.seconds(date) {
                #expect(0...Self.lastSecond ~= seconds, "\(date)")
            }
            let head = ResponseHead(
                status: 503,
                fields: [("Retry-After", date), ("Expires", date), ("Date", date)]
            )
            if let wait = head.retryAfter(now: 0) { #expect(0...Self.lastSecond ~= wait, "\(date)") }
            #expect(0...0x1p31 ~= head.freshness(now: 0), "\(date)")
        }
    }

    @Test("Impossible hours, minutes and days are no date")
    func impossibleDates() {
        for date in [
            "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT", "Sun, 06 Nov 1994 08:9223372036854775807:37 GMT",
        ] {
            #expect(HTTPDate.seconds(date) == nil)
        }
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 24:49:37 GMT") == nil)
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    }

    @Test("An answer is fresh for at most 68 years, whatever ages it states", arguments: numbers)
    func ages(number: String) throws {
        for field in [
            ("Cache-Control", "max-age=\(number)"), ("Cache-Control", "max-age=\"\(number)\""), ("Age", number),
        ] {
            for age in Self.numbers {
                let head = ResponseHead(status: 200, fields: [field, ("Age", age)])
                #expect(0...0x1p31 ~= head.freshness(now: 784_111_777), "\(field), age \(age)")
            }
        }
    }

    @Test("A length, range or interval that does not fit is ignored", arguments: numbers)
    func sizes(number: String) {
        let largest: Int64 = 1 << 48
        let head = ResponseHead(status: 200, fields: [("Content-Length", number), ("icy-metaint", number)])
        if let length = head.contentLength { #expect(0..<largest ~= length) }
        if let interval = head.metadataInterval { #expect(1...1 << 24 ~= interval) }
        for other in Self.numbers {
            for text in ["\(number)-\(other)/*", "0-\(number)/\(other)", "\(number)-\(number)/\(other)", "*/\(number)"]
            {
                guard let range = ResponseHead.ContentRange("bytes \(text)") else { continue }
                if let size = range.size { #expect(0..<largest ~= size) }
                if let ends = range.range { #expect(0 <= ends.lowerBound && ends.upperBound < range.size ?? largest) }
            }
        }
    }

    @Test("A URL with an impossible port is refused", arguments: numbers)
    func ports(number: String) throws {
        for text in ["http://h:\(number)/a", "https://u:p@[::1]:\(number)/a", "http://127.0.0.1:\(number)"] {
            guard let url = try? RequestURL(text) else { continue }
            #expect(1...65_535 ~= url.port, "\(text)")
        }
        let base = try RequestURL("http://h/a")
        if let url = try? base.resolving("//h:\(number)/") { #expect(1...65_535 ~= url.port) }
    }

    /// The answers of a server, each with a number in it.
    private static func answers(_ number: String) -> [ResponseHead] {
        let range = { (text: String) in ("Content-Range", "bytes \(text)") }
        return [
            head(200, [("Content-Length", number)]),
            head(200, [("Content-Length", number), ("icy-name", "x"), ("icy-metaint", number)]),
            head(206, [range("0-\(number)/*"), ("ETag", "\"x\"")]),
            head(206, [range("0-9/\(number)"), ("ETag", "\"x\"")]),
            head(206, [range("\(number)-\(number)/*")]),
            head(206, [range("0-\(number)/\(number)"), ("Content-Length", number)]),
            head(416, [range("*/\(number)")]),
            head(301, [("Location", "http://h:\(number)/"), ("Set-Cookie", "a=b; Max-Age=\(number)")]),
            head(429, [("Retry-After", number)]),
            head(503, [("Retry-After", "Sun, 06 Nov 1994 \(number):49:37 GMT")]),
            head(Int(number) ?? 299, [("Retry-After", number)]),
        ]
    }

    @Test("The fetch machine stays in bounds after any response", arguments: numbers)
    func fetches(number: String) throws {
        for first in Self.answers(number) {
            for second in Self.answers(number) {
                for offset in [0, 1 << 40, (1 << 48) - 1] as [Int64] {
                    try fetch([first, second], from: offset)
                }
            }
        }
    }

    /// Lets a machine fetch from `offset` with these answers, and looks at all that it orders.
    private func fetch(_ answers: [ResponseHead], from offset: Int64) throws {
        var options = HTTPByteStream.Options()
        options.maximumServerDelay = 60
        var machine = FetchMachine(url: try RequestURL("http://h/a"), options: options, name: "http://h/a", seed: 7)
        var actions = machine.requestBytes(from: offset, missing: offset)
        for answer in answers {
            actions += machine.responded(machine.id, answer, now: 784_111_777)
            let place = machine.offset(forTransfer: machine.id) ?? offset
            actions += machine.received(machine.id, count: 4_096, missing: place.addingClamped(4_096))
            actions += machine.requestBytes(from: place, missing: place.addingClamped(4_096))
            actions += machine.ended(machine.id, missing: offset)
            actions += machine.requestBytes(from: offset, missing: offset)
        }
        for action in actions {
            switch action {
            case .wait(_, let seconds): #expect(0...120 ~= seconds)
            case .setLength(let length): #expect(0...1 << 48 ~= length)
            case .interleave(let interval): #expect(1...1 << 24 ~= interval ?? 1)
            case .send(let request): #expect(0...1 << 49 ~= request.offset)
            default: break
            }
        }
    }

    @Test(
        "A stream with such a response head is read or fails with a code",
        arguments: ["-1", "4294967296", "9223372036854775807", "18446744073709551616", "1e308", ""]
    )
    func streams(number: String) throws {
        let bytes = patternedBytes(30_000)
        let server = try ScriptedHTTPServer()
        let file = ScriptedResponse.file(bytes)
        let date = "Sun, 06 Nov 1994 \(number):49:37 GMT"
        let odd: [(name: String, response: ScriptedResponse, isWhole: Bool)] = [
            ("length", file.withoutRanges().withoutLength().header("Content-Length", number), false),
            ("range", file.contentRange("bytes 0-\(number)/\(number)"), false),
            ("size", file.contentRange("bytes 0-29999/\(number)"), false),
            ("interval", file.header("icy-metaint", number), true),
            ("cookie", file.header("Set-Cookie", "a=b; Expires=\(date); Max-Age=\(number)"), true),
            ("age", file.header("Age", number).header("Cache-Control", "max-age=\(number)"), true),
            ("expiry", file.header("Expires", date).header("Date", date), true),
            ("port", .redirect(to: "http://127.0.0.1:\(number)/a"), false),
        ]
        for (name, response, isWhole) in odd {
            server.route("/\(name)", response)
            let scratch = try ScratchDirectory()
            var read: [UInt8]?
            let code = failureCode { () throws(SyrinxError) in
                let stream = try HTTPByteStream(
                    url: server.url("/\(name)"),
                    options: quickOptions {
                        $0.maximumAttempts = 2
                        $0.maximumConnectAttempts = 1
                        $0.maximumOutage = 0.1
                        $0.cache = DiskCache(directory: scratch.file("cache"))
                    }
                )
                read = try readAll(stream)
            }
            // A wrong length must not add or remove bytes.
            if let read, code == nil { #expect(isSame(read, bytes), "\(name)") }
            if isWhole { #expect(code == nil, "\(name): \(String(describing: code))") }
        }
    }
}
