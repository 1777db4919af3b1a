import Foundation
import Playback

/// The settings that are kept from one start to the next, in the user's state folder.
struct SavedState: Codable, Equatable, Sendable {
    /// The width of the window, in logical pixels.
    var width = 720
    /// Its height.
    var height = 640
    /// The volume, 0…1.
    var volume = 1.0
    /// Whether the queue is shown.
    var showsQueue = false

    /// `$XDG_STATE_HOME/syrinx`, else `~/.local/state/syrinx`; `nil` if there is no home.
    static var folder: String? {
        let environment = ProcessInfo.processInfo.environment
        // A relative path is to be ignored (XDG Base Directory Specification).
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/syrinx" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/syrinx"
    }

    /// The positions in recordings, which the command shares.
    static var positions: PositionStore? { folder.map { PositionStore(folder: $0 + "/positions") } }

    private static var file: URL? { folder.map { URL(fileURLWithPath: $0 + "/desktop.json") } }

    /// Reads the state; a damaged file counts as none.
    static func load() -> SavedState {
        guard let file, let data = try? Data(contentsOf: file),
            var state = try? JSONDecoder().decode(SavedState.self, from: data)
        else { return SavedState() }
        state.width = min(max(state.width, 360), 8192)
        state.height = min(max(state.height, 300), 8192)
        state.volume = state.volume.isFinite ? min(max(state.volume, 0), 1) : 1
        return state
    }

    /// Writes the state; without a home nothing is kept.
    func save() {
        guard let file = Self.file, let data = try? JSONEncoder().encode(self) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try? data.write(to: file, options: .atomic)
    }
}
