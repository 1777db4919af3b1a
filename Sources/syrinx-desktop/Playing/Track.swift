import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxListening
import SyrinxStreaming

/// A recording of the queue, or a playlist whose turn has not come.
struct Track: Sendable, Equatable {
    /// The recording, with what a playlist states of it.
    var source: ListeningInput
    /// The number in the library of podcasts, if it is an episode.
    var episode: Int64?

    /// The recording as the player takes it.
    var input: StreamingInput { source.streamingInput }

    /// The title, until the recording's own is known.
    var title: String { source.title ?? source.shortName }

    /// The URL of the recording without a user and password, to be shown and stored; `input` has them.
    var url: URL? {
        let url = source.url
        return url.user == nil ? url : URL(string: Redaction.redact(url))
    }

    /// Whether the track is a whole recording.
    var isWhole: Bool { source.part == nil }
}

extension SessionLogins {
    /// Returns an input with the name and the password for its server.
    func added(to input: StreamingInput) -> StreamingInput {
        switch input {
        case .url(let url): .url(added(to: url))
        case .part(let part, let url): .part(part, of: added(to: url))
        default: input
        }
    }
}
