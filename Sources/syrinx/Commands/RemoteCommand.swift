import ArgumentParser
import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxListening

/// `syrinx control`: commands to a player that runs.
struct RemoteCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Controls your running player over the session bus.",
        discussion: """
            \(commands)

            Places count from 1. In seek, rate and volume a sign makes the value relative to the present value. If several players run, the \
            command goes to the one that plays, else to the one that was started last.
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
        let (player, status) = try player()
        guard case .command(let command) = request else {
            context.console.write(json ? (try? JSONText.encode(status)) ?? "{}" : status.text)
            return .success
        }
        do throws(BusError) {
            try player.carryOut(command.text)
        } catch {
            throw .usage(error.message, name: Self.name, code: .badCommand)
        }
        return .success
    }

    private func request() throws(Failure) -> ControlWords {
        do throws(CommandError) {
            return try ControlWords(command, directory: FileManager.default.currentDirectoryPath)
        } catch {
            throw .usage(error.message, name: Self.name, code: .badCommand)
        }
    }

    private func player() throws(Failure) -> (RemotePlayer, RemoteStatus) {
        try Self.player(process: process, name: Self.name)
    }

    /// Returns the player that is meant, with its status.
    static func player(process: Int?, name: String) throws(Failure) -> (RemotePlayer, RemoteStatus) {
        let players: [RemotePlayer]
        do throws(BusError) {
            players = try RemotePlayer.all(named: DesktopPresence.name)
        } catch {
            throw Failure(code: .noPlayer, message: error.message, name: name)
        }
        // A player that ends meanwhile, or another program under such a name, answers nothing.
        let known = players.filter { process == nil || $0.process == process }.compactMap { player in
            (try? player.status()).flatMap { try? JSONDecoder().decode(RemoteStatus.self, from: Data($0.utf8)) }
                .map { (player, $0) }
        }
        guard let chosen = known.first(where: { $0.1.state == .playing }) ?? known.first else {
            let which = process.map { "The process \($0) is no player that can be controlled." }
            throw Failure(
                code: .noPlayer,
                message: which ?? "No player of yours runs on this session bus. Start one with syrinx play.",
                name: name
            )
        }
        return chosen
    }
}
