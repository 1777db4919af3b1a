import ArgumentParser
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxPodcastLibrary

/// The options of the commands that use the podcast library.
struct LibraryOptions: ParsableArguments {
    @Flag(help: "Write JSON lines")
    var json = false

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    /// The default options, for commands with other options.
    static var standard: LibraryOptions {
        // Parsing no arguments always succeeds.
        (try? LibraryOptions.parse([])) ?? LibraryOptions()
    }

    /// The path of the user's library; `nil` if there is no home folder.
    static var path: String? { UserFolder.data.path().map { $0 + "/library.sqlite" } }

    /// Opens the user's library, creating the file if it does not exist.
    func open() throws(Failure) -> PodcastLibrary {
        guard let path = Self.path else {
            throw .usage("Neither XDG_DATA_HOME nor HOME names a folder for the library.", name: "podcast")
        }
        var options = PodcastLibrary.Options()
        options.network = network.options(isHeard: false)
        options.newEpisodeCount = NewEpisodes.ofUser.count
        do throws(PodcastError) {
            return try PodcastLibrary(file: URL(fileURLWithPath: path), options: options)
        } catch {
            throw Failure(error)
        }
    }

    /// Calls `body`, and converts its error.
    func read<Value>(_ body: () throws(PodcastError) -> Value) throws(Failure) -> Value {
        do throws(PodcastError) { return try body() } catch { throw Failure(error) }
    }

    /// Returns the podcast with a number, a feed URL, or the start of a title.
    func podcast(_ word: String, in library: PodcastLibrary) throws(Failure) -> Podcast {
        if let id = Int64(word) { return try read { () throws(PodcastError) in try library.podcast(id) } }
        let podcasts = try read { () throws(PodcastError) in try library.podcasts() }
        let titles = podcasts.filter { $0.title.lowercased().hasPrefix(word.lowercased()) }
        let shown = Redaction.redact(word)
        let exact = podcasts.filter { $0.feedURL == shown || $0.title.lowercased() == word.lowercased() }
        let found = exact.isEmpty ? titles : exact
        guard let podcast = found.first else {
            throw Failure(code: .noSuchPodcast, message: "there is no such podcast in the library", name: word)
        }
        guard found.count == 1 else {
            let numbers = found.prefix(5).map { "\($0.id)" }.joined(separator: ", ")
            throw .usage(
                "Several podcasts have this beginning: \(numbers). Use a number.",
                name: word,
                code: .noSuchPodcast
            )
        }
        return podcast
    }

    /// Writes at most `limit` episodes with the state of their downloads, and a note if there are more.
    func write(
        _ episodes: [Episode],
        limit: Int? = nil,
        of library: PodcastLibrary,
        in context: CommandContext
    ) throws(Failure) {
        let downloads = try read { () throws(PodcastError) in try library.downloads() }
        let complete = Set(downloads.lazy.filter { $0.state == .completed }.map(\.id))
        for episode in episodes.prefix(limit ?? episodes.count) {
            context.console.write(EpisodeReport(episode, isDownloaded: complete.contains(episode.id)), asJSON: json)
        }
        if let limit, episodes.count > limit {
            context.console.say("syrinx: podcast: there are more than \(limit) episodes; --limit NUMBER lists more")
        }
    }

    /// Calls a closure for each item, reporting errors and continuing after them.
    /// - Returns: The exit code of the first error; success if there was none.
    func each<Item>(
        _ items: [Item],
        in context: CommandContext,
        _ body: (Item) throws(Failure) -> Void
    ) -> ExitStatus {
        var status = ExitStatus.success
        for item in items {
            do throws(Failure) {
                try body(item)
            } catch {
                if context.interruption.isRequested { return .interrupted }
                context.console.tell(error, asJSON: json)
                if status == .success { status = error.exitStatus }
            }
            if context.console.isOutputClosed { return status }
        }
        return status
    }
}

/// The option for the length of a list of episodes.
struct ListLength: ParsableArguments {
    /// The default number of episodes in a text list.
    private static let usual = 500

    @Option(
        help: ArgumentHelp("Maximum number of episodes to list (default: 500, with --json all)", valueName: "count")
    )
    var limit: Int?

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be a whole number, at least 1") }
    }

    /// Returns the maximum number of episodes; `nil` lists all.
    func limit(isJSON: Bool) -> Int? { limit ?? (isJSON ? nil : Self.usual) }

    /// Returns the number of episodes to read: one more than the limit, to detect whether there are more.
    static func read(_ limit: Int?) -> Int { limit.map { $0.addingClamped(1) } ?? Int.max }
}

/// A value that one thread sets and another reads.
final class Latest<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    func set(_ value: Value?) { state.withLock { $0 = value } }
}

extension CommandContext {
    /// Waits for asynchronous work, which an interruption cancels.
    func wait<Value: Sendable>(
        for work: @escaping @Sendable () async throws(PodcastError) -> Value
    ) throws(Failure) -> Value {
        let result = Latest<Result<Value, PodcastError>>()
        let done = DispatchSemaphore(value: 0)
        let task = Task.detached {
            do throws(PodcastError) { result.set(.success(try await work())) } catch { result.set(.failure(error)) }
            done.signal()
        }
        interruption.onRequest { task.cancel() }
        done.wait()
        interruption.onRequest(nil)
        switch result.value {
        case .success(let value): return value
        case .failure(let error): throw Failure(error)
        case nil: throw Failure(code: .cancelled, message: "the work was cancelled", name: "podcast")
        }
    }
}
