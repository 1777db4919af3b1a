import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream

/// Sequential requests for the pages of one feed, with a common time limit.
final class FeedRequests: Sendable {
    private enum State {
        case running(HTTPExchange)
        case cancelled
    }

    /// The request for the first page.
    let first: HTTPExchange
    private let feed: String
    private let options: HTTPByteStream.Options
    private let end: Date
    private let state: Mutex<State>

    /// Starts to fetch the first page.
    /// - Parameters:
    ///   - headers: Headers that make the request conditional.
    ///   - limit: The maximum number of bytes to read.
    ///   - timeLimit: The time limit for all pages, in seconds.
    init(
        _ url: String,
        _ headers: [(name: String, value: String)],
        options: HTTPByteStream.Options,
        limit: Int64,
        timeLimit: Double
    ) throws(PodcastError) {
        var options = options
        options.cookies = options.cookies ?? CookieJar()
        (feed, self.options, end) = (url, options, Date() + timeLimit)
        do throws(SyrinxError) {
            first = try HTTPExchange(
                url: url,
                headers: headers,
                options: options,
                limit: Self.readable(limit),
                timeLimit: timeLimit
            )
        } catch {
            throw LibraryDatabase.failure(error, name: url)
        }
        state = Mutex(.running(first))
    }

    /// Starts to fetch another page.
    ///
    /// The user name, password and headers of the feed are sent only to its own origin.
    func page(_ url: String, limit: Int64) throws(SyrinxError) -> HTTPExchange {
        var options = options
        if let feed = URL(fromOutside: feed), URL(fromOutside: url)?.hasSameOrigin(as: feed) != true {
            options.headers = []
        }
        let exchange = try HTTPExchange(
            url: PodcastLibrary.url(url, onOriginOf: feed),
            options: options,
            limit: Self.readable(limit),
            timeLimit: max(0, end.timeIntervalSinceNow)
        )
        state.withLock { state in
            if case .cancelled = state { exchange.cancel() } else { state = .running(exchange) }
        }
        return exchange
    }

    /// Cancels the current request and prevents further ones.
    ///
    /// May be called from any thread.
    func cancel() {
        let running = state.withLock { state -> HTTPExchange? in
            defer { state = .cancelled }
            return if case .running(let exchange) = state { exchange } else { nil }
        }
        running?.cancel()
    }

    /// Returns one byte more than the parser reads, so that it can detect a feed that is too long and keep its first
    /// part.
    private static func readable(_ limit: Int64) -> Int { Int(clamping: limit.addingClamped(1)) }
}
