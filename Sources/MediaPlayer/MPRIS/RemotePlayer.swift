import CSyrinxGIO
import Foundation

/// A player of this user that another process has on the session bus, and that offers more than MPRIS.
///
/// One thread at a time. Calls wait for the answer for at most five seconds.
package final class RemotePlayer {
    /// The number of the process that plays.
    package let process: Int
    private let name: String
    private let bus: BusClient

    private init(process: Int, name: String, bus: BusClient) {
        (self.process, self.name, self.bus) = (process, name, bus)
    }

    /// Returns the players with the given `name` (the last part of a bus name, such as `syrinx`), newest process
    /// first.
    /// - Throws: `BusError` if there is no session bus, or if it does not answer.
    package static func all(named name: String) throws(BusError) -> [RemotePlayer] {
        let bus = try BusClient()
        let prefix = DesktopPlayer.namePrefix(name)
        let players = try bus.names().filter { $0.hasPrefix(prefix) }.compactMap { name in
            Int(name.dropFirst(prefix.count)).map { RemotePlayer(process: $0, name: name, bus: bus) }
        }
        return players.sorted { $0.process > $1.process }
    }

    /// Returns the status of the player.
    /// - Throws: `BusError` if the player has gone, or offers none.
    package func status() throws(BusError) -> String {
        try bus.property("Status", of: DesktopPlayer.controlInterface, at: name, DesktopPlayer.path)
    }

    /// Returns the queue of the player.
    /// - Throws: `BusError` if the player has gone, or offers none.
    package func queue() throws(BusError) -> String {
        try bus.property("Queue", of: DesktopPlayer.controlInterface, at: name, DesktopPlayer.path)
    }

    /// Sends a command to the player, which executes it.
    /// - Throws: `BusError` with the player's reason if the command fails, or if the player has quit.
    package func carryOut(_ command: String) throws(BusError) {
        try bus.call("Control", of: DesktopPlayer.controlInterface, at: name, DesktopPlayer.path, command)
    }
}
