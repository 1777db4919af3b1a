import Foundation

/// A URL that is held as its text.
///
/// A `URL` of Foundation takes some 700 bytes; a list has a hundred thousand of them.
package struct CompactURL: Hashable, Sendable {
    /// The longest URL that an entry of a list may have, in bytes: servers refuse longer ones.
    static let longestText = 16 << 10

    private enum Storage: Hashable, Sendable {
        case text(String)
        /// A URL that its text alone does not give back.
        case whole(URL)
    }

    private let storage: Storage

    /// Holds a URL, without its base.
    package init(_ url: URL) {
        let text = url.absoluteString
        storage = URL(string: text) == url.absoluteURL ? .text(text) : .whole(url.absoluteURL)
    }

    /// Holds the URL of a text that `PlainReference` has made or found to be one.
    init(plain text: String) { storage = .text(text) }

    /// The URL.
    package var url: URL {
        switch storage {
        // Checked when it was taken.
        case .text(let text): URL(string: text) ?? URL(fileURLWithPath: text)
        case .whole(let url): url
        }
    }

    /// The text of the URL.
    package var text: String {
        switch storage {
        case .text(let text): text
        case .whole(let url): url.absoluteString
        }
    }
}
