import Foundation
import SyrinxTestSupport
import Testing

/// The command while it plays to a file, to its end.
struct PlayedRun {
    let events: [[String: Any]]
    let errors: String
    let output: String
    let status: Int32?
    /// The most memory that it has held, in bytes.
    let peak: Int
    /// One array a channel; none if nothing was written.
    let samples: [[Float]]

    /// The time after which a run hangs.
    private static let limit = Duration.seconds(60)

    /// - Parameter environment: Over that of the command's own.
    init(_ url: String, _ arguments: [String], environment: [String: String] = [:]) async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("out.wav")
        let all = ["play", "--json", "--output", "file:\(file)"] + arguments + [url]
        let running = try RunningSyrinx(arguments: all, environment: environment)
        let end = ContinuousClock.now + Self.limit
        var peak = 0
        // Others play meanwhile: most of an entry's time is spent waiting.
        while running.process.exitStatus == nil, ContinuousClock.now < end {
            peak = max(peak, running.process.residentPeak)
            try await Task.sleep(for: .milliseconds(20))
        }
        status = running.process.exitStatus
        events = running.events
        errors = running.errors
        output = running.output
        self.peak = peak
        samples = FileManager.default.fileExists(atPath: file) ? try readWAV(file).channels : []
    }
}

/// Lets so many work at a time, and has the others wait without a thread.
actor Turnstile {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
