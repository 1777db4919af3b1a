import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Decides which URIs of a playlist are allowed.
///
/// A playlist from a server can refer to HTTP resources only, not to files. A playlist that was loaded over HTTPS
/// cannot refer to HTTP.
struct HLSLocator: Sendable {
    /// The URL that the playlist was found at.
    let base: URL
    /// Whether a playlist that was loaded over HTTPS may refer to HTTP.
    let allowsInsecure: Bool
    /// The bytes of the address that each reference is resolved against: `base` without its query.
    let baseByteCount: Int
    /// `base` without its query, which references do not inherit.
    private let stem: URL
    /// The text of the URL of the folder that references are relative to, if it may be opened.
    private let folder: String?
    /// Whether a reference may lead to HTTP.
    private let allowsHTTP: Bool

    /// Decides for the playlist that was found at `base`.
    init(base: URL, allowsInsecure: Bool = false) {
        (self.base, self.allowsInsecure) = (base, allowsInsecure)
        allowsHTTP = allowsInsecure || base.scheme?.lowercased() != "https"
        stem = PlainReference.stem(of: base)
        baseByteCount = stem.absoluteString.utf8.count
        let isShort = baseByteCount < CompactURL.longestText
        folder = isShort && Self.isAllowed(base) ? PlainReference.folder(of: stem) : nil
    }

    private static func isAllowed(_ base: URL) -> Bool {
        switch base.scheme?.lowercased() {
        case "http", "https": base.host().map(\.isEmpty) == false
        case "file": [nil, "", "localhost"].contains(base.host()) && FilePath(base) != nil
        default: false
        }
    }

    /// Returns the absolute URL of a URI reference in UTF-8; see `url(of:)`.
    /// - Throws: The errors of `url(of:)`.
    func location(of reference: ArraySlice<UInt8>) throws(SyrinxError) -> CompactURL {
        try checkLength(reference.count)
        if let folder, PlainReference.isRelative(reference) { return CompactURL(plain: folder + reference.text) }
        if PlainReference.isWeb(reference, isSecure: true)
            || allowsHTTP && PlainReference.isWeb(reference, isSecure: false)
        {
            return CompactURL(plain: reference.text)
        }
        return CompactURL(try url(of: reference.text))
    }

    /// The absolute URL of a URI reference.
    /// - Throws: `media.playlistEntry` for a reference that is malformed, too long, insecure, or of a scheme that is not allowed.
    func url(of reference: String) throws(SyrinxError) -> URL {
        try checkLength(reference.utf8.count)
        var clean = base.isFileURL ? ByteText.percentEncoded(reference) : reference
        // A reference without a scheme needs that of a server, which a local file does not have.
        if base.isFileURL, clean.hasPrefix("//"), !clean.hasPrefix("///") { clean = "http:" + clean }
        guard let url = URL(fromOutside: clean, relativeTo: stem)?.absoluteURL, let scheme = url.scheme?.lowercased()
        else { throw refusal("a reference that is not a URL") }
        switch scheme {
        case "http", "https":
            guard url.host().map(\.isEmpty) == false else { throw refusal("a URL without a host") }
            if scheme == "http", !allowsHTTP {
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

    /// Checks the length of a reference together with its base URL.
    private func checkLength(_ count: Int) throws(SyrinxError) {
        guard count + baseByteCount <= CompactURL.longestText else {
            throw refusal("a URL of more than \(CompactURL.longestText >> 10) KiB")
        }
    }

    private func refusal(_ what: String) -> SyrinxError {
        SyrinxError(
            .playlistEntry,
            "The playlist names \(what), which is not opened for safety: ask the sender for another address.",
            name: StreamingInput.url(base).name
        )
    }
}
