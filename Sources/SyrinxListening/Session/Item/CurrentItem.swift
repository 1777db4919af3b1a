import SyrinxMediaCodec
import SyrinxStreaming

/// The state of the current input.
package struct CurrentItem: Sendable {
    /// The status, the position and the duration.
    package var progress = PlaybackProgress()
    /// Whether the streamer has opened the input, so that its duration, tags and chapters are known.
    package private(set) var isOpen = false
    /// The seconds that shortened pauses have saved; `nil` if pauses are not shortened.
    package var timeSaved: Double?
    /// The chapters of the file and of the feed.
    package private(set) var chapters = ChapterTracker()
    /// The tags; for a broadcast, those of the current programme.
    package private(set) var tags: [String: String] = [:]
    private var fileChapters: [MediaChapter] = []
    /// Whether the input is a radio station: a broadcast without a duration.
    package private(set) var isStation = false
    /// Whether the input is a favorite; `nil` while this is unknown.
    package var isFavorite: Bool?

    init() {}

    /// Creates the state of an input before it is opened.
    init(_ input: ListeningInput, _ facts: EpisodeFacts?) { tags = Self.titled([:], input, show: facts?.title) }

    /// Creates the state of an input while nothing is open.
    /// - Parameters:
    ///   - input: The input.
    ///   - facts: The podcast information about the input; `nil` if it is not an episode.
    ///   - known: The tags of its file.
    ///   - time: The position at which the input would resume, in seconds.
    init(_ input: ListeningInput, _ facts: EpisodeFacts?, known: ListeningTags, at time: Double) {
        let texts = ["title": known.title, "artist": known.artist, "album": known.album]
        tags = Self.titled(texts.compactMapValues(\.self), input, show: facts?.title)
        progress = PlaybackProgress(state: .stopped, time: time, duration: known.duration)
    }

    /// Processes an event of the streamer that is neither about the status nor about the end of the input.
    mutating func take(_ event: StreamingEvent, of input: ListeningInput, _ facts: EpisodeFacts?) -> [SessionAction] {
        switch event {
        case .opened(let info): return open(info, input, facts)
        case .position(let time):
            progress.time = time
            return [.emit(.position(time: time))] + noteChapter()
        case .duration(let seconds, let isExact):
            (progress.duration, progress.durationIsEstimate) = (seconds, !isExact)
            return [.emit(.duration(seconds: seconds, isExact: isExact))]
        case .download(let received, let total, let ranges):
            progress.setReceived(ranges, total: total)
            return [.emit(.download(received: received, total: total, ranges: ranges))]
        case .metadata(let new):
            let titled = Self.titled(new, input, show: facts?.title)
            // Titles of a broadcast do not include the name of the station.
            tags = titled.merging(tags.filter { ["station", "stationPicture"].contains($0.key) }) { own, _ in own }
            return [.emit(.metadata(titled))]
        case .retry(let attempt, let delay, let code):
            return [.emit(.retry(attempt: attempt, delay: delay, code: code))]
        case .warning(let error): return [.emit(.warning(Failure(error, input: input.name)))]
        case .missing(let sound): return [.emit(.warning(Failure(sound)))]
        case .outputLost(let error):
            progress.lacksOutput = true
            return [.emit(.warning(Failure(error, input: input.name)))]
        case .outputFound(let output):
            progress.lacksOutput = false
            return [.note("Playback continues\(output.map { " on “\($0)”" } ?? "")")]
        case .status, .failed, .advancing, .ended: return []
        }
    }

    private mutating func open(_ info: MediaInfo, _ input: ListeningInput, _ facts: EpisodeFacts?) -> [SessionAction] {
        isOpen = true
        progress.duration = info.duration
        isStation = input.isWeb && facts == nil && info.duration == nil && info.size == nil && !info.isSeekable
        progress.durationIsEstimate = !info.durationIsExact
        if let size = info.size, size > 0, progress.received.isEmpty { progress.received = [0..<1] }
        tags = Self.titled(info.tags, input, show: facts?.title)
        fileChapters = info.chapters
        chapters = ChapterTracker(merged(facts))
        let opened = SessionAction.emit(.opened(OpenedFields(info, url: input.name)))
        // If the input has its own tags, the streamer reports them.
        return [opened] + (info.tags.isEmpty && !tags.isEmpty ? [.emit(.metadata(tags))] : [])
    }

    /// Adds chapters from the feed.
    mutating func takeChapters(_ facts: EpisodeFacts?) {
        let merged = merged(facts)
        if merged != chapters.chapters { chapters = ChapterTracker(merged) }
    }

    private func merged(_ facts: EpisodeFacts?) -> [MediaChapter] {
        facts?.chapters.merged(with: fileChapters, duration: progress.duration) ?? fileChapters
    }

    /// Reports the current chapter, if it has changed.
    mutating func noteChapter() -> [SessionAction] {
        guard let index = chapters.move(to: progress.time) else { return [] }
        let chapter = chapters.chapters[index]
        return [.emit(.chapter(index: index, title: chapter.title, start: chapter.start, end: chapter.end))]
    }

    /// The end of the current chapter, in seconds.
    var chapterEnd: Double? {
        chapters.index(at: progress.time).map { nextChapter ?? chapters.chapters[$0].end }
    }

    /// The start of the next chapter, in seconds.
    var nextChapter: Double? { chapters.index(after: progress.time).map { chapters.chapters[$0].start } }

    /// The position to which the command for the previous chapter seeks, in seconds.
    var previousChapter: Double { chapters.index(before: progress.time).map { chapters.chapters[$0].start } ?? 0 }

    /// Returns tags, completed with the information of a playlist or a feed.
    /// - Parameter show: The title of the podcast.
    static func titled(_ tags: [String: String], _ input: ListeningInput, show: String?) -> [String: String] {
        // A CUE sheet describes the track, but the tags of the file describe the disc.
        var tags = tags.merging(input.tags) { $1 }
        if let show {
            // Tags of episodes are often wrong, or made for another feed.
            if let title = input.title, !title.isEmpty { tags["title"] = title }
            if tags["artist"] == nil, tags["album_artist"] == nil { tags["artist"] = show }
            if tags["album"] == nil { tags["album"] = show }
        }
        if tags["title"] == nil, let title = input.title, !title.isEmpty { tags["title"] = title }
        return tags
    }
}
