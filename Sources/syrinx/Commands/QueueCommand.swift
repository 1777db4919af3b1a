import ArgumentParser
import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxListening
import SyrinxTerminal

/// `syrinx queue`: the queue of a player that runs.
struct QueueCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Lists and changes the queue of a running player of yours, over the session bus.",
        discussion: """
            Without words it lists the queue. add INPUT…, remove PLACE, move PLACE PLACE and clear change it. Places count from 1, and \
            clear leaves what plays.
            """
    )
    static let examples = [
        "syrinx queue", "syrinx queue add next.flac", "syrinx queue move 4 1", "syrinx queue --json",
    ]

    @Argument(parsing: .allUnrecognized, help: "add, remove, move or clear, and its values.")
    var words: [String] = []

    @Option(help: "The number of the process that plays, where several do.")
    var process: Int?

    @Flag(help: "One JSON object an input.")
    var json = false

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    private static let name = "queue"

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let changes = try commands()
        let (player, _) = try RemoteCommand.player(process: process, name: Self.name)
        do throws(BusError) {
            for command in changes { try player.carryOut(command.text) }
            if changes.isEmpty { list(try player.queue(), in: context) }
        } catch {
            throw .usage(error.message, name: Self.name, code: .badCommand)
        }
        return .success
    }

    /// The commands for the player; none lists the queue.
    private func commands() throws(Failure) -> [ListeningCommand] {
        guard let verb = words.first else { return [] }
        let values = Array(words.dropFirst())
        let commands: [[String]]
        switch verb {
        case "add" where !values.isEmpty: commands = values.map { ["enqueue", $0] }
        case "remove", "move", "clear": commands = [words]
        default:
            throw .usage(
                verb == "add" ? "add takes inputs" : "\"\(verb)\" is none of add, remove, move and clear",
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

    private func list(_ answer: String, in context: CommandContext) {
        let entries = (try? JSONDecoder().decode([RemoteQueueEntry].self, from: Data(answer.utf8))) ?? []
        for entry in entries {
            let mark = entry.current ? "*" : " "
            let heading = entry.title ?? entry.url
            let length = entry.duration.map { "  (\(ClockText.text($0)))" } ?? ""
            let line = "\(mark) \(String(entry.index + 1).leftPadded(to: 3, with: " "))  \(heading)\(length)"
            context.console.write(json ? (try? JSONText.encode(entry)) ?? "{}" : PrintableText.line(line))
        }
    }
}
