import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// An episode that can be played, with what the library knows of it.
struct EpisodeEntry: Sendable {
    /// The number in the library.
    var id: Int64
    /// The recording, as the queue has it.
    var track: Track
    /// The time at which listening goes on.
    var start: Double
    /// The podcast.
    var podcast: Podcast.ID
    /// The title of the podcast.
    var show: String
    /// The length as the feed states it.
    var duration: Double?
    /// The settings of its podcast.
    var settings: ShowSettings
    /// The chapters that the feed states.
    var chapters: [ChapterSource: [Chapter]]
    /// The address of a document with more chapters.
    var chapterDocument: String?

    /// Reads an episode; `nil` if it has no recording.
    init?(_ episode: Episode, in library: PodcastLibrary) throws(PodcastError) {
        let download = try library.download(of: episode.id)
        let file = download.flatMap { $0.state == .completed ? $0.file : nil }
            .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
        let recording = try library.recordingURL(of: episode)
        let local = file.flatMap { ListeningInput(location: $0.absoluteString) }
        // A feed may not name files of this machine.
        let remote = recording.flatMap(ListeningInput.init(location:)).flatMap { $0.isWeb ? $0 : nil }
        guard let input = local ?? remote else { return nil }
        let details = try library.details(of: episode.id)
        id = episode.id
        track = Track(source: input.titled(episode.title, duration: episode.duration), episode: episode.id)
        let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
        start =
            episode.position > 0
            ? ResumeRule().position(resuming: episode.position, afterPause: pause) : 0
        podcast = episode.podcastID
        show = try library.podcast(podcast).title
        duration = episode.duration
        settings = try library.settings(of: podcast)
        let stated = details.chapters.map {
            Chapter(start: $0.start, title: $0.title, link: $0.link, image: $0.artworkURL)
        }
        chapters = stated.isEmpty ? [:] : [.podlove: stated]
        chapterDocument = details.chaptersFile?.url
    }

    /// Reads an episode and those of the queue that follow it.
    static func list(from id: Int64, in library: PodcastLibrary) throws(PodcastError)
        -> [EpisodeEntry]
    {
        guard let first = try EpisodeEntry(library.episode(id), in: library) else { return [] }
        var entries = [first]
        for episode in try library.queue().prefix(200) where episode.id != id {
            if let entry = try EpisodeEntry(episode, in: library) { entries.append(entry) }
        }
        return entries
    }
}

/// Plays episodes in the window's player: from where they were left, with the settings of their podcast, and keeps the position.
@MainActor
final class EpisodePlayback {
    /// The window whose player is used.
    weak var window: PlayerWindow?
    /// Called when a position or a mark has been handed to the library.
    var didSave: (() -> Void)?
    /// Called when an episode could not be opened.
    var didFail: ((PageState.Failure) -> Void)?
    private let worker: LibraryWorker
    private var entries: [Int64: EpisodeEntry] = [:]
    /// The episode that plays.
    private(set) var current: Int64?
    /// The intro and the outro of the episode that plays.
    private var skips = ItemSkips()
    private(set) var showSound = ShowSound()
    /// The picture of the episode that plays, or of its podcast.
    private(set) var picture: MediaPicture?
    private var requestCount = 0

    init(_ worker: LibraryWorker) { self.worker = worker }

    /// Plays an episode, and after it those of the queue.
    /// - Parameters:
    ///   - id: The number in the library.
    ///   - time: The time at which it begins, in seconds; `nil` is where it was left.
    func play(_ id: Int64, at time: Double? = nil) {
        requestCount &+= 1
        let number = requestCount
        Task { [weak self, worker] in
            let result = await worker.use { library throws(PodcastError) in
                try EpisodeEntry.list(from: id, in: library)
            }
            // Another may have been asked for meanwhile.
            guard let self, number == self.requestCount, let window = self.window else { return }
            let failure: PageState.Failure
            switch result {
            case .success(let found) where !found.isEmpty:
                for entry in found { self.entries[entry.id] = entry }
                if let time { self.entries[id]?.start = time }
                window.openEpisodes(found.map(\.track))
                return
            case .success:
                failure = PageState.Failure(code: "usage.noRecording", message: "It has no recording.")
            case .failure(let error): failure = PageState.Failure(error)
            }
            self.didFail?(failure)
        }
    }

    /// The title of the podcast whose episode plays.
    var show: String? { current.flatMap { entries[$0]?.show } }

    private func findPicture(of id: Int64) {
        Task { [weak self, worker] in
            guard let found = await worker.artwork(of: id), let self, self.current == id else { return }
            self.picture = found
            self.window?.showTrack()
        }
    }

    /// The time at which an episode of the queue goes on; `nil` for what is no episode.
    func start(of track: Track) -> Double? {
        track.episode.map { id in
            guard let entry = entries[id] else { return 0 }
            let skips = ItemSkips(entry.settings.applied(to: PlaybackSettings()))
            return skips.start(of: entry.duration, from: entry.start) ?? entry.start
        }
    }

    /// The time at which a recording begins again; `nil` for what is no episode.
    func startAgain(of track: Track) -> Double? {
        track.episode.map { id in
            guard let entry = entries[id] else { return 0 }
            let skips = ItemSkips(entry.settings.applied(to: PlaybackSettings()))
            return skips.start(of: entry.duration, from: 0) ?? 0
        }
    }

    /// Seconds of a skip, as the podcast of the episode that plays sets them; `nil` if it sets none.
    func skipInterval(forward: Bool) -> Double? {
        guard let settings = current.flatMap({ entries[$0]?.settings }),
            (forward ? settings.skipForward : settings.skipBack) != nil
        else { return nil }
        let applied = settings.applied(to: PlaybackSettings())
        return forward ? applied.skipForward : applied.skipBack
    }

