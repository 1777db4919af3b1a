import Testing

@testable import syrinx_demo

@Suite struct PacerTests {
    /// Sends everything on a clock that `step` moves, and returns the time it took and the largest burst in 100 ms.
    private func run(byteCount: Int, rate: Int, lateness: Int64) -> (nanoseconds: Int64, bursts: [Int64: Int]) {
        var pacer = Pacer(byteCount: byteCount, bytesPerSecond: rate)
        var now: Int64 = 1_000
        let start = now
        var sent = 0
        var bursts: [Int64: Int] = [:]
        while true {
            switch pacer.next(at: now) {
            case .send(let count):
                sent += count
                bursts[(now - start) / 100_000_000, default: 0] += count
            case .wait(let nanoseconds):
                now += nanoseconds + lateness
            case .finish:
                #expect(sent == byteCount)
                return (now - start, bursts)
            }
        }
    }

    @Test("The pacer sends at its byte rate")
    func holdsTheRate() {
        let (nanoseconds, bursts) = run(byteCount: 320_000, rate: 32_000, lateness: 0)
        // The first tenth of a second is in the bucket at once.
        #expect(abs(nanoseconds - 9_900_000_000) < 1_000_000)
        #expect(bursts.values.allSatisfy { $0 <= 6_400 })
    }

    @Test("A late timer does not cause a burst")
    func aLateClockSendsNoBurstAfterwards() {
        let (_, bursts) = run(byteCount: 320_000, rate: 32_000, lateness: 400_000_000)
        #expect(bursts.values.allSatisfy { $0 <= 6_400 })
    }

    @Test("An empty body finishes at once")
    func anEmptyBodyIsFinishedAtOnce() {
        var pacer = Pacer(byteCount: 0, bytesPerSecond: 32_000)
        #expect(pacer.next(at: 0) == .finish)
    }
}

@Suite struct RangeRequestTests {
    @Test(
        "A request head is read",
        arguments: [
            (nil, RangeRequest.whole),
            ("bytes=0-", .part(0..<100)),
            ("bytes=10-19", .part(10..<20)),
            ("Bytes=10-", .part(10..<100)),
            ("bytes=90-500", .part(90..<100)),
            ("bytes=99-9223372036854775807", .part(99..<100)),
            ("bytes=-10", .part(90..<100)),
            ("bytes=-500", .part(0..<100)),
            ("bytes=100-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=20-10", .whole),
            ("bytes=0-1,5-6", .whole),
            ("bytes=-", .whole),
            ("bytes=a-b", .whole),
            ("bytes=--5", .whole),
            ("lines=1-2", .whole),
        ]
    )
    func isRead(header: String?, expected: RangeRequest) {
        #expect(RangeRequest(header: header, size: 100) == expected)
    }

    @Test("A range of an empty body is refused")
    func nothingOfAnEmptyBodyCanBeAsked() {
        #expect(RangeRequest(header: "bytes=0-", size: 0) == .unsatisfiable)
        #expect(RangeRequest(header: "bytes=-5", size: 0) == .unsatisfiable)
    }
}

@Suite struct PlanTests {
    @Test("Arguments that the demo does not know go to the player")
    func everythingElseGoesToThePlayer() throws {
        #expect(try Plan(arguments: []) == .play([]))
        #expect(try Plan(arguments: ["--rate", "2"]) == .play(["--rate", "2"]))
        #expect(try Plan(arguments: ["--help"]) == .help)
        #expect(try Plan(arguments: ["--serve"]) == .serve(nil))
        #expect(try Plan(arguments: ["--serve", "a.mp3"]) == .serve("a.mp3"))
        #expect(throws: DemoError.self) { try Plan(arguments: ["--serve", "a", "b"]) }
    }

    private func perform(_ options: [String], devices: String?) -> Performance {
        Performance(url: "http://x/", options: options, devices: devices, recordingPath: "/r.wav")
    }

    @Test("The player's arguments are unchanged if there is a sound device")
    func withADeviceNothingIsAdded() {
        let performance = perform(["--rate", "2"], devices: #"[{"id":"pulse:out"}]"#)
        #expect(performance.arguments == ["play", "--rate", "2", "http://x/"])
        #expect(performance.recording == nil && !performance.isSilent)
    }

    @Test("The demo records into a file if there is no sound device", arguments: ["[]", "", nil])
    func withoutADeviceItIsRecorded(devices: String?) {
        let performance = perform([], devices: devices)
        #expect(performance.arguments == ["play", "--output", "null", "--record", "/r.wav", "http://x/"])
        #expect(performance.recording == "/r.wav" && performance.isSilent)
    }

    @Test("An output or a recording that the user names is kept")
    func whatTheUserAsksForIsKept() {
        #expect(perform(["--output=null"], devices: "[]").arguments == ["play", "--output=null", "http://x/"])
        let recorded = perform(["--record", "my.wav"], devices: "[]")
        #expect(recorded.arguments == ["play", "--record", "my.wav", "--output", "null", "http://x/"])
        #expect(recorded.recording == nil && recorded.isSilent)
    }
}
