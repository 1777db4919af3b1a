import Foundation
import SyrinxByteStream

/// The media playlist of one rendition (RFC 8216, 4.3.2 and 4.3.3).
struct HLSMediaPlaylist: Sendable, Equatable {
    /// The part of a resource that is meant.
    struct Resource: Sendable, Hashable {
        /// The URL, as playlists of many segments hold it.
        var location: CompactURL
        /// The byte range; `nil` for the whole resource.
        var range: Range<Int64>?

        init(_ location: CompactURL, range: Range<Int64>? = nil) { (self.location, self.range) = (location, range) }

        init(url: URL, range: Range<Int64>? = nil) { self.init(CompactURL(url), range: range) }

        var url: URL {
            get { location.url }
            set { location = CompactURL(newValue) }
        }
    }

    /// The encryption of segments: AES-128 in CBC mode with the padding of PKCS 7.
    struct Key: Sendable, Hashable {
        /// The resource of the 16 bytes of the key.
        var url: URL
        /// The initialization vector; `nil` means the media sequence number.
        var vector: [UInt8]?
    }

    /// The initialisation section of segments.
    struct Initialization: Sendable, Hashable {
        var resource: Resource
        var key: Key?
    }

    /// A media segment, or a part of one.
    struct Segment: Sendable, Equatable {
        /// The media sequence number.
        var sequence: Int64
        var resource: Resource
        /// The duration in seconds that the playlist states.
        var duration: Double
        /// The title that the playlist states.
        var title: String?
        var key: Key?
        var initialization: Initialization?
        /// The discontinuity sequence number: segments with the same number share one clock.
        var discontinuity: Int64
        /// The date of its first sample, in seconds since 1970.
        var date: Double?
        /// Whether it is missing on purpose.
        var isGap: Bool
        /// The place among the parts of the segment, from 0; `nil` for all of the segment.
        var part: Int?
        /// Seconds from the start of the segment to that of a part.
        var offset = 0.0
        /// Whether the segment can be decoded independently of earlier ones.
        var isIndependent = true
        /// The parts that it was published in, as far as they are still listed.
        var parts: [Segment] = []
    }

    /// A resource that will be needed next, and can be requested in advance.
    struct Hint: Sendable, Hashable {
        var url: URL
        /// The offset of the first byte.
        var start: Int64 = 0
        /// Whether it is an initialisation section, and not a part.
        var isInitialization = false
    }

    /// The state of another rendition at the time of this playlist.
    struct Report: Sendable, Equatable {
        var url: URL
        /// The media sequence number of its last segment.
        var sequence: Int64
        /// The last part of that segment.
        var part: Int?
    }

    /// The playlist type, as stated.
    enum Kind: String, Sendable {
        /// Segments are added at the end, and none are removed.
        case event = "EVENT"
        /// It does not change.
        case onDemand = "VOD"
    }

    /// An upper bound of the segments' durations, in seconds.
    var targetDuration = 0.0
    var segments: [Segment] = []
    /// The media sequence number of the first segment.
    var firstSequence: Int64 = 0
    /// The segments at the start that a delta update leaves out.
    var skippedCount: Int64 = 0
    var kind: Kind?
    /// Whether no more segments follow.
    var isEnded = false
    /// The start time of playback in seconds; a negative time is relative to the end.
    var startOffset: Double?
    /// Whether the server can delay a request until a future segment exists.
    var canBlockReload = false
    /// Seconds to stay away from the end of a live playlist, if it is stated.
    var holdBack: Double?
    /// The same where parts are played.
    var partHoldBack: Double?
    /// An upper bound of the parts' durations, in seconds; `nil` without parts.
    var partTarget: Double?
    /// The parts of the incomplete segment after the last complete one.
    var openParts: [Segment] = []
    var hints: [Hint] = []
    /// The distance in seconds from the end before which a delta update omits segments; `nil` without delta updates.
    var skipBoundary: Double?
    var reports: [Report] = []
    /// Whether a delta update omits segments that are unknown here, so that it is useless.
    var lacksSkipped = false

    /// A segment does not last longer, in seconds, whatever its playlist states: a day.
    static let longestSegment = 86_400.0
    /// The silence for a missing segment does not last longer, in seconds, whatever its playlist states.
    private static let longestSilence = 600.0

    /// The maximum silence in seconds in place of a missing segment.
    ///
    /// Rounded, no segment is longer than the target duration (RFC 8216, 4.3.3.1). The duration of a readable segment
    /// can be measured, but for a missing one, only the playlist states it.
    var longestGap: Double {
        targetDuration > 0 ? min(targetDuration + 0.5, Self.longestSilence) : Self.longestSilence
    }

    /// More segments than these are not taken from a playlist: 55 hours of 2 seconds each.
    static let maximumSegments = 100_000
    /// The maximum number of parts in a playlist; only the last ones are kept.
    static let maximumParts = 5_000

    /// The media sequence number after the last segment.
    var endSequence: Int64 { segments.last.map { $0.sequence + 1 } ?? firstSequence.addingClamped(skippedCount) }
}

/// An HLS playlist: a master playlist or a media playlist.
enum HLSPlaylist: Sendable, Equatable {
    case master(HLSMasterPlaylist)
    case media(HLSMediaPlaylist)

    /// The longest playlist that is read, in bytes.
    static let maximumSize = 8 << 20

    /// Returns whether a text is an HLS playlist: it starts with a tag or a comment, and contains an HLS tag.
    ///
    /// `#EXTM3U` should be the first line (RFC 8216, 4.3.1.1), but some servers write it after other tags, or omit it.
    static func isPlaylist(_ bytes: some Collection<UInt8>) -> Bool {
        var lines = PlainLines(Array(bytes))
        guard let first = lines.next(), first.first == UInt8(ascii: "#") else { return false }
        return first.begins(with: "#EXT-X-") || lines.contains { $0.begins(with: "#EXT-X-") }
    }

    /// Returns whether a text starts like an HLS playlist; `nil` if there are too few bytes.
    static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
        let start = firstLine(of: bytes)
        if marks.contains(where: { start.starts(with: $0) }) { return true }
        return bytes.count < mostLeadingBytes && marks.contains { $0.starts(with: start) } ? nil : false
    }

    /// Returns the bytes from the first line on, without a byte order mark and blanks before it.
    static func firstLine(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private static let marks = ["#EXTM3U", "#EXT-X-", "#EXTINF:"].map { Array($0.utf8) }
    /// The maximum number of bytes before the first line.
    static let mostLeadingBytes = 256
}
