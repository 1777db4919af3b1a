import ByteStream
import Testing

@testable import HTTPStream

/// Numbers of a server that no clock, file or port has.
@Suite("Foreign numbers in headers") struct ForeignNumberTests {
    private static let numbers = [
        "0", "1", "-1", "2147483647", "4294967296", "4611686018427387904", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615", "99999999999999999999999999", "1e308", "1e400", "nan", "",
    ]

    @Test("A date of which a field is out of range is none", arguments: numbers)
    func dates(number: String) {
        let dates = [
            "Sun, \(number) Nov 1994 08:49:37 GMT", "Sun, 06 Nov \(number) 08:49:37 GMT",
            "Sun, 06 Nov 1994 \(number):49:37 GMT", "Sun, 06 Nov 1994 08:\(number):37 GMT",
            "Sun, 06 Nov 1994 08:49:\(number) GMT",
        ]
        for date in dates {
            let seconds = HTTPDate.seconds(date)
            #expect(seconds.map { abs($0) < 1e12 } ?? true, "\(date): \(seconds ?? 0)")
        }
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 9223372036854775807:49:37 GMT") == nil)
    }

    @Test("Ages, waits and expiries of any number are finite", arguments: numbers)
    func times(number: String) throws {
        let date = "Sun, 06 Nov 1994 \(number):49:37 GMT"
        for value in [number, date] {
            let head = ResponseHead(
                status: 503,
                fields: [
                    ("Retry-After", value), ("Expires", value), ("Date", value), ("Age", value),
                    ("Cache-Control", "max-age=\(value)"), ("Last-Modified", value),
                    ("Set-Cookie", "a=b; Expires=\(value)"), ("Set-Cookie", "c=d; Max-Age=\(value)"),
                ].map { (name: $0.0, value: $0.1) }
            )
            for now in [0, 784_111_777, 1e12] {
                #expect(head.freshness(now: now).isFinite)
                #expect(head.retryAfter(now: now)?.isFinite ?? true)
                var jar = CookieJar()
                let url = try RequestURL("http://h/a")
                jar.take(head, from: url, now: now)
                _ = jar.header(for: url, now: now)
            }
        }
    }

    @Test("Lengths, ranges and intervals of any number are told as a failure or a stream", arguments: numbers)
    func lengths(number: String) throws {
        let ranges = ["bytes \(number)-9/10", "bytes 0-\(number)/10", "bytes 0-9/\(number)", "bytes */\(number)"]
        let heads =
            ranges.map { [("Content-Range", $0), ("Content-Length", number)] }
            + [[("Content-Length", number)], [("icy-metaint", number), ("icy-br", number)]]
        for fields in heads {
            for status in [200, 206, 416] {
                for position in [Int64(0), 1_000] {
                    var machine = FetchMachine(
                        url: try RequestURL("http://h/a"),
                        options: HTTPByteStream.Options(),
                        name: "http://h/a",
                        seed: 7
                    )
                    _ = machine.readerMoved(to: position, missing: position)
                    let head = ResponseHead(status: status, fields: fields.map { (name: $0.0, value: $0.1) })
                    _ = machine.responded(1, head)
                    _ = machine.readerMoved(to: .max - 1, missing: .max - 1)
                    #expect(machine.length ?? 0 >= 0)
                }
            }
        }
    }

    @Test("A port or a location of any number is refused or used", arguments: numbers)
    func ports(number: String) {
        let url = try? RequestURL("http://h:\(number)/a")
        #expect(url.map { (1...65_535).contains($0.port) } ?? true)
    }
}
