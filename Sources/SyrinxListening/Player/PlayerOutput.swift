package import SyrinxDevice
import SyrinxStreaming

/// The output of a player at its start, and the way to another one.
package struct PlayerOutput: Sendable {
    /// The name of the system's default output.
    package static let automatic = "auto"

    /// The name of the output that the player begins with, as `OutputDevices.make` takes it.
    package var name = Self.automatic
    /// A warning about the output, given once something can be heard.
    package var warning: Failure?
    /// Returns the device of a name, which is not opened yet; `nil` is the system's default output.
    ///
    /// It is called on a thread that may wait, and throws if the output cannot change.
    package var make: @Sendable (String) throws(Failure) -> (any OutputDevice)? = { name throws(Failure) in
        try Self.device(named: name)
    }

    /// Creates the system's default output.
    package init() {}

    /// Returns the device of a name; `nil` is the system's default output.
    ///
    /// - Parameter name: `auto`, or a name that `syrinx devices` lists. A file is refused.
    /// - Throws: `device.notFound` if the name is none, or `usage.badCommand` for a file.
    package static func device(named name: String) throws(Failure) -> (any OutputDevice)? {
        if name == automatic { return nil }
        guard !name.hasPrefix("file:") else {
            let message = "a file can only be chosen at the start, with --output"
            throw Failure(code: .badCommand, message: message, name: Failure.control)
        }
        do throws(DeviceError) {
            return try OutputDevices.make(name)
        } catch {
            throw unknown(name)
        }
    }

    /// Switches a streamer to the output with a name.
    func change(to name: String, of streamer: Streamer) throws(Failure) {
        let device = try make(name)
        do throws(SyrinxError) {
            try streamer.setOutput(device)
        } catch {
            throw error.code == .deviceNotFound ? Self.unknown(name) : Failure(error, name: name)
        }
    }

    private static func unknown(_ name: String) -> Failure {
        let message = "no output has this name; syrinx devices lists the outputs"
        return Failure(code: .deviceNotFound, message: message, name: name)
    }

    /// Returns the device that the listener chose in an earlier session, opened, and a warning if it is missing.
    ///
    /// - Parameter name: The stored name; `nil` is the system's default output.
    package static func reopen(_ name: String?) -> (device: (any OutputDevice)?, warning: Failure?) {
        guard let name, name != automatic else { return (nil, nil) }
        if let device = try? device(named: name), (try? device.open(preferred: nil)) != nil { return (device, nil) }
        let message = "the last chosen output is not available; the default output is in use"
        return (nil, Failure(code: .deviceNotFound, message: message, name: name))
    }
}
