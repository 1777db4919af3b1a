public import Foundation

/// Something that is fetched to be there without a network: a value, as it was when it was asked for.
public struct Download: Identifiable, Sendable {
    /// The state of a download.
    public enum State: String, Sendable {
        /// Its turn has not come.
        case queued
        /// Bytes come.
        case downloading
        /// It stands still, because a stream needs the line.
        case givingWay
        /// The network is gone; it goes on by itself.
        case waitingForNetwork
        /// All bytes are there, and are read once more and checked.
        case verifying
        /// It was told to stand still.
        case paused
        /// All of it is there and has been checked.
        case completed
        /// It does not continue before it is resumed; `error` has the reason.
        case failed
    }

    /// Names the download, in this run and the next ones.
    public let id: String
    /// The URL of the resource, without user and password.
    public let url: URL
    /// When it was added.
    public let addedAt: Date
    /// The SHA-256 that the whole has to have, as 64 hexadecimal digits, if that is known.
    public let sha256: String?
    /// The state.
    public internal(set) var state: State
    /// Bytes that are on disk: in pieces of 64 KiB, wherever in the whole they lie.
    public internal(set) var receivedByteCount: Int64
    /// The whole length in bytes, as soon as it is known.
    public internal(set) var length: Int64?
    /// The error, if it has failed.
    public internal(set) var error: SyrinxError?

    /// The share that has arrived, 0…1; 0 as long as the length is not known.
    public var fraction: Double {
        guard let length, length > 0 else { return state == .completed ? 1 : 0 }
        return min(1, Double(receivedByteCount) / Double(length))
    }
}

/// An event of a download.
public enum DownloadEvent: Sendable {
    /// A download is new, has got further, or does something else now.
    case changed(Download)
    /// A download is no more.
    case removed(Download.ID)
    /// Something is not as it should be, and the download goes on.
    case warning(Download.ID, SyrinxError)
}

extension ErrorCode {
    /// Another manager, perhaps of another process, has the downloads of this cache.
    public static let downloadsTaken = ErrorCode(rawValue: "file.inUse")
    /// The disk does not take what should be kept.
    public static let cannotBeKept = ErrorCode(rawValue: "file.cacheFailed")
    /// There is no such download.
    public static let noSuchDownload = ErrorCode(rawValue: "usage.noSuchDownload")
    /// A checksum that is not 64 hexadecimal digits.
    public static let badChecksum = ErrorCode(rawValue: "usage.badChecksum")
    /// The download needs its user and password, which are not kept: add it again with them.
    public static let credentialsNeeded = ErrorCode(rawValue: "usage.credentialsNeeded")
    /// The server says too little for a download to be kept, or forbids it.
    public static let notStorable = ErrorCode(rawValue: "http.notStorable")
    /// A resource whose checksum is not the expected one.
    public static let checksumMismatch = ErrorCode(rawValue: "http.checksumMismatch")
}
