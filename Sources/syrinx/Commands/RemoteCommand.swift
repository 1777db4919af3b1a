import ArgumentParser
import Foundation
import SyrinxListening

/// `syrinx control`: commands to a player that runs.
struct RemoteCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Controls your running player over the session bus, or a detached one over its socket.",
        discussion: """
            \(commands)

            Places count from 1. In seek, rate and volume a sign makes the value relative to the present value. If several players run, the \
            command goes to the one that plays, else to the one that was started last. A detached player (syrinx play --detach) is also \
            found without a session bus.
            """
    )
    /// The commands and their help, a line each.
    private static var commands: String {
        let rows = [("status", "prints the state of the player")] + CommandTable.rows.map { ($0.usage, $0.help) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }.joined(
            separator: "\n"
        )
    }

    static let examples = [
        "syrinx control toggle",
        "syrinx control seek -30",
        "syrinx control volume +5",
        "syrinx control enqueue next.flac",
        "syrinx control effect 1 wetDryMix=40",
        "syrinx control status --json",
    ]

    @Argument(parsing: .allUnrecognized, help: "The command and its values", completion: Completion.commands)
    var command: [String] = []

    @Option(help: ArgumentHelp("Process number of the player, if several run", valueName: "pid"))
    var process: Int?

    @Flag(help: "Write the status as one JSON object")
    var json = false

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    private static let name = "control"

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let request = try request()
        let (player, status) = try ControlledPlayer.find(process: process, name: Self.name)
        guard case .command(let command) = request else {
            context.console.write(json ? (try? JSONText.encode(status)) ?? "{}" : status.text)
            return .success
        }
        try player.carryOut(command, name: Self.name)
        return .success
    }

    private func request() throws(Failure) -> ControlWords {
        do throws(CommandError) {
            return try ControlWords(command, directory: FileManager.default.currentDirectoryPath)
        } catch {
            throw .usage(error.message, name: Self.name, code: .badCommand)
        }
    }
}
