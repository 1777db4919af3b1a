import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

@testable import MediaPlayer

/// A list of what a player was asked to do.
private final class CommandList: Sendable {
    private let commands = Mutex<[DesktopPlayerCommand]>([])
    func add(_ command: DesktopPlayerCommand) { commands.withLock { $0.append(command) } }
    var all: [DesktopPlayerCommand] { commands.withLock { $0 } }
}

/// A player on a bus of its own, and calls of other programs.
@Suite("Desktop player: calls over the bus") struct DesktopPlayerCallTests {
    private let bus: SessionBus
    private let commands = CommandList()
    private let player: DesktopPlayer
    private let name: String

    init() throws {
        bus = try SessionBus()
        let identity = DesktopPlayer.Identity(name: "test", title: "Test")
        name = DesktopPlayer.busName(identity)
        let control = DesktopPlayer.Control(carryOut: { $0 == "good" ? nil : "no such command" }, status: { "\($0)" }) {
            "[]"
        }
        player = try DesktopPlayer(identity, control: control, address: bus.address) { [commands] in commands.add($0) }
        let ping = "org.freedesktop.DBus.Peer.Ping"
        try #require(waitUntil { (try? bus.call(ping, of: name, []))?.status == 0 })
    }

    private func set(_ property: String, _ value: String) throws -> ProcessResult {
        let interface = "org.mpris.MediaPlayer2.Player"
        return try bus.call("org.freedesktop.DBus.Properties.Set", of: name, [interface, property, value])
    }

    private func get(_ property: String, _ interface: String) throws -> ProcessResult {
        try bus.call("org.freedesktop.DBus.Properties.Get", of: name, [interface, property])
    }

    @Test("A value of the wrong kind is answered with an error, and the player goes on")
    func refusesValues() throws {
        defer { player.stop() }
        let bad = [
            ("LoopStatus", "<'Bogus'>"), ("LoopStatus", "<int64 1>"), ("Rate", "<-1.0>"), ("Rate", "<1e300>"),
            ("Rate", "<@d nan>"), ("Rate", "<'fast'>"), ("Volume", "<@d inf>"), ("Volume", "<@d nan>"),
            ("Volume", "<true>"),
            ("Shuffle", "<'yes'>"), ("PlaybackStatus", "<'Playing'>"), ("Position", "<int64 1>"), ("Bogus", "<1>"),
        ]
        for (property, value) in bad {
            let result = try set(property, value)
            #expect(result.status == 1, "\(property) \(value)")
            #expect(
                result.errors.contains("org.freedesktop.DBus.Error.InvalidArgs"),
                "\(property) \(value): \(result.errors)"
            )
        }
        let calls = [
            ("org.mpris.MediaPlayer2.Player.OpenUri", ["gopher://example.org"]),
            ("org.syrinx.Player.Control", ["bad"]), ("org.mpris.MediaPlayer2.Player.Seek", ["'far'"]),
            ("org.mpris.MediaPlayer2.Player.SetPosition", ["/", "1.5"]), ("org.mpris.MediaPlayer2.Player.Play", ["1"]),
            ("org.mpris.MediaPlayer2.Player.Bogus", []), ("org.syrinx.Player.Bogus", []),
        ]
        for (method, arguments) in calls { #expect(try bus.call(method, of: name, arguments).status == 1, "\(method)") }
        #expect(try get("Bogus", "org.mpris.MediaPlayer2.Player").status == 1)
        #expect(commands.all == [])
        #expect(try get("LoopStatus", "org.mpris.MediaPlayer2.Player").output == "(<'None'>,)\n")
        #expect(try get("Status", "org.syrinx.Player").output == "(<'0.0'>,)\n")
    }

    @Test("The largest numbers that a call can hold are carried out, and the player goes on")
    func takesExtremes() throws {
        defer { player.stop() }
        for offset in [Int64.min, .max] {
            #expect(try bus.call("org.mpris.MediaPlayer2.Player.Seek", of: name, ["int64 \(offset)"]).status == 0)
        }
        #expect(try set("Volume", "<1e300>").status == 0)
        #expect(try set("Rate", "<0.0>").status == 0)
        #expect(try bus.call("org.syrinx.Player.Control", of: name, ["good"]).status == 0)
        let limit = Double(Int64.max) / 1e6
        #expect(commands.all == [.skip(by: -limit), .skip(by: limit), .volume(1), .pause])
        let all = try bus.call("org.freedesktop.DBus.Properties.GetAll", of: name, ["org.mpris.MediaPlayer2.Player"])
        #expect(all.output.contains("'PlaybackStatus': <'Stopped'>"))
    }
}
