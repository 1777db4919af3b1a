import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

/// A server that states more bytes than it sends, and closes the connection in good order behind the last of them.
@Suite("Early ends") struct EarlyEndTests {
    private static let stated: Int64 = 1_100
    private static let sent: Int64 = 1_000
    private static let end = ["stop", "length 1000", "warning http.truncated", "completed"]

    private var whole: ResponseHead { head(200, [("Content-Length", "\(Self.stated)"), ("ETag", "\"x\"")]) }

    private func part(from first: Int64) -> ResponseHead {
        let range = "bytes \(first)-\(Self.stated - 1)/\(Self.stated)"
        return head(206, [("Content-Range", range), ("ETag", "\"x\"")])
    }

    private func cut(at position: Int64) -> FetchFailure { .cutShort(at: position, of: Self.stated) }

    /// One whose first answer has ended where the bytes do, and which has asked again.
    private func cutOnce(ranges: Bool) throws -> FetchMachine {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, ranges ? part(from: 0) : whole)
        _ = machine.received(1, count: Int(Self.sent), missing: Self.sent)
        #expect(short(machine.failed(1, cut(at: Self.sent))) == ["wait", "retry 2 network.lost"])
        let again = ranges ? "send bytes=1000-" : "send whole"
        #expect(short(machine.timerFired(machine.id)) == [again])
        return machine
    }

    @Test("A second end at the same place is the end of the resource, with a warning")
    func theSecondEndCounts() throws {
        var machine = try cutOnce(ranges: false)
        _ = machine.responded(machine.id, whole)
        _ = machine.received(machine.id, count: Int(Self.sent), missing: Self.sent)
        #expect(short(machine.failed(machine.id, cut(at: Self.sent))) == Self.end)
        #expect(machine.length == Self.sent && machine.phase == .idle)
        // The end is known: the reader asks for nothing more.
        #expect(machine.requestBytes(from: Self.sent, missing: Self.sent).isEmpty)
    }

    @Test("A part that begins at the end and brings nothing confirms it")
    func anEmptyPartCounts() throws {
        var machine = try cutOnce(ranges: true)
        _ = machine.responded(machine.id, part(from: Self.sent))
        #expect(short(machine.failed(machine.id, cut(at: Self.sent))) == Self.end)
        // What is read again states the same length, and is the same resource.
        #expect(short(machine.requestBytes(from: 0, missing: 0)) == ["send bytes=0-"])
        #expect(short(machine.responded(machine.id, part(from: 0))) == ["interleave 0"])
        _ = machine.received(machine.id, count: Int(Self.sent), missing: Self.sent)
        #expect(short(machine.ended(machine.id, missing: Self.sent)) == ["completed"])
    }

    @Test("Status 416 at that place confirms it, whatever length it states", arguments: ["*/1000", "*/1100", nil])
    func unsatisfiableCounts(size: String?) throws {
        var machine = try cutOnce(ranges: true)
        let answer = head(416, size.map { [("Content-Range", "bytes \($0)")] } ?? [])
        #expect(short(machine.responded(machine.id, answer)) == Self.end)
    }

    @Test("Another place is no end")
    func anotherPlaceDoesNotCount() throws {
        var machine = try cutOnce(ranges: false)
        _ = machine.responded(machine.id, whole)
        _ = machine.received(machine.id, count: 900, missing: 900)
        #expect(short(machine.failed(machine.id, cut(at: 900))).first == "wait")
    }

    @Test("A reset at the same place is a fault of the line, and no end")
    func aResetDoesNotCount() throws {
        var machine = try cutOnce(ranges: true)
        _ = machine.responded(machine.id, part(from: Self.sent))
        let reset = FetchFailure(.connectionLost, "reset", .retry)
        #expect(short(machine.failed(machine.id, reset)).first == "wait")
    }

    @Test("Answers that bring nothing say nothing of the end")
    func emptyAnswersDoNotCount() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, part(from: 0))
        _ = machine.received(1, count: 100, missing: 100)
        _ = machine.requestBytes(from: 500, missing: 500)
        for _ in 0..<3 {
            _ = machine.failed(machine.id, FetchFailure(.connectionLost, "reset", .retry))
            _ = machine.timerFired(machine.id)
            _ = machine.responded(machine.id, part(from: machine.position))
            #expect(!short(machine.failed(machine.id, cut(at: machine.position))).contains("completed"))
            _ = machine.timerFired(machine.id)
        }
    }
}
