import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// The report of `info` about an input.
struct MediaReport: Encodable, Equatable {
    /// A chapter of the input.
    struct Chapter: Encodable, Equatable {
        /// The start, in seconds.
        var start: Double
        /// The end, in seconds.
        var end: Double
        @NullEncoded var title: String?
    }

    /// A picture in the input.
    struct Artwork: Encodable, Equatable {
        var mimeType: String
        var width: Int
        var height: Int
        var bytes: Int
    }

    var url: String
    var container: String
    var codec: String
    @NullEncoded var profile: String?
    var sampleRate: Double
    var channels: Int
    var channelLayout: String
    /// The bit rate, in bits per second.
    @NullEncoded var bitRate: Int?
    /// The duration, in seconds.
    @NullEncoded var duration: Double?
    /// The exact number of frames; `nil` if it is unknown.
    @NullEncoded var frames: Int64?
    var seekable: Bool
    /// The size, in bytes.
    @NullEncoded var size: Int64?
    var tags: [String: String]
    var chapters: [Chapter]
    @NullEncoded var artwork: Artwork?

    /// The report as a single-line JSON object.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }

    /// The report as lines of text, starting with the name of the input.
    var text: String {
        var rows: [(String, String)] = [("format", formatText), ("length", lengthText)]
        if let size { rows.append(("size", "\(size) bytes\(seekable ? "" : ", not seekable")")) }
        if size == nil, !seekable { rows.append(("size", "unknown, not seekable")) }
        rows += tags.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (index, chapter) in chapters.enumerated() {
            let title = chapter.title.map { "  \($0)" } ?? ""
            rows.append((index == 0 ? "chapters" : "", ClockTime.text(chapter.start, like: chapter.end) + title))
        }
        if let artwork {
            rows.append(
                ("artwork", "\(artwork.mimeType), \(artwork.width) × \(artwork.height), \(artwork.bytes) bytes")
            )
        }
        rows = rows.map { (PrintableText.line($0), PrintableText.line($1)) }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { "  \($0.padded(to: width))  \($1)" }
        return ([PrintableText.line(url)] + lines).joined(separator: "\n")
    }

    private var formatText: String {
        let name = [container, container == codec ? nil : codec, profile].compactMap(\.self).joined(separator: ", ")
        let rate = bitRate.map { ", \($0.addingClamped(500) / 1000) kbit/s" } ?? ""
        let layout = channelLayout.isEmpty ? "\(channels) channels" : channelLayout
        return "\(name), \(SoundLimits.number(sampleRate)) Hz, \(layout)\(rate)"
    }

    private var lengthText: String {
        guard let duration else { return "unknown" }
        let frames = frames.map { " (\($0) frames)" } ?? ", about"
        let milliseconds = String(Int(clamped: (duration * 1000).rounded()) % 1000).leftPadded(to: 3, with: "0")
        return "\(ClockTime.text((duration * 1000).rounded() / 1000)).\(milliseconds)\(frames)"
    }
}

extension MediaReport {
    /// Creates a report from the decoder's information; `frames` is the exact number of frames, if it is known.
    init(_ info: MediaInfo, url: String, frames: Int64?) {
        let exactDuration = frames.map { Double($0) / info.sampleRate }
        self.init(
            url: url,
            container: info.container,
            codec: info.codec,
            profile: info.profile,
            sampleRate: info.sampleRate,
            channels: info.channelCount,
            channelLayout: info.channelLayout,
            bitRate: info.bitRate,
            duration: JSONText.seconds(exactDuration ?? info.duration),
            frames: frames,
            seekable: info.isSeekable,
            size: info.size,
            tags: info.tags,
            chapters: info.chapters.map { Chapter(start: $0.start, end: $0.end, title: $0.title) },
            artwork: info.artwork.map {
                Artwork(mimeType: $0.mimeType, width: $0.width, height: $0.height, bytes: $0.byteCount)
            }
        )
    }
}
