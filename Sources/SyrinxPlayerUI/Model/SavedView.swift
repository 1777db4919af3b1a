import SyrinxListening

/// The stations, playlists and heard titles of the user.
package struct SavedView: Equatable, Sendable {
    /// An entry of the list.
    package struct Entry: Equatable, Sendable {
        /// The meaning of an entry.
        package enum Kind: Equatable, Sendable {
            /// A favorite station, or one that was heard last, by its address.
            case station(String, isFavorite: Bool)
            /// A saved playlist, by its name.
            case playlist(String)
            /// A title that was heard.
            case title
        }

        package var kind: Kind
        package var title: String
        package var detail: String

        package init(_ kind: Kind, title: String, detail: String) {
            (self.kind, self.title, self.detail) = (kind, title, detail)
        }
    }

    /// The entries: favorite stations, other stations, playlists, titles.
    package var entries: [Entry]
    /// Whether the entries are still being read.
    package var isReading: Bool

    package init(entries: [Entry] = [], isReading: Bool = false) {
        (self.entries, self.isReading) = (entries, isReading)
    }
}

extension SavedView.Entry {
    /// The actions that open the entry; none for a title.
    var opening: [PlayerAction] {
        switch kind {
        case .station(let address, _): [.playInput(address)]
        case .playlist(let name): [.command(.openPlaylist(name))]
        case .title: []
        }
    }

    /// The question or the line with which a key changes the entry; `nil` if the key has no meaning for it.
    func prompt(for key: Character) -> Prompt? {
        switch (kind, key) {
        case (.playlist(let name), "d"): Prompt(.confirm("Delete the playlist \(name)?", .deletePlaylist(name)))
        case (.playlist(let name), "r"): Prompt(.renamePlaylist(name), text: name)
        case (.station(let address, isFavorite: true), "d"):
            Prompt(.confirm("Remove \(title) from the favorites?", .removeStation(address)))
        default: nil
        }
    }
}
