import Foundation
import SyrinxTestSupport
import Testing

/// Recordings of sessions with the built command, compared as text.
///
/// With `SYRINX_RECORD_SESSIONS=1` in the environment, the recordings are written anew with what the screen shows.
@Suite("Sessions on a terminal")
struct SessionTests {
    static let folder = repositoryRoot.appending(path: "Tests/Sessions")

    /// The recordings; found when the tests are listed.
    static let names = ["80x24", "40x10", "200x60", "resize", "line"]

    private static let isRecording = ProcessInfo.processInfo.environment["SYRINX_RECORD_SESSIONS"] == "1"

    @Test("A session looks as it did", arguments: names)
    func session(name: String) throws {
        let file = Self.folder.appending(path: name + ".txt")
        var recording = SessionRecording(try String(contentsOf: file, encoding: .utf8))
        let scratch = try ScratchDirectory()
        try makeInputs(in: scratch)
        let first = try #require(recording.steps.first?.action)
        let size = (try #require(Int(first[1])), try #require(Int(first[2])))
        let session = try TerminalSession(
            first.dropFirst(3).joined(separator: " "),
            columns: size.0,
            rows: size.1,
            in: scratch
        )
        for index in recording.steps.indices {
            let step = recording.steps[index]
            if index > 0 { try perform(step.action, on: session) }
            if Self.isRecording {
                recording.steps[index].screen = try settled(session)
                continue
            }
            var shown: [String] = []
            try waitUntil(timeout: 20) {
                shown = SessionRecording.stable(try session.screen())
                return shown == step.screen
            }
            let difference = zip(shown, step.screen).filter { $0 != $1 }.map { "\n  is   \($0)\n  was  \($1)" }
            try #require(
                shown == step.screen,
                "\(name), step \(index + 1), \(step.action.joined(separator: " ")):\(difference.joined())"
            )
        }
        if Self.isRecording { try Data(recording.text.utf8).write(to: file) }
    }

    private func perform(_ action: [String], on session: TerminalSession) throws {
        switch action[0] {
        case "keys": try session.press(Array(action.dropFirst()))
        case "type": try session.type(action[1].replacing("^[", with: "\u{1B}"))
        case "resize": try session.resize(columns: try #require(Int(action[1])), rows: try #require(Int(action[2])))
        default: Issue.record("unknown step \(action)")
        }
    }

    /// The screen once nothing changes any more.
    private func settled(_ session: TerminalSession) throws -> [String] {
        var last: [String] = []
        var equal = 0
        try waitUntil(timeout: 20) {
            usleep(200_000)
            let next = SessionRecording.stable(try session.screen())
            equal = next == last ? equal + 1 : 0
            last = next
            return equal >= 10
        }
        return last
    }

    private func waitUntil(timeout: Double, _ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(timeout)
        while try !condition(), ContinuousClock.now < end { usleep(30_000) }
    }

    // MARK: Inputs

    /// Two recordings whose samples are the same everywhere, and a transcript beside the first.
    private func makeInputs(in scratch: ScratchDirectory) throws {
        try Self.wave(seconds: 480).write(to: URL(fileURLWithPath: scratch.file("harbour.wav")))
        try Self.wave(seconds: 60).write(to: URL(fileURLWithPath: scratch.file("bells.wav")))
        var cues = "WEBVTT\n"
        for index in 0..<48 {
            let time = { (seconds: Int) in "00:0\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60).000" }
            cues += "\n\(time(index * 10)) --> \(time(index * 10 + 9))\n<v Mara>Passage \(index + 1): the tide turns.\n"
        }
        try Data(cues.utf8).write(to: URL(fileURLWithPath: scratch.file("harbour.vtt")))
    }

    /// Mono, 8 kHz, 16 bits: a square wave whose level changes with time.
    private static func wave(seconds: Int) -> Data {
        let rate = 8_000
        var data = Data("RIFF".utf8)
        func append(_ value: UInt32, _ count: Int) {
            for index in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * index))) }
        }
        let size = UInt32(seconds * rate * 2)
        append(36 + size, 4)
        data += Data("WAVEfmt ".utf8)
        append(16, 4)
        append(1, 2)
        append(1, 2)
        append(UInt32(rate), 4)
        append(UInt32(rate * 2), 4)
        append(2, 2)
        append(16, 2)
        data += Data("data".utf8)
        append(size, 4)
        var samples = [UInt8](repeating: 0, count: Int(size))
        for index in 0..<seconds * rate {
            let part = index / (rate * max(seconds / 60, 1))
            let level = 2_000 + (part * 7_919) % 23_000
            let value = UInt16(bitPattern: Int16(index / 20 % 2 == 0 ? level : -level))
            samples[index * 2] = UInt8(truncatingIfNeeded: value)
            samples[index * 2 + 1] = UInt8(truncatingIfNeeded: value >> 8)
        }
        return data + Data(samples)
    }
}
