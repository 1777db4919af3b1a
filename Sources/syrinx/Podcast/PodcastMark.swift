import ArgumentParser
import Foundation
import SyrinxListening
import SyrinxPodcastLibrary

/// `syrinx podcast mark FEED|EPISODE…`.
struct PodcastMark: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Marks episodes, or all episodes of a podcast, as played or unplayed.",
        discussion: """
            A number names an episode; a title or the URL of a feed names a podcast. Episodes that already have the mark do not change. \
            Other episodes lose their position, and played episodes leave the queue.
            """
    )
    static let examples = [
        "syrinx podcast mark 412 413 --played",
        "syrinx podcast mark \"The Show\" --played --before 2026-05-01",
    ]

    /// The mark to set.
    enum Mark: String, EnumerableFlag {
        case played, unplayed
    }

    @OptionGroup var library: LibraryOptions
    @Flag(help: "Mark to set") var mark: Mark
    @Option(
        help: ArgumentHelp(
            "Mark only episodes published before this date, such as 2026-05-01 or 2026-05-01T18:00:00Z",
            valueName: "date"
        )
    )
    var before: DateArgument?
    @Argument(help: "Numbers of episodes, titles of podcasts, or URLs of feeds", completion: Completion.podcasts)
    var item: [String]

    var writesJSON: Bool { library.json }

    func validate() throws {
        if before != nil, let episode = item.first(where: { Int64($0) != nil }) {
            throw ValidationError("--before chooses episodes of a podcast, and \(episode) is one episode")
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        return library.each(item, in: context) { word throws(Failure) in
            if let id = Int64(word) {
                let episode = try library.read { () throws(PodcastError) in
                    _ = try opened.mark(.episodes([id]), isPlayed: mark == .played)
                    return try opened.episode(id)
                }
                try library.write([episode], of: opened, in: context)
            } else {
                let podcast = try library.podcast(word, in: opened)
                let (count, marked) = try library.read { () throws(PodcastError) in
                    let chosen = EpisodeSelection.podcast(podcast.id, before: before?.date)
                    let count = try opened.mark(chosen, isPlayed: mark == .played).count
                    return (count, try opened.podcast(podcast.id))
                }
                context.console.write(FeedReport(marked, markedCount: count), asJSON: library.json)
            }
        }
    }
}

/// A date on the command line: a day, which means midnight in the local time zone, or an ISO 8601 time.
struct DateArgument: ExpressibleByArgument, Equatable {
    let date: Date

    init?(argument: String) {
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        guard let date = (try? Date(argument, strategy: .iso8601)) ?? (try? Date(argument, strategy: day)) else {
            return nil
        }
        self.date = date
    }
}
