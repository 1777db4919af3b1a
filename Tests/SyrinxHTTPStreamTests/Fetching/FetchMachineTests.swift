import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

func head(_ status: Int, _ fields: [(name: String, value: String)] = []) -> ResponseHead {
    ResponseHead(status: status, fields: fields)
}

private func part(_ from: Int64, of size: Int64) -> ResponseHead {
    head(206, [("Content-Range", "bytes \(from)-\(size - 1)/\(size)"), ("ETag", "\"x\"")])
}

private func delay(_ actions: [FetchMachine.Action]) -> Double? {
    for case .wait(_, let seconds) in actions { return seconds }
    return nil
}

@Suite("FetchMachine") struct FetchMachineTests {
    static let mega: Int64 = 1 << 20

    /// One whose first answer has come, for 100 MiB.
    private func running() throws -> FetchMachine {
        var machine = try makeFetchMachine()
        #expect(short(machine.requestBytes(from: 0, missing: 0)) == ["send bytes=0-"])
        let actions = machine.responded(1, part(0, of: 100 * Self.mega))
        #expect(short(actions) == ["length \(100 * Self.mega)", "response 206 true", "interleave 0"])
        return machine
    }

    @Test("A transfer pauses at a full window and resumes after the reader has advanced")
    func theWindowOpensAndCloses() throws {
        var machine = try running()
        #expect(short(machine.received(1, count: 4 << 20, missing: 4 * Self.mega)) == ["pause"])
        #expect(machine.requestBytes(from: 1_000, missing: 4 * Self.mega).isEmpty)
        #expect(short(machine.requestBytes(from: Self.mega, missing: 4 * Self.mega)) == ["resume"])
        #expect(machine.received(1, count: 1_000, missing: 4 * Self.mega + 1_000).isEmpty)
    }

    @Test("A near gap is awaited, and a far gap causes a new range request")
    func aNearGapIsWaitedForAndAFarOneAskedFor() throws {
        var machine = try running()
        _ = machine.received(1, count: 1_000, missing: 1_000)
        #expect(machine.requestBytes(from: 200_000, missing: 200_000).isEmpty)
        #expect(short(machine.requestBytes(from: 300_000, missing: 300_000)) == ["stop", "send bytes=300000-"])
        // What the old transfer still brings is ignored.
        #expect(machine.offset(forTransfer: 1) == nil)
        #expect(machine.received(1, count: 10, missing: 1_010).isEmpty)
        #expect(machine.ended(1, missing: 0).isEmpty)
        #expect(machine.failed(1, .emptyBody).isEmpty)
    }

    @Test("Range requests are abandoned only after two wrong ranges in a row")
    func oneWrongRangeOfManyIsNoReasonToDoWithout() throws {
        var machine = try running()
        _ = machine.received(1, count: 1_000, missing: 1_000)
        _ = machine.requestBytes(from: 900_000, missing: 900_000)
        #expect(short(machine.responded(2, part(7, of: 5))) == ["stop", "wait", "retry 2 http.badResponse"])
        #expect(machine.isSeekable)
        #expect(short(machine.timerFired(machine.id)) == ["send bytes=900000-"])
        // Twice in a row is one.
        let actions = short(machine.responded(machine.id, part(7, of: 5)))
        #expect(actions == ["stop", "warning http.badResponse", "send whole"])
        #expect(!machine.isSeekable)
    }

    @Test("A short step back widens the window behind the reader")
    func whoStepsBackALittleIsExpectedToDoSoAgain() throws {
        var machine = try running()
        _ = machine.received(1, count: 1_000, missing: 1_000)
        #expect(short(machine.requestBytes(from: 900_000, missing: 900_000)) == ["stop", "send bytes=900000-"])
        _ = machine.responded(2, part(900_000, of: 100 * Self.mega))
        _ = machine.received(2, count: 5_000, missing: 905_000)
        // 300 bytes before the request: another 8 KiB before that.
        #expect(short(machine.requestBytes(from: 899_700, missing: 899_700)) == ["stop", "send bytes=891508-"])
        // A jump is none; nor is there anything before the start.
        #expect(short(machine.requestBytes(from: 500_000, missing: 500_000)) == ["stop", "send bytes=500000-"])
        #expect(short(machine.requestBytes(from: 5_000, missing: 5_000)) == ["stop", "send bytes=5000-"])
        #expect(short(machine.requestBytes(from: 4_000, missing: 4_000)) == ["stop", "send bytes=0-"])
    }

