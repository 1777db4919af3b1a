import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Decides what the URIs of a playlist may lead to.
///
/// Nothing that came from a server leads to a file or to another scheme than HTTP's, and what came over a secure connection
/// leads to no insecure one.
struct HLSLocator: Sendable {
    /// The URL that the playlist was found at.
    let base: URL
    /// Whether a playlist that came over HTTPS may lead to HTTP.
    let allowsInsecure: Bool
    /// The bytes of the address that each reference is resolved against: `base` without its query.
    let baseByteCount: Int
    /// `base` without its query, which no reference takes over.
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

    /// The absolute URL of a URI reference, as `url(of:)` gives it, from bytes in UTF-8.
    /// - Throws: As `url(of:)`.
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
        // A reference without a scheme is meant for a server, which a file does not tell.
        if base.isFileURL, clean.hasPrefix("//"), !clean.hasPrefix("///") { clean = "http:" + clean }
        guard let url = URL(fromOutside: clean, relativeTo: stem)?.absoluteURL, let scheme = url.scheme?.lowercased()
        else { throw refusal("a reference that is no URL") }
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

    /// Checks what a reference takes together with the address that it is resolved against.
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
