import Foundation
import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// The terminal's description of the current input.
///
/// Its texts come from outside; control characters are removed when the lines are composed.
struct NowPlaying: Equatable, Sendable {
    /// A chapter as people count them.
    struct Chapter: Equatable, Sendable {
        /// From 1 on.
        var number: Int
        var count: Int
        var title: String?
    }

    /// The name of the input without its folder, used if there is no title.
    var name: String
    /// The tags of the input, or of the broadcast's present programme.
    var tags: [String: String] = [:]
    /// The place in the queue, from 1 on.
    var number: Int
    /// The number of inputs in the queue.
    var count: Int
    /// The chapter that is being heard.
    var chapter: Chapter?

    /// The number in the queue, the artist and the title: `2/5  Artist – Title`.
    var headline: String {
        let title = tag("title") ?? Self.clean(name)
        let text = [tag("artist") ?? tag("album_artist"), title].compactMap(\.self).joined(separator: " – ")
        return count > 1 ? "\(number)/\(count)  \(text)" : text
    }

    /// The album, or the station of a broadcast.
    var album: String? { tag("album") ?? tag("station") }

    /// The line for a terminal that can only print: all but the chapter.
    var itemLine: String { [headline, album].compactMap(\.self).joined(separator: "  ·  ") }

    /// The chapter with its number: `Chapter 3/12  Title`.
    var chapterLine: String? {
        guard let chapter else { return nil }
        let title = chapter.title.map(Self.clean) ?? ""
        return "Chapter \(chapter.number)/\(chapter.count)" + (title.isEmpty ? "" : "  \(title)")
    }

    private func tag(_ name: String) -> String? {
        guard let text = tags[name].map(Self.clean), !text.allSatisfy(\.isWhitespace) else { return nil }
        return text
    }

    private static func clean(_ text: String) -> String { PrintableText.line(text) }
}

extension NowPlaying {
    /// The input whose turn it is.
    init(_ session: ListeningSession) {
        let (queue, chapters) = (session.queue, session.item.chapters)
        self.init(name: queue.current.shortName, tags: session.item.tags, number: queue.index + 1, count: queue.count)
        chapter = chapters.current.map {
            Chapter(number: $0 + 1, count: chapters.chapters.count, title: chapters.chapters[$0].title)
        }
    }
}
