import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxTerminal

/// `syrinx queue`: lists and changes the queue of a running player.
struct QueueCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Lists and changes the queue of your running player over the session bus, or of a detached one.",
        discussion: """
            list (the default) lists the queue. add INPUT…, remove PLACE, move PLACE PLACE and clear change the queue. Places count \
            from 1. clear keeps the current item. save FILE.m3u8 writes a playlist, and append FILE.m3u8 adds to a playlist.
            """
    )
    static let examples = [
        "syrinx queue", "syrinx queue add next.flac", "syrinx queue move 4 1", "syrinx queue save evening.m3u8",
        "syrinx queue --json",
    ]

    @Argument(
        parsing: .allUnrecognized,
        help: "list, add, remove, move, clear, save or append, and its values",
        completion: Completion.queue
    )
    var words: [String] = []

    @Option(help: ArgumentHelp("Process number of the player, if several run", valueName: "pid"))
    var process: Int?

    @Flag(help: "Write one JSON object per input")
    var json = false

    @Flag(help: "Replace an existing file")
    var force = false

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    private static let name = "queue"

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let file = try playlistFile()
        let changes = file == nil ? try commands() : []
        let (player, _) = try ControlledPlayer.find(process: process, name: Self.name)
        for command in changes { try player.carryOut(command, name: Self.name) }
        let entries = changes.isEmpty ? try player.queue(name: Self.name) : []
        guard let file else {
            list(entries, in: context)
            return .success
        }
        let count = try file.write(entries)
        if !json {
            context.console.say("syrinx: queue: \(count) \(count == 1 ? "entry" : "entries") in \(file.path.name)")
        }
        return .success
    }

    /// Returns the playlist to write; `nil` if the words are not `save` or `append`.
    private func playlistFile() throws(Failure) -> QueueFile? {
        guard let verb = words.first, ["save", "append"].contains(verb) else { return nil }
        guard words.count == 2 else { throw .usage("\(verb) takes a FILE.m3u8", name: Self.name, code: .badCommand) }
        return try QueueFile(
            FilePath(bytes: ByteText.bytes(of: words[1])),
            isAppended: verb == "append",
            replaces: force
        )
    }

    /// Returns the commands for the player; empty to list the queue.
    private func commands() throws(Failure) -> [ListeningCommand] {
        guard let verb = words.first, words != ["list"] else { return [] }
        let values = Array(words.dropFirst())
        let commands: [[String]]
        switch verb {
        case "add" where !values.isEmpty: commands = values.map { ["enqueue", $0] }
        case "remove", "move", "clear": commands = [words]
        default:
            throw .usage(
                verb == "add"
                    ? "add takes inputs" : "\"\(verb)\" is not list, add, remove, move, clear, save or append",
                name: Self.name,
                code: .badCommand
            )
        }
        var result: [ListeningCommand] = []
        for command in commands {
            do throws(CommandError) {
                guard
                    case .command(let change) = try ControlWords(
                        command,
                        directory: FileManager.default.currentDirectoryPath
                    )
                else { continue }
                result.append(change)
            } catch {
                throw .usage(error.message, name: Self.name, code: .badCommand)
            }
        }
        return result
    }

    /// Returns the queue of a player that runs.
    /// - Parameter process: The process number of the player, if several run.
    static func entries(of process: Int?, name: String) throws(Failure) -> [RemoteQueueEntry] {
        try ControlledPlayer.find(process: process, name: name).0.queue(name: name)
    }

    private func list(_ entries: [RemoteQueueEntry], in context: CommandContext) {
        for entry in entries {
            let mark = entry.current ? "*" : " "
            let heading = entry.title ?? entry.url
            let length = entry.duration.map { "  (\(ClockTime.text($0)))" } ?? ""
            let line = "\(mark) \(String(entry.index + 1).leftPadded(to: 3, with: " "))  \(heading)\(length)"
            context.console.write(json ? (try? JSONText.encode(entry)) ?? "{}" : PrintableText.line(line))
        }
    }
}
