import Foundation
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// `stop()` returns within a tenth of a second, whatever the streamer waits for (the 40 faults, assertion f).
///
/// Of a few times the shortest counts: what waits for a server never takes so little, and a machine that is busy with other
/// things does not always take longer.
@Suite("Stopping") struct StopTests {
    enum Wait: String, CaseIterable {
        case connection, head, firstBytes, sound, silence, busyServer, network, pause, end
    }

    private static let bytes: [UInt8] = {
        let count = 20 * 44_100 * 2
        func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let format = number(1, 2) + number(1, 2) + number(44_100, 4) + number(88_200, 4) + number(2, 2) + number(16, 2)
        return Array("RIFF".utf8) + number(36 + count, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + format
            + Array("data".utf8) + number(count, 4) + patternedBytes(count)
    }()

    private func answers(_ wait: Wait) -> [ScriptedResponse] {
        let whole = ScriptedResponse.file(Self.bytes, type: "audio/wav")
        let front = whole.cut(after: 100_000, .hang)
        return switch wait {
        case .connection: []
        case .head: [.hang]
        case .firstBytes: [whole.cut(after: 20, .hang)]
        case .sound, .pause: [whole]
        case .silence: [front]
        case .busyServer: [whole.cut(after: 100_000), .status(503).header("Retry-After", "1000")]
        case .network: [whole.cut(after: 100_000), .drop]
        case .end: [whole.cut(after: 4_000), .status(404)]
        }
    }

    private func hasCome(to wait: Wait, _ streamer: Streamer, _ server: ScriptedHTTPServer) -> Bool {
        switch wait {
        case .connection: streamer.status == .opening
        case .head: server.requests.count == 1
        case .firstBytes: server.requests.first?.bytesSent == 20
        case .sound: streamer.status == .playing
        case .silence: streamer.status == .buffering && streamer.currentTime ?? 0 > 0.5
        // With more or less of it: what is on its way is lost with the connection.
        case .busyServer, .network: server.requests.count > 1 && [.opening, .buffering].contains(streamer.status)
        case .pause: streamer.status == .paused
        case .end: [.ended, .failed].contains(streamer.status)
        }
    }

    private func stop(_ wait: Wait) throws -> Duration {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let all = answers(wait)
        if !all.isEmpty { server.route("/a") { _, index in all[min(index, all.count - 1)] } }
        let hole = try wait == .connection ? BlackHole() : nil
        let streamer = TimePitchStreamer(device: NullOutput())
        streamer.network = quickNetwork
        let port = hole?.port ?? UInt16(server.port)
        streamer.open(.url(try #require(URL(string: "http://127.0.0.1:\(port)/a"))), andPlay: true)
        if wait == .pause {
            #expect(waitUntil { streamer.status == .playing })
            streamer.pause()
        }
        #expect(waitUntil { hasCome(to: wait, streamer, server) }, "\(streamer.status)")
        let begin = ContinuousClock.now
        streamer.stop()
        let taken = ContinuousClock.now - begin
        #expect(streamer.status == .stopped)
        return taken
    }

    @Test("stop() returns within 100 ms in every state", arguments: Wait.allCases) func takesATenthOfASecond(
        _ wait: Wait
    ) throws {
        var shortest = Duration.seconds(1_000)
        for _ in 0..<5 where shortest >= .milliseconds(100) { shortest = min(shortest, try stop(wait)) }
        #expect(shortest < .milliseconds(100))
    }
}
