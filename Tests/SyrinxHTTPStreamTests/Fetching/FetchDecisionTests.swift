import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

@Suite("Decisions about arriving bytes") struct FetchDecisionTests {
    private static let kibi: Int64 = 1 << 10

    /// One whose first answer has come, for 100 MiB.
    private func receiving(_ change: (inout HTTPByteStream.Options) -> Void = { _ in }) throws -> FetchMachine {
        var options = HTTPByteStream.Options()
        change(&options)
        var machine = FetchMachine(url: try RequestURL("http://h/a"), options: options, name: "http://h/a", seed: 7)
        _ = machine.open(missing: 0)
        _ = machine.responded(1, head(206, [("Content-Range", "bytes 0-104857599/104857600"), ("ETag", "\"x\"")]))
        return machine
    }

    private func arrival(
        _ count: Int,
        upTo missing: Int64,
        at time: Double = 0,
        isDiskBehind: Bool = false,
        isObserved: Bool = false
    ) -> FetchArrival {
        FetchArrival(
            byteCount: count,
            storedCount: count,
            missing: missing,
            time: time,
            isDiskBehind: isDiskBehind,
            isObserved: isObserved
        )
    }

    // MARK: Opening

    @Test("Opening begins one request, and none after the reader has moved") func opening() throws {
        var machine = FetchMachine(url: try RequestURL("http://h/a"), options: .init(), name: "", seed: 1)
        #expect(short(machine.open(missing: 0)) == ["send bytes=0-"])
        #expect(machine.open(missing: 0).isEmpty)
        machine = FetchMachine(url: try RequestURL("http://h/a"), options: .init(), name: "", seed: 1)
        #expect(short(machine.requestBytes(from: 7, missing: 7)) == ["send bytes=7-"])
        #expect(machine.open(missing: 0).isEmpty)
    }

    @Test("A larger window resumes a paused transfer, and starts nothing before the stream is opened") func window()
        throws
    {
        var machine = FetchMachine(url: try RequestURL("http://h/a"), options: .init(), name: "", seed: 1)
        #expect(machine.windowChanged(to: 1_000, missing: 0).isEmpty)
        machine = try receiving()
        #expect(short(machine.received(1, arrival(4 << 20, upTo: 4 << 20))) == ["pause"])
        #expect(!machine.continuesReading(1))
        #expect(short(machine.windowChanged(to: 32 << 20, missing: 4 << 20)) == ["resume"])
        #expect(machine.continuesReading(1))
    }

    @Test("A reader waits in vain only where the server gives no ranges and the bytes have gone by") func vain() throws
    {
        var machine = FetchMachine(url: try RequestURL("http://h/a"), options: .init(), name: "", seed: 1)
        _ = machine.open(missing: 0)
        _ = machine.responded(1, head(200, [("Content-Length", "1000000")]))
        _ = machine.received(1, arrival(1_000, upTo: 1_000))
        #expect(machine.waitsInVain(at: 10, missing: 10))
        #expect(!machine.waitsInVain(at: 10, missing: 1_000))
        #expect(!machine.waitsInVain(at: 1_000, missing: 1_000))
    }

    // MARK: Progress

    @Test("Progress is reported ten times a second, and only if somebody is told") func progress() throws {
        var machine = try receiving()
        #expect(machine.received(1, arrival(10, upTo: 10, at: 5)).isEmpty)
        #expect(short(machine.received(1, arrival(10, upTo: 20, at: 5, isObserved: true))) == ["received 20"])
        #expect(machine.received(1, arrival(10, upTo: 30, at: 5.09, isObserved: true)).isEmpty)
        #expect(short(machine.received(1, arrival(10, upTo: 40, at: 5.11, isObserved: true))) == ["received 40"])
    }

    @Test("The rate that arrives decides for which gaps another request is made") func rate() throws {
        var machine = try receiving()
        machine.gauge.requestSent(at: 1)
        machine.gauge.answered(at: 1.05)
        _ = machine.received(1, arrival(1_000, upTo: 1_000, at: 2))
        _ = machine.received(1, arrival(16_000, upTo: 17_000, at: 2.5))
        // At 32,000 bytes a second the least counts: 16 KiB.
        #expect(machine.window.seekThreshold == 16 * Self.kibi)
    }

