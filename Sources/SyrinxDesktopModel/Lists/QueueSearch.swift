package import SyrinxListening

/// A search in the queue, which determines the visible rows.
///
/// A row matches if its text contains all words of the query, in any order. Case, accents and letter width are ignored.
public struct QueueSearch: Sendable {
    /// The indices of the matching rows in ascending order; `nil` if there is no search.
    public private(set) var matches: [Int]?

    /// The normalized text of each row.
    private var texts: [[UInt8]] = []
    /// The words of the query.
    private var query = SearchText.Query("")

    /// Creates a search that matches all rows.
    public init() {}

    /// Whether there is a query.
    public var isActive: Bool { matches != nil }

    // MARK: Changes

    /// Changes the query.
    /// - Parameter query: Words separated by spaces, of which the first 200 characters are used; an empty query shows
    ///   all rows.
    public mutating func find(_ query: String) {
        let former = self.query
        self.query = SearchText.Query(query)
        if self.query != former { matchAll() }
    }

    /// Replaces the texts of all rows, and repeats the search.
    /// - Parameter texts: The text of each row, as returned by `text(of:tags:names:)`.
    public mutating func setTexts(_ texts: [String]) {
        self.texts = texts.map(SearchText.folded)
        matchAll()
    }

    /// Replaces the text of a row.
    /// - Parameters:
    ///   - text: The text, as returned by `text(of:tags:names:)`.
    ///   - row: The index of the row; an invalid index is ignored.
    /// - Returns: Whether the visibility of the row has changed.
    public mutating func setText(_ text: String, of row: Int) -> Bool {
        guard texts.indices.contains(row) else { return false }
        texts[row] = SearchText.folded(text)
        guard let matches else { return false }
        let place = matches.firstIndex { $0 >= row } ?? matches.count
        let isShown = place < matches.count && matches[place] == row
        guard query.matches(texts[row]) != isShown else { return false }
        if isShown { self.matches?.remove(at: place) } else { self.matches?.insert(row, at: place) }
        return true
    }

    // MARK: Visible rows

    /// Returns the number of visible rows.
    /// - Parameter count: The number of rows of the queue.
    public func shownCount(of count: Int) -> Int { matches?.count ?? count }

    /// Returns the row indices at positions among the visible rows.
    /// - Parameter places: The positions; those after the last row are ignored.
    public func rows(at places: Range<Int>) -> [Int] {
        guard let matches else { return Array(places) }
        return Array(matches[places.clamped(to: matches.indices)])
    }

    /// Returns the row to focus after the focused row was removed or hidden: the next visible one, otherwise the last.
    /// - Parameters:
    ///   - row: The index of the row that had the focus.
    ///   - count: The number of rows of the queue.
    /// - Returns: A row index; `nil` if no row is visible.
    public func nearest(to row: Int, count: Int) -> Int? {
        guard let matches else { return count > 0 ? row.clamped(to: 0...count - 1) : nil }
        return matches.first { $0 >= row } ?? matches.last
    }

    // MARK: Texts

    /// Returns the text in which a row is searched.
    /// - Parameters:
    ///   - row: The displayed texts.
    ///   - tags: The tags of the recording that have been read.
    ///   - names: Further names, of the file and of the playlist entry.
    /// - Returns: The title, artist, album, host and names, without duplicates, as lines.
    package static func text(of row: QueueRowText, tags: ListeningTags, names: [String]) -> String {
        var parts: [String] = []
        for part in [row.title, row.detail, tags.artist ?? "", tags.album ?? ""] + names
        where !part.isEmpty && !parts.contains(part) {
            parts.append(part)
        }
        return parts.joined(separator: "\n")
    }

    private mutating func matchAll() {
        matches = query.isEmpty ? nil : texts.indices.filter { query.matches(texts[$0]) }
    }
}
