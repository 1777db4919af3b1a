import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("A limit of threads") struct ThreadLimitTests {
    /// The program and the arguments that run a command under a limit, which does not hold for the superuser.
    private static let asOther = geteuid() == 0 ? ["setpriv", "--reuid", "54321", "--clear-groups"] : []
    private static let canLimit =
        access("/usr/bin/prlimit", X_OK) == 0 && (geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0)

    @Test(
        "Without a thread to spare a command ends with a code",
        .enabled(if: canLimit),
        arguments: [1, 3],
        [["play", "--json", "--output", "null"], ["info"], ["analyze"]]
    )
    func noThreads(limit: Int, command: [String]) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.2)
        let words = Self.asOther + [Syrinx.path] + command + [scratch.file("a.wav")]
        let result = try runProcess("prlimit", ["--nproc=\(limit)"] + words, environment: Syrinx.environment)
        #expect(result.status == 69, "\(result.output)\(result.errors)")
        #expect(result.errorLines.count == 1 && result.errors.contains("no more threads"), "\(result.errors)")
        if command.contains("--json") {
            #expect(result.objects.map { $0["code"] as? String } == ["device.noThread"])
        }
    }

    @Test("A signal ends a process that does not end by itself")
    func signals() throws {
        // The pipe has no reader, and opening it for writing waits for one.
        let scratch = try ScratchDirectory()
        #expect(mkfifo(scratch.file("results"), 0o600) == 0)
        let syrinx = try RunningSyrinx("analyze", "--results", scratch.file("results"), scratch.file("a.wav"))
        let tasks = URL(fileURLWithPath: "/proc/\(syrinx.process.pid)/task")
        waitUntil {
            let threads =
                (try? FileManager.default.contentsOfDirectory(at: tasks, includingPropertiesForKeys: nil)) ?? []
            return threads.contains {
                (try? String(contentsOf: $0.appending(path: "comm"), encoding: .utf8)) == "syrinx.signals\n"
            }
        }
        syrinx.process.signal(SIGTERM)
        #expect(syrinx.process.wait(timeout: 20) == 143)
    }
}
