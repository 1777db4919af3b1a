package import SyrinxMediaCodec
package import SyrinxPlayback

/// The facts about an episode that a session decides by; the face that chooses the episode hands them in.
package struct EpisodeFacts: Sendable {
    /// The number of the episode in the library; `nil` if it is not known.
    package var id: Int64?
    /// The number of the podcast.
    package var podcast: Int64
    /// The title of the podcast.
    package var title: String?
    /// The settings of the podcast.
    package var settings: ShowSettings
    /// The chapters that the feed has, by their source.
    package var chapters: [ChapterSource: [Chapter]]

    /// Creates the facts about an episode.
    ///
    /// - Parameters:
    ///   - id: The number of the episode in the library.
    ///   - podcast: The number of its podcast.
    ///   - title: The title of its podcast.
    ///   - settings: The settings of its podcast.
    ///   - chapters: The chapters that the feed has, by their source.
    package init(
        id: Int64? = nil,
        podcast: Int64,
        title: String? = nil,
        settings: ShowSettings = ShowSettings(),
        chapters: [ChapterSource: [Chapter]] = [:]
    ) {
        (self.id, self.podcast, self.title) = (id, podcast, title)
        (self.settings, self.chapters) = (settings, chapters)
    }
}

extension [ChapterSource: [Chapter]] {
    /// Returns these chapters of a feed and those of the file; without any of the feed the file's stay as they are.
    ///
    /// - Parameters:
    ///   - own: The chapters of the file.
    ///   - duration: The length of the recording in seconds, if it is known.
    package func merged(with own: [MediaChapter], duration: Double?) -> [MediaChapter] {
        guard values.contains(where: { !$0.isEmpty }) else { return own }
        var list = ChapterList(duration: duration)
        list.set(own.map { Chapter(start: $0.start, end: $0.end, title: $0.title) }, from: .file)
        for (source, chapters) in self { list.set(chapters, from: source) }
        return list.chapters.map { MediaChapter(start: $0.start, end: $0.end ?? $0.start, title: $0.title) }
    }
}
