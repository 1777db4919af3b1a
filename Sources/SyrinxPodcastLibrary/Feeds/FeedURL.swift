import Foundation
import SyrinxHTTPStream

/// Resolves the URLs of feeds and their contents.
enum FeedURL {
    /// Returns the absolute `http:` or `https:` URL of a reference; `nil` for any other.
    static func resolve(_ text: String, relativeTo base: URL?) -> String? {
        guard let url = URL(fromOutside: text, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false
        else { return nil }
        return url.absoluteString
    }

    /// Returns the base URL of a document: that of the response, or its `Content-Location` header.
    static func base(_ url: String, contentLocation: String?) -> URL? {
        let base = URL(string: url)
        return contentLocation.flatMap { resolve($0, relativeTo: base) }.flatMap { URL(string: $0) } ?? base
    }

    /// Returns the URL of a feed that a user typed or pasted; `nil` if the text is not a URL.
    ///
    /// A missing scheme, or `feed:`, `pcast:`, `podcast:` or `itpc:` before or in place of the scheme, means `https:`.
    static func typed(_ text: String) -> String? {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        for scheme in ["feed", "pcast", "podcast", "itpc"] where text.lowercased().hasPrefix(scheme + ":") {
            text = String(text.dropFirst(scheme.count + 1))
            if text.hasPrefix("//") { text = "https:" + text }
        }
        if URL.scheme(of: text) == nil || text.prefixMatch(of: /[A-Za-z0-9.\-]+\.[A-Za-z]+:\d/) != nil {
            text = "https://" + text
        }
        guard text.utf8.count <= 4_096 else { return nil }
        return resolve(text, relativeTo: nil)
    }
}
