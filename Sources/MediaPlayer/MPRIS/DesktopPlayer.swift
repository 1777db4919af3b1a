import Foundation
import Synchronization

/// A player on the session bus, by the MPRIS specification (version 2.2): what media keys, panels and `playerctl` control.
///
/// May be used from any thread.
package final class DesktopPlayer: BusServiceDelegate, Sendable {
    /// The receiver of commands, on a thread of its own.
    package typealias Handler = @Sendable (DesktopPlayerCommand) -> Void

    /// The names that desktops show.
    package struct Identity: Sendable {
        /// The last part of the bus name, of letters, digits and underscores, such as `syrinx`.
        var name: String
        /// For people, such as `Syrinx`.
        var title: String
        /// The name of its desktop file, without `.desktop`; `nil` if there is none.
        var desktopEntry: String?
        /// Whether the player has a window to bring to the front.
        var canRaise: Bool

        package init(name: String, title: String, desktopEntry: String? = nil, canRaise: Bool = false) {
            self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            (self.title, self.desktopEntry, self.canRaise) = (title, desktopEntry, canRaise)
        }
    }

    /// The commands and the status that a program offers beside those of MPRIS.
    package struct Control: Sendable {
        /// Carries out a command, or returns the sentence that says why not.
        var carryOut: @Sendable (_ command: String) -> String?
        /// Returns the status, given the position in seconds.
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
    private static let schemes = ["file", "http", "https"]
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
    /// - Parameter control: What it offers beside MPRIS, if anything.
    /// - Throws: `BusError` if there is no session bus.
    package init(_ identity: Identity, control: Control? = nil, handler: @escaping Handler) throws(BusError) {
        self.identity = identity
        self.control = control
        self.handler = handler
        let xml = Self.description(isControlled: control != nil)
        let service = try BusService(path: Self.path, xml: xml, delegate: self)
        // Several may run at once; each has a name of its own (specification, "The bus name").
        try service.start(name: "\(Self.namePrefix(identity.name))\(getpid())")
        state.withLock { $0.service = service }
    }

    /// The bus name of a player, up to the number of its process.
    static func namePrefix(_ name: String) -> String { "\(rootInterface).\(name).instance" }

    /// Whether there is a session bus, so that asking for it takes no time.
    package static var hasSessionBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
        return FileManager.default.fileExists(atPath: "\(folder)/bus")
    }

    /// Takes the player off the bus.
    package func stop() {
        let service = state.withLock { state in
            defer { state.service = nil }
            return state.service
        }
        service?.stop()
    }

    /// Reports the state, and the position that is heard, in seconds; call it when either changes.
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

    func call(_ method: String, of interface: String, _ arguments: BusArguments) -> BusService.Failure? {
        switch method {
        case "Raise": handler(.raise)
        case "Quit": handler(.quit)
        case "Next": handler(.next)
        case "Previous": handler(.previous)
        case "Pause": handler(.pause)
        case "PlayPause": handler(.playPause)
        case "Stop": handler(.stop)
        case "Play": handler(.play)
        case "Seek": handler(.skip(by: Double(arguments.int64(at: 0)) / 1e6))
        case "SetPosition": setPosition(arguments.string(at: 0), Double(arguments.int64(at: 1)) / 1e6)
        case "OpenUri": return open(arguments.string(at: 0))
        case "Control":
            return control?.carryOut(arguments.string(at: 0)).map {
                BusService.Failure(name: "org.freedesktop.DBus.Error.InvalidArgs", message: $0)
            }
        default:
            return BusService.Failure(
                name: "org.freedesktop.DBus.Error.UnknownMethod",
                message: "There is no method \(method)."
            )
        }
        return nil
    }

    /// Goes to a time of the current track; a call about another track, or beyond the end, is ignored, as specified.
    private func setPosition(_ path: String, _ time: Double) {
        let track = state.withLock { $0.player.track }
        guard let track, track.path == path, time >= 0, time <= track.duration ?? .infinity else { return }
        handler(.seek(to: time))
    }

    private func open(_ uri: String) -> BusService.Failure? {
        guard let scheme = URL(string: uri)?.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            return BusService.Failure(
                name: "org.freedesktop.DBus.Error.InvalidArgs",
                message: "The URI is none of \(Self.schemes.joined(separator: ", "))."
            )
        }
        handler(.open(uri))
        return nil
    }

    func value(of property: String, of interface: String) -> BusValue? {
        if interface == Self.controlInterface {
            return control.map { .string(property == "Queue" ? $0.queue() : $0.status(position)) }
        }
        guard interface == Self.playerInterface else { return rootValue(of: property) }
        if property == "Position" { return .int64(DesktopPosition.microseconds(position)) }
        return state.withLock { $0.player.properties[property] }
    }

    /// The position that is heard, in seconds.
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
        case "SupportedUriSchemes": .strings(Self.schemes)
        case "SupportedMimeTypes": .strings(Self.mimeTypes)
        default: nil
        }
    }

    func set(_ property: String, of interface: String, to value: BusArguments) -> Bool {
        switch property {
        // A rate of 0 is a pause, as specified.
        case "Rate": handler(value.double == 0 ? .pause : .rate(value.double))
        case "Volume": handler(.volume(max(0, value.double)))
        case "Shuffle": handler(.shuffle(value.bool))
        case "LoopStatus":
            guard let loop = DesktopPlayerState.Loop(rawValue: value.text) else { return false }
            handler(.loop(loop))
        default: return false
        }
        return true
    }
}
