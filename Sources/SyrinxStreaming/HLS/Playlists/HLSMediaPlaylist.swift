import Foundation
import SyrinxByteStream

/// The playlist of the segments of one rendition (RFC 8216, 4.3.2 and 4.3.3).
struct HLSMediaPlaylist: Sendable, Equatable {
    /// The part of a resource that is meant.
    struct Resource: Sendable, Hashable {
        /// The URL, as playlists of many segments hold it.
        var location: CompactURL
        /// The bytes of it; `nil` for all.
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
        /// The initialisation vector; `nil` stands for the media sequence number.
        var vector: [UInt8]?
    }

    /// The initialisation section of segments.
    struct Initialization: Sendable, Hashable {
        var resource: Resource
        var key: Key?
    }

    /// A piece of the rendition.
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
        /// The discontinuity sequence number: segments of the same number have one clock.
        var discontinuity: Int64
        /// The date of its first sample, in seconds since 1970.
        var date: Double?
        /// Whether it is missing on purpose.
        var isGap: Bool
        /// The place among the parts of the segment, from 0; `nil` for all of the segment.
        var part: Int?
        /// Seconds from the start of the segment to that of a part.
        var offset = 0.0
        /// Whether it can be decoded without what comes before it.
        var isIndependent = true
        /// The parts that it was published in, as far as they are still listed.
        var parts: [Segment] = []
    }

    /// A resource that will be needed next, and can be asked for already.
    struct Hint: Sendable, Hashable {
        var url: URL
        /// The first byte of it.
        var start: Int64 = 0
        /// Whether it is an initialisation section, and not a part.
        var isInitialization = false
    }

    /// The state of another rendition when this playlist was made.
    struct Report: Sendable, Equatable {
        var url: URL
        /// The media sequence number of its last segment.
        var sequence: Int64
        /// The last part of that segment.
        var part: Int?
    }

    /// The kind that a playlist states of itself.
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
    /// The time at which playing is to start, in seconds; less than 0 counts from the end.
    var startOffset: Double?
    /// Whether a request for a segment to come is answered when it is there.
    var canBlockReload = false
    /// Seconds to stay away from the end of a live playlist, if it is stated.
    var holdBack: Double?
    /// The same where parts are played.
    var partHoldBack: Double?
    /// An upper bound of the parts' durations, in seconds; `nil` without parts.
    var partTarget: Double?
    /// The parts of the segment that is still being made, which follows on the last one.
    var openParts: [Segment] = []
    var hints: [Hint] = []
    /// Seconds from the end before which a delta update leaves segments out; `nil` if there are no such updates.
    var skipBoundary: Double?
    var reports: [Report] = []
    /// Whether a delta update leaves out segments that are not known, so that it says nothing.
    var lacksSkipped = false

    /// A segment does not last longer, in seconds, whatever its playlist states: a day.
    static let longestSegment = 86_400.0
    /// The silence for a missing segment does not last longer, in seconds, whatever its playlist states.
    private static let longestSilence = 600.0

    /// The longest silence in place of a missing segment, in seconds.
    ///
    /// Rounded, no segment is longer than the target duration (RFC 8216, 4.3.3.1). One that can be read shows how long it is; of a
    /// missing one there is only the playlist's word.
    var longestGap: Double {
        targetDuration > 0 ? min(targetDuration + 0.5, Self.longestSilence) : Self.longestSilence
    }

    /// More segments than these are not taken from a playlist: 55 hours of 2 seconds each.
    static let maximumSegments = 100_000
    /// More parts than these are not taken from a playlist: the last ones are.
    static let maximumParts = 5_000

    /// The media sequence number behind the last segment.
    var endSequence: Int64 { segments.last.map { $0.sequence + 1 } ?? firstSequence.addingClamped(skippedCount) }
}

/// A playlist of HTTP Live Streaming.
enum HLSPlaylist: Sendable, Equatable {
    case master(HLSMasterPlaylist)
    case media(HLSMediaPlaylist)

    /// The longest playlist that is read, in bytes.
    static let maximumSize = 8 << 20

    /// Whether a text is one: it begins with a tag or a comment, and has a tag that only these have.
    ///
    /// `#EXTM3U` ought to be the first line (RFC 8216, 4.3.1.1), but servers write it behind other tags, or not at all.
    static func isPlaylist(_ bytes: some Collection<UInt8>) -> Bool {
        var lines = PlainLines(Array(bytes))
        guard let first = lines.next(), first.first == UInt8(ascii: "#") else { return false }
        return first.begins(with: "#EXT-X-") || lines.contains { $0.begins(with: "#EXT-X-") }
    }

    /// Whether a text of unknown kind begins as one; `nil` if these are too few bytes to tell.
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
    /// The first line must begin within this many bytes.
    static let mostLeadingBytes = 256
}
