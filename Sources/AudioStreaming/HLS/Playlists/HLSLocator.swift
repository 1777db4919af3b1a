import ByteStream
import Foundation
import HTTPStream

/// Decides what the URIs of a playlist may lead to.
///
/// Nothing that came from a server leads to a file or to another scheme than HTTP's, and what came over a secure connection
/// leads to no insecure one.
struct HLSLocator: Sendable {
    /// The URL that the playlist was found at.
    let base: URL
    /// Whether a playlist that came over HTTPS may lead to HTTP.
    var allowsInsecure = false

    /// The absolute URL of a URI reference.
    /// - Throws: `usage.badURL` for what is malformed, of a scheme that is not allowed, or insecure.
    func url(of reference: String) throws(StreamingError) -> URL {
        let clean = base.isFileURL ? ByteText.percentEncoded(reference) : reference
        guard let url = URL(fromOutside: clean, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased()
        else { throw refusal("a reference that is no URL") }
        switch scheme {
        case "http", "https":
            guard url.host().map(\.isEmpty) == false else { throw refusal("a URL without a host") }
            if scheme == "http", base.scheme?.lowercased() == "https", !allowsInsecure {
                throw refusal("an insecure address, though it came over a secure connection itself")
            }
            return url
        case "file":
            guard base.isFileURL, [nil, "", "localhost"].contains(url.host()), FilePath(url) != nil else {
                throw refusal("a file, though it came from a server")
            }
            return url
        default: throw refusal("a '\(scheme):' address")
        }
    }

    private func refusal(_ what: String) -> StreamingError {
        StreamingError(.badURL, "The playlist names \(what), which is not opened.", name: StreamingInput.url(base).name)
    }
}
