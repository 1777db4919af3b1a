import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

/// A user's folders, the detached player in them, and terminals on which it is shown.
final class DetachedRig {
    let scratch: ScratchDirectory
    let environment: [String: String]
    private var processes: Set<pid_t> = []

    init(config: String = "") throws {
        scratch = try ScratchDirectory()
        var own = [
            "XDG_RUNTIME_DIR": scratch.file("run"), "TERM": "xterm-256color", "SHELL": "/bin/sh", "NO_COLOR": "",
        ]
        for (variable, name) in [("CONFIG", "config"), ("STATE", "state"), ("DATA", "data"), ("CACHE", "cache")] {
            own["XDG_\(variable)_HOME"] = scratch.file(name)
        }
        environment = Syrinx.environment.merging(own) { $1 }
        mkdir(scratch.file("run"), 0o700)
        let folder = scratch.file("config") + "/syrinx"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(config.utf8).write(to: URL(fileURLWithPath: folder + "/config.toml"))
    }

    deinit { for process in processes where isRunning(process) { kill(process, SIGKILL) } }

    /// Makes a recording of a minute or more that is different everywhere.
    func recording(_ name: String, seconds: Double = 120) throws -> String {
        try Fixture.make(scratch.file(name), seconds: seconds, sampleRate: 8_000)
        return scratch.file(name)
    }

    func run(_ arguments: String...) throws -> ProcessResult {
        try runProcess(Syrinx.path, arguments, environment: environment)
    }

    /// Starts a detached player, and returns its process.
    @discardableResult
    func detach(_ arguments: String...) throws -> pid_t {
        let all = ["play", "--detach", "--output", "null"] + arguments
        let result = try runProcess(Syrinx.path, all, environment: environment)
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty && result.errors.isEmpty)
        return try player()
    }

    /// The process of the detached player.
    func player() throws -> pid_t {
        let face = try Face(environment)
        defer { face.stop() }
        waitUntil { face.hello != nil }
        let process = try #require(face.hello?.process)
        processes.insert(process)
        return process
    }

    func isRunning(_ process: pid_t) -> Bool {
        // An orphan that has ended may wait for its new parent.
        let state = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return !state.isEmpty && state.split(separator: ")").last?.hasPrefix(" Z") == false
    }

    func face() throws -> Face { try Face(environment) }

    /// The status that `syrinx control` prints; `nil` if there is no player.
    func status() -> RemoteStatus? {
        (try? AttachConnection(environment: environment))?.ask(.status)?.status
    }

    /// Runs the command on a terminal of its own, with the terminal's settings told before and after.
    func terminal(_ arguments: String) throws -> RunningSyrinx {
        let command = "stty cols 90 rows 24; stty -g; '\(Syrinx.path)' \(arguments); echo status $?; stty -g"
        return try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", command, scratch.file("typescript")],
            environment: environment
        )
    }

    func expect(_ running: RunningSyrinx, shows text: String) throws {
        waitUntil { running.output.contains(text) || running.process.exitStatus != nil }
        try #require(running.output.contains(text), "\(text) in \(running.output.suffix(600))")
    }

    /// The settings of the terminal and its screen have to be as before.
    func expectRestored(_ running: RunningSyrinx) {
        let settings = running.output.split(whereSeparator: \.isNewline).filter {
            $0.count > 40 && $0.allSatisfy { $0.isHexDigit || $0 == ":" }
        }
        #expect(settings.count == 2 && Set(settings).count == 1, "\(running.output.suffix(400))")
        let last = { (text: String) in running.output.range(of: text, options: .backwards)?.lowerBound }
        if let set = last("\u{1B}[?1049h"), let reset = last("\u{1B}[?1049l") {
            #expect(set < reset)
        } else {
            Issue.record("no screen: \(running.output.suffix(400))")
        }
    }
}

/// A face in the process of the test.
final class Face: Sendable {
    private struct State {
        var mirror = StateMirror()
        var hello: AttachMessage.Hello?
        var volumes: [Double] = []
        /// The numbers of rows, from changes of the queue and from states, in order.
        var counts: [Count] = []
        var answers: [AttachMessage.Answer] = []
        var end: AttachMessage.End?
        var isOver = false
    }

    /// A number of rows.
    enum Count: Equatable { case change(Int), state(Int) }

    let connection: AttachConnection
    private let state = Mutex(State())

    init(_ environment: [String: String]) throws {
        connection = try AttachConnection(environment: environment)
        try connection.start { [self] message in
            state.withLock { state in
                guard let message else { return state.isOver = true }
                if let hello = message.hello { state.hello = hello }
                if let end = message.end { state.end = end }
                if let answer = message.answer { state.answers.append(answer) }
                if let change = message.queue { state.counts.append(.change(change.count)) }
                let hasChanged = state.mirror.take(message)
                if hasChanged, let count = state.mirror.state?.queue.count {
                    if state.counts.last != .state(count) { state.counts.append(.state(count)) }
                }
                guard hasChanged, let volume = state.mirror.state?.sound.volume else { return }
                if volume != state.volumes.last { state.volumes.append(volume) }
            }
        }
    }

    var hello: AttachMessage.Hello? { state.withLock { $0.hello } }
    var seen: ListeningState? { state.withLock { $0.mirror.state } }
    /// The volumes that it has seen, in order.
    var volumes: [Double] { state.withLock { $0.volumes } }
    /// The numbers of rows that it has seen, in order and without repetitions.
    var counts: [Count] { state.withLock { $0.counts } }
    var answers: [AttachMessage.Answer] { state.withLock { $0.answers } }
    var end: AttachMessage.End? { state.withLock { $0.end } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func send(_ text: String) throws { connection.send(.wish(.command(try ListeningCommand(text: text)))) }
    func stop() { connection.stop() }
}
