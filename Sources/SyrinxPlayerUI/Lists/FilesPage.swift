import SyrinxListening
import SyrinxTerminal

/// The page of the files.
struct FilesPage: ListPage {
    var list = ListState()
    /// The folder for which an entry was already selected.
    private var shownFolder: String?

    static func count(in view: PlayerView) -> Int { view.files.entries.count }

    static func text(of entry: Int, in view: PlayerView) -> String { view.files.entries[entry].name }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.files.entries == right.files.entries }

    mutating func update(_ view: PlayerView) {
        list.update(Self.self, view)
        let files = view.files
        guard shownFolder != files.path, !(files.isReading && files.entries.isEmpty) else { return }
        shownFolder = files.path
        if !files.entries.isEmpty { list.select(entry: files.origin ?? 0) }
    }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        if command == .back { return .actions([.leaveFolder]) }
        guard let entry = list.selectedEntry else { return .nothing }
        switch command {
        case .activate where view.files.entries[entry].isFolder:
            setFilter("", in: view)
            list.window.select(0)
            return .actions([.openFolder(entry)])
        case .activate: return .actions([.playFile(entry)])
        case .enqueue: return .actions([.enqueueFile(entry)])
        default: return .nothing
        }
    }

    func title(in view: PlayerView) -> String { view.files.path.isEmpty ? PlayerPage.files.title : view.files.path }

    func isReading(in view: PlayerView) -> Bool { view.files.isReading }

    func emptyText(in view: PlayerView) -> String {
        view.files.isReading ? "The folder is being read…" : view.files.failure ?? "The folder has no audio files."
    }

    var hints: [KeyHint] {
        [
            ([.face(.activate)], "open"), ([.face(.enqueue)], "append"), ([.face(.back)], "up"),
            ([.face(.filter)], "filter"),
        ]
    }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let file = view.files.entries[entry]
        return ListRow(
            sign: " ",
            title: file.isFolder ? file.name + "/" : file.name,
            end: file.detail ?? "",
            style: file.isFolder ? styles.accent : styles.text
        )
    }
}
