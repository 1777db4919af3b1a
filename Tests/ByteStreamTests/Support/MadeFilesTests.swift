import Foundation
import Synchronization
import Testing

@testable import TestSupport

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
                    let order = try #require(MadeFiles.Order(["-f", "lavfi", "-i", "sine=\(400 + index % 2)", path]))
                    try made.copy(order) { path in
                        times.count.withLock { $0 += 1 }
                        try Data(order.key[3].utf8).write(to: URL(fileURLWithPath: path))
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
        let order = try #require(MadeFiles.Order(["-f", "lavfi", "-i", "sine", scratch.file("a.wav")]))
        #expect(throws: FFmpeg.Failure.self) { try made.copy(order) { _ in throw FFmpeg.Failure(description: "full") } }
        try made.copy(order) { path in try Data("made".utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(try String(contentsOf: scratch.url("a.wav"), encoding: .utf8) == "made")
    }

    @Test(
        "What depends on more than the arguments is made each time",
        arguments: [
            ["-i", "/tmp/x/a.wav", "/tmp/x/b.wav"],
            ["-f", "lavfi", "-i", "sine", "-i", "/tmp/x/a.png", "/tmp/x/b.mp4"],
            ["-f", "lavfi", "-i", "sine", "-"], ["-f", "lavfi", "-i", "sine", "/tmp/x/a.wav", "/tmp/x/b.wav"],
            ["-f", "lavfi", "-i", "sine", "/tmp/x/index.m3u8"],
            ["-f", "lavfi", "-i", "sine", "-f", "hls", "/tmp/x/index"],
            ["-f", "lavfi", "-i", "testsrc", "/tmp/x/%d.png"],
            ["-f", "lavfi", "-i", "amovie=/tmp/x/a.wav", "/tmp/x/b.wav"],
        ]
    )
    func isNoOrder(_ arguments: [String]) {
        #expect(MadeFiles.Order(arguments) == nil)
    }
}