    @Test("Bytes of an older transfer change nothing, and are read to its end") func olderTransfer() throws {
        var machine = try receiving()
        _ = machine.requestBytes(from: 50 << 20, missing: 50 << 20)
        #expect(machine.received(1, arrival(10, upTo: 10, isDiskBehind: true, isObserved: true)).isEmpty)
        #expect(machine.continuesReading(1))
    }

    // MARK: The disk

    @Test("A transfer waits for a disk that is behind, until it has caught up") func diskCatchesUp() throws {
        var machine = try receiving { $0.diskPatience = 3 }
        let far = DiskBackpressure.neededSoon + 1
        let actions = machine.received(1, arrival(Int(far), upTo: far, isDiskBehind: true))
        guard case .waitForDisk(let seconds) = actions.last else {
            Issue.record("no wait")
            return
        }
        #expect(seconds == 3)
        #expect(!machine.continuesReading(1))
        #expect(short(machine.diskCaughtUp()) == ["resume"])
        #expect(machine.continuesReading(1))
        // The next time is another wait.
        #expect(short(machine.received(1, arrival(1, upTo: far + 1, isDiskBehind: true))) == ["disk"])
    }

    @Test("A disk that stands still is not waited for again until it has caught up") func diskStandsStill() throws {
        var machine = try receiving()
        let far = DiskBackpressure.neededSoon + 1
        #expect(short(machine.received(1, arrival(Int(far), upTo: far, isDiskBehind: true))) == ["disk"])
        #expect(short(machine.diskTimedOut()) == ["resume"])
        #expect(machine.received(1, arrival(1, upTo: far + 1, isDiskBehind: true)).isEmpty)
        #expect(machine.diskTimedOut().isEmpty)
        #expect(machine.diskCaughtUp().isEmpty)
        #expect(short(machine.received(1, arrival(1, upTo: far + 2, isDiskBehind: true))) == ["disk"])
    }

    @Test("Bytes that are heard soon do not wait for a disk; a download does", arguments: [false, true])
    func neededSoon(isInTheBackground: Bool) throws {
        var machine = try receiving { $0.isInTheBackground = isInTheBackground }
        let actions = machine.received(1, arrival(1_000, upTo: 1_000, isDiskBehind: true))
        #expect(short(actions) == (isInTheBackground ? ["disk"] : []))
    }

    @Test("The end of a wait does not resume a transfer that has taken its place") func waitOfAnOlderTransfer() throws {
        var machine = try receiving()
        let far = DiskBackpressure.neededSoon + 1
        _ = machine.received(1, arrival(Int(far), upTo: far, isDiskBehind: true))
        #expect(short(machine.requestBytes(from: 50 << 20, missing: 50 << 20)) == ["stop", "send bytes=52428800-"])
        #expect(machine.diskCaughtUp().isEmpty)
    }

    @Test("A full window pauses, whatever the disk does") func fullWindow() throws {
        var machine = try receiving()
        #expect(short(machine.received(1, arrival(4 << 20, upTo: 4 << 20, isDiskBehind: true))) == ["pause"])
    }

    // MARK: Titles

    @Test("Titles are handed out in order, once the reader has passed their offsets") func titles() {
        var queue = TitleQueue()
        queue.append(["a": "1"], at: 10)
        queue.append(["a": "2"], at: 20)
        #expect(queue.removeTitles(before: 10).isEmpty)
        #expect(queue.removeTitles(before: 11) == [["a": "1"]])
        #expect(queue.removeTitles(before: 1_000) == [["a": "2"]])
        #expect(queue.removeTitles(before: 1_000).isEmpty)
    }

    @Test("Of too many titles the oldest goes, and its fields that still apply move on") func tooManyTitles() {
        var queue = TitleQueue()
        queue.append(["title": "old", "url": "u"], at: 0)
        for offset in 1...Int64(TitleQueue.limit) { queue.append(["title": "\(offset)"], at: offset) }
        let titles = queue.removeTitles(before: .max)
        #expect(titles.count == TitleQueue.limit)
        #expect(titles.first == ["title": "1", "url": "u"])
        #expect(titles.last == ["title": "\(TitleQueue.limit)"])
    }
}
