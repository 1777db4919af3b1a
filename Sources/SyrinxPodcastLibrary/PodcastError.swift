public import Foundation
public import SyrinxByteStream

/// An error of the podcast library.
public struct PodcastError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of the failure: a dotted string that never changes its meaning.
    public let code: ErrorCode
    /// One sentence that a person can act on, without the name.
    public let message: String
    /// The feed's URL without a password, or the file of the library.
    public let name: String
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    /// A failure of the feed or file `name`.
    package init(_ code: ErrorCode, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = Redaction.redact(message).asSentence
        self.name = Redaction.redact(name)
        self.underlying = underlying
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Codes of the podcast library.
extension ErrorCode {
    /// The server sent a web page in place of a feed.
    public static let feedIsWebPage = ErrorCode(rawValue: "media.feedIsWebPage")
    /// The document is no feed that is known.
    public static let notAFeed = ErrorCode(rawValue: "media.notAFeed")
    /// The document is empty.
    public static let feedEmpty = ErrorCode(rawValue: "media.feedEmpty")
    /// The feed ends in the middle: what came before has been taken.
    public static let feedTruncated = ErrorCode(rawValue: "media.feedTruncated")
    /// The feed is larger than is read: what came before has been taken.
    public static let feedTooLarge = ErrorCode(rawValue: "media.feedTooLarge")
    /// The server says that the feed is gone for good.
    public static let feedGone = ErrorCode(rawValue: "http.410")
    /// There is no podcast, episode or entry of that number.
    public static let noSuchPodcast = ErrorCode(rawValue: "usage.noSuchPodcast")
    /// There is no episode of that number.
    public static let noSuchEpisode = ErrorCode(rawValue: "usage.noSuchEpisode")
    /// The disk is full, or a file has reached the largest size that it may have.
    public static let diskFull = ErrorCode(rawValue: "file.diskFull")
    /// The file is no library, or is damaged.
    public static let libraryDamaged = ErrorCode(rawValue: "file.libraryDamaged")
    /// The library was written by a newer version.
    public static let libraryTooNew = ErrorCode(rawValue: "file.libraryTooNew")
    /// Another process keeps the library busy.
    public static let libraryBusy = ErrorCode(rawValue: "file.libraryBusy")
    /// The library cannot be read or written.
    public static let libraryFailed = ErrorCode(rawValue: "file.libraryFailed")
    /// The file is no OPML.
    public static let notOPML = ErrorCode(rawValue: "media.notOPML")
    /// The list of podcasts ends in the middle.
    public static let opmlTruncated = ErrorCode(rawValue: "media.opmlTruncated")
    /// The list of podcasts is larger than is read.
    public static let opmlTooLarge = ErrorCode(rawValue: "media.opmlTooLarge")
    /// The synchronisation server's answer is not understood.
    public static let syncInvalid = ErrorCode(rawValue: "network.syncInvalid")
}