    @Test("A connection lost while paused is replaced when more bytes are needed")
    func aConnectionLostWhilePausedIsNoFailure() throws {
        var machine = try running()
        _ = machine.received(1, count: 4 << 20, missing: 4 * Self.mega)
        #expect(machine.failed(1, .cutShort(at: 1, of: 2)).isEmpty)
        let actions = machine.requestBytes(from: 2 * Self.mega, missing: 4 * Self.mega)
        #expect(short(actions) == ["send bytes=\(4 * Self.mega)-"])
    }

    @Test("Retry delays double up to 10 s with a jitter of 25 percent")
    func delaysDoubleWithinAQuarterAndAreBounded() throws {
        var machine = try makeFetchMachine { $0.maximumAttempts = 9 }
        _ = machine.requestBytes(from: 0, missing: 0)
        var delays: [Double] = []
        for _ in 0..<8 {
            let actions = machine.responded(machine.id, head(503))
            #expect(short(actions).prefix(2) == ["stop", "wait"])
            delays.append(try #require(delay(actions)))
            #expect(short(machine.timerFired(machine.id)) == ["send bytes=0-"])
        }
        for (delay, nominal) in zip(delays, [0.25, 0.5, 1, 2, 4, 8, 10, 10]) {
            #expect(delay >= nominal * 0.75 && delay <= nominal * 1.25)
        }
        #expect(Set(delays.map { $0 / 0.25 }).count > 4)
        #expect(short(machine.responded(machine.id, head(503))) == ["stop", "stop", "fail", "failed http.503"])
        #expect(machine.timerFired(machine.id).isEmpty)
    }

    @Test("The server's Retry-After is bounded")
    func theServersWishIsBounded() throws {
        for (asked, expected) in [("3", 3.0), ("9999", 30.0)] {
            var machine = try makeFetchMachine()
            _ = machine.requestBytes(from: 0, missing: 0)
            #expect(delay(machine.responded(1, head(429, [("Retry-After", asked)]))) == expected)
        }
    }

    @Test("Received bytes reset the retry count and the retry delay")
    func progressForgivesFailures() throws {
        var machine = try running()
        for _ in 0..<50 {
            let position = machine.position
            _ = machine.received(machine.id, count: 10, missing: position + 10)
            #expect(delay(machine.failed(machine.id, .cutShort(at: position, of: 0))) ?? 9 < 0.32)
            #expect(short(machine.timerFired(machine.id)) == ["send bytes=\(position + 10)-"])
            _ = machine.responded(machine.id, part(position + 10, of: 100 * Self.mega))
        }
    }

    @Test("A retry requests the offset that the reader moved to during the delay")
    func theReaderMovesWhileWaiting() throws {
        var machine = try running()
        _ = machine.failed(1, .cutShort(at: 0, of: 1))
        #expect(machine.requestBytes(from: 50 * Self.mega, missing: 50 * Self.mega).isEmpty)
        #expect(short(machine.timerFired(machine.id)) == ["send bytes=\(50 * Self.mega)-"])
    }

    @Test("A partial response shorter than requested is followed by the next range request")
    func aShortPartIsFollowedByTheNext() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, head(206, [("Content-Range", "bytes 0-99/1000")]))
        _ = machine.received(1, count: 100, missing: 100)
        #expect(short(machine.ended(1, missing: 100)) == ["send bytes=100-"])
    }

    @Test("A transfer that ends before the larger of two stated lengths is retried")
    func theLargerLengthWins() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        let fields = [(name: "Content-Range", value: "bytes 0-99/100"), (name: "Content-Length", value: "200")]
        let actions = machine.responded(1, head(206, fields))
        #expect(short(actions) == ["warning http.lengthMismatch", "length 100", "response 206 true", "interleave 0"])
        _ = machine.received(1, count: 100, missing: 100)
        #expect(short(machine.ended(1, missing: 100)) == ["wait", "retry 2 network.lost"])
    }

    @Test("A request beyond the end is answered with the end")
    func beyondTheEnd() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 500, missing: 500)
        let actions = machine.responded(1, head(416, [("Content-Range", "bytes */500")]))
        #expect(short(actions) == ["stop", "length 500", "completed"])

        machine = try running()
        _ = machine.requestBytes(from: 50 * Self.mega, missing: 50 * Self.mega)
        let shrunk = machine.responded(2, head(416, [("Content-Range", "bytes */500")]))
        #expect(short(shrunk) == ["stop", "send bytes=\(50 * Self.mega)-"])
    }

    @Test("A redirect from HTTPS to HTTP is refused by default")
    func secureAddressesAreNotLeft() throws {
        let options = HTTPByteStream.Options()
        var machine = FetchMachine(url: try RequestURL("https://h/a"), options: options, name: "", seed: 1)
        _ = machine.requestBytes(from: 0, missing: 0)
        let actions = machine.responded(1, head(302, [("Location", "http://h/a")]))
        #expect(short(actions) == ["stop", "fail", "failed http.redirectRefused"])
    }

    /// On a slow line a request is there sooner than what lies between.
    @Test(
        "The longest gap that is awaited depends on throughput and latency",
        arguments: [(32_000.0, 0.05, 16), (1e6, 0.05, 122), (1e6, 0.1, 195), (200_000, 3, 97), (1e9, 0.001, 256)]
    )
    func slowLinesAreNotWaitedFor(rate: Double, latency: Double, kibibytes: Int64) throws {
        let gap = kibibytes << 10
        for (missing, moves) in [(gap, false), (gap + 1_024, true)] {
            var machine = try makeFetchMachine()
            _ = machine.requestBytes(from: 0, missing: 0)
            _ = machine.responded(1, head(206, [("Content-Range", "bytes 0-1999999/2000000")]))
            machine.window.measured(bytesPerSecond: rate, answered: latency)
            #expect(short(machine.requestBytes(from: missing, missing: missing)).isEmpty == !moves)
        }
    }

    @Test("A throughput meter measures over at least 0.5 s and restarts per transfer")
    func aRateIsThatOfHalfASecond() {
        var rate = ThroughputMeter()
        #expect(rate.add(50_000, at: 7, of: 1) == nil)
        #expect(rate.add(4_000, at: 7.25, of: 1) == nil)
        #expect(rate.add(6_000, at: 7.5, of: 1) == 20_000)
        #expect(rate.add(1_000, at: 7.9, of: 1) == nil)
        // Of another transfer it begins anew.
        #expect(rate.add(1_000, at: 8, of: 2) == nil)
        #expect(rate.add(1_000, at: 9, of: 2) == 1_000)
    }

    @Test("An impossible length is ignored")
    func lengthsThatNothingHasAreNone() throws {
        for range in ["bytes 0-9223372036854775807/*", "bytes 0-9/9223372036854775807", "bytes 0-281474976710656/*"] {
            var machine = try makeFetchMachine()
            _ = machine.requestBytes(from: 0, missing: 0)
            _ = machine.responded(1, head(206, [("Content-Range", range)]))
            #expect(machine.rangeSupport != .yes)
        }
        #expect(head(200, [("Content-Length", "9223372036854775807")]).contentLength == nil)
    }

    @Test("Spaces around a Location are removed")
    func blanksAroundALocationAreNoneOfIt() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        #expect(short(machine.responded(1, head(302, [("Location", " /b\t ")]))) == ["stop", "send bytes=0-"])
        #expect(machine.current.string == "http://h/b")
        #expect(short(machine.responded(2, head(302, [("Location", " ")]))).last == "failed http.badResponse")
    }

    @Test("A redirect to another origin carries no secrets")
    func secretsStayWithTheirOrigin() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        var options = HTTPByteStream.Options()
        options.headers = [("X-Secret", "1")]
        func carriesSecrets(_ location: String) -> Bool? {
            for case .send(let request) in machine.responded(machine.id, head(302, [("Location", location)])) {
                return TransferRequest(request.url, machine.original, options).headers.lines.contains("X-Secret: 1")
            }
            return nil
        }
        #expect(carriesSecrets("/b") == true)
        #expect(carriesSecrets("http://h:81/b") == false)
        #expect(carriesSecrets("https://h/b") == false)
    }

    private static let refused = FetchFailure(.connectionRefused, "refused", .reconnect)

    /// Fails every request until `seconds` have been waited, and says how many that took.
    private func outage(_ machine: inout FetchMachine, of seconds: Double) throws -> (attempts: Int, actions: [String])
    {
        var clock = 0.0
        var attempts = 0
        var all: [String] = []
        while clock < seconds {
            let actions = machine.failed(machine.id, Self.refused)
            all += short(actions)
            guard let wait = delay(actions) else { break }
            clock += wait
            attempts += 1
            _ = machine.timerFired(machine.id)
        }
        return (attempts, all)
    }

    @Test("A fetch survives a network outage of 10 minutes and reports the wait once")
    func tenMinutesWithoutNetworkAreWaitedFor() throws {
        var machine = try running()
        _ = machine.received(1, count: 1_000, missing: 1_000)
        let (attempts, actions) = try outage(&machine, of: 600)
        // Once a delay is at its largest, one attempt in ten seconds, give or take a quarter.
        #expect((50...90).contains(attempts))
        #expect(actions.count { $0 == "waiting" } == 1)
        #expect(machine.position == 1_000)
        _ = machine.responded(machine.id, part(1_000, of: 100 * Self.mega))
        #expect(short(machine.received(machine.id, count: 10, missing: 1_010)) == ["back"])
    }

    @Test("A fetch that ends after silent transfers says once that nothing has come")
    func saysSilenceOnce() throws {
        var machine = try running()
        _ = machine.received(1, count: 1_000, missing: 1_000)
        var error: SyrinxError?
        for _ in 0..<10_000 where error == nil {
            for case .fail(let last) in machine.failed(machine.id, .silence("h.example", seconds: 8)) { error = last }
            _ = machine.timerFired(machine.id)
        }
        let message = try #require(error).message
        #expect(message.matches(of: /o data arrived/).count == 1 && !message.contains("8 s"), "\(message)")
    }

    @Test("A long outage fails the fetch, and much sooner before the first response")
    func anHourWithoutNetworkIsTheEnd() throws {
        var machine = try running()
        let actions = try outage(&machine, of: 7_200).actions
        #expect(actions.suffix(2) == ["fail", "failed network.timeout"])
        // Before the server has ever answered, it is soon.
        machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        #expect(try outage(&machine, of: 7_200).attempts == 2)
    }

    @Test("A live stream keeps reconnecting through an outage of one week")
    func aStationIsAskedUntilItIsBack() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, head(200, [("icy-name", "One")]))
        _ = machine.received(1, count: 1_000, missing: 1_000)
        let week = 7 * 24 * 3_600.0
        #expect((50_000...70_000).contains(try outage(&machine, of: week).attempts))
        #expect(short(machine.responded(machine.id, head(200, [("icy-name", "One")]))).first == "discontinuity 1000")
    }

    /// It cannot be gone on with, and a reader must not wait for ever.
    @Test("A stream that cannot be resumed fails even in a pause")
    func whatCannotBeTakenUpAgainFailsEvenInAPause() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, head(200))
        _ = machine.received(1, count: 4 << 20, missing: 4 * Self.mega)
        let actions = machine.failed(1, .cutShort(at: 1, of: 2))
        #expect(short(actions) == ["stop", "fail", "failed network.lost"])
    }

    @Test("A cached prefix is continued by a range request")
    func whatIsKnownFromBeforeIsAskedForByRange() throws {
        var machine = try makeFetchMachine()
        machine.adopt(ResourceVersion(length: 1_000, etag: "\"x\"", lastModified: nil))
        // All of it is held.
        #expect(machine.requestBytes(from: 0, missing: 1_000).isEmpty)
        #expect(short(machine.requestBytes(from: 0, missing: 600)) == ["send bytes=600-"])
        let changed = machine.responded(1, head(200, [("ETag", "\"y\""), ("Content-Length", "1000")]))
        #expect(short(changed) == ["stop", "send bytes=600-"])
    }

    @Test("An option allows redirects from HTTPS to HTTP")
    func insecureRedirectsCanBeAllowed() throws {
        var options = HTTPByteStream.Options()
        options.allowsInsecureRedirects = true
        var machine = FetchMachine(url: try RequestURL("https://h/a"), options: options, name: "", seed: 1)
        _ = machine.requestBytes(from: 0, missing: 0)
        let actions = machine.responded(1, head(302, [("Location", "http://h/a")]))
        #expect(short(actions) == ["stop", "send bytes=0-"])
    }

    @Test("A cancelled fetch machine stops its transfer once and ignores later events")
    func nothingHappensAfterCancel() throws {
        var machine = try running()
        #expect(short(machine.cancel()) == ["stop"])
        #expect(machine.cancel().isEmpty)
        #expect(machine.requestBytes(from: 0, missing: 0).isEmpty)
        #expect(machine.timerFired(machine.id).isEmpty)
        #expect(machine.responded(machine.id, part(0, of: 10)).isEmpty)
    }
}
