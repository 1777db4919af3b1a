import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Inputs that follow each other on a device that keeps time.
@Suite("Queue on a device") struct QueueDeviceTests {
    /// Whether the output of both parts has no gap.
    private func isInOnePiece(_ output: [Float], _ expected: [Float]) -> Bool {
        guard let lead = expected.firstIndex(where: { $0 != 0 }), let first = output.firstIndex(where: { $0 != 0 })
        else { return false }
        return first >= lead && Array(output[(first - lead)...].prefix(expected.count)) == expected
    }

    @Test("On a device one follows on the next sample, and the time is that of the input that is heard")
    func isOneSoundOnADevice() async throws {
        let cut = try Cut("flac")
        let rig = Rig()
        let events = rig.streamer.events
        let items = cut.items(cut.parts)
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        #expect(rig.streamer.upcoming == [items[1]])
        var times: [(url: URL?, time: Double)] = []
        #expect(
            rig.crank {
                rig.streamer.withController { _ in times.append((rig.streamer.url, rig.streamer.currentTime ?? -1)) }
                return rig.streamer.status == .ended
            }
        )
        let run = await QueueRun.listen(events, for: 2)
        #expect(run.told == QueueRun.joined("flac"))
        #expect(run.frames == cut.counts.map(Int64.init))
        let isWhole = isInOnePiece(rig.output, try Inputs.decoded(cut.whole)[0])
        #expect(isWhole)
        // The time goes up to the end of the one, and begins anew with the other.
        let first = times.filter { $0.url == items[0].input.url }.map(\.time)
        let second = times.dropLast().filter { $0.url == items[1].input.url }.map(\.time)
        let lengths = cut.counts.map { Double($0) / 44_100 }
        #expect(first == first.sorted() && abs((first.last ?? 0) - lengths[0]) < 0.1)
        #expect(second == second.sorted() && (second.first ?? 9) < 0.1 && abs((second.max() ?? 0) - lengths[1]) < 0.1)
    }

    /// Whether half a second is decoded, twice that at which the sound would be ended; or all there is.
    private func isDecodedAhead(_ controller: PlaybackController) -> Bool {
        let tracks = controller.tracks
        let isAll = tracks.items.items.isEmpty && tracks.preparing == nil && tracks.tail.progress.timeline.hasReachedEnd
        return isAll || tracks.output.framesAhead > 22_050
    }

    @Test("A short part repeats without a gap, more often than parts are decoded ahead")
    func repeatsAShortPart() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("a.flac", in: scratch, seconds: 2)
        let part = try Inputs.decoded(path)[0][22_050..<33_075]
        let rig = Rig()
        let items = (0..<24).map { _ in
            StreamingItem(.url(URL(fileURLWithPath: path)), startTime: 0.5, endTime: 0.75)
        }
        rig.streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        // A card takes what it wants when it wants it, and an input that opens late on a busy machine is not waited for.
        // This one takes a block only where more than that is decoded.
        #expect(
            waitUntil {
                if rig.streamer.withController(isDecodedAhead) {
                    rig.output += rig.device.render(frameCount: 512).first ?? []
                }
                return rig.streamer.status == .ended
            }
        )
        let isWhole = isInOnePiece(rig.output, (0..<24).flatMap { _ in part })
        #expect(isWhole)
    }

    @Test("A seek takes back what has been decoded to follow, and it follows all the same")
    func seeksBackFromTheJoint() async throws {
        let cut = try Cut("flac")
        let rig = Rig()
        let items = cut.items(cut.parts)
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        let isJoined = { rig.streamer.withController { !$0.tracks.followers.isEmpty } }
        #expect(rig.crank { isJoined() && rig.streamer.status == .playing })
        try rig.streamer.seek(to: 0.5)
        #expect(rig.streamer.upcoming == [items[1]])
        rig.output = []
        #expect(rig.crank { rig.streamer.status == .ended })
        let expected = try Inputs.decoded(cut.whole)[0]
        // Up to the seek, and a fade of it, then all from there on in one piece.
        let rest = Array(expected[30_000...])
        let place = try #require(alignment(of: rest, in: rig.output))
        #expect(Array(rig.output[place.offset...].prefix(rest.count)) == rest)
    }

    @Test("A pause at the joint goes on with the next sample")
    func pausesAtTheJoint() async throws {
        let cut = try Cut("flac")
        let expected = try Inputs.decoded(cut.whole)[0]
        let rig = Rig()
        let items = cut.items(cut.parts)
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        #expect(rig.crank { rig.output.count(where: { $0 != 0 }) > cut.counts[0] - 2_000 })
        rig.streamer.pause()
        #expect(rig.crank { rig.streamer.engine.isHeld })
        rig.crank(frames: 4_096)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .ended })
        let rest = Array(expected[(cut.counts[0] + 2_000)...])
        let place = try #require(alignment(of: rest, in: rig.output))
        #expect(Array(rig.output[place.offset...].prefix(rest.count)) == rest)
    }

    @Test("An input that opens too late on a device follows when it is there, and the one before has its end")
    func opensTooLate() async throws {
        let cut = try Cut("flac")
        let gate = Gate()
        let server = try ScriptedHTTPServer()
        let bytes = try Inputs.bytes(cut.parts[1])
        server.route("/1.flac") { _, _ in
            gate.wait()
            return .file(bytes)
        }
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let events = rig.streamer.events
        let second = StreamingItem(.url(try #require(URL(string: server.url("/1.flac")))))
        rig.streamer.open(cut.items(cut.parts)[0], andPlay: true, followedBy: [second])
        #expect(rig.crank { rig.streamer.withController { $0.progress.item == second } })
        gate.open()
        #expect(rig.crank { rig.streamer.status == .ended })
        let run = await QueueRun.listen(events, for: 2)
        var expected = QueueRun.joined("flac")
        expected.insert("buffering", at: 9)
        #expect(run.told == expected)
        #expect(run.frames == cut.counts.map(Int64.init))
        // It is not asked for again.
        #expect(server.requests.count == 1)
        let samples = try Inputs.decoded(cut.whole)[0]
        #expect(alignment(of: Array(samples[..<cut.counts[0]]), in: rig.output) != nil)
        let rest = Array(samples[cut.counts[0]...])
        let place = try #require(alignment(of: rest, in: rig.output))
        #expect(Array(rig.output[place.offset...].prefix(rest.count)) == rest)
    }

    /// Blocks all callers until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        func open() { isOpen.withLock { $0 = true } }
        func wait() { waitUntil { isOpen.withLock { $0 } } }
    }

    @Test("From a server without ranges, too, one follows on the next sample, with one request each")
    func isOneSoundFromAServer() async throws {
        let cut = try Cut("flac")
        let server = try ScriptedHTTPServer()
        for (index, part) in cut.parts.enumerated() {
            server.route("/\(index).flac", .file(try Inputs.bytes(part)).withoutRanges().paced(bytesPerSecond: 400_000))
        }
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let items = try (0..<2).map { StreamingItem(.url(try #require(URL(string: server.url("/\($0).flac"))))) }
        let events = rig.streamer.events
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        // At the pace of a card: the line takes some of the time.
        while rig.streamer.status != .ended { rig.crank(frames: 512) }
        let run = await QueueRun.listen(events, for: 2)
        #expect(run.told == QueueRun.joined("flac"))
        let isWhole = isInOnePiece(rig.output, try Inputs.decoded(cut.whole)[0])
        #expect(isWhole)
        #expect(server.requests.map(\.path) == ["/0.flac", "/1.flac"])
        // What came of each is counted for each.
        let received = run.events.compactMap { if case .ended(_, _, let count) = $0 { count } else { nil } }
        #expect(received == (try cut.parts.map { Int64(try Inputs.bytes($0).count) }))
    }

    @Test("A broadcast is not opened before its turn")
    func broadcastsAreOpenedInTheirTurn() async throws {
        let cut = try Cut("flac")
        let scratch = try ScratchDirectory()
        let station = try Inputs.bytes(Inputs.make("a.mp3", in: scratch, seconds: 3))
        let server = try ScriptedHTTPServer()
        server.route(
            "/b",
            .raw("HTTP/1.0 200 OK\r\nicy-name: One\r\n\r\n", station).cut(after: Int64(station.count), .hang)
        )
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let second = StreamingItem(.url(try #require(URL(string: server.url("/b")))))
        rig.streamer.open(cut.items(cut.parts)[0], andPlay: true, followedBy: [second])
        #expect(rig.crank { rig.streamer.withController { $0.progress.item == second } })
        #expect(rig.crank { rig.streamer.status == .playing })
        // Once to see what it is, and once to hear what it sends then.
        #expect(server.requests.count == 2)
    }

    @Test("Stopping ends all that was opened or decoded ahead, and leaves what comes after")
    func stops() throws {
        let cut = try Cut("flac")
        let rig = Rig()
        let items = cut.items(cut.parts + cut.parts)
        rig.streamer.open(items[0], andPlay: true, followedBy: Array(items[1...]))
        #expect(rig.crank { rig.streamer.withController { !$0.tracks.followers.isEmpty } })
        #expect(isPrompt { rig.streamer.stop() })
        let isEmpty = rig.streamer.withController { $0.tracks.followers.isEmpty && $0.tracks.preparing == nil }
        #expect(isEmpty)
        #expect(rig.streamer.upcoming == Array(items[1...]))
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.streamer.url == items[0].input.url)
    }

    @Test("Settings that change during a transition apply from the input that is decoded last")
    func setsWhatComesNext() throws {
        let cut = try Cut("flac")
        let rig = Rig()
        let items = cut.items(cut.parts + cut.parts)
        rig.streamer.open(items[0], andPlay: false, followedBy: [])
        rig.streamer.upcoming = [items[0], items[2]]
        #expect(rig.streamer.upcoming == [items[2]])
        rig.streamer.upcoming = []
        #expect(rig.streamer.upcoming.isEmpty)
        rig.streamer.upcoming = [items[1]]
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.withController { !$0.tracks.followers.isEmpty } })
        // It is decoded already.
        rig.streamer.upcoming = [items[1], items[3]]
        #expect(rig.streamer.upcoming == [items[1], items[3]])
    }
}

extension StreamingInput {
    fileprivate var url: URL? { if case .url(let url) = self { url } else { nil } }
}
