import ArgumentParser
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxTerminal

/// `syrinx podcast`: manages the user's podcasts.
struct PodcastCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podcast",
        abstract: "Subscribes to podcasts, and lists, plays and downloads their episodes.",
        discussion: """
            A FEED is a number from `podcast list`, the URL of a feed, or the beginning of a title. An EPISODE is a number from \
            `podcast show`. The library is the file $XDG_DATA_HOME/syrinx/library.sqlite (default: ~/.local/share).
            """,
        subcommands: [
            PodcastAdd.self, PodcastList.self, PodcastShow.self, PodcastRefresh.self, PodcastPlay.self,
            PodcastSet.self, PodcastMark.self, PodcastDownload.self, PodcastSearch.self, PodcastImport.self,
            PodcastExport.self, PodcastSync.self, PodcastRemove.self,
        ]
    )
    static let examples = [
        "syrinx podcast add https://example.org/feed.xml",
        "syrinx podcast refresh",
        "syrinx podcast show \"The Show\"",
        "syrinx podcast play --rate 1.3 412",
        "syrinx podcast set \"The Show\" --rate 1.5 --skip-intro 30",
        "syrinx podcast mark \"The Show\" --played --before 2026-05-01",
        "syrinx podcast import subscriptions.opml",
    ]

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        throw .usage("A command is missing, such as list, add or play. See syrinx podcast --help.", name: "podcast")
    }
}

/// `syrinx podcast add URL…`.
struct PodcastAdd: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Subscribes to feeds.",
        discussion: "A web page stands for the first feed that it links to; messages list its other feeds."
    )
    static let examples = ["syrinx podcast add https://example.org/feed.xml", "syrinx podcast add example.org"]

    @OptionGroup var library: LibraryOptions
    @Argument(help: "URLs of feeds, or of web pages that name a feed") var url: [String]

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        return library.each(url, in: context) { url throws(Failure) in
            let subscription = try context.wait { () async throws(PodcastError) in
                let subscription = try await opened.subscribe(toFeedOrPage: url)
                // A missing picture is not an error.
                _ = try? await opened.fetchArtwork(ofPodcast: subscription.podcast.id)
                return subscription
            }
            context.console.write(FeedReport(subscription.podcast), asJSON: library.json)
            for feed in subscription.otherFeeds {
                let title = feed.title.isEmpty ? "" : " (\(feed.title))"
                context.console.say(PrintableText.line("syrinx: podcast: the page also names \(feed.url)\(title)"))
            }
        }
    }
}

/// `syrinx podcast list`.
struct PodcastList: RunnableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the podcasts.")
    static let examples = ["syrinx podcast list --json"]

    @OptionGroup var library: LibraryOptions

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        let podcasts = try library.read { () throws(PodcastError) in try opened.podcasts() }
        for podcast in podcasts { context.console.write(FeedReport(podcast), asJSON: library.json) }
        if podcasts.isEmpty, !library.json {
            context.console.say("syrinx: podcast: there are no podcasts yet; syrinx podcast add URL subscribes to one")
        }
        return .success
    }
}

/// `syrinx podcast show FEED`.
struct PodcastShow: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists the episodes of a podcast, newest first, or shows notes."
    )
    static let examples = ["syrinx podcast show --unplayed 3", "syrinx podcast show --notes 412"]

    @OptionGroup var library: LibraryOptions
    @Flag(help: "List only unplayed episodes") var unplayed = false
    @Flag(help: "Show the notes of an episode, or the description of a podcast") var notes = false
    @OptionGroup var length: ListLength
    @Argument(
        help: "Number, title or feed URL of the podcast; with --notes the number of an episode, or a title or feed URL",
        completion: Completion.podcasts
    )
    var feed: String

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        if notes {
            try showNotes(in: opened, context)
            return .success
        }
        let podcast = try library.podcast(feed, in: opened)
        let limit = length.limit(isJSON: library.json)
        let episodes = try library.read { () throws(PodcastError) in
            var filter = PodcastLibrary.EpisodeFilter()
            (filter.podcastID, filter.isUnplayedOnly) = (podcast.id, unplayed)
            filter.limit = ListLength.read(limit)
            return try opened.episodes(filter)
        }
        if !library.json { context.console.write(FeedReport(podcast), asJSON: false) }
        try library.write(episodes, limit: limit, of: opened, in: context)
        return .success
    }

    private func showNotes(in opened: PodcastLibrary, _ context: CommandContext) throws(Failure) {
        let report: NotesReport
        if let id = Int64(feed) {
            report = NotesReport(try library.read { () throws(PodcastError) in try opened.episode(id) })
        } else {
            report = NotesReport(try library.podcast(feed, in: opened))
        }
        guard !library.json else { return context.console.write(report, asJSON: true) }
        // Remove control characters from each line, but keep the line breaks.
        for line in report.text.split(separator: "\n", omittingEmptySubsequences: false) {
            context.console.write(PrintableText.line(String(line)))
        }
    }
}

/// `syrinx podcast search TEXT`.
struct PodcastSearch: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches the titles and notes of all episodes, or a directory of podcasts.",
        discussion: """
            With --directory, the words are sent to the directory that config.toml names, such as directory = "gpodder.net" below \
            [podcasts]. Without that setting nothing is sent anywhere.
            """
    )
    static let examples = [
        "syrinx podcast search winter olympics", "syrinx podcast search --directory history of science",
    ]

    @OptionGroup var library: LibraryOptions
    @OptionGroup var length: ListLength

    @Flag(help: "Search for podcasts in the directory of config.toml")
    var directory = false

    @Argument(help: "Words that must all occur; the last may be the beginning of a word") var text: [String]

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let words = text.joined(separator: " ")
        let limit = length.limit(isJSON: library.json)
        if directory { return try searchDirectory(words, limit: limit, in: context) }
        let opened = try library.open()
        try library.write(
            library.read { () throws(PodcastError) in try opened.search(words, limit: ListLength.read(limit)) },
            limit: limit,
            of: opened,
            in: context
        )
        return .success
    }

    private func searchDirectory(
        _ words: String,
        limit: Int?,
        in context: CommandContext
    ) throws(Failure) -> ExitStatus {
        guard let directory = DirectorySetting.ofUser.directory else {
            throw .usage(
                "No directory is set. Set it in config.toml: below [podcasts], directory is \(PodcastDirectory.expected).",
                name: "--directory"
            )
        }
        let network = library.network.options(isHeard: false)
        let found = try context.wait { () async throws(PodcastError) in
            try await directory.search(words, network: network)
        }
        for entry in found.prefix(limit ?? found.count) {
            context.console.write(DirectoryReport(entry), asJSON: library.json)
        }
        if found.isEmpty, !library.json { context.console.say("syrinx: \(directory.url): nothing was found") }
        return .success
    }
}

/// `syrinx podcast remove FEED…`.
struct PodcastRemove: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Ends subscriptions, and removes their episodes and downloads."
    )
    static let examples = ["syrinx podcast remove 3"]

    @OptionGroup var library: LibraryOptions
    @Argument(help: "Numbers, titles or feed URLs of podcasts", completion: Completion.podcasts) var feed: [String]

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        return library.each(feed, in: context) { feed throws(Failure) in
            let podcast = try library.podcast(feed, in: opened)
            try library.read { () throws(PodcastError) in try opened.unsubscribe(podcast.id) }
            if library.json { context.console.write(FeedReport(podcast), asJSON: true) }
        }
    }
}
