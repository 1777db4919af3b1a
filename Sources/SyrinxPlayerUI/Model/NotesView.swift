import SyrinxTerminal

/// The notes of an episode, or the description of a podcast.
package struct NotesView: Equatable, Sendable {
    /// The subject of notes.
    package enum Subject: Equatable, Sendable {
        case episode(Int64)
        case show(Int64)
        /// The current episode.
        case playing
    }

    /// A row of the notes.
    package struct Line: Equatable, Sendable {
        package var text: String
        /// The first time of the episode that the line contains, in seconds.
        package var time: Double?
        /// Whether the line contains a link.
        package var hasLink: Bool
        /// Whether an empty row precedes the line.
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
    /// The episode to which the times refer.
    package var episode: Int64?
    package var lines: [Line]
    /// Whether the notes are still being read.
    package var isLoading: Bool
    /// The error message if the notes cannot be read.
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

    /// Returns the notes with long lines wrapped, and with empty rows between paragraphs.
    ///
    /// - Parameter columns: The width of the screen; at least 16 columns are used for text.
    /// - Complexity: O(*n*) in the length of the notes.
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
