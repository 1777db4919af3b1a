import ArgumentParser
import ByteStream
import Dispatch
import Foundation
import Playback
import PodcastLibrary

/// `syrinx podcast play EPISODE|FEED`.
struct PodcastPlay: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays an episode from where it was left, and keeps the position.",
        discussion: """
            Of a podcast, the episode that was begun last is played, else the newest that has not been listened to. A number is an \
            episode; a podcast is named by its title or its feed's URL. What is downloaded is played from the disk.
            """
    )
    static let examples = ["syrinx podcast play 412", "syrinx podcast play --rate 1.3 \"The Show\""]

    @OptionGroup var options: PlayOptions
    @Argument(help: "The episode, or the podcast.") var episode: String

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let access = LibraryOptions.standard
        let library = try access.open()
        let episode = try chosen(access, in: library)
        return try Self.play(episode, of: library, options, in: context)
    }

    /// Plays an episode from where it was left, and keeps the position.
    static func play(
        _ episode: Episode,
        of library: PodcastLibrary,
        _ options: PlayOptions,
        in context: CommandContext
    ) throws(Failure) -> ExitStatus {
        let access = LibraryOptions.standard
        let input = try access.input(of: episode, in: library)
        let details = try access.read { () throws(PodcastError) in try library.details(of: episode.id) }
        var startTime: Double?
        let isPlaced = options.sound.start != nil || options.listening.chapter != nil || options.ab != nil
        if !isPlaced, options.listening.resume != false, episode.position > 0 {
            let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
            let place = ResumeRule().position(resuming: episode.position, afterPause: pause)
            startTime = place
        }
        let record = EpisodeRecord(episode.id, in: library, of: input)
        defer { record.finish(in: context.console) }
        return try options.play(
            [input],
            startingAt: startTime,
            listener: record,
            feed: FeedChapters(input, details),
            in: context
        )
    }

    private func chosen(_ access: LibraryOptions, in library: PodcastLibrary) throws(Failure) -> Episode {
        if let id = Int64(episode) {
            return try access.read { () throws(PodcastError) in try library.episode(id) }
        }
        let podcast = try access.podcast(episode, in: library)
        let found = try access.read { () throws(PodcastError) -> Episode? in
            var filter = PodcastLibrary.EpisodeFilter()
            (filter.podcastID, filter.isUnplayedOnly) = (podcast.id, true)
            let newest = try library.episodes(filter)
            filter.isInProgressOnly = true
            let begun = try library.episodes(filter)
            return begun.max { ($0.playedAt ?? .distantPast) < ($1.playedAt ?? .distantPast) } ?? newest.first
        }
        guard let found else {
            throw Failure(
                code: .noSuchEpisode,
                message: "all of its episodes have been listened to",
                name: podcast.title
            )
        }
        return found
    }
}

/// Decides when the position of an episode is saved.
///
/// Pure.
struct EpisodeProgress {
    /// A change of the library.
    enum Update: Equatable {
        case position(Double)
        case played
    }

    /// Seconds between two saved positions while it plays: what a power cut may lose.
    static let interval = 4.0
    /// An episode that is left with less than so many seconds to come has been listened to.
    static let endSeconds = 15.0

    private var time = 0.0
    private var duration: Double?
    private var savedAt: Double?
    /// Whether anything has been heard: what fails before that leaves the position as it is.
    private var hasBegun = false

    /// Handles an event at `now` seconds.
    mutating func handle(_ event: CommandEvent, at now: Double) -> Update? {
        switch event {
        case .opened(let fields):
            duration = fields.duration
            return nil
        case .duration(let seconds, _):
            duration = seconds
            return nil
        case .position(let time):
            (self.time, hasBegun) = (time, true)
            guard now - (savedAt ?? -.infinity) >= Self.interval else { return nil }
            savedAt = now
            return .position(time)
        case .state(.paused, let time), .state(.failed, let time):
            guard hasBegun else { return nil }
            self.time = time
            savedAt = now
            return .position(time)
        case .state(.stopped, let time):
            guard hasBegun else { return nil }
            let last = max(time, self.time)
            return duration.map { $0 - last < Self.endSeconds } == true ? .played : .position(last)
        case .state(.ended, _): return .played
        default: return nil
        }
    }
}

/// Saves the position of an episode while it plays, on a thread of its own: the library may wait for the disk, or for others.
final class EpisodeRecord: PlayListener {
    private let id: Episode.ID
    private let library: PodcastLibrary
    private let input: InputArgument
    private let queue = DispatchQueue(label: "syrinx.episode")
    private let failure = Latest<Failure>()
    private var progress = EpisodeProgress()

    init(_ id: Episode.ID, in library: PodcastLibrary, of input: InputArgument) {
        (self.id, self.library, self.input) = (id, library, input)
    }

    func handle(_ event: CommandEvent, of session: PlaySession, at now: Double) {
        guard session.queue.current == input, let update = progress.handle(event, at: now) else { return }
        let date = Date()
        queue.async { [id, library, failure] in
            do throws(PodcastError) {
                switch update {
                case .position(let seconds): try library.setPosition(seconds, of: id, at: date)
                case .played: try library.setPlayed(true, id, at: date)
                }
                failure.set(nil)
            } catch {
                failure.set(Failure(error))
            }
        }
    }

    /// Waits until all is saved, and reports what could not be.
    func finish(in console: Console) {
        queue.sync {}
        if let failure = failure.value { console.say(failure.warningLine) }
    }
}