    /// Notes that the recording of the episode is open, at a time.
    /// - Returns: The time to go to, where the intro ends.
    func opened(at time: Double) -> Double? { current == nil ? nil : skips.started(at: time) }

    /// Notes a seek.
    func seeked(to time: Double) { skips.seeked(to: time) }

    /// Takes the time that is heard.
    /// - Returns: Whether the episode is to end, as its outro begins.
    func reached(_ time: Double) -> Bool { current != nil && skips.reached(time) }

    // MARK: Events of the player

    /// Notes that a recording of the queue is opened, or that none is open any longer.
    func began(_ track: Track?) {
        keepChanges()
        picture = nil
        guard let id = track?.episode, let entry = entries[id], let window else {
            let wasEpisode = current != nil
            current = nil
            skips = ItemSkips()
            if let general = showSound.end() { self.window?.setSound(general) }
            if wasEpisode {
                self.window?.showSkipIntervals()
                self.window?.podcasts.update()
            }
            return
        }
        current = id
        skips = ItemSkips(entry.settings.applied(to: PlaybackSettings()))
        window.progress?.outro = skips.outro
        window.showSkipIntervals()
        apply(entry.settings, to: window)
        if let document = entry.chapterDocument { readChapters(document, of: id) }
        findPicture(of: id)
        window.podcasts.update()
    }

    /// Sets the length of the episode, which places its outro.
    /// - Parameter duration: Seconds; `nil` if they are not known.
    func setDuration(_ duration: Double?) { skips.duration = duration }

    /// Keeps the place in an episode, or that it has been heard.
    func keep(_ position: StoredPosition, of id: Int64) {
        entries[id]?.start = position.isFinished ? 0 : position.position
        let keepsPlayed = window?.order.keepsPlayed ?? false
        worker.save { library throws(PodcastError) in
            try library.keep(position, of: id, keepsInQueue: keepsPlayed)
        }
        didSave?()
    }

    // MARK: Settings

    private func apply(_ settings: ShowSettings, to window: PlayerWindow) {
        window.setSound(showSound.begin(settings, current: window.sound))
        showSound.settled(window.sound)
    }

    /// Keeps what the listener has changed while an episode played, for all episodes of its podcast.
    func keepChanges() {
        guard let podcast = current.flatMap({ entries[$0]?.podcast }), let window,
            let changes = showSound.takeChanges(window.sound)
        else { return }
        for (id, other) in entries where other.podcast == podcast {
            entries[id]?.settings = other.settings.replaced(by: changes)
        }
        worker.save { library throws(PodcastError) in
            try library.setSettings(library.settings(of: podcast).replaced(by: changes), of: podcast)
        }
    }

    /// Takes settings of a podcast that were changed on its page, also while one of its episodes plays.
    func setSettings(_ settings: ShowSettings, of podcast: Podcast.ID) {
        for (id, other) in entries where other.podcast == podcast { entries[id]?.settings = settings }
        guard let window, let current, entries[current]?.podcast == podcast else { return }
        skips.settings = settings.applied(to: PlaybackSettings())
        window.progress?.outro = skips.outro
        window.showSkipIntervals()
        apply(settings, to: window)
    }

    /// The settings where a podcast has none of its own.
    var usual: PlaybackSettings {
        let sound = showSound.general ?? window?.sound ?? ListeningSound()
        let intervals = window?.app.settings.skips ?? SkipIntervals()
        return PlaybackSettings(
            rate: sound.rate,
            volume: sound.volume,
            smartSpeed: sound.smartSpeed,
            voiceBoost: sound.voiceBoost,
            skipForward: intervals.forward,
            skipBack: intervals.back,
            isMono: sound.isMono,
            balance: sound.balance,
            equalizer: sound.equalizer ?? "flat"
        )
    }

    // MARK: Chapters

    /// Adds the chapters of the feed to those of the file.
    func addChapters(to list: inout ChapterList) {
        guard let current, let entry = entries[current] else { return }
        for (source, chapters) in entry.chapters { list.set(chapters, from: source) }
    }

    private func readChapters(_ document: String, of id: Int64) {
        Task { [weak self] in
            let chapters = await Task.detached(priority: .utility) { () -> [Chapter]? in
                var options = HTTPByteStream.Options()
                options.maximumOutage = 10
                guard let stream = try? HTTPByteStream(url: document, options: options) else { return nil }
                defer { stream.cancel() }
                let bytes = try? stream.readAll(limit: ChapterDocuments.maximumBytes)
                return bytes.flatMap { try? ChapterDocuments.podcastDocument(Data($0)) }
            }.value
            guard let self, let chapters, !chapters.isEmpty else { return }
            self.entries[id]?.chapters[.podcastDocument] = chapters
            self.entries[id]?.chapterDocument = nil
            guard self.current == id, let window = self.window, window.info != nil else { return }
            self.addChapters(to: &window.chapters)
            window.waveform.chapterStarts = window.chapters.chapters.map(\.start)
            window.showChapters()
        }
    }
}

extension SmartSpeed {
    /// The strength as settings keep it, 0…1.
    var strength: Double {
        Double(Self.allCases.firstIndex(of: self) ?? 0) / Double(Self.allCases.count - 1)
    }

    /// The nearest to a strength of 0…1.
    init(strength: Double) {
        let last = Self.allCases.count - 1
        // Bounded: the strength is 0…1.
        let index = Int((min(max(strength, 0), 1) * Double(last)).rounded())
        self = Self.allCases[index]
    }
}

extension PlayerWindow {
    /// Opens episodes in place of the queue, and plays the first.
    func openEpisodes(_ tracks: [Track]) {
        // The first is the one that was chosen.
        replaceQueue(tracks, keepsFirst: true)
    }
}
