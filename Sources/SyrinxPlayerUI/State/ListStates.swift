import SyrinxListening
import SyrinxTerminal

/// Identifies a list of the screen.
enum ListID: Int, CaseIterable, Sendable {
    case queue, chapters, bookmarks, effects, files, shows, episodes, transcript, notes
}

/// The selection and the filter of a list.
struct ListState: Sendable {
    var window = ListWindow()
    /// The words that entries must contain, ignoring case and accents; empty for all entries.
    private(set) var filter = ""
    /// The indices of the matching entries, in order; `nil` for all.
    private(set) var matches: [Int]?
    /// The view whose list was filtered.
    private var filtered: PlayerView?

    /// The index of the selected entry; `nil` in an empty list.
    var selectedEntry: Int? { window.count > 0 ? entry(at: window.selection) : nil }

    /// Returns the index of the entry at a row.
    func entry(at index: Int) -> Int { matches.map { $0[index] } ?? index }

    /// Selects an entry, unless the filter hides it.
    mutating func select(entry: Int) {
        guard let matches else {
            window.center(entry)
            return
        }
        var (low, high) = (0, matches.count)
        while low < high {
            let middle = (low + high) / 2
            if matches[middle] < entry { low = middle + 1 } else { high = middle }
        }
        if low < matches.count, matches[low] == entry { window.center(low) }
    }

    /// Updates the state for a list.
    ///
    /// The cost is constant, unless the list or the filter has changed.
    mutating func update(_ id: ListID, _ view: PlayerView) {
        if !filter.isEmpty, filtered.map({ id.isSame(in: $0, view) }) != true { search(id, view, among: nil) }
        window.resize(count: matches?.count ?? id.count(in: view))
    }

    /// Sets the filter; an empty one shows all entries and keeps the selection.
    mutating func setFilter(_ text: String, _ id: ListID, _ view: PlayerView) {
        guard text != filter else { return }
        let selected = selectedEntry
        let isNarrower = !filter.isEmpty && text.hasPrefix(filter)
        filter = text
        if text.isEmpty {
            matches = nil
            filtered = nil
        } else {
            search(id, view, among: isNarrower ? matches : nil)
        }
        window.resize(count: matches?.count ?? id.count(in: view))
        window.select(0)
        if let selected { select(entry: selected) }
    }

    private mutating func search(_ id: ListID, _ view: PlayerView, among places: [Int]?) {
        let query = SearchText.Query(filter)
        func isMatch(_ index: Int) -> Bool { query.matches(SearchText.folded(id.text(of: index, in: view))) }
        matches = places?.filter(isMatch) ?? (0..<id.count(in: view)).filter(isMatch)
        filtered = view
    }
}

/// The states of all lists.
struct ListStates: Sendable {
    private var states = Array(repeating: ListState(), count: ListID.allCases.count)

    subscript(id: ListID) -> ListState {
        get { states[id.rawValue] }
        set { states[id.rawValue] = newValue }
        _modify { yield &states[id.rawValue] }
    }
}

extension ListID {
    /// The number of entries.
    func count(in view: PlayerView) -> Int {
        switch self {
        case .queue: view.queue.count
        case .chapters: view.chapters.count
        case .bookmarks: view.listedBookmarks.count
        case .effects: EffectRow.count(view.effects)
        case .files: view.files.entries.count
        case .shows: view.podcasts.shows.count
        case .episodes: view.podcasts.episodes.count
        case .transcript: view.transcript.lines.count
        case .notes: view.notes.lines.count
        }
    }

    /// Returns the text of an entry that the filter searches.
    fileprivate func text(of index: Int, in view: PlayerView) -> String {
        switch self {
        case .queue:
            [view.queue[index].title, view.queue[index].detail, view.queue[index].searched].compactMap(\.self)
                .joined(separator: "\n")
        case .chapters: view.chapters[index].title ?? ""
        case .bookmarks: view.listedBookmarks[index].title + "\n" + (view.listedBookmarks[index].item ?? "")
        case .effects: EffectRow.all(view.effects)[index].name(in: view.effects)
        case .files: view.files.entries[index].name
        case .shows: view.podcasts.shows[index].title + "\n" + (view.podcasts.shows[index].author ?? "")
        case .episodes: view.podcasts.episodes[index].title + "\n" + (view.podcasts.episodes[index].show ?? "")
        case .transcript: view.transcript.lines[index].text
        case .notes: view.notes.lines[index].text
        }
    }

    /// Whether two views have the same list; fast if they share its storage.
    fileprivate func isSame(in left: PlayerView, _ right: PlayerView) -> Bool {
        switch self {
        case .queue: left.queue == right.queue
        case .chapters: left.chapters == right.chapters
        case .bookmarks: left.listedBookmarks == right.listedBookmarks
        case .effects: left.effects == right.effects
        case .files: left.files.entries == right.files.entries
        case .shows: left.podcasts.shows == right.podcasts.shows
        case .episodes: left.podcasts.episodes == right.podcasts.episodes
        case .transcript: left.transcript.lines == right.transcript.lines
        case .notes: left.notes.lines == right.notes.lines
        }
    }
}

/// A row of the effects page.
enum EffectRow: Equatable, Sendable {
    case effect(Int)
    case parameter(effect: Int, Int)

    static func count(_ effects: [EffectView]) -> Int { effects.reduce(0) { $0 + 1 + $1.parameters.count } }

    static func all(_ effects: [EffectView]) -> [EffectRow] {
        effects.indices.flatMap { index in
            [.effect(index)] + effects[index].parameters.indices.map { .parameter(effect: index, $0) }
        }
    }

    func name(in effects: [EffectView]) -> String {
        switch self {
        case .effect(let index): effects[index].name
        case .parameter(let index, let place): effects[index].name + " " + effects[index].parameters[place].name
        }
    }
}
