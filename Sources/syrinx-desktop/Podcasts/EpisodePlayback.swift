import Foundation
import SyrinxDesktopModel
import SyrinxGTK
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
        guard let url = file ?? recording.flatMap({ URL(string: $0) }),
            ["file", "http", "https"].contains(url.scheme?.lowercased() ?? "")
        else { return nil }
        let details = try library.details(of: episode.id)
        id = episode.id
        track = Track(url, title: episode.title)
        track.episode = episode.id
        let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
        start = episode.position > 0 ? ResumeRule().position(resuming: episode.position, afterPause: pause) : 0
        podcast = episode.podcastID
        duration = episode.duration
        settings = try library.settings(of: podcast)
        let stated = details.chapters.map {
            Chapter(start: $0.start, title: $0.title, link: $0.link, image: $0.artworkURL)
        }
        chapters = stated.isEmpty ? [:] : [.podlove: stated]
        chapterDocument = details.chaptersFile?.url
    }

    /// Reads an episode and those of the queue that follow it.
    static func list(from id: Int64, in library: PodcastLibrary) throws(PodcastError) -> [EpisodeEntry] {
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
    private var progress: EpisodeProgress?
    /// The intro and the outro of the episode that plays.
    private var skipping = Skipping()
    private(set) var showSound = ShowSound()
    private var requestCount = 0

    init(_ worker: LibraryWorker) { self.worker = worker }

    /// Plays an episode, and after it those of the queue.
    func play(_ id: Int64) {
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
                window.openEpisodes(found.map(\.track))
                return
            case .success: failure = PageState.Failure(code: "usage.noRecording", message: "It has no recording.")
            case .failure(let error): failure = PageState.Failure(error)
            }
            self.didFail?(failure)
        }
    }

    /// The episode that plays.
    var current: Int64? { progress?.id }

    /// The time at which an episode of the queue goes on; `nil` for what is no episode.
    func start(of track: Track) -> Double? {
        track.episode.map { id in
            guard let entry = entries[id] else { return 0 }
            let skipping = Skipping(settings: entry.settings.applied(to: PlaybackSettings()))
            return skipping.start(of: entry.duration, from: entry.start) ?? entry.start
        }
    }

    /// The time at which a recording begins again; `nil` for what is no episode.
    func startAgain(of track: Track) -> Double? {
        track.episode.map { id in
            guard let entry = entries[id] else { return 0 }
            let skipping = Skipping(settings: entry.settings.applied(to: PlaybackSettings()))
            return skipping.start(of: entry.duration, from: 0) ?? 0
        }
    }

    /// Seconds of a skip, as the podcast of the episode that plays sets them; `nil` if it sets none.
    func skipInterval(forward: Bool) -> Double? {
        guard let settings = progress.flatMap({ entries[$0.id]?.settings }),
            (forward ? settings.skipForward : settings.skipBack) != nil
        else { return nil }
        let applied = settings.applied(to: PlaybackSettings())
        return forward ? applied.skipForward : applied.skipBack
    }

    /// Notes that the recording of the episode is open, at a time.
    /// - Returns: The time to go to, where the intro ends.
    func opened(at time: Double) -> Double? {
        guard progress != nil else { return nil }
        for case .seek(let target) in skipping.started(at: time) { return target }
        return nil
    }

    /// Notes a seek.
    func seeked(to time: Double) { skipping.seeked(to: time) }

    /// Takes the time that is heard.
    /// - Returns: Whether the episode is to end, as its outro begins.
    func reached(_ time: Double) -> Bool { progress != nil && skipping.reached(time).contains(.finish) }

    // MARK: Events of the player

    /// Notes that a recording of the queue is opened, or that none is open any longer.
    func began(_ track: Track?) {
        keepChanges()
        guard let id = track?.episode, let entry = entries[id], let window else {
            let wasEpisode = progress != nil
            progress = nil
            skipping = Skipping()
            if let general = showSound.end() { self.window?.setSound(general) }
            if wasEpisode {
                self.window?.showSkipIntervals()
                self.window?.podcasts.update()
            }
            return
        }
        progress = EpisodeProgress(id: id)
        skipping = Skipping(settings: entry.settings.applied(to: PlaybackSettings()))
        progress?.outro = skipping.settings.outroDuration
        window.showSkipIntervals()
        apply(entry.settings, to: window)
        if let document = entry.chapterDocument { readChapters(document, of: id) }
        window.podcasts.update()
    }

    /// Takes an event of the player about the recording that plays.
    func take(_ event: StreamingEvent, at time: Double) {
        guard progress != nil else { return }
        switch event {
        case .opened(let info): setDuration(info.duration)
        case .duration(let seconds, _): setDuration(seconds)
        case .position: save(progress?.reached(time, at: ProcessInfo.processInfo.systemUptime))
        case .status(.paused, _), .failed: save(progress?.settled(time))
        case .status(.ended, _), .advancing: save(progress?.ended())
        default: break
        }
    }

    /// Notes that the episode begins again from its start.
    func beganAgain() { save(progress?.beganAgain()) }

    /// Sets the length of the episode, which places its end and its outro.
    /// - Parameter duration: Seconds; `nil` if they are not known.
    func setDuration(_ duration: Double?) {
        progress?.duration = duration
        skipping.duration = duration
    }

    /// Keeps the position in an episode that is left.
    /// - Returns: Whether it was one.
    func remember(_ track: Track?, at time: Double, isFinished: Bool) -> Bool {
        guard progress != nil else { return track?.episode != nil }
        save(isFinished ? progress?.ended() : progress?.settled(time, isLeft: true))
        keepChanges()
        return true
    }

    private func save(_ update: EpisodeProgress.Update?) {
        // The library keeps what was heard last, which may be what another window has saved meanwhile.
        guard let update, let id = progress?.id, let heard = window?.heard.date else { return }
        let date = Date(timeIntervalSince1970: heard)
        switch update {
        case .position(let seconds):
            entries[id]?.start = seconds
            worker.save { library throws(PodcastError) in try library.setPosition(seconds, of: id, at: date) }
        case .played:
            entries[id]?.start = 0
            let keepsPlayed = window?.order.keepsPlayed ?? false
            worker.save { library throws(PodcastError) in
                try library.setPlayed(true, id, at: date, keepsInQueue: keepsPlayed)
            }
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
        guard let podcast = progress.flatMap({ entries[$0.id]?.podcast }), let window,
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
        guard let window, let id = progress?.id, entries[id]?.podcast == podcast else { return }
        skipping.settings = settings.applied(to: PlaybackSettings())
        progress?.outro = skipping.settings.outroDuration
        window.showSkipIntervals()
        apply(settings, to: window)
    }

    /// The settings where a podcast has none of its own.
    var usual: PlaybackSettings {
        let sound = showSound.general ?? window?.sound ?? ListeningSound()
        return PlaybackSettings(
            rate: sound.rate,
            volume: sound.volume,
            smartSpeed: sound.smartSpeed,
            voiceBoost: sound.voiceBoost,
            skipForward: PlayerWindow.skipSeconds,
            skipBack: PlayerWindow.skipSeconds,
            isMono: sound.isMono,
            balance: sound.balance,
            equalizer: sound.equalizer ?? "flat"
        )
    }

    // MARK: Chapters

    /// Adds the chapters of the feed to those of the file.
    func addChapters(to list: inout ChapterList) {
        guard let id = progress?.id, let entry = entries[id] else { return }
        for (source, chapters) in entry.chapters { list.set(chapters, from: source) }
    }

    private func readChapters(_ document: String, of id: Int64) {
        Task { [weak self] in
            let chapters = await Task.detached(priority: .utility) { () -> [Chapter]? in
                guard let bytes = ArtworkStore.fetch(document, limit: ChapterDocuments.maximumBytes) else { return nil }
                return try? ChapterDocuments.podcastDocument(Data(bytes))
            }.value
            guard let self, let chapters, !chapters.isEmpty else { return }
            self.entries[id]?.chapters[.podcastDocument] = chapters
            self.entries[id]?.chapterDocument = nil
            guard self.progress?.id == id, let window = self.window, window.info != nil else { return }
            self.addChapters(to: &window.chapters)
            window.waveform.chapterStarts = window.chapters.chapters.map(\.start)
            window.showChapters()
        }
    }
}

extension SmartSpeed {
    /// The strength as settings keep it, 0…1.
    var strength: Double { Double(Self.allCases.firstIndex(of: self) ?? 0) / Double(Self.allCases.count - 1) }

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
