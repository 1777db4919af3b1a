import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

/// The actions of `FetchMachine` for answers of another version than the one that is read.
@Suite("Other versions") struct OtherVersionTests {
    private static let size: Int64 = 1_000_000

    private func part(_ from: Int64, _ tag: String, of size: Int64 = size) -> ResponseHead {
        head(206, [("Content-Range", "bytes \(from)-\(size - 1)/\(size)"), ("ETag", "\"\(tag)\"")])
    }

    private func whole(_ tag: String) -> ResponseHead {
        head(200, [("Content-Length", "\(Self.size)"), ("ETag", "\"\(tag)\""), ("Accept-Ranges", "bytes")])
    }

    /// One that has some bytes of version `a`, and has just asked for those from 600,000 on.
    private func seeking() throws -> FetchMachine {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, part(0, "a"))
        _ = machine.received(1, count: 1_000, missing: 1_000)
        #expect(short(machine.requestBytes(from: 600_000, missing: 600_000)) == ["stop", "send bytes=600000-"])
        return machine
    }

    private let again = ["stop", "send bytes=600000-"]
    private let failed = ["stop", "fail", "failed http.resourceChanged"]

    /// A part of it, the whole because `If-Range` did not hold, another length, and no such range.
    @Test("A response of another version is retried three times before the stream fails", arguments: 0..<4)
    func theVersionThatIsReadIsAskedForThreeMoreTimes(_ form: Int) throws {
        let other = [
            part(600_000, "b"), whole("b"), part(600_000, "a", of: 2_000_000),
            head(416, [("Content-Range", "bytes */500")]),
        ][form]
        var machine = try seeking()
        for _ in 0..<3 { #expect(short(machine.responded(machine.id, other)) == again) }
        #expect(machine.offset(forTransfer: machine.id) == nil)
        #expect(short(machine.responded(machine.id, other)) == failed)
        #expect(machine.isSeekable && machine.receivedByteCount == 1_000)
    }

    /// The whole, and a part: only a part that was asked for on condition of a date may leave that out.
    @Test(
        "A response without a validator is accepted only as a part conditional on Last-Modified",
        arguments: [("ETag", "\"a\""), ("ETag", "W/\"a\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]
    )
    func anAnswerThatDoesNotNameItsVersion(mark: (String, String)) throws {
        let whole = head(200, [("Content-Length", "\(Self.size)")])
        let part = head(206, [("Content-Range", "bytes 600000-\(Self.size - 1)/\(Self.size)")])
        for (answer, isTaken) in [(whole, false), (part, mark.0 == "Last-Modified")] {
            var machine = try makeFetchMachine()
            _ = machine.requestBytes(from: 0, missing: 0)
            let range = ("Content-Range", "bytes 0-\(Self.size - 1)/\(Self.size)")
            _ = machine.responded(1, head(206, [range, mark]))
            _ = machine.received(1, count: 1_000, missing: 1_000)
            _ = machine.requestBytes(from: 600_000, missing: 600_000)
            #expect(short(machine.responded(machine.id, answer)) == (isTaken ? ["interleave 0"] : again))
        }
    }

    @Test("A version that returns is continued")
    func whatComesBackIsGoneOnWith() throws {
        var machine = try seeking()
        #expect(short(machine.responded(machine.id, part(600_000, "b"))) == again)
        let actions = machine.responded(machine.id, part(600_000, "a"))
        #expect(short(actions) == ["warning http.mixedVersions", "interleave 0"])
        #expect(machine.offset(forTransfer: machine.id) == 600_000)
        // Told once, and then asked for more often: that it comes back is known.
        _ = machine.received(machine.id, count: 1_000, missing: 601_000)
        _ = machine.requestBytes(from: 0, missing: 1_000)
        for _ in 0..<8 {
            #expect(short(machine.responded(machine.id, whole("b"))) == ["stop", "send bytes=1000-"])
        }
        #expect(short(machine.responded(machine.id, part(1_000, "a"))) == ["interleave 0"])
    }

    /// As often as not, an answer breaks off before its first byte: that is no reason to ask for ever.
    @Test("A server that never gives the version fails in the end")
    func withoutAByteItHasAnEnd() throws {
        var machine = try seeking()
        for _ in 0..<2 {
            _ = machine.responded(machine.id, part(600_000, "b"))
            _ = machine.responded(machine.id, part(600_000, "a"))
            _ = machine.failed(machine.id, .cutShort(at: 600_000, of: Self.size))
            _ = machine.timerFired(machine.id)
        }
        for _ in 0..<6 { #expect(short(machine.responded(machine.id, part(600_000, "b"))) == again) }
        #expect(short(machine.responded(machine.id, part(600_000, "b"))) == failed)
    }

    @Test("A response of another version restarts the redirects at the original URL")
    func redirectsAreFollowedAnew() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        let edge = head(302, [("Location", "http://edge/a")])
        _ = machine.responded(1, edge)
        _ = machine.responded(machine.id, part(0, "a"))
        _ = machine.received(machine.id, count: 1_000, missing: 1_000)
        _ = machine.requestBytes(from: 600_000, missing: 600_000)
        #expect(machine.current.host == "edge")
        #expect(short(machine.responded(machine.id, part(600_000, "b"))) == again)
        #expect(machine.current.host == "h")
        #expect(short(machine.responded(machine.id, edge)) == again)
        #expect(short(machine.responded(machine.id, part(600_000, "a"))).first == "warning http.mixedVersions")
    }

    @Test("A resource that is read in one answer is not requested in parts")
    func inOneAnswerNoPartIsAskedFor() throws {
        var machine = try makeFetchMachine { $0.readsInOneAnswer = true }
        #expect(short(machine.requestBytes(from: 0, missing: 0)) == ["send whole"])
        #expect(
            short(machine.responded(1, whole("a"))) == ["length \(Self.size)", "response 200 false", "interleave 0"]
        )
        _ = machine.received(1, count: 1_000, missing: 1_000)
        #expect(machine.requestBytes(from: 600_000, missing: 600_000).isEmpty)
        #expect(!machine.canReach(0) && machine.canReach(600_000))
        // What breaks off is read from its start, and only if it is the same.
        #expect(short(machine.ended(1, missing: 600_000)) == ["wait", "retry 2 network.lost"])
        #expect(short(machine.timerFired(machine.id)) == ["send whole"])
        for _ in 0..<3 { #expect(short(machine.responded(machine.id, whole("b"))) == ["stop", "send whole"]) }
        #expect(short(machine.responded(machine.id, whole("b"))) == failed)
    }
}
