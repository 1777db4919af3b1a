import Foundation
import MediaPlayer
import SyrinxListening

/// A player in another process, for `syrinx control` and `syrinx queue`.
enum ControlledPlayer {
    /// A player on the session bus.
    case bus(RemotePlayer)
    /// The detached player, by its socket.
    case socket(AttachConnection)

    /// Finds a player: the playing one on the session bus, else the last started one, else the detached player.
    ///
    /// - Parameters:
    ///   - process: The process number of the player on the session bus; `nil` is any player.
    ///   - name: The name of the command for messages.
    /// - Returns: The player and its status.
    /// - Throws: `device.noPlayer` if none runs.
    static func find(process: Int?, name: String) throws(Failure) -> (ControlledPlayer, RemoteStatus) {
        do throws(Failure) {
            return try onBus(process: process, name: name)
        } catch {
            guard process == nil, let connection = try? AttachConnection(), let status = connection.ask(.status)?.status
            else { throw error }
            return (.socket(connection), status)
        }
    }

    private static func onBus(process: Int?, name: String) throws(Failure) -> (ControlledPlayer, RemoteStatus) {
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
                message: which ?? "You have no running player on this session bus. Start one with syrinx play.",
                name: name
            )
        }
        return (.bus(chosen.0), chosen.1)
    }

    /// Performs a command.
    /// - Throws: `usage.badCommand` if the player refuses it.
    func carryOut(_ command: ListeningCommand, name: String) throws(Failure) {
        switch self {
        case .bus(let player):
            do throws(BusError) {
                try player.carryOut(command.text)
            } catch {
                throw .usage(error.message, name: name, code: .badCommand)
            }
        case .socket(let connection):
            // The player may end before it has answered.
            guard let problem = connection.ask(.wish(.command(command)))?.error else { return }
            throw .usage(problem.message, name: name, code: .badCommand)
        }
    }

    /// Returns the queue.
    func queue(name: String) throws(Failure) -> [RemoteQueueEntry] {
        switch self {
        case .bus(let player):
            do throws(BusError) {
                let answer = try player.queue()
                return (try? JSONDecoder().decode([RemoteQueueEntry].self, from: Data(answer.utf8))) ?? []
            } catch {
                throw .usage(error.message, name: name, code: .badCommand)
            }
        case .socket(let connection):
            var entries: [RemoteQueueEntry] = []
            // A queue that changes meanwhile cannot make it endless.
            while entries.count < Self.mostEntries,
                let rows = connection.ask(.rows(from: entries.count, count: AttachRequest.mostRows))?.rows?.rows,
                !rows.isEmpty
            {
                entries += rows.map(\.entry)
            }
            return entries
        }
    }

    /// The maximum length of a queue.
    private static let mostEntries = 200_000
}
