import Foundation

/// A URL stored as text.
///
/// A Foundation `URL` needs about 700 bytes, and a list may have 100 000 entries.
package struct CompactURL: Hashable, Sendable {
    /// The maximum length of an entry's URL in bytes: servers reject longer ones.
    static let longestText = 16 << 10

    private enum Storage: Hashable, Sendable {
        case text(String)
        /// A URL that cannot be restored from its text alone.
        case whole(URL)
    }

    private let storage: Storage

    /// Holds a URL, without its base.
    package init(_ url: URL) {
        let text = url.absoluteString
        storage = URL(string: text) == url.absoluteURL ? .text(text) : .whole(url.absoluteURL)
    }

    /// Creates a URL from text that `PlainReference` has created or accepted.
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
