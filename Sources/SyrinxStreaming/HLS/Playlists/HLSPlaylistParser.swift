import Foundation
import SyrinxByteStream

/// Parses HLS playlists: RFC 8216, and the tags of its second edition that affect playback.
struct HLSPlaylistParser {
    var references: HLSReferences
    private var variables: HLSVariables
    private var master = HLSMasterPlaylist()
    var media = HLSMediaPlaylist()
    private var isMaster = false
    private var isMedia = false
    /// Returns the segment with a number from an earlier version of the playlist.
    let known: (Int64) -> HLSMediaPlaylist.Segment?

    // The tags that belong to the next URI.
    private var variant: HLSAttributes?
    private var duration: Double?
    private var title: String?
    private var range: String?
    var date: Double?
    private var isGap = false
    var parts: [HLSMediaPlaylist.Segment] = []
    /// Whether a part is invalid, so that the parts of its segment are not used.
    var partsAreBroken = false
    /// The parts that segments have, and the first segment that may have any.
    var partCount = 0
    var partStart = 0

    // The tags that belong to all segments from here on.
    var key: HLSMediaPlaylist.Key?
    var problem: SyrinxError?
    var initialization: HLSMediaPlaylist.Initialization?
    var discontinuity: Int64 = 0
    private var statesDiscontinuity = false

    /// The maximum sequence number, which leaves room for counting without overflow.
    static let largestNumber: Int64 = 1 << 60

    private init(
        _ locator: HLSLocator,
        importing variables: [String: String],
        _ known: @escaping (Int64) -> HLSMediaPlaylist.Segment?
    ) {
        references = HLSReferences(locator)
        self.known = known
        self.variables = HLSVariables(base: locator.base, importing: variables)
    }

    /// Parses a playlist.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - variables: The variables of the master playlist.
    ///   - known: Returns the segment with a number from an earlier version, which a delta update refers to.
    /// - Throws: `media.notAudio` if the text is not a playlist or is empty. `media.unsupported` if segments use
    ///   unsupported encryption. `media.playlistEntry` if the URI of a segment is not allowed. `media.playlistTooLarge`
    ///   if its variables or URLs are too long.
    static func parse(
        _ bytes: [UInt8],
        locator: HLSLocator,
        importing variables: [String: String] = [:],
        known: @escaping (Int64) -> HLSMediaPlaylist.Segment? = { _ in nil }
    ) throws(SyrinxError) -> HLSPlaylist {
        var parser = HLSPlaylistParser(locator, importing: variables, known)
        return try parser.read(bytes)
    }

    private var name: String { StreamingInput.url(references.locator.base).name }

    private mutating func read(_ bytes: [UInt8]) throws(SyrinxError) -> HLSPlaylist {
        if let first = PlainLines(bytes).first(where: { _ in true }), first.first != UInt8(ascii: "#") {
            let what =
                first.begins(with: "<") ? "a web page" : DocumentKind.name(of: bytes.prefix(512)) ?? "something else"
            let message = "This is \(what), not a playlist: check the address, and whether the server asks for a login."
            throw SyrinxError(.notAudio, message, name: name)
        }
        for line in PlainLines(bytes) {
            if line.first != UInt8(ascii: "#") {
                try readURI(line)
            } else if line.begins(with: "#EXTINF:"), variables.isEmpty {
                // The tag that each segment has.
                readInformation(line.dropFirst(8))
            } else if line.begins(with: "#EXT") {
                try readTag(line.text[...])
            }
        }
        return try finished()
    }

