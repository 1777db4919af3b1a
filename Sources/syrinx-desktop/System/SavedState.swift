import Foundation
import SyrinxDesktopModel
import SyrinxListening
import SyrinxPlayback

/// The settings that are kept from one start to the next, in the user's state folder.
struct SavedState: Codable, Equatable, Sendable {
    /// The volume, 0…1.
    var volume = 1.0
    /// Whether the queue is shown.
    var showsQueue = false
    /// Whether the spectrogram is shown in place of the waveform; a state of before has none.
    var showsSpectrogram: Bool?
    /// The size of the window and the visible parts of waveforms; a file of its own.
    var memory = WindowMemory()

    private enum CodingKeys: String, CodingKey {
        case volume, showsQueue, showsSpectrogram
    }

    /// `$XDG_STATE_HOME/syrinx`, else `~/.local/state/syrinx`; `nil` if there is no home.
    static var folder: String? { UserFolder.state.path() }

    /// The positions in recordings and the queue, which the command shares.
    static let positions = PlaceKeeper(folder.map(ListeningStore.init(folder:)), lists: KeptLists.user())

    /// The bookmarks in recordings, which the command shares.
    static var bookmarks: BookmarkStore? { folder.map { BookmarkStore(folder: $0 + "/bookmarks") } }

    private static var memoryFile: URL? { folder.map { URL(fileURLWithPath: $0 + "/windows.json") } }
    private static var file: URL? { folder.map { URL(fileURLWithPath: $0 + "/desktop.json") } }

    /// Reads the state; a file that cannot be read counts as none, and stays.
    static func load() -> SavedState {
        var state = read(SavedState.self, file) ?? SavedState()
        state.volume = state.volume.isFinite ? min(max(state.volume, 0), 1) : 1
        state.memory = read(WindowMemory.self, memoryFile) ?? WindowMemory()
        return state
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ file: URL?) -> Value? {
        file.flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    /// Whether there is no file, or one that has been understood.
    private static func mayReplace<Value: Decodable>(_ type: Value.Type, _ file: URL) -> Bool {
        var status = stat()
        return lstat(file.path, &status) != 0 || read(type, file) != nil
    }

    /// Writes the state; without a home nothing is kept.
    func save() {
        guard let folder = Self.folder else { return }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let file = Self.file, Self.mayReplace(SavedState.self, file) {
            try? JSONEncoder().encode(self).write(to: file, options: .atomic)
        }
        // A file of a newer version is not overwritten.
        guard !memory.isNewer, let file = Self.memoryFile, Self.mayReplace(WindowMemory.self, file)
        else { return }
        try? JSONEncoder().encode(memory).write(to: file, options: .atomic)
    }
}
