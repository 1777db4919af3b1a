public import Foundation

/// The download of an episode.
public struct EpisodeDownload: Identifiable, Hashable, Sendable {
    /// The state of a download.
    public enum State: String, Sendable {
        /// The download has not started, or is incomplete.
        case waiting
        /// The file is complete.
        case completed
        /// The download failed; `failure` contains the reason.
        case failed
    }

    /// The identifier of the episode.
    public let id: Episode.ID
    /// The state of the download.
    public let state: State
    /// The file, which exists once the download is completed.
    public let file: URL
    /// The size of the completed file, in bytes.
    public let byteCount: Int64
    /// Whether the user asked for the download, so that no rule removes it.
    public let isWanted: Bool
    /// The failure, if the state is `failed`.
    public let failure: Podcast.Failure?
}

extension ErrorCode {
    /// The episode has no recording to download.
    public static let noRecording = ErrorCode(rawValue: "usage.noRecording")
    /// The recording exceeds the maximum size of a download.
    public static let recordingTooLarge = ErrorCode(rawValue: "media.recordingTooLarge")
    /// Another process is downloading this episode.
    public static let downloadInUse = ErrorCode(rawValue: "file.inUse")
}
