package import Foundation
import SyrinxByteStream

/// The kind of a playable file, by its file name extension.
package enum PlayableKind: Sendable, Equatable {
    /// A recording.
    case sound
    /// A film, of which the audio is played.
    case film
    /// A list of inputs.
    case playlist

    /// Creates the kind for a file name extension; returns `nil` for unknown ones.
    ///
    /// - Parameter ending: The extension in lower case, without the dot.
    package init?(ending: String) {
        if Self.sounds.contains(ending) {
            self = .sound
        } else if Self.films.contains(ending) {
            self = .film
        } else if Self.playlists.contains(ending) {
            self = .playlist
        } else {
            return nil
        }
    }

    /// Creates the kind for the extension of a URL; returns `nil` if it is unknown.
    package init?(endingOf url: URL) {
        self.init(ending: FilePath(url)?.pathExtension ?? url.pathExtension.lowercased())
    }

    private static let sounds: Set = [
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dsf", "dts", "eac3", "flac", "m4a", "m4b",
        "m4r", "mka", "mp1", "mp2", "mp3", "mpc", "oga", "ogg", "opus", "ra", "snd", "spx", "tak", "tta", "w64", "wav",
        "wave", "weba", "wma", "wv",
    ]
    private static let films: Set = [
        "3gp", "avi", "flv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "ogv", "ts", "webm", "wmv",
    ]
    private static let playlists: Set = ["cue", "m3u", "m3u8", "pls", "xspf"]
}
