import Foundation
package import SyrinxHTTPStream

/// A directory of podcasts on a server, which finds feeds by words.
///
/// Nothing is sent to a directory unless the user searches in it.
///
///     let directory = PodcastDirectory("gpodder.net")
///     let found = try await directory?.search("history of science", network: options)
package struct PodcastDirectory: Equatable, Sendable {
    /// The search interface of a server.
    package enum Kind: Equatable, Sendable {
        /// `search.json` of gpodder.net, which other servers also provide.
        case gpodder
        /// The search of Apple's iTunes Store.
        case itunes
    }

    /// A podcast in a directory.
    ///
    /// All texts come from the server.
    package struct Entry: Equatable, Sendable {
        package var title: String
        /// The URL of the feed, `http:` or `https:`.
        package var url: String
        package var author: String?
        package var summary: String?
        package var website: String?
    }

    /// The maximum number of results.
    package static let maximumCount = 50
    /// The maximum length of the searched words, and of a text of a result, in characters.
    static let maximumLength = 500
    /// The maximum size of an answer, in bytes.
    static let maximumSize = 4 << 20
    /// The time limit of a search, in seconds.
    private static let timeLimit = 20.0
    /// The servers that a name is enough for.
    private static let known = [
        "gpodder.net": "https://gpodder.net/search.json", "itunes": "https://itunes.apple.com/search",
    ]
    /// The values that name a directory, for messages.
    package static let expected =
        "\"gpodder.net\", \"itunes\", or the URL of a search interface that ends with /search.json or /search"

    /// The interface.
    package let kind: Kind
    /// The URL of the search, without the words.
    package let url: String

    /// Creates the directory of a setting; `nil` if it names none.
    ///
    /// - Parameter text: `gpodder.net`, `itunes`, or an `http:` or `https:` URL whose path ends with `/search.json` (gpodder.net's
    ///   interface) or `/search` (that of iTunes).
    package init?(_ text: String) {
        let address = Self.known[text.lowercased()] ?? text
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
        else { return nil }
        switch url.lastPathComponent {
        case "search.json": kind = .gpodder
        case "search": kind = .itunes
        default: return nil
        }
        self.url = address
    }

    /// Returns the podcasts that the directory finds, in its order, at most ``maximumCount``.
    ///
    /// Entries without a feed on the web are left out.
    /// - Parameters:
    ///   - words: The words, of which the first ``maximumLength`` characters are sent.
    ///   - network: The settings of the request.
    /// - Throws: `PodcastError` with the failure of the network, or `network.directoryInvalid` for an answer that is none.
    package func search(
        _ words: String,
        network: HTTPByteStream.Options
    ) async throws(PodcastError) -> [Entry] {
        let words = words.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(Self.maximumLength)
        guard !words.isEmpty else { return [] }
        let exchange: HTTPExchange
        do throws(SyrinxError) {
            exchange = try HTTPExchange(
                url: request(String(words)),
                headers: [("Accept", "application/json")],
                options: network,
                limit: Self.maximumSize,
                timeLimit: Self.timeLimit
            )
        } catch {
            throw LibraryDatabase.failure(error, name: url)
        }
        return try await BlockingWork.run(cancel: { exchange.cancel() }) { () throws(PodcastError) in
            let bytes: [UInt8]
            do throws(SyrinxError) { bytes = try exchange.readAll() } catch {
                throw LibraryDatabase.failure(error, name: url)
            }
            return try entries(Data(bytes))
        }
    }

    private func request(_ words: String) -> String {
        let words = SearchWords.escaped(words)
        return switch kind {
        case .gpodder: "\(url)?q=\(words)"
        case .itunes: "\(url)?media=podcast&limit=\(Self.maximumCount)&term=\(words)"
        }
    }

    // MARK: Answers

    private struct GpodderEntry: Decodable {
        var url, title, author, description, website: String?
    }

    private struct ITunesAnswer: Decodable {
        struct Result: Decodable {
            var feedUrl, collectionName, artistName, collectionViewUrl: String?
        }

        var results: [Result]
    }

    /// Reads an answer.
    func entries(_ data: Data) throws(PodcastError) -> [Entry] {
        let found: [Entry?]
        do {
            switch kind {
            case .gpodder:
                found = try JSONDecoder().decode([GpodderEntry].self, from: data).lazy.prefix(Self.maximumCount).map {
                    Self.entry($0.url, $0.title, $0.author, $0.description, $0.website)
                }
            case .itunes:
                let answer = try JSONDecoder().decode(ITunesAnswer.self, from: data)
                found = answer.results.lazy.prefix(Self.maximumCount).map {
                    Self.entry($0.feedUrl, $0.collectionName, $0.artistName, nil, $0.collectionViewUrl)
                }
            }
        } catch {
            let message = "the server's answer is not that of a directory of podcasts"
            throw PodcastError(.directoryInvalid, message, name: url, underlying: error)
        }
        return found.compactMap(\.self)
    }

    private static func entry(
        _ url: String?,
        _ title: String?,
        _ author: String?,
        _ summary: String?,
        _ website: String?
    ) -> Entry? {
        // A directory may not name files of this machine.
        guard let url = address(url) else { return nil }
        return Entry(
            title: text(title) ?? url,
            url: url,
            author: text(author),
            summary: text(summary),
            website: address(website)
        )
    }

    private static func address(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 2_000, let url = URL(string: text),
            ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false
        else { return nil }
        return text
    }

    /// Returns a text on one line, without a length that fills a screen; `nil` if there is none.
    private static func text(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = text.prefix(maximumLength).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? nil : line
    }
}

/// The words of a search in a URL.
private enum SearchWords {
    /// Returns a text with all bytes escaped that have a meaning in a query.
    static func escaped(_ text: String) -> String {
        var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        allowed.insert(charactersIn: "-._~")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}

extension ErrorCode {
    /// The answer of a directory of podcasts cannot be parsed.
    public static let directoryInvalid = ErrorCode(rawValue: "network.directoryInvalid")
}
