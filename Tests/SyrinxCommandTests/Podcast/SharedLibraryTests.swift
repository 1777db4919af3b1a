import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("One library in several processes") struct SharedLibraryTests {
    private static let count = 120

    /// Subscribes to a show of many episodes, none of which counts as played, and returns their numbers.
    private func subscribed(_ show: Show) throws -> [Int] {
        show.publish((0..<Self.count).map { "Episode \($0)" })
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        #expect(try show.podcast("mark", "The Show", "--unplayed").status == 0)
        return try numbers(show) { _ in true }
    }

    private func numbers(_ show: Show, where isIncluded: ([String: Any]) -> Bool) throws -> [Int] {
        try show.podcast("show", "--json", "The Show").objects.filter(isIncluded).compactMap { $0["id"] as? Int }
    }

    private func played(_ show: Show) throws -> Set<Int> {
        Set(try numbers(show) { $0["played"] as? Bool == true })
    }

    private func start(_ show: Show, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            Syrinx.path,
            arguments,
            environment: show.environment,
            stdin: .null,
            stdout: .null,
            stderr: .null
        )
    }

    @Test("Two processes that mark at once, and one that plays, lose nothing of each other")
    func atOnce() throws {
        let show = try Show(seconds: 3)
        let ids = try subscribed(show)
        #expect(ids.count == Self.count)
        let playing = ids[0]
        let (left, right) = (ids.dropFirst().filter { $0 % 2 == 0 }, ids.dropFirst().filter { $0 % 2 == 1 })
        let player = try start(show, ["podcast", "play", "--output", "null", "--no-mpris", "\(playing)"])
        let marking = try [left, right].flatMap { half in
            // Several runs of each, so that their transactions alternate.
            try stride(from: 0, to: half.count, by: 20).map { first in
                let part = half.dropFirst(first).prefix(20).map(String.init)
                return try start(show, ["podcast", "mark"] + part + ["--played"])
            }
        }
        for process in marking { #expect(process.wait() == 0) }
        #expect(player.wait() == 0)
        // The episode that was played to its end counts as played too.
        #expect(try played(show) == Set(ids))
    }

    @Test("A process that is killed while it marks marks all or none, and the marks of before stay", arguments: 0..<6)
    func killed(round: Int) throws {
        let show = try Show(seconds: 1)
        let ids = try subscribed(show)
        let former = Set(ids.prefix(10))
        let marks = ["podcast", "mark"] + former.map(String.init) + ["--played"]
        #expect(try runProcess(Syrinx.path, marks, environment: show.environment).status == 0)
        let process = try start(show, ["podcast", "mark", "The Show", "--played"])
        usleep(UInt32(10_000 + 12_000 * round))
        process.kill()
        _ = process.wait()
        let after = try played(show)
        #expect(after == former || after == Set(ids), "\(after.count)")
        // The library can be changed as before.
        #expect(try show.podcast("mark", "\(ids[20])", "--played").status == 0)
        #expect(try played(show) == after.union([ids[20]]))
    }
}
