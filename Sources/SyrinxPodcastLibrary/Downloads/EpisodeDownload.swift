public import Foundation

/// The download of an episode.
public struct EpisodeDownload: Identifiable, Hashable, Sendable {
    /// The state of a download.
    public enum State: String, Sendable {
        /// It has not been fetched, or not to its end.
        case waiting
        /// All of it is there.
        case completed
        /// It could not be fetched; `failure` has the reason.
        case failed
    }

    /// The episode.
    public let id: Episode.ID
    /// The state.
    public let state: State
    /// The file, which is there once it is completed.
    public let file: URL
    /// The size of the file in bytes, once it is completed.
    public let byteCount: Int64
    /// Whether somebody has asked for it: then no rule removes it.
    public let isWanted: Bool
    /// The failure, if there is one.
    public let failure: Podcast.Failure?
}

extension ErrorCode {
    /// The episode has no recording.
    public static let noRecording = ErrorCode(rawValue: "usage.noRecording")
    /// The recording is larger than may be downloaded.
    public static let recordingTooLarge = ErrorCode(rawValue: "media.recordingTooLarge")
    /// Another process downloads this episode at the moment.
    public static let downloadInUse = ErrorCode(rawValue: "file.inUse")
}
