import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPodcastLibrary

/// `syrinx podcast refresh [FEED…]`.
struct PodcastRefresh: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches the feeds of all podcasts, or of some.",
        discussion:
            "`syrinx podcast set FEED --downloads COUNT` sets the number of episodes that --download fetches and keeps."
    )
    static let examples = ["syrinx podcast refresh", "syrinx podcast refresh --download"]

    @OptionGroup var library: LibraryOptions
    @Flag(
        help:
            "Then download the episodes that the settings of the podcasts select, and delete those that they do not keep"
    )
    var download = false
    @Argument(help: "Numbers, titles or feed URLs of podcasts (default: all)", completion: Completion.podcasts)
    var feed: [String] = []

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        let status = try refresh(opened, in: context)
        guard download, !context.interruption.isRequested else { return status }
        let downloaded = try applyRules(opened, in: context)
        return status == .success ? downloaded : status
    }

    private func refresh(_ opened: PodcastLibrary, in context: CommandContext) throws(Failure) -> ExitStatus {
        if !feed.isEmpty {
            var refreshed: [Podcast.ID] = []
            let status = library.each(feed, in: context) { feed throws(Failure) in
                let podcast = try library.podcast(feed, in: opened)
                let result = try context.wait { () async throws(PodcastError) in try await opened.refresh(podcast.id) }
                refreshed.append(podcast.id)
                try tell(result, of: opened, in: context)
            }
            guard !refreshed.isEmpty, !context.interruption.isRequested else { return status }
            let ids = refreshed
            try context.wait { () async throws(PodcastError) in await opened.fetchArtwork(ofPodcasts: ids) }
            return status
        }
        let results = try context.wait { () async throws(PodcastError) in
            let results = try await opened.refreshAll()
            let ids = results.compactMap { step in
                if case .success(let result) = step.result { result.podcastID } else { nil }
            }
            await opened.fetchArtwork(ofPodcasts: ids)
            return results
        }
        return library.each(results, in: context) { step throws(Failure) in
            switch step.result {
            case .success(let result): try tell(result, of: opened, in: context)
            case .failure(let error): throw Failure(error)
            }
        }
    }

    /// Downloads and removes episodes by the rules, and reports each downloaded episode.
    private func applyRules(_ opened: PodcastLibrary, in context: CommandContext) throws(Failure) -> ExitStatus {
        let podcasts = try library.read { () throws(PodcastError) in try opened.podcasts() }
        var hasRule = false
        for podcast in podcasts where !hasRule {
            hasRule = try library.read { () throws(PodcastError) in try opened.downloadRule(for: podcast.id) } != nil
        }
        if !hasRule {
            let hint = "no podcast has a rule for downloads; syrinx podcast set FEED --downloads 3 sets one"
            context.console.say("syrinx: podcast: \(hint)")
        }
        let (console, library) = (context.console, library)
        let failure = Latest<Failure>()
        let report: @Sendable (Episode.ID, Result<EpisodeDownload, PodcastError>) -> Void = { id, result in
            switch result {
            case .success:
                guard let episode = try? opened.episode(id) else { return }
                console.write(EpisodeReport(episode, isDownloaded: true), asJSON: library.json)
            case .failure(let error):
                console.tell(Failure(error), asJSON: library.json)
                if failure.value == nil { failure.set(Failure(error)) }
            }
        }
        try context.wait { () async throws(PodcastError) in try await opened.applyDownloadRules(progress: report) }
        return failure.value?.exitStatus ?? .success
    }

    private func tell(
        _ result: RefreshResult,
        of opened: PodcastLibrary,
        in context: CommandContext
    ) throws(Failure) {
        let podcast = try library.read { () throws(PodcastError) in try opened.podcast(result.podcastID) }
        if let warning = result.warning { context.console.say(Failure(warning).warningLine) }
        context.console.write(FeedReport(podcast, addedCount: result.addedCount), asJSON: library.json)
    }
}

/// `syrinx podcast download EPISODE…`.
struct PodcastDownload: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads episodes, and continues interrupted downloads."
    )
    static let examples = ["syrinx podcast download 412 413"]

    @OptionGroup var library: LibraryOptions
    @Argument(help: "Numbers of episodes") var episode: [Int64]

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        let shows = !library.json && isatty(STDERR_FILENO) == 1
        return library.each(episode, in: context) { id throws(Failure) in
            let title = try library.read { () throws(PodcastError) in try opened.episode(id).title }
            _ = try context.wait { () async throws(PodcastError) in
                try await opened.fetch(id) { count, length in
                    guard shows else { return }
                    let share = length.map { $0 > 0 ? " \(Int(100 * Double(count) / Double($0))) %" : "" } ?? ""
                    context.console.show(status: ["\(title)  \(count / 1_000) kB\(share)"])
                }
            }
            context.console.show(status: [])
            let done = try library.read { () throws(PodcastError) in try opened.episode(id) }
            try library.write([done], of: opened, in: context)
        }
    }
}

/// `syrinx podcast import FILE.opml`.
struct PodcastImport: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Subscribes to all feeds of an OPML file. The next refresh fetches them."
    )
    static let examples = ["syrinx podcast import subscriptions.opml"]

    @OptionGroup var library: LibraryOptions
    @Argument(help: "OPML file, or - for standard input", completion: .file()) var file: String

    var writesJSON: Bool { library.json }

    /// The maximum size of an OPML file in bytes, far more than a list of subscriptions needs.
    private static let largestFile = 64 << 20

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let data = try read()
        let opened = try library.open()
        let added = try library.read { () throws(PodcastError) in try opened.importOPML(data, name: file) }
        for podcast in added { context.console.write(FeedReport(podcast), asJSON: library.json) }
        return .success
    }

    private func read() throws(Failure) -> Data {
        let name = file == "-" ? "/dev/stdin" : file
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: name))
            let data = try handle.read(upToCount: Self.largestFile + 1) ?? Data()
            guard data.count <= Self.largestFile else {
                throw Failure(code: .notOPML, message: "the file is larger than 64 MiB", name: file)
            }
            return data
        } catch let failure as Failure {
            throw failure
        } catch {
            let isMissing = access(name, F_OK) != 0
            throw Failure(
                code: isMissing ? .fileNotFound : .filePermissionDenied,
                message: isMissing ? "there is no such file" : "the file cannot be read",
                name: file
            )
        }
    }
}

/// `syrinx podcast export`.
struct PodcastExport: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all subscriptions to standard output, as OPML."
    )
    static let examples = ["syrinx podcast export > subscriptions.opml"]

    @OptionGroup var library: LibraryOptions

    var writesJSON: Bool { library.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let opened = try library.open()
        if library.json {
            for podcast in try library.read({ () throws(PodcastError) in try opened.podcasts() }) {
                context.console.write(FeedReport(podcast), asJSON: true)
            }
        } else {
            let data = try library.read { () throws(PodcastError) in try opened.exportOPML() }
            var text = String(decoding: data, as: UTF8.self)
            if text.hasSuffix("\n") { text.removeLast() }
            context.console.write(text)
        }
        return .success
    }
}
