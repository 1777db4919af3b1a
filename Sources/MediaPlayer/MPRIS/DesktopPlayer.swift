import Foundation
import Synchronization

/// A player on the session bus according to the MPRIS specification (version 2.2), controlled by media keys, panels
/// and `playerctl`.
///
/// Callable from any thread.
package final class DesktopPlayer: BusServiceDelegate, Sendable {
    /// A function that receives commands, on a private thread.
    package typealias Handler = @Sendable (DesktopPlayerCommand) -> Void

    /// The names that desktops show.
    package struct Identity: Sendable {
        /// The last part of the bus name: letters, digits and underscores, such as `syrinx`.
        var name: String
        /// The display name, such as `Syrinx`.
        var title: String
        /// The name of its desktop file, without `.desktop`; `nil` if there is none.
        var desktopEntry: String?
        /// Whether the player has a window that can be raised.
        var canRaise: Bool

        /// A bus name has 255 bytes at most.
        private static let longestName = 200

        package init(name: String, title: String, desktopEntry: String? = nil, canRaise: Bool = false) {
            let characters = name.prefix(Self.longestName).map {
                $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" as Character
            }
            // A part of a bus name is not empty, and does not begin with a digit (D-Bus specification, "Valid Names").
            self.name = characters.first?.isLetter == true ? String(characters) : "_\(String(characters))"
            (self.title, self.desktopEntry, self.canRaise) = (title, desktopEntry, canRaise)
        }
    }

    /// The commands and the status that a program offers in addition to MPRIS.
    package struct Control: Sendable {
        /// A function that executes a command.
        ///
        /// On failure it returns a sentence with the reason.
        var carryOut: @Sendable (_ command: String) -> String?
        /// A function that returns the status for a playback position in seconds.
        var status: @Sendable (_ position: Double) -> String
        /// Returns the queue.
        var queue: @Sendable () -> String

        package init(
            carryOut: @escaping @Sendable (_ command: String) -> String?,
            status: @escaping @Sendable (_ position: Double) -> String,
            queue: @escaping @Sendable () -> String
        ) {
            (self.carryOut, self.status, self.queue) = (carryOut, status, queue)
        }
    }

    private struct State {
        var player = DesktopPlayerState()
        var position = DesktopPosition()
        var service: BusService?
    }

    static let path = "/org/mpris/MediaPlayer2"
    static let rootInterface = "org.mpris.MediaPlayer2"
    private static let playerInterface = "org.mpris.MediaPlayer2.Player"
    private static let mimeTypes = [
        "audio/mpeg", "audio/mp4", "audio/aac", "audio/flac", "audio/ogg", "audio/opus", "audio/wav", "audio/x-wav",
        "audio/aiff", "audio/x-matroska", "audio/webm", "application/vnd.apple.mpegurl", "audio/x-mpegurl",
        "audio/x-scpls",
    ]

    private let identity: Identity
    private let handler: Handler
    private let control: Control?
    private let state = Mutex(State())

    /// Offers a player on the session bus.
    /// - Parameters:
    ///   - control: An interface that the player offers beside MPRIS; `nil` for none.
    ///   - address: The address of another bus, for tests.
    /// - Throws: `BusError` if there is no session bus.
    package init(
        _ identity: Identity,
        control: Control? = nil,
        address: String? = nil,
        handler: @escaping Handler
    ) throws(BusError) {
        self.identity = identity
        self.control = control
        self.handler = handler
        let xml = Self.description(isControlled: control != nil)
        let service = try BusService(path: Self.path, xml: xml, address: address, delegate: self)
        // Several instances may run, each with its own name (specification, "The bus name").
        try service.start(name: Self.busName(identity))
        state.withLock { $0.service = service }
    }

    /// The bus name of a player of this process.
    static func busName(_ identity: Identity) -> String { "\(namePrefix(identity.name))\(getpid())" }

    /// The bus name of a player, up to the number of its process.
    static func namePrefix(_ name: String) -> String { "\(rootInterface).\(name).instance" }

    /// Whether a session bus exists, without connecting to it.
    package static var hasSessionBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
        return FileManager.default.fileExists(atPath: "\(folder)/bus")
    }

    /// Removes the player from the bus.
    package func stop() {
        let service = state.withLock { state in
            defer { state.service = nil }
            return state.service
        }
        service?.stop()
    }

    /// Reports the state and the playback position in seconds.
    ///
    /// Call it when either changes.
    package func update(_ new: DesktopPlayerState, position: Double) {
        let now = Self.now
        let (service, changes, hasJumped) = state.withLock { state in
            let changes = new.changes(from: state.player)
            let isNewTrack = new.track?.id != state.player.track?.id
            state.player = new
            let rate = new.status == .playing ? new.rate : 0
            let hasJumped = state.position.note(position, rate: rate, at: now)
            return (state.service, changes, hasJumped || isNewTrack)
        }
        if !changes.isEmpty { service?.reportChanges(changes, of: Self.playerInterface) }
        if hasJumped {
            service?.send("Seeked", of: Self.playerInterface, [.int64(DesktopPosition.microseconds(position))])
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Calls

    func call(_ method: String, of interface: String, _ arguments: [BusValue]) throws(BusFailure) {
        if interface == Self.controlInterface { return try carryOut(method, arguments) }
        let track = state.withLock { $0.player.track }
        if let command = try DesktopRequest.command(calling: method, with: arguments, on: track) { handler(command) }
    }

    private func carryOut(_ method: String, _ arguments: [BusValue]) throws(BusFailure) {
        guard let control, method == "Control" else {
            throw BusFailure(.unknownMethod, "There is no method \(method).")
        }
        guard case .string(let command)? = arguments.first else {
            throw BusFailure(.invalidArguments, "The command is not a string.")
        }
        if let reason = control.carryOut(command) { throw BusFailure(.invalidArguments, reason) }
    }

    func value(of property: String, of interface: String) throws(BusFailure) -> BusValue {
        guard let value = knownValue(of: property, of: interface) else {
            throw BusFailure(.unknownProperty, "There is no property \(property).")
        }
        return value
    }

    private func knownValue(of property: String, of interface: String) -> BusValue? {
        if interface == Self.controlInterface {
            return control.map { .string(property == "Queue" ? $0.queue() : $0.status(position)) }
        }
        guard interface == Self.playerInterface else { return rootValue(of: property) }
        if property == "Position" { return .int64(DesktopPosition.microseconds(position)) }
        return state.withLock { $0.player.properties[property] }
    }

    /// The playback position in seconds.
    private var position: Double {
        state.withLock { min($0.position.value(at: Self.now), $0.player.track?.duration ?? .infinity) }
    }

    private func rootValue(of property: String) -> BusValue? {
        switch property {
        case "CanQuit": .bool(true)
        case "CanRaise": .bool(identity.canRaise)
        case "HasTrackList": .bool(false)
        case "Identity": .string(identity.title)
        case "DesktopEntry": .string(identity.desktopEntry ?? "")
        case "SupportedUriSchemes": .strings(DesktopRequest.schemes)
        case "SupportedMimeTypes": .strings(Self.mimeTypes)
        default: nil
        }
    }

    func set(_ property: String, of interface: String, to value: BusValue) throws(BusFailure) {
        handler(try DesktopRequest.command(setting: property, to: value))
    }
}
