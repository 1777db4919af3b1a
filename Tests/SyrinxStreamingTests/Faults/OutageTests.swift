import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream
@testable import SyrinxStreaming

/// Case 22 of the faults from end to end: what fetches and what plays, on one clock that is moved by hand.
///
/// Twenty minutes at 128 kbit/s come over a line of 320, which is gone from the 30th second on, for ten minutes.
@Suite("Network outage of ten minutes") struct OutageTests {
    private static let bytesPerSecond: Int64 = 16_000
    private static let length = 1_200 * bytesPerSecond
    private static let linePerTick: Int64 = 4_000
    private static let tick = 0.1
    private static let outage = 30.0..<630.0

    /// The shells of the streamer's and the fetcher's machines, without bytes and threads.
    private struct Player {
        var fetch: FetchMachine
        var playback = PlaybackMachine()
        var clock = 0.0
        /// The events and their times, without attempts.
        var told: [(what: String, at: Double)] = []
        /// The start of each request, and its time.
        var requests: [(offset: Int64, at: Double)] = []
        private var timer: (id: Int, at: Double)?
        private var asking: FetchRequest?
        /// Bytes that have come, all from the first on; that have been decoded; and that have been heard.
        private(set) var held: Int64 = 0
        private var decoded: Int64 = 0
        private(set) var heard: Int64 = 0

        init() throws {
            var options = HTTPByteStream.Options()
            // What `readAhead` makes of ten minutes.
            options.windowAhead = 600 * Int(bytesPerSecond)
            fetch = FetchMachine(url: try RequestURL("http://h/a"), options: options, name: "a", seed: 22)
            perform(playback.open(andPlay: true))
            perform(fetch.requestBytes(from: 0, missing: 0))
        }

        var isOver: Bool { playback.status == .ended || playback.status == .failed }

        mutating func advance() {
            clock += tick
            if let due = timer, due.at <= clock {
                timer = nil
                perform(fetch.timerFired(due.id))
            }
            moveLine()
            let wanted = min(held, heard + 4 * bytesPerSecond)
            if wanted > decoded {
                decoded = wanted
                perform(fetch.requestBytes(from: decoded, missing: held))
            }
            play()
        }

        private mutating func moveLine() {
            if outage.contains(clock) {
                perform(fetch.failed(fetch.id, FetchFailure(.hostUnreachable, "there is no way", .reconnect)))
            } else if let request = asking {
                asking = nil
                let range = "bytes \(request.offset)-\(length - 1)/\(length)"
                perform(
                    fetch.responded(request.id, ResponseHead(status: 206, fields: [("Content-Range", range)]))
                )
                if playback.status == .opening { perform(playback.opened()) }
            } else if fetch.phase == .receiving {
                let count = min(linePerTick, length - fetch.position)
                // Never a byte that has come before, never one left out.
                #expect(fetch.position == held)
                held += count
                perform(fetch.received(fetch.id, count: Int(count), missing: held))
                if held == length { perform(fetch.ended(fetch.id, missing: held)) }
            }
        }

        private mutating func play() {
            let isComplete = decoded == length
            let ahead = Double(decoded - heard) / Double(bytesPerSecond)
            perform(playback.level(ahead, isComplete: isComplete, mayStarve: true))
            guard playback.isOutputOpen else { return }
            let count = min(Int64(tick * Double(bytesPerSecond)), decoded - heard)
            heard += count
            if count > 0 { perform(playback.sounded()) }
            if isComplete, heard == decoded { perform(playback.outputEnded()) }
        }

        private mutating func perform(_ actions: [PlaybackMachine.Action]) {
            for case .announce(let status) in actions { told.append(("\(status)", clock)) }
        }

        private mutating func perform(_ actions: [FetchMachine.Action]) {
            for action in actions {
                switch action {
                case .send(let request):
                    asking = request
                    requests.append((request.offset, clock))
                case .stop: asking = nil
                case .wait(let id, let seconds): timer = (id, clock + seconds)
                case .emit(.waitingForNetwork): told.append(("waiting", clock))
                case .emit(.networkIsBack): told.append(("back", clock))
                case .fail(let error): told.append(("\(error.code)", clock))
                default: break
                }
            }
        }
    }

    @Test("Sound plays out, the state tells of waiting, and it goes on at the same sample when the network is back")
    func case22() throws {
        var player = try Player()
        var heardWhenDry: Int64?
        while !player.isOver, player.clock < 3_600 {
            player.advance()
            if Self.outage.contains(player.clock), player.playback.status == .buffering, heardWhenDry == nil {
                heardWhenDry = player.heard
            }
            // A wait for the network is silent, and no byte is heard twice.
            if let heardWhenDry, player.clock < Self.outage.upperBound { #expect(player.heard == heardWhenDry) }
        }
        let wanted = ["opening", "buffering", "playing", "waiting", "buffering", "back", "playing", "ended"]
        #expect(player.told.map(\.what) == wanted)
        #expect(player.heard == Self.length)
        let times = Dictionary(player.told.suffix(5).map { ($0.what, $0.at) }) { first, _ in first }
        // All that had come by the 30th second is heard: 75 s, less what must be in hand.
        #expect(try (70...76).contains(#require(times["buffering"])))
        #expect(try Double(#require(heardWhenDry)) / Double(Self.bytesPerSecond) >= 70)
        // At the longest delay there is, and a quarter; and what is gathered before sound goes on.
        #expect(try #require(times["back"]) <= Self.outage.upperBound + 12.5 + 3 * Self.tick)
        #expect(try #require(times["playing"]) <= #require(times["back"]) + 1)
        // Only what is missing is asked for, in vain about every ten seconds.
        let tries = player.requests.dropFirst()
        #expect(Set(tries.map(\.offset)).count == 1 && tries.first?.offset ?? 0 > 0)
        #expect((50...90).contains(tries.count))
    }
}
