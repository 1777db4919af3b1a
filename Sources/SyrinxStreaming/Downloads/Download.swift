public import Foundation

/// A download for offline playback: a snapshot of its state.
public struct Download: Identifiable, Sendable {
    /// The state of a download.
    public enum State: String, Sendable {
        /// The download waits for its turn.
        case queued
        /// Bytes are arriving.
        case downloading
        /// The download is paused because a stream needs the network.
        case givingWay
        /// The network is unavailable; the download resumes by itself.
        case waitingForNetwork
        /// All bytes have arrived and are being read again to check them.
        case verifying
        /// The download was paused by the program.
        case paused
        /// The download is complete and checked.
        case completed
        /// The download failed and stays so until it is resumed; `error` has the reason.
        case failed
    }

    /// The identity of the download, in this run and in later ones.
    public let id: String
    /// The URL of the resource, without user and password.
    public let url: URL
    /// The date at which the download was added.
    public let addedAt: Date
    /// The expected SHA-256 of the file, as 64 hexadecimal digits; `nil` if none was given.
    public let sha256: String?
    /// The state of the download at the time of the snapshot.
    public internal(set) var state: State
    /// The number of bytes on disk, in blocks of 64 KiB at any offset.
    public internal(set) var receivedByteCount: Int64
    /// The length of the resource in bytes; `nil` until it is known.
    public internal(set) var length: Int64?
    /// The error of a failed download.
    public internal(set) var error: SyrinxError?

    /// The downloaded fraction, 0…1; 0 while the length is unknown.
    public var fraction: Double {
        guard let length, length > 0 else { return state == .completed ? 1 : 0 }
        return min(1, Double(receivedByteCount) / Double(length))
    }
}

/// An event of a download manager.
public enum DownloadEvent: Sendable {
    /// A download was added, or its state or progress changed.
    case changed(Download)
    /// A download was removed.
    case removed(Download.ID)
    /// A problem occurred that does not stop the download.
    case warning(Download.ID, SyrinxError)
}

extension ErrorCode {
    /// Another manager, perhaps in another process, uses this cache.
    public static let downloadsTaken = ErrorCode(rawValue: "file.inUse")
    /// The disk cannot store a download or its record.
    public static let cannotBeKept = ErrorCode(rawValue: "file.cacheFailed")
    /// There is no download with this identity.
    public static let noSuchDownload = ErrorCode(rawValue: "usage.noSuchDownload")
    /// A checksum does not have 64 hexadecimal digits.
    public static let badChecksum = ErrorCode(rawValue: "usage.badChecksum")
    /// The download needs a user and password, which are not stored: add it again with them.
    public static let credentialsNeeded = ErrorCode(rawValue: "usage.credentialsNeeded")
    /// The response of the server does not allow storing the resource, or lacks information that is needed for it.
    public static let notStorable = ErrorCode(rawValue: "http.notStorable")
    /// The checksum of a resource is not the expected one.
    public static let checksumMismatch = ErrorCode(rawValue: "http.checksumMismatch")
}
