import SyrinxTerminal

/// The notes of an episode, or the description of a podcast.
package struct NotesView: Equatable, Sendable {
    /// A subject that has notes.
    package enum Subject: Equatable, Sendable {
        case episode(Int64)
        case show(Int64)
        /// The episode that plays.
        case playing
    }

    /// A row of the notes.
    package struct Line: Equatable, Sendable {
        package var text: String
        /// The time of the episode that the line names first, in seconds.
        package var time: Double?
        /// Whether the line has a link.
        package var hasLink: Bool
        /// Whether a row is left empty above it.
        package var beginsParagraph: Bool

        package init(text: String, time: Double? = nil, hasLink: Bool = false, beginsParagraph: Bool = false) {
            self.text = text
            self.time = time
            self.hasLink = hasLink
            self.beginsParagraph = beginsParagraph
        }
    }

    /// The title of the episode or podcast; empty until it is known.
    package var title: String
    /// The episode whose times the lines name.
    package var episode: Int64?
    package var lines: [Line]
    /// Whether they are still being read.
    package var isLoading: Bool
    /// The sentence about why they cannot be read, if so.
    package var failure: String?

    package init(
        title: String = "",
        episode: Int64? = nil,
        lines: [Line] = [],
        isLoading: Bool = false,
        failure: String? = nil
    ) {
        (self.title, self.episode, self.lines) = (title, episode, lines)
        (self.isLoading, self.failure) = (isLoading, failure)
    }

    /// Returns the notes with lines that are longer than a row divided between words, and empty rows between paragraphs.
    ///
    /// - Parameter columns: The width of the screen; rows have at least 16 columns for the words.
    /// - Complexity: O(n) in the length of the notes.
    package func wrapped(columns: Int) -> Self {
        let room = min(max(columns - 5, 16), CellGrid.maximumSide)
        var result = self
        result.lines = lines.flatMap { line in
            let rows = line.text.wrapped(columns: room).map { text in
                var row = line
                row.text = text
                return row
            }
            return (line.beginsParagraph ? [Line(text: "")] : []) + rows
        }
        return result
    }
}
