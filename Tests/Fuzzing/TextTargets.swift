import Foundation
import SyrinxPlayback

@testable import SyrinxPodcastLibrary
@testable import SyrinxStreaming

/// Texts that come from servers and files. The first byte chooses among the formats of a target, and the rest is the text.
enum TextTargets {
    private static let server = URL(string: "https://example.org/folder/list")
    private static let file = URL(fileURLWithPath: "/folder/list")

    static func list(_ choice: UInt8, _ text: [UInt8]) {
        let formats = Playlist.Format.allCases
        let format = formats[Int(choice) % formats.count]
        let url = choice & 0x80 == 0 ? file : server ?? file
        guard let list = try? Playlist(Data(text), format: format, from: url) else { return }
        precondition(!list.entries.isEmpty && list.entries.count <= Playlist.mostEntries, "a list that cannot be")
        for entry in list.entries.prefix(100) {
            precondition(entry.duration ?? 0 >= 0, "a duration below zero")
            precondition(url == file || !entry.url.isFileURL, "a list from a server that names a file")
        }
    }

    static func liveList(_ choice: UInt8, _ text: [UInt8]) {
        guard let server else { return }
        let locator = HLSLocator(base: server, allowsInsecure: choice & 1 != 0)
        guard case .media(let list)? = try? HLSPlaylistParser.parse(text, locator: locator) else { return }
        // A delta update stands on the version before.
        let known = Dictionary(list.segments.map { ($0.sequence, $0) }) { $1 }
        _ = try? HLSPlaylistParser.parse(text, locator: locator) { known[$0] }
    }

    static func feed(_ choice: UInt8, _ text: [UInt8]) {
        var rest = text[...]
        let size = 1 + Int(choice) * 16
        let source = { () -> [UInt8] in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        _ = try? FeedParser.parse(source, charset: choice & 1 == 0 ? nil : "utf-8", base: server) { episodes in
            precondition(!episodes.isEmpty, "a batch without an episode")
        }
        _ = try? OPML.entries(in: Data(text), name: "list")
    }

    static func transcript(_ choice: UInt8, _ text: [UInt8]) {
        let formats = TranscriptDocuments.Format.allCases
        let format = formats[Int(choice) % formats.count]
        guard let transcript = try? TranscriptDocuments.read(Data(text), as: format) else { return }
        for passage in transcript.passages { precondition(passage.start?.isFinite ?? true, "a time that is no number") }
    }

    static func chapters(_ choice: UInt8, _ text: [UInt8]) {
        let data = Data(text)
        let chapters =
            choice & 1 == 0 ? try? ChapterDocuments.podcastDocument(data) : try? ChapterDocuments.podlove(data)
        for chapter in chapters ?? [] {
            precondition((0...ChapterList.maximumTime).contains(chapter.start), "a start that cannot be")
        }
        var list = ChapterList(duration: Double(choice))
        _ = list.set(chapters ?? [], from: .podcastDocument)
    }

    static func sync(_ choice: UInt8, _ text: [UInt8]) {
        let (decoder, data) = (JSONDecoder(), Data(text))
        _ = try? decoder.decode(SyncMessages.Receipt.self, from: data)
        if let changes = try? decoder.decode(SyncMessages.Subscriptions.self, from: data) {
            let (added, removed) = (Set(changes.add ?? []), Set(changes.remove ?? []))
            _ = SyncMerge(present: added, added: [], removed: removed, remote: (Array(added), Array(removed)))
        }
        guard let actions = (try? decoder.decode(SyncMessages.Actions.self, from: data))?.actions else { return }
        let server = SyncServer(
            choice & 1 == 0 ? .nextcloud : .gpodder,
            url: "https://example.org",
            user: "a",
            password: "b"
        )
        for action in SyncMessages.positions(actions) { _ = SyncMessages.action(action, server) }
    }
}
