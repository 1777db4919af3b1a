import Foundation

/// A session bus of its own, which ends with this object.
public final class SessionBus {
    /// The address of the bus.
    public let address: String
    private let scratch: ScratchDirectory
    private let process: ChildProcess

    /// Starts a bus, and waits until programs can connect to it.
    /// - Throws: If `dbus-daemon` cannot be run, or does not offer its socket in time.
    public init() throws {
        scratch = try ScratchDirectory()
        address = "unix:path=\(scratch.file("bus"))"
        let output = scratch.file("bus.out")
        process = try ChildProcess(
            "dbus-daemon",
            ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address"],
            stdout: .file(output),
            stderr: .file(scratch.file("bus.err"))
        )
        // The daemon prints its address when it listens. Its socket exists earlier, and refuses connections until then.
        guard waitUntil({ (try? String(contentsOfFile: output, encoding: .utf8))?.contains("\n") == true }) else {
            throw CocoaError(.fileNoSuchFile)
        }
    }

    deinit { process.kill() }

    /// The variables that lead a program to this bus.
    public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// Calls a method of a media player on the bus with `gdbus`.
    /// - Parameters:
    ///   - method: The interface and the name of the method.
    ///   - player: The bus name of the player.
    ///   - arguments: The arguments, in the text format of GLib's variants.
    public func call(_ method: String, of player: String, _ arguments: [String]) throws -> ProcessResult {
        let object = ["--session", "--dest", player, "--object-path", "/org/mpris/MediaPlayer2"]
        return try runProcess("gdbus", ["call"] + object + ["--method", method] + arguments, environment: environment)
    }
}
