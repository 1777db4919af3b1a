import Foundation
import Synchronization
import Testing

@testable import SyrinxTestSupport

/// The inputs of tests that are made once.
@Suite struct MadeFilesTests {
    private final class Times: Sendable {
        let count = Mutex(0)
    }

    @Test("An input is made once, also when many want it at once, and each has a copy of its own")
    func isMadeOnce() async throws {
        let scratch = try ScratchDirectory()
        let made = try MadeFiles()
        let times = Times()
        try await withThrowingTaskGroup { group in
            for index in 0..<8 {
                let path = scratch.file("\(index).wav")
                group.addTask {
                    let order = try #require(MadeFileOrder(["-f", "lavfi", "-i", "sine=\(400 + index % 2)", path]))
                    _ = try made.give(order) { arguments in
                        times.count.withLock { $0 += 1 }
                        try Data(arguments[3].utf8).write(to: URL(fileURLWithPath: arguments.last ?? ""))
                        return Data()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(times.count.withLock(\.self) == 2)
        try Data("damaged".utf8).write(to: scratch.url("0.wav"))
        for index in 1..<8 {
            let text = try String(contentsOf: scratch.url("\(index).wav"), encoding: .utf8)
            #expect(text == "sine=\(400 + index % 2)")
        }
    }

    @Test("An input that could not be made is tried again")
    func isTriedAgain() throws {
        let scratch = try ScratchDirectory()
        let made = try MadeFiles()
        let order = try #require(MadeFileOrder(["-f", "lavfi", "-i", "sine", scratch.file("a.wav")]))
        #expect(throws: FFmpeg.Failure.self) {
            try made.give(order) { _ in throw FFmpeg.Failure(description: "full") }
        }
        _ = try made.give(order) { arguments in
            try Data("made".utf8).write(to: URL(fileURLWithPath: arguments.last ?? ""))
            return Data()
        }
        #expect(try String(contentsOf: scratch.url("a.wav"), encoding: .utf8) == "made")
    }

    @Test("What is made of files is made once for the same contents, and again for others")
    func contentsCount() throws {
        let scratch = try ScratchDirectory()
        let made = try MadeFiles()
        let times = Times()
        func decoded(_ name: String) throws -> String {
            let order = try #require(MadeFileOrder(["-i", scratch.file(name), "-f", "s16le", "-"]))
            let output = try made.give(order) { arguments in
                times.count.withLock { $0 += 1 }
                return try Data("of ".utf8) + Data(contentsOf: URL(fileURLWithPath: arguments[1]))
            }
            return String(decoding: output, as: UTF8.self)
        }
        for name in ["a.wav", "b.wav"] { try Data("one".utf8).write(to: scratch.url(name)) }
        #expect(try decoded("a.wav") == "of one" && decoded("b.wav") == "of one" && decoded("a.wav") == "of one")
        #expect(times.count.withLock(\.self) == 1)
        try Data("two".utf8).write(to: scratch.url("b.wav"))
        #expect(try decoded("b.wav") == "of two" && decoded("a.wav") == "of one")
        #expect(times.count.withLock(\.self) == 2)
    }

    @Test("Of expressions that more than one file is made of the samples are kept")
    func samplesAreKept() throws {
        let scratch = try ScratchDirectory()
        let made = try MadeFiles()
        var runs: [[String]] = []
        for name in ["a.wav", "a.flac", "a.mp3"] {
            let order = try #require(
                MadeFileOrder(["-f", "lavfi", "-i", "aevalsrc=t:d=8", "-ac", "2", scratch.file(name)])
            )
            _ = try made.give(order) { arguments in
                runs.append(arguments)
                try Data().write(to: URL(fileURLWithPath: arguments.last ?? ""))
                return Data()
            }
        }
        let evaluated = runs.map { $0.contains("aevalsrc=t:d=8") }
        #expect(evaluated == [true, true, false, false])
        let samples = try #require(runs.count == 4 ? runs[1].last : nil)
        for run in runs[2...] { #expect(run.prefix(4) == ["-i", samples, "-ac", "2"]) }
    }

    @Test(
        "What depends on more than the arguments and the contents of files is made each time",
        arguments: [
            ["-i", "/tmp/x/a.wav", "/tmp/x/b.wav"],
            ["-f", "lavfi", "-i", "sine", "-i", "/tmp/x/a.png", "/tmp/x/b.mp4"],
            ["-f", "lavfi", "-i", "sine", "/tmp/x/a.wav", "/tmp/x/b.wav"], ["-i", "-", "/tmp/x/b.wav"],
            ["-f", "lavfi", "-i", "sine", "/tmp/x/a.ogg"],
            ["-f", "lavfi", "-i", "sine", "-serial_offset", "7", "/tmp/x/a.opus"],
            ["-f", "lavfi", "-i", "sine", "-f", "ogg", "/tmp/x/a"], ["-f", "lavfi", "-i", "sine", "-f", "opus", "-"],
            ["-f", "lavfi", "-i", "anoisesrc=d=1:a=0.1", "/tmp/x/a.wav"],
            ["-f", "lavfi", "-i", "anoisesrc", "-f", "s16le", "-"],
            ["-i", "/dev/null", "-f", "s16le", "-"], ["-i", "/dev", "-f", "s16le", "-"],
            ["-f", "lavfi", "-i", "sine", "/tmp/x/index.m3u8"],
            ["-f", "lavfi", "-i", "sine", "-f", "hls", "/tmp/x/index"],
            ["-f", "lavfi", "-i", "testsrc", "/tmp/x/%d.png"],
            ["-f", "lavfi", "-i", "amovie=/tmp/x/a.wav", "/tmp/x/b.wav"],
        ]
    )
    func isNoOrder(_ arguments: [String]) {
        #expect(MadeFileOrder(arguments) == nil)
    }
}
