package import SyrinxListening

/// The texts of the recording that plays.
package struct TrackText: Sendable, Equatable {
    /// The title; empty if nothing is open.
    package var title: String
    /// The performer and the album, or the radio station; empty if neither is known.
    package var detail: String

    /// Creates the texts of the current item of a session.
    package init(_ session: ListeningSession) {
        let queue = session.queue
        let name = queue.isEmpty ? nil : queue.current.title ?? queue.current.shortName
        self.init(name: name, tags: session.item.tags)
    }

    /// Creates the texts of a recording.
    /// - Parameters:
    ///   - name: The title of a recording without tags; `nil` if nothing is open.
    ///   - tags: The tags by their names.
    init(name: String?, tags: [String: String]) {
        func text(_ key: String) -> String? { tags[key].flatMap { $0.isEmpty ? nil : $0 } }
        title = name.map { text("title") ?? $0 } ?? ""
        let album = tags["album"] ?? tags["station"] ?? ""
        let parts = [text("artist") ?? text("album_artist") ?? "", album].filter { !$0.isEmpty }
        // An episode whose file names neither has the podcast for both.
        detail = (parts.count == 2 && parts[0] == parts[1] ? [parts[0]] : parts).joined(separator: " · ")
    }
}