    private mutating func finished() throws(SyrinxError) -> HLSPlaylist {
        if isMaster {
            guard !master.variants.isEmpty else {
                throw master.refusal
                    ?? SyrinxError(
                        .empty,
                        "The playlist names no rendition that can be opened: check the address.",
                        name: name
                    )
            }
            var result = master
            result.variables = variables.values
            return .master(result)
        }
        guard isMedia else {
            let message =
                "The playlist has no segments of a stream: it may be a list of recordings, which is opened as one."
            throw SyrinxError(.notAudio, message, name: name)
        }
        if !partsAreBroken, problem == nil { media.openParts = parts }
        return .media(media)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == "\u{FEFF}" || $0 == " " || $0 == "\t" }
        while let last = line.last, last == " " || last == "\t" { line.removeLast() }
        return line
    }

    // MARK: Tags

    private mutating func readTag(_ line: Substring) throws(SyrinxError) {
        let colon = line.firstIndex(of: ":")
        let name = line[..<(colon ?? line.endIndex)]
        let raw = colon.map { line[line.index(after: $0)...] } ?? ""
        let value = variables.isEmpty ? raw : Substring(try variables.substituted(String(raw)))
        switch name {
        case "#EXT-X-DEFINE": variables.define(HLSAttributes(value))
        case "#EXT-X-START": readStart(HLSAttributes(value))
        case "#EXT-X-STREAM-INF":
            isMaster = true
            variant = HLSAttributes(value)
        case "#EXT-X-MEDIA":
            isMaster = true
            readRendition(HLSAttributes(value))
        case "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY", "#EXT-X-CONTENT-STEERING":
            isMaster = true
        default: try readMediaTag(name, value)
        }
    }

    private mutating func readMediaTag(_ name: Substring, _ value: Substring) throws(SyrinxError) {
        switch name {
        case "#EXTINF": readInformation(Array(value.utf8)[...])
        case "#EXT-X-TARGETDURATION":
            isMedia = true
            media.targetDuration = HLSNumber.seconds(of: value).map { max($0, 0) } ?? 0
        case "#EXT-X-MEDIA-SEQUENCE":
            isMedia = true
            if media.segments.isEmpty { media.firstSequence = Self.number(value) ?? 0 }
        case "#EXT-X-DISCONTINUITY-SEQUENCE":
            guard media.segments.isEmpty, !statesDiscontinuity else { return }
            statesDiscontinuity = true
            discontinuity = Self.number(value) ?? 0
        case "#EXT-X-DISCONTINUITY": discontinuity = min(discontinuity.addingClamped(1), Self.largestNumber)
        case "#EXT-X-PLAYLIST-TYPE":
            isMedia = true
            media.kind = HLSMediaPlaylist.Kind(rawValue: String(value))
        case "#EXT-X-ENDLIST": media.isEnded = true
        case "#EXT-X-BYTERANGE": range = String(value)
        case "#EXT-X-GAP": isGap = true
        case "#EXT-X-PROGRAM-DATE-TIME": date = HLSDate.seconds(of: String(value))
        case "#EXT-X-KEY": readKey(HLSAttributes(value))
        case "#EXT-X-MAP": try readMap(HLSAttributes(value))
        default: readLowLatencyTag(name, value)
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        Int64(text).flatMap { 0...largestNumber ~= $0 ? $0 : nil }
    }

    private mutating func readStart(_ attributes: HLSAttributes) {
        guard let offset = attributes.seconds("TIME-OFFSET") else { return }
        master.startOffset = offset
        media.startOffset = offset
    }

    private mutating func readRendition(_ attributes: HLSAttributes) {
        guard attributes["TYPE"] == "AUDIO", let group = attributes["GROUP-ID"],
            master.renditions.count < HLSMasterPlaylist.maximumCount
        else { return }
        var url: URL?
        if let text = attributes["URI"] {
            do throws(SyrinxError) {
                url = try references.url(of: text)
            } catch {
                master.refusal = error
                return
            }
        }
        let channels = attributes["CHANNELS"]?.prefix { $0 != "/" }
        master.renditions.append(
            HLSMasterPlaylist.Rendition(
                group: group,
                name: attributes["NAME"] ?? "",
                language: attributes["LANGUAGE"],
                isDefault: attributes.isYes("DEFAULT"),
                isAutomatic: attributes.isYes("AUTOSELECT"),
                channelCount: channels.flatMap { Int64($0) },
                url: url
            )
        )
    }

    private mutating func readInformation(_ text: ArraySlice<UInt8>) {
        isMedia = true
        let comma = text.firstIndex(of: UInt8(ascii: ","))
        let seconds = PlainLines.trimmed(text[..<(comma ?? text.endIndex)])
        duration = HLSNumber.seconds(of: seconds.text[...]).map { max($0, 0) }
        title = comma.map { PlainLines.trimmed(text[($0 + 1)...]) }.flatMap { $0.isEmpty ? nil : $0.text }
    }

    private mutating func readKey(_ attributes: HLSAttributes) {
        key = nil
        problem = nil
        let method = attributes["METHOD"] ?? "NONE"
        if method == "NONE" { return }
        let format = attributes["KEYFORMAT"] ?? "identity"
        guard format == "identity" else {
            problem = SyrinxError(
                .unsupported,
                "The stream is protected by '\(format)', which is not supported: play it with the sender's own player.",
                name: name
            )
            return
        }
        guard method == "AES-128", let reference = attributes["URI"] else {
            let message =
                "The stream is encrypted with '\(method)', which is not supported: play it with the sender's own player."
            problem = SyrinxError(.unsupported, message, name: name)
            return
        }
        do throws(SyrinxError) {
            let vector = attributes.hexadecimal("IV").map { [UInt8](repeating: 0, count: 16 - $0.count) + $0 }
            key = HLSMediaPlaylist.Key(url: try references.url(of: reference), vector: vector)
        } catch {
            problem = error
        }
    }

    private mutating func readMap(_ attributes: HLSAttributes) throws(SyrinxError) {
        isMedia = true
        guard let reference = attributes["URI"] else { return }
        let range = attributes["BYTERANGE"].flatMap { HLSNumber.byteRange($0, after: 0) }
        let resource = HLSMediaPlaylist.Resource(try references.location(of: Array(reference.utf8)[...]), range: range)
        initialization = HLSMediaPlaylist.Initialization(resource: resource, key: key)
    }

    // MARK: URIs

    private mutating func readURI(_ line: ArraySlice<UInt8>) throws(SyrinxError) {
        let text = variables.isEmpty ? line : Array(try variables.substituted(line.text).utf8)[...]
        if let attributes = variant {
            variant = nil
            readVariant(attributes, text.text)
        } else if duration != nil || isMedia {
            try readSegment(text)
        }
    }

    private mutating func readVariant(_ attributes: HLSAttributes, _ text: String) {
        guard master.variants.count < HLSMasterPlaylist.maximumCount else { return }
        do throws(SyrinxError) {
            master.variants.append(
                HLSMasterPlaylist.Variant(
                    url: try references.url(of: text),
                    bandwidth: attributes.integer("BANDWIDTH") ?? 0,
                    codecs: (attributes["CODECS"] ?? "").split(separator: ",").map { String(Self.trimmed($0)) },
                    statesPictures: attributes["RESOLUTION"] != nil || attributes["FRAME-RATE"] != nil,
                    audioGroup: attributes["AUDIO"]
                )
            )
        } catch {
            master.refusal = error
        }
    }

    private mutating func readSegment(_ text: ArraySlice<UInt8>) throws(SyrinxError) {
        defer {
            (duration, title, range, date) = (nil, nil, nil, nil)
            isGap = false
            parts = []
            partsAreBroken = false
        }
        // The last segments are those that a live stream plays, but no live stream has that many segments.
        guard media.segments.count < HLSMediaPlaylist.maximumSegments else { return }
        if let problem, !isGap { throw problem }
        let location = try references.location(of: text)
        var bytes: Range<Int64>?
        if let range {
            let last = media.segments.last?.resource
            bytes = HLSNumber.byteRange(range, after: last?.location == location ? last?.range?.upperBound : 0)
            guard bytes != nil else {
                let message = "The playlist has a byte range that cannot be read: the sender has to correct it."
                throw SyrinxError(.notAudio, message, name: name)
            }
        }
        media.segments.append(
            HLSMediaPlaylist.Segment(
                sequence: nextSequence,
                resource: HLSMediaPlaylist.Resource(location, range: bytes),
                duration: min(
                    duration ?? media.targetDuration,
                    isGap ? media.longestGap : HLSMediaPlaylist.longestSegment
                ),
                title: title,
                key: key,
                initialization: initialization,
                discontinuity: discontinuity,
                date: date,
                isGap: isGap,
                parts: partsAreBroken ? [] : parts
            )
        )
        if !parts.isEmpty { forgetOldParts() }
    }

    /// The media sequence number of the segment whose tags are read.
    var nextSequence: Int64 {
        let first = media.firstSequence.addingClamped(media.skippedCount)
        return min(first.addingClamped(Int64(media.segments.count)), .max / 2)
    }
}
