import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

/// Servers behind one address that do not agree, and a listener who begins far into the sound.
@Suite("Mixed versions") struct MixedVersionTests {
    private static let seconds = 30.0
    private static let second = ["--start", "20", "--duration", "1"]

    private let bytes: [UInt8]
    private let clean: [[Float]]

    init() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("a.wav")
        try Fixture.make(file, seconds: Self.seconds, ["-map_metadata", "-1", "-bitexact"])
        bytes = Array(try #require(FileManager.default.contents(atPath: file)))
        clean = try await PlayedRun(file, Self.second).samples
        #expect(clean.first?.count == 44_100)
    }

    /// Plays the second, of which every sample has to be right, and hands back the ranges that were asked for and what was told.
    private func play(_ answer: @escaping ScriptedHTTPServer.Handler) async throws -> (
        ranges: [String?], told: [String]
    ) {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a") { request, index in
            // What begins at the start never comes as far as the second, however fast the line is: it is asked for.
            let isOpening = request.range == "bytes=0-"
            return isOpening ? answer(request, index).cut(after: 1 << 20, .hang) : answer(request, index)
        }
        let run = try await PlayedRun(server.url("/a"), Self.second)
        #expect(run.status == 0, "\(run.errors)")
        let isSame = run.samples == clean
        #expect(isSame)
        let told = run.events.filter { ["warning", "retry", "error"].contains($0["event"] as? String) }
        return (server.requests.map(\.range), told.compactMap { $0["code"] as? String })
    }

    /// Those that keep to `If-Range`, and send the whole if it does not hold, and those that do not know it.
    @Test("Two versions with the same sound play through", arguments: [true, false]) func theSameSoundByTurns(
        knowsIfRange: Bool
    ) async throws {
        let (ranges, told) = try await play { request, index in
            let tag = "\"\(index % 2)\""
            let answer = ScriptedResponse.file(bytes).etag(tag)
            return knowsIfRange && request.headers["if-range"] ?? tag != tag ? answer.withoutRanges() : answer
        }
        #expect(ranges.count == 3 && ranges[1] == ranges[2])
        #expect(told == ["http.mixedVersions"])
    }

    /// Not a sample of the other is heard.
    @Test("Two versions with different sound are not mixed")
    func anotherSoundByTurns() async throws {
        let other = bytes[..<44] + bytes[44...].reversed()
        let (ranges, told) = try await play { _, index in
            ScriptedResponse.file(index % 2 == 0 ? bytes : Array(other)).etag("\"\(index % 2)\"")
        }
        #expect(ranges.count == 3)
        #expect(told == ["http.mixedVersions"])
    }

    /// One that never gives the same tag again is read in one answer in the end.
    @Test("A server with a new tag for each answer plays")
    func anotherTagEachTime() async throws {
        let (ranges, told) = try await play { _, index in ScriptedResponse.file(bytes).etag("\"\(index)\"") }
        #expect(ranges.count == 11)
        #expect(ranges.last == .some(nil) && !ranges.dropLast().contains(nil))
        #expect(told == ["http.resourceChanged", "http.resourceChanged"])
    }

    /// And connections break as well: as long as each brings more sound than the one before, it is played to its end.
    @Test("A server with a new tag for each answer plays through cuts")
    func anotherTagEachTimeAndCutsBetween() async throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let starts = Mutex(0)
        server.route("/a") { request, index in
            let answer = ScriptedResponse.file(bytes).etag("\"\(index)\"")
            guard request.range ?? "bytes=0-" == "bytes=0-" else { return answer }
            let count = starts.withLock { count in
                count += 1
                return count
            }
            return answer.cut(after: Int64(count * 600_000))
        }
        let scratch = try ScratchDirectory()
        try Data(bytes).write(to: URL(fileURLWithPath: scratch.file("a.wav")))
        let whole = try await PlayedRun(scratch.file("a.wav"), []).samples
        let run = try await PlayedRun(server.url("/a"), [])
        #expect(run.status == 0, "\(run.errors)")
        let isSame = run.samples == whole
        #expect(isSame)
        let told = run.events.compactMap { $0["event"] as? String == "warning" ? $0["code"] as? String : nil }
        #expect(told.count > 3 && Set(told) == ["http.resourceChanged"], "\(told)")
    }
}
