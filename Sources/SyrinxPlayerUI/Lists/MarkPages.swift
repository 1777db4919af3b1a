import SyrinxListening
import SyrinxTerminal

/// The page of the chapters.
struct ChaptersPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { view.chapters.count }

    static func text(of entry: Int, in view: PlayerView) -> String { view.chapters[entry].title ?? "" }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.chapters == right.chapters }

    static func current(in view: PlayerView) -> Int? { view.currentChapter }

    mutating func open(_ view: PlayerView) {
        if let index = view.currentChapter { list.select(entry: index) }
    }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        guard command == .activate, let entry = list.selectedEntry else { return .nothing }
        return .actions([.command(.chapter(entry))])
    }

    func title(in view: PlayerView) -> String { PlayerPage.chapters.title }

    func emptyText(in view: PlayerView) -> String { "The item has no chapters." }

    var hints: [KeyHint] { [([.face(.activate)], "go"), ([.face(.filter)], "filter")] }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let isCurrent = entry == view.currentChapter
        let chapter = view.chapters[entry]
        let next = view.chapters.indices.contains(entry + 1) ? view.chapters[entry + 1].start : view.state.duration
        return ListRow(
            sign: isCurrent ? "►" : " ",
            number: entry + 1,
            title: chapter.title ?? "Chapter \(entry + 1)",
            detail: next.map { "lasts " + ClockTime.text($0 - chapter.start) },
            end: ClockTime.text(chapter.start, like: view.state.duration ?? 0),
            style: isCurrent ? styles.accent : styles.text
        )
    }
}

/// The page of the bookmarks.
struct BookmarksPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { view.listedBookmarks.count }

    static func text(of entry: Int, in view: PlayerView) -> String {
        view.listedBookmarks[entry].title + "\n" + (view.listedBookmarks[entry].item ?? "")
    }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool {
        left.listedBookmarks == right.listedBookmarks
    }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        if command == .allBookmarks { return .actions([.listBookmarks(ofAll: view.allBookmarks == nil)]) }
        guard let entry = list.selectedEntry else { return .nothing }
        let bookmark = view.listedBookmarks[entry]
        return switch command {
        case .activate: .actions([.goToBookmark(bookmark.id)])
        case .remove: .actions([.removeBookmark(bookmark.id)])
        case .rename: .prompt(Prompt(.rename(bookmark.id), text: bookmark.title))
        default: .nothing
        }
    }

    func title(in view: PlayerView) -> String {
        view.allBookmarks == nil ? PlayerPage.bookmarks.title : "Bookmarks of all recordings"
    }

    func emptyText(in view: PlayerView) -> String {
        view.allBookmarks == nil
            ? "No bookmarks yet. Press b to set one at the present time." : "No recording has a bookmark yet."
    }

    var hints: [KeyHint] {
        [([.face(.activate)], "go"), ([.face(.addBookmark)], "add"), ([.face(.remove)], "remove")]
    }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let mark = view.listedBookmarks[entry]
        return ListRow(
            sign: " ",
            number: entry + 1,
            title: mark.title,
            detail: mark.item,
            end: ClockTime.text(mark.time),
            style: styles.text
        )
    }
}
