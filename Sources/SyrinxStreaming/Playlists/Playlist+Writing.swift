import Foundation

extension Playlist {
    /// The playlist as extended M3U in UTF-8, for files with the extension `m3u8`.
    ///
    /// Each entry has an absolute URL, a duration in whole seconds (−1 if unknown) and the text `artist - title`. A
    /// part of a recording has VLC's options `start-time` and `stop-time`, in seconds, which `Playlist` can read too.
    ///
    /// ```swift
    /// let song = URL(fileURLWithPath: "overture.flac")
    /// let list = Playlist([Playlist.Entry(url: song, title: "Overture", duration: 214)])
    /// try Data(list.m3u8.utf8).write(to: URL(fileURLWithPath: "evening.m3u8"))
    /// ```
    public var m3u8: String { Self.m3u8Header + m3u8Entries }

    /// The first line of an extended M3U.
    package static let m3u8Header = "#EXTM3U\n"

    /// The lines of the entries, without the header line.
    package var m3u8Entries: String {
        entries.map { entry in
            let heading = [entry.tags["artist"], entry.title ?? entry.tags["title"]].compactMap(\.self)
            // Bounded: below a billion.
            let length = entry.duration.flatMap { $0 > 0 && $0 < 1e9 ? Int($0.rounded()) : nil } ?? -1
            let options = [("start-time", entry.part?.start), ("stop-time", entry.part?.end)].compactMap { name, time in
                time.map { "#EXTVLCOPT:\(name)=\($0)\n" }
            }
            let title = heading.joined(separator: " - ").split(whereSeparator: \.isNewline).joined(separator: " ")
            return "#EXTINF:\(length),\(title)\n\(options.joined())\(entry.url.absoluteString)\n"
        }.joined()
    }
}
