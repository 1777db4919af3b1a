import Foundation
import SyrinxByteStream
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

extension ListeningInput {
    /// Creates the input that a person's text means: an absolute path, or an address, also without its scheme.
    init?(typed text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isHost = text.contains(".") && !text.contains(" ") && URL.scheme(of: text)?.contains(".") ?? true
        if isHost, ListeningInput(location: text) == nil {
            // As browsers take the name of a host.
            self.init(location: "https://\(text)")
        } else {
            self.init(location: text)
        }
    }
}
