import ArgumentParser
import Foundation
import MediaPlayer
import SyrinxByteStream

/// `syrinx control`: commands to a player that runs.
struct RemoteCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Controls a running player of yours, over the session bus.",
        discussion: """
            Commands: status, pause, resume, toggle, seek TIME, skip SECONDS, forward, back, ab FROM-TO|off, rate NUMBER, pitch CENTS, \
            volume NUMBER, language TAGS, mono on|off, balance NUMBER, equalizer PRESET, next, previous, \
            goto INDEX, enqueue INPUT, remove INDEX, move INDEX INDEX, clear, chapter INDEX, effect INDEX KEY=VALUE…, stop. Indexes count from 0. Of several players, the one \
            that plays is meant, else the one that was started last.
            """
    )
    static let examples = [
        "syrinx control toggle",
        "syrinx control skip -30",
        "syrinx control enqueue next.flac",
        "syrinx control effect 0 wetDryMix=40",
        "syrinx control status --json",
    ]

    @Argument(parsing: .allUnrecognized, help: "The command, and its values.")
    var command: [String] = []

    @Option(help: "The number of the process that plays, where several do.")
    var process: Int?

    @Flag(help: "The status as one JSON object.")
    var json = false

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    private static let name = "control"

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let request = try request()
        let (player, status) = try player()
        guard case .command(let line) = request else {
            context.console.write(json ? (try? JSONText.encode(status)) ?? "{}" : status.text)
            return .success
        }
        do throws(BusError) {
            try player.carryOut(line)
        } catch {
            throw .usage(error.message, name: Self.name, code: .badCommand)
        }
        return .success
    }

    private func request() throws(Failure) -> ControlWords {
        do throws(ControlCommand.Malformed) {
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
            players = try RemotePlayer.all(named: "syrinx")
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
