/// A face of the player.
package enum PlayerFace: String, CaseIterable, Sendable {
    /// The full screen, and the line of `--plain`.
    case terminal
    /// The window of the desktop.
    case window
}

/// A part of a face in which keys have meanings of their own.
package enum KeyContext: String, CaseIterable, Sendable {
    /// Everywhere, unless the page gives a key another meaning.
    case player
    /// All lists.
    case list
    case queue, chapters, bookmarks, effects, files, podcasts, transcript
}

/// A page of a face, by its number in `page 1` and so on.
///
/// The window has some of the pages as a pane or a popover, and some not at all.
package enum PlayerPage: Int, CaseIterable, Sendable {
    case playing, queue, chapters, bookmarks, effects, files, podcasts, transcript

    /// The name in the header.
    package var title: String {
        switch self {
        case .playing: "Playing"
        case .queue: "Queue"
        case .chapters: "Chapters"
        case .bookmarks: "Bookmarks"
        case .effects: "Effects"
        case .files: "Files"
        case .podcasts: "Podcasts"
        case .transcript: "Transcript"
        }
    }

    /// Returns the page that is `count` (−1 or 1) tabs to the right, from the last to the first.
    package func turned(by count: Int) -> PlayerPage {
        let pages = Self.allCases
        return pages[(rawValue + count + pages.count) % pages.count]
    }

    /// The contexts in which a key is looked up, in this order.
    package var contexts: [KeyContext] {
        switch self {
        case .playing: [.player]
        case .queue: [.queue, .list, .player]
        case .chapters: [.chapters, .list, .player]
        case .bookmarks: [.bookmarks, .list, .player]
        case .effects: [.effects, .list, .player]
        case .files: [.files, .list, .player]
        case .podcasts: [.podcasts, .list, .player]
        case .transcript: [.transcript, .list, .player]
        }
    }
}
