import Foundation
import SyrinxTestSupport
import Testing

/// The command in a terminal of tmux, whose screen can be read as text.
final class TerminalSession {
    private let scratch: ScratchDirectory
    private let socket: String

    /// Starts `syrinx` with these words, which `sh` reads, in a terminal of a size and in the folder `scratch`.
    init(_ arguments: String, columns: Int, rows: Int, in scratch: ScratchDirectory) throws {
        self.scratch = scratch
        socket = scratch.file("tmux")
        // What stands on the screen after the end is a part of the session.
        let command = "clear; '\(Syrinx.path)' \(arguments); echo left with $?; exec cat"
        try tmux([
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", scratch.path, command,
            ";", "set", "-g", "status", "off", ";", "set", "-g", "window-size", "manual", ";", "set", "-sg",
            "escape-time", "0", ";", "resize-window", "-x", "\(columns)", "-y", "\(rows)",
        ])
    }

    deinit { _ = try? tmux(["kill-server"]) }

    /// Presses keys by tmux's names, such as `Space`, `Home` or `q`.
    func press(_ keys: [String]) throws { try tmux(["send-keys"] + keys) }

    /// Types text as it is, such as an escape sequence of the mouse.
    func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    /// Gives the terminal another size.
    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The lines of the screen, without blanks at their ends.
    func screen() throws -> [String] {
        let text = try tmux(["capture-pane", "-p"])
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        // The last line ends, too.
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        // In a folder of its own, so that no other tmux is met.
        let environment = Syrinx.environment.merging([
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", "TMUX": "", "NO_COLOR": "",
            "COLORTERM": "", "XDG_CONFIG_HOME": scratch.file("config"), "XDG_STATE_HOME": scratch.file("state"),
            "XDG_DATA_HOME": scratch.file("data"),
        ]) { $1 }
        let result = try runProcess("tmux", ["-u", "-S", socket] + arguments, environment: environment, timeout: 20)
        try #require(result.status == 0, "tmux \(arguments): \(result.errors)")
        return result.output
    }
}

/// A recording of a session: steps, and the screen that each leads to.
///
/// A step is a line that begins with `>>>`: `start 80 24`, `keys` with tmux's names of keys, `type` with text, or
/// `resize 40 10`. The lines up to the next step are the screen.
struct SessionRecording {
    struct Step {
        var action: [String]
        var screen: [String]
    }

    var steps: [Step] = []

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(">>> ") {
                steps.append(Step(action: line.dropFirst(4).split(separator: " ").map { String($0) }, screen: []))
            } else if !steps.isEmpty {
                steps[steps.count - 1].screen.append(String(line))
            }
        }
        // The file ends with a line feed.
        if let last = steps.indices.last, steps[last].screen.last == "" { steps[last].screen.removeLast() }
    }

    var text: String {
        steps.map { step in ([">>> " + step.action.joined(separator: " ")] + step.screen).joined(separator: "\n") }
            .joined(separator: "\n") + "\n"
    }

    /// A screen without what depends on the moment: levels, the name of the folder, and the time while it plays.
    static func stable(_ screen: [String]) -> [String] {
        let isPlaying = screen.contains { $0.contains("► playing") || $0.hasPrefix(" ► ") || $0.hasPrefix("playing ") }
        return screen.map { line in
            if let name = line.firstMatch(of: /^ +([LR]) [█▉▊▋▌▍▎▏╌]/) { return "  \(name.output.1) level" }
            let line = line.replacing(/\/tmp\/syrinx-[A-Za-z0-9]{6}/, with: "/tmp/syrinx-XXXXXX")
                .replacing(/(Paused at|Playing from) [0-9]+:[0-9]+/) { "\($0.output.1) 0:00" }
                .replacing(/sleep in [0-9]+:[0-9]+/, with: "sleep in 00:00")
            return isPlaying ? line.replacing(/[0-9]+:[0-9][0-9]/, with: "0:00") : line
        }
    }
}
