import Foundation
import Glibc
import Testing

@testable import syrinx_demo

/// The demo as a program, in a temporary folder of its own.
private final class Demonstration: Sendable {
    let folder: URL
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The programs lie beside the one that runs the tests.
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: runner).deletingLastPathComponent()
            .appendingPathComponent("syrinx-demo")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = folder.path
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Everything up to a line that begins with `prefix`, and that line's rest.
    func line(beginning prefix: String) async throws -> String {
        try await blocking { try self.readLine(beginning: prefix) }
    }

    private func readLine(beginning prefix: String) throws -> String {
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "no line '\(prefix)' in: \(text)")
            text += String(decoding: data, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(prefix) }) { return String(line) }
        }
    }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end, and gives the exit code.
    func end() async throws -> Int32 {
        try await blocking {
            self.process.waitUntilExit()
            return self.process.terminationStatus
        }
    }

    /// The files that the demo has left in its folder.
    var leftovers: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) } }
}

@Suite struct ProcessTests {
    @Test("A signal ends the demo without leaving files behind", arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalEndsItAndLeavesNothing(signal: Int32) async throws {
        // Any file will do; this one is small and there.
        let demo = try Demonstration(["--serve", "/etc/hostname"])
        #expect(try await demo.line(beginning: "http://127.0.0.1:").hasSuffix("/hostname"))
        demo.signal(signal)
        #expect(try await demo.end() == 128 + signal)
        #expect(try demo.leftovers.isEmpty)
    }

    @Test("A missing file ends the demo with a message that names it")
    func aFileThatIsNotThereIsNamed() async throws {
        let demo = try Demonstration(["--serve", "/nowhere/at-all.mp3"])
        #expect(try await demo.line(beginning: "syrinx-demo: ").contains("/nowhere/at-all.mp3"))
        #expect(try await demo.end() == 66)
    }

    @Test("The demo exits with the player's exit code")
    func thePlayersExitCodeIsTheDemos() async throws {
        let demo = try Demonstration(["--rate", "1000"])
        #expect(try await demo.end() == 64)
        #expect(try demo.leftovers.isEmpty)
    }

    @Test("The demo's piece plays from its server to the end")
    func thePieceIsPlayedFromTheServerToItsEnd() async throws {
        let demo = try Demonstration(["--rate", "4", "--output", "file:out.wav"])
        #expect(try await demo.end() == 0)
        let size = try FileManager.default.attributesOfItem(atPath: demo.folder.path + "/out.wav")[.size] as? Int
        // 40 s at four times the rate: 441,000 frames of two floats, and a header.
        #expect(abs(try #require(size) - 441_000 * 8) < 8_000)
    }
}
