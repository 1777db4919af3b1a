import SyrinxListening
import SyrinxTerminal

/// The page of the files.
struct FilesPage: ListPage {
    var list = ListState()
    /// The folder for which an entry was already selected.
    private var shownFolder: String?
    /// The marked entries of the folder, and the one that was marked last.
    private var marks = EntryMarks()

    static func count(in view: PlayerView) -> Int { view.files.entries.count }

    static func text(of entry: Int, in view: PlayerView) -> String { view.files.entries[entry].name }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.files.entries == right.files.entries }

    mutating func update(_ view: PlayerView) {
        list.update(Self.self, view)
        let files = view.files
        guard shownFolder != files.path, !(files.isReading && files.entries.isEmpty) else { return }
        shownFolder = files.path
        marks = EntryMarks()
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
        case .enqueue where !marks.entries.isEmpty:
            defer { marks = EntryMarks() }
            return .actions(marks.sorted(below: view.files.entries.count).map { .enqueueFile($0) })
        case .enqueue: return .actions([.enqueueFile(entry)])
        case .playFromHere:
            let files = list.shownEntries.drop { $0 != entry }.filter { !view.files.entries[$0].isFolder }
            guard !files.isEmpty else { return .message("There is no file from here on.") }
            return .actions(files.map { .enqueueFile($0) } + [.command(.goTo(view.queue.count))])
        case .mark, .markRange:
            marks.toggle(entry, isRange: command == .markRange, among: list.shownEntries)
            list.window.move(by: 1)
            return .nothing
        default: return .nothing
        }
    }

    func title(in view: PlayerView) -> String { view.files.path.isEmpty ? PlayerPage.files.title : view.files.path }

    func countText(in view: PlayerView) -> String {
        let count = "\(view.files.entries.count)"
        return marks.entries.isEmpty ? count : "\(count)  \(marks.entries.count) marked"
    }

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
            sign: marks.entries.contains(entry) ? "•" : " ",
            title: file.isFolder ? file.name + "/" : file.name,
            end: file.detail ?? "",
            style: file.isFolder ? styles.accent : styles.text
        )
    }
}
