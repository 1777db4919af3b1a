import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// RFC 9111, 4.2: for how long what is kept counts without a word of the server.
@Suite("Freshness") struct FreshnessTests {
    // What `date -d 'Sun, 06 Nov 1994 08:49:37 GMT' +%s` gives.
    private static let now = 784_111_777.0

    private func head(_ fields: (String, String)...) -> ResponseHead {
        let always = [("ETag", "\"a\""), ("Content-Length", "10")]
        return ResponseHead(status: 200, fields: (always + fields).map { (name: $0.0, value: $0.1) })
    }

    private func freshness(_ fields: (String, String)...) -> Double {
        ResponseHead(status: 200, fields: fields.map { (name: $0.0, value: $0.1) }).freshness(now: Self.now)
    }

    @Test("Freshness follows Cache-Control, Expires and Age")
    func whatTheServerSays() {
        let day = 86_400.0
        #expect(freshness() == day)
        #expect(freshness(("Cache-Control", "private")) == day)
        #expect(freshness(("Cache-Control", "max-age=90")) == 90)
        #expect(freshness(("Cache-Control", "public"), ("cache-control", "Max-Age=\"90\", must-revalidate")) == 90)
        #expect(freshness(("Cache-Control", "max-age=90"), ("Age", "60")) == 30)
        #expect(freshness(("Cache-Control", "max-age=90"), ("Age", "100")) == 0)
        #expect(freshness(("Cache-Control", "max-age=90, no-cache")) == 0)
        #expect(freshness(("Cache-Control", "no-cache=\"Set-Cookie\"")) == 0)
        #expect(freshness(("Cache-Control", "must-revalidate")) == 0)
        #expect(freshness(("Cache-Control", "max-age=soon")) == 0)
        #expect(freshness(("Cache-Control", "max-age=31536000")) == 365 * day)
        #expect(freshness(("Cache-Control", "s-maxage=5")) == day)
        #expect(freshness(("Pragma", "no-cache")) == 0)
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let later = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(freshness(("Expires", later)) == 60)
        // By the server's clock, which need not be right.
        #expect(freshness(("Expires", date), ("Date", "Sun, 06 Nov 1994 08:49:07 GMT")) == 30)
        #expect(freshness(("Expires", date), ("Date", later)) == 0)
        #expect(freshness(("Expires", "0")) == 0)
        #expect(freshness(("Expires", "0"), ("Cache-Control", "max-age=7")) == 7)
    }

    @Test("A response is used without a request while it is fresh")
    func itIsKeptUntilThen() throws {
        let scratch = try ScratchDirectory()
        let url = try RequestURL("http://h/a")
        let answer = head(("Cache-Control", "max-age=10"))
        let cache = DiskCache(directory: scratch.file("cache"))
        func stored() -> CachedResource { CachedResource(DiskCache(directory: scratch.file("cache")), url) }
        let first = CachedResource(cache, url)
        first.answered(answer, ResourceVersion(answer, length: 10), now: Self.now)
        cache.flush()
        #expect(stored().fresh(now: Self.now) != nil)
        #expect(stored().fresh(now: Self.now + 9) != nil)
        #expect(stored().fresh(now: Self.now + 10) == nil)
        // The clock has been put back: the freshness is not known.
        #expect(stored().fresh(now: Self.now - 1) == nil)
        // Asked again, it is fresh again, though it was written a moment ago.
        first.answered(answer, ResourceVersion(answer, length: 10), now: Self.now + 20)
        cache.flush()
        #expect(stored().fresh(now: Self.now + 29) != nil)
        let strict = head(("Cache-Control", "no-cache"))
        first.answered(strict, ResourceVersion(strict, length: 10), now: Self.now + 21)
        cache.flush()
        #expect(stored().fresh(now: Self.now + 22) == nil)
        // What was downloaded for use without a server is used without one.
        let bytes = [UInt8](repeating: 7, count: 10)
        bytes.withUnsafeBytes { first.entry.append($0, at: 0) }
        #expect(first.entry.keep([]) == nil)
        cache.flush()
        #expect(stored().fresh(now: Self.now + 10_000_000) != nil)
    }
}
