import SyrinxListening
import SyrinxTerminal

/// Identifies a list of the screen.
enum ListID: Int, CaseIterable, Sendable {
    case queue, chapters, bookmarks, effects, files, shows, episodes, transcript, notes

    /// The list in its first state.
    fileprivate var page: any ListPage {
        switch self {
        case .queue: QueuePage()
        case .chapters: ChaptersPage()
        case .bookmarks: BookmarksPage()
        case .effects: EffectsPage()
        case .files: FilesPage()
        case .shows: ShowsPage()
        case .episodes: EpisodesPage()
        case .transcript: TranscriptPage()
        case .notes: NotesPage()
        }
    }
}

/// Commands, and the meaning of their keys for the footer.
typealias KeyHint = (commands: [BoundCommand], meaning: String)

/// The result of a command in a list.
enum PageAnswer {
    case actions([PlayerAction])
    /// An input line or a question opens.
    case prompt(Prompt)
    /// A message explains why nothing happens.
    case message(String)

    static let nothing = PageAnswer.actions([])
}

/// A page with a list, or one of the lists of the podcasts page: its entries, keys, rows and texts.
///
/// A value without side effects. The entries are in the view.
protocol ListPage: Sendable {
    /// The selection and the filter.
    var list: ListState { get set }

    // MARK: Entries

    static func count(in view: PlayerView) -> Int
    /// Returns the text of an entry that the filter searches.
    static func text(of entry: Int, in view: PlayerView) -> String
    /// Whether two views have the same list; fast if they share its storage.
    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool
    /// The entry that plays; `nil` if none does.
    static func current(in view: PlayerView) -> Int?

    // MARK: Events

    /// Updates the state for a view.
    mutating func update(_ view: PlayerView)
    /// Prepares the state for the page, which opens.
    mutating func open(_ view: PlayerView)
    /// Records that the user moved the selection.
    /// - Parameter toCurrent: Whether it was moved to the entry that plays.
    mutating func didMove(toCurrent: Bool)
    /// Performs a command that only this page has.
    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer

    // MARK: Drawing

    func title(in view: PlayerView) -> String
    /// The number of entries for display.
    func countText(in view: PlayerView) -> String
    /// Whether more entries are being read.
    func isReading(in view: PlayerView) -> Bool
    /// The text in place of an empty list.
    func emptyText(in view: PlayerView) -> String
    /// The keys of the page for the footer.
    var hints: [KeyHint] { get }
    /// Moves the selection with playback, before the page is drawn.
    mutating func follow(_ view: PlayerView)
    /// Returns the texts of an entry; `nil` if the page draws its rows by itself.
    /// - Parameter isWide: Whether there is room for details.
    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow?
    /// Draws an entry for which `row` returns `nil`.
    func draw(_ entry: Int, in view: PlayerView, styles: Styles, area: CellArea, _ grid: inout CellGrid)
}

extension ListPage {
    static func current(in view: PlayerView) -> Int? { nil }
    mutating func update(_ view: PlayerView) { list.update(Self.self, view) }
    mutating func open(_ view: PlayerView) {}
    mutating func didMove(toCurrent: Bool) {}
    func countText(in view: PlayerView) -> String { "\(Self.count(in: view))" }
    func isReading(in view: PlayerView) -> Bool { false }
    mutating func follow(_ view: PlayerView) {}
    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? { nil }
    func draw(_ entry: Int, in view: PlayerView, styles: Styles, area: CellArea, _ grid: inout CellGrid) {}

    /// Sets the filter; an empty one shows all entries and keeps the selection.
    mutating func setFilter(_ text: String, in view: PlayerView) { list.setFilter(text, Self.self, view) }

    /// Moves the selection by a number of rows.
    mutating func move(by rows: Int) {
        list.window.move(by: rows)
        didMove(toCurrent: false)
    }

    /// Moves the selection, if that is the effect of the command.
    mutating func move(_ command: FaceCommand, in view: PlayerView) -> Bool {
        let page = max(list.window.height - 1, 1)
        switch command {
        case .selectUp: list.window.move(by: -1)
        case .selectDown: list.window.move(by: 1)
        case .selectPageUp: list.window.move(by: -page)
        case .selectPageDown: list.window.move(by: page)
        case .selectFirst: list.window.select(0)
        case .selectLast: list.window.select(.max)
        case .selectCurrent: if let current = Self.current(in: view) { list.select(entry: current) }
        default: return false
        }
        didMove(toCurrent: command == .selectCurrent)
        return true
    }
}

/// The lists of all pages.
struct ListPages: Sendable {
    private var pages = ListID.allCases.map(\.page)
    /// Whether the podcasts page displays episodes.
    private var showsEpisodes = false
    /// Whether the podcasts page displays notes instead of a list.
    private var showsNotes = false

    subscript(id: ListID) -> any ListPage {
        get { pages[id.rawValue] }
        _modify { yield &pages[id.rawValue] }
    }

    /// Returns the list of a page; `nil` if it has none.
    func id(of page: PlayerPage) -> ListID? {
        switch page {
        case .playing: nil
        case .queue: .queue
        case .chapters: .chapters
        case .bookmarks: .bookmarks
        case .effects: .effects
        case .files: .files
        case .podcasts: showsNotes ? .notes : showsEpisodes ? .episodes : .shows
        case .transcript: .transcript
        }
    }

    // MARK: The podcasts page

    /// Displays a list from its start.
    private mutating func show(_ id: ListID) {
        self[id].list = ListState()
        (showsEpisodes, showsNotes) = (showsEpisodes || id == .episodes, id == .notes)
    }

    /// Displays the new episodes of all podcasts.
    mutating func showInbox() -> [PlayerAction] {
        show(.episodes)
        return [.openInbox]
    }

    /// Displays the results of a search.
    mutating func showFoundEpisodes() { showsEpisodes = true }

    /// Displays the podcasts or episodes again after notes.
    mutating func hideNotes() { showsNotes = false }

    /// Displays the notes of the selected episode or podcast; on other pages, those of the current episode.
    /// - Parameter id: The list of the page.
    /// - Returns: `nil` if no entry is selected, or notes are displayed.
    mutating func showNotes(from id: ListID?, in view: PlayerView) -> [PlayerAction]? {
        let subject: NotesView.Subject
        switch id {
        case .notes: return nil
        case .episodes:
            guard let entry = self[.episodes].list.selectedEntry else { return nil }
            subject = .episode(view.podcasts.episodes[entry].id)
        case .shows:
            guard let entry = self[.shows].list.selectedEntry else { return nil }
            subject = .show(view.podcasts.shows[entry].id)
        default: subject = .playing
        }
        show(.notes)
        return [.readNotes(subject)]
    }

    /// Opens the selected podcast, or leaves notes or episodes.
    /// - Returns: `nil` for another command.
    mutating func navigate(_ command: FaceCommand, from id: ListID, in view: PlayerView) -> [PlayerAction]? {
        switch (command, id) {
        case (.activate, .shows):
            guard let entry = self[.shows].list.selectedEntry else { return [] }
            show(.episodes)
            return [.openShow(view.podcasts.shows[entry].id)]
        case (.back, .notes): showsNotes = false
        case (.back, .episodes): showsEpisodes = false
        default: return nil
        }
        if let shown = self.id(of: .podcasts) { self[shown].update(view) }
        return []
    }
}
