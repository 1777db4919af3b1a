import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

/// `syrinx podcast play EPISODE|FEED`.
struct PodcastPlay: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays an episode from its last position, and stores the position.",
        discussion: """
            A number names an episode; a title or the URL of a feed names a podcast. Of a podcast, the episode that was started last is \
            played, else the newest unplayed episode. A downloaded episode is played from the disk.
            """
    )
    static let examples = ["syrinx podcast play 412", "syrinx podcast play --rate 1.3 \"The Show\""]

    @OptionGroup var options: PlayOptions

    @Flag(
        inversion: .prefixedNo,
        help: """
            Play the episodes that the library's queue and the podcast's settings let follow (default: on the full screen)
            """
    )
    var autoplay: Bool?

    @Argument(help: "Number of an episode, or title or feed URL of a podcast", completion: Completion.podcasts)
    var episode: String

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let access = LibraryOptions.standard
        let library = try access.open()
        let episode = try chosen(access, in: library)
        let item = try access.read { () throws(PodcastError) in try EpisodeItem(episode, of: library) }
        return try Self.play(item, options, follows: autoplay, in: context)
    }

    /// Plays an episode from its stored position, and stores the position during playback.
    /// - Parameter follows: Whether other episodes follow it; `nil` means on the full screen only.
    static func play(
        _ item: EpisodeItem,
        _ options: PlayOptions,
        follows: Bool? = nil,
        in context: CommandContext
    ) throws(Failure) -> ExitStatus {
        let isPlaced =
            options.sound.start != nil || options.listening.chapter != nil || options.ab != nil
        let goesOn = !isPlaced && options.listening.resume != false
        return try options.play(
            [item.input],
            startingAt: goesOn ? item.startTime : nil,
            episode: item,
            follows: follows,
            in: context
        )
    }

    private func chosen(_ access: LibraryOptions, in library: PodcastLibrary) throws(Failure)
        -> Episode
    {
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
            return begun.max { ($0.playedAt ?? .distantPast) < ($1.playedAt ?? .distantPast) }
                ?? newest.first
        }
        guard let found else {
            throw Failure(
                code: .noSuchEpisode,
                message: "all of its episodes have been played",
                name: podcast.title
            )
        }
        return found
    }
}
