package import SyrinxListening

/// A search among the rows of a queue: which rows are shown.
///
/// A row matches if its text holds all words of the query, in any order. Case, accents and the width of letters make no difference.
public struct QueueSearch: Sendable {
    /// The numbers of the rows that are shown, in ascending order; `nil` while all are shown.
    public private(set) var matches: [Int]?

    /// The text of each row, folded.
    private var texts: [[UInt8]] = []
    /// The words that are searched for.
    private var query = SearchText.Query("")

    /// Creates a search that shows all rows.
    public init() {}

    /// Whether only the rows that match are shown.
    public var isActive: Bool { matches != nil }

    // MARK: Changes

    /// Searches for other words.
    /// - Parameter query: The words, separated by spaces; none shows all rows. The first 200 characters count.
    public mutating func find(_ query: String) {
        let former = self.query
        self.query = SearchText.Query(query)
        if self.query != former { matchAll() }
    }

    /// Takes the texts of other rows, in which the same words are searched for.
    /// - Parameter texts: The text of each row, as of `text(of:tags:names:)`.
    public mutating func setTexts(_ texts: [String]) {
        self.texts = texts.map(SearchText.folded)
        matchAll()
    }

    /// Takes another text of a row.
    /// - Parameters:
    ///   - text: The text, as of `text(of:tags:names:)`.
    ///   - row: The number of the row; one that does not exist changes nothing.
    /// - Returns: Whether the row is shown now and was not before, or the other way round.
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

    // MARK: Rows that are shown

    /// Returns the number of rows that are shown.
    /// - Parameter count: The number of rows of the queue.
    public func shownCount(of count: Int) -> Int { matches?.count ?? count }

    /// Returns the numbers of the rows at some places among those that are shown.
    /// - Parameter places: The places, from 0 on; those behind the last row are left out.
    public func rows(at places: Range<Int>) -> [Int] {
        guard let matches else { return Array(places) }
        return Array(matches[places.clamped(to: matches.indices)])
    }

    /// Returns the row for the focus once another row is gone or hidden: the next that is shown, else the last.
    /// - Parameters:
    ///   - row: The number of the row that had the focus.
    ///   - count: The number of rows of the queue.
    /// - Returns: The number of a row; `nil` if none is shown.
    public func nearest(to row: Int, count: Int) -> Int? {
        guard let matches else { return count > 0 ? row.clamped(to: 0...count - 1) : nil }
        return matches.first { $0 >= row } ?? matches.last
    }

    // MARK: Texts

    /// Returns the text by which a row is found.
    /// - Parameters:
    ///   - row: The texts that are shown.
    ///   - tags: The tags of the recording, as far as they have been read.
    ///   - names: The names besides: of the file, and of the playlist's entry.
    /// - Returns: Title, performer, album, host and names, each once and in a line.
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
