import SyrinxListening
import SyrinxTerminal

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

    /// The entries that the filter shows, in order.
    var shownEntries: [Int] { matches ?? Array(0..<window.count) }

    /// The indices of the entries in the visible rows, from the top.
    var visibleEntries: [Int] {
        let end = min(window.offset + window.height, window.count)
        return (window.offset..<max(end, window.offset)).map(entry)
    }

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
    mutating func update<Page: ListPage>(_ page: Page.Type, _ view: PlayerView) {
        if !filter.isEmpty, filtered.map({ Page.isSame(in: $0, view) }) != true { search(page, view, among: nil) }
        window.resize(count: matches?.count ?? Page.count(in: view))
    }

    /// Sets the filter; an empty one shows all entries and keeps the selection.
    mutating func setFilter<Page: ListPage>(_ text: String, _ page: Page.Type, _ view: PlayerView) {
        guard text != filter else { return }
        let selected = selectedEntry
        let isNarrower = !filter.isEmpty && text.hasPrefix(filter)
        filter = text
        if text.isEmpty {
            matches = nil
            filtered = nil
        } else {
            search(page, view, among: isNarrower ? matches : nil)
        }
        window.resize(count: matches?.count ?? Page.count(in: view))
        window.select(0)
        if let selected { select(entry: selected) }
    }

    private mutating func search<Page: ListPage>(_ page: Page.Type, _ view: PlayerView, among places: [Int]?) {
        let query = SearchText.Query(filter)
        func isMatch(_ index: Int) -> Bool { query.matches(SearchText.folded(Page.text(of: index, in: view))) }
        matches = places?.filter(isMatch) ?? (0..<Page.count(in: view)).filter(isMatch)
        filtered = view
    }
}
