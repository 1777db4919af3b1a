public import Foundation
public import SyrinxByteStream

/// An error of the podcast library.
public struct PodcastError: LocalizedError, Sendable, CustomStringConvertible {
    /// The code of the error: a dotted string that never changes its meaning.
    public let code: ErrorCode
    /// A message for the user, without the name.
    public let message: String
    /// The URL of the feed without a password, or the file of the library.
    public let name: String
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    /// Creates an error for the feed or file `name`.
    package init(_ code: ErrorCode, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = Redaction.redact(message).asSentence
        self.name = Redaction.redact(name)
        self.underlying = underlying
    }

    /// The name and the message.
    public var description: String { "\(name): \(message)" }

    /// The same text as `description`, used for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Error codes of the podcast library.
extension ErrorCode {
    /// The server returned a web page instead of a feed.
    public static let feedIsWebPage = ErrorCode(rawValue: "media.feedIsWebPage")
    /// The document is not a feed in a supported format.
    public static let notAFeed = ErrorCode(rawValue: "media.notAFeed")
    /// The document is empty.
    public static let feedEmpty = ErrorCode(rawValue: "media.feedEmpty")
    /// The feed is truncated; its first part was stored.
    public static let feedTruncated = ErrorCode(rawValue: "media.feedTruncated")
    /// The feed exceeds the size limits; its first part was stored.
    public static let feedTooLarge = ErrorCode(rawValue: "media.feedTooLarge")
    /// The server reported that the feed is permanently gone.
    public static let feedGone = ErrorCode(rawValue: "http.410")
    /// No podcast has this identifier.
    public static let noSuchPodcast = ErrorCode(rawValue: "usage.noSuchPodcast")
    /// No episode has this identifier.
    public static let noSuchEpisode = ErrorCode(rawValue: "usage.noSuchEpisode")
    /// The disk is full, or the file exceeds the size limit of the file system or process.
    public static let diskFull = ErrorCode(rawValue: "file.diskFull")
    /// The file is not a library, or is damaged.
    public static let libraryDamaged = ErrorCode(rawValue: "file.libraryDamaged")
    /// The library was written by a newer version.
    public static let libraryTooNew = ErrorCode(rawValue: "file.libraryTooNew")
    /// Another process is using the library.
    public static let libraryBusy = ErrorCode(rawValue: "file.libraryBusy")
    /// The library cannot be read or written.
    public static let libraryFailed = ErrorCode(rawValue: "file.libraryFailed")
    /// The file is not an OPML document.
    public static let notOPML = ErrorCode(rawValue: "media.notOPML")
    /// The OPML document is truncated.
    public static let opmlTruncated = ErrorCode(rawValue: "media.opmlTruncated")
    /// The OPML document exceeds the size limits.
    public static let opmlTooLarge = ErrorCode(rawValue: "media.opmlTooLarge")
    /// The response of the synchronization server cannot be parsed.
    public static let syncInvalid = ErrorCode(rawValue: "network.syncInvalid")
}
