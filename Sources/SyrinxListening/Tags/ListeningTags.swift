package import SyrinxMediaCodec
import SyrinxStreaming

/// The tags of a recording that lists show and search.
package struct ListeningTags: Sendable, Equatable {
    /// The title.
    package var title: String?
    /// The performer.
    package var artist: String?
    /// The album.
    package var album: String?
    /// The length in seconds.
    package var duration: Double?

    /// The Unicode scalars of a text that are kept: a queue keeps the tags of many recordings.
    package static let maximumLength = 800

    /// Creates tags.
    ///
    /// - Parameters:
    ///   - title: The title; texts are cut after 800 Unicode scalars, and blank ones count as unknown.
    ///   - artist: The performer.
    ///   - album: The album.
    ///   - duration: The length in seconds; one that is not finite or not above 0 counts as unknown.
    package init(
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        duration: Double? = nil
    ) {
        (self.title, self.artist, self.album) = (Self.cut(title), Self.cut(artist), Self.cut(album))
        self.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    /// Creates the tags of an opened recording.
    package init(_ info: MediaInfo) {
        self.init(info.tags, duration: info.duration)
    }

    private init(_ tags: [String: String], duration: Double?) {
        let artist = Self.cut(tags["artist"]) ?? tags["album_artist"]
        self.init(title: tags["title"], artist: artist, album: tags["album"], duration: duration)
    }

    /// Creates the tags of an input of a queue.
    ///
    /// The file's own tags are preferred to those of a playlist. The tags of a CUE sheet are preferred for its tracks,
    /// and a feed's title for an episode.
    ///
    /// - Parameters:
    ///   - input: The input, with the information of a playlist or a feed.
    ///   - file: The tags of its file, if they are known.
    package init(of input: ListeningInput, file: ListeningTags?) {
        var stated = Self(input.tags, duration: input.duration)
        stated.title = Self.cut(input.title) ?? stated.title
        let file = file ?? ListeningTags()
        let (first, second) = input.part == nil ? (file, stated) : (stated, file)
        self = first
        // The title of a file is none of its parts.
        title = input.part == nil ? first.title ?? second.title : first.title
        if input.keepsTitle { title = stated.title ?? title }
        artist = first.artist ?? second.artist
        album = first.album ?? second.album
        guard let part = input.part else {
            duration = first.duration ?? second.duration
            return
        }
        // The last part of a file has no end of its own.
        let rest = ListeningTags(duration: file.duration.map { $0 - part.start }).duration
        duration = stated.duration ?? rest
    }

    private static func cut(_ text: String?) -> String? {
        guard var text else { return nil }
        if text.utf8.count > maximumLength {
            text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
        }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}
