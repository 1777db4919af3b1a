import ByteStream
import Foundation

/// Reads the text of a playlist of HTTP Live Streaming: RFC 8216, and the tags of its second edition that change what is played.
struct HLSPlaylistParser {
    let locator: HLSLocator
    private var variables: [String: String]
    private let imported: [String: String]
    private var master = HLSMasterPlaylist()
    var media = HLSMediaPlaylist()
    private var isMaster = false
    private var isMedia = false
    /// The segments that are known from an earlier version, by number.
    let known: (Int64) -> HLSMediaPlaylist.Segment?

    // The tags that belong to the next URI.
    private var variant: HLSAttributes?
    private var duration: Double?
    private var title: String?
    private var range: String?
    var date: Double?
    private var isGap = false
    var parts: [HLSMediaPlaylist.Segment] = []
    /// Whether a part could not be read, so that those of the segment tell nothing.
    var partsAreBroken = false
    var partCount = 0

    // The tags that belong to all segments from here on.
    var key: HLSMediaPlaylist.Key?
    var problem: StreamingError?
    var initialization: HLSMediaPlaylist.Initialization?
    var discontinuity: Int64 = 0
    private var statesDiscontinuity = false

    /// A number of this size is counted on from without overflow.
    static let largestNumber: Int64 = 1 << 60

    private init(
        _ locator: HLSLocator,
        importing variables: [String: String],
        _ known: @escaping (Int64) -> HLSMediaPlaylist.Segment?
    ) {
        self.locator = locator
        self.known = known
        imported = variables
        self.variables = [:]
    }

    /// Reads a playlist.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - variables: Those of the master playlist that led to it.
    ///   - known: The segments that are known from an earlier version, by number, on which a delta update stands.
    /// - Throws: `media.notAudio` for what is no playlist or names nothing, `media.unsupported` for one of segments that cannot be
    ///   decrypted, `usage.badURL` where a segment's URI may not be opened.
    static func parse(
        _ bytes: [UInt8],
        locator: HLSLocator,
        importing variables: [String: String] = [:],
        known: @escaping (Int64) -> HLSMediaPlaylist.Segment? = { _ in nil }
    ) throws(StreamingError) -> HLSPlaylist {
        var parser = HLSPlaylistParser(locator, importing: variables, known)
        return try parser.read(String(decoding: bytes, as: UTF8.self))
    }

    private var name: String { StreamingInput.url(locator.base).name }

    private mutating func read(_ text: String) throws(StreamingError) -> HLSPlaylist {
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if isFirst {
                guard line.hasPrefix("#EXTM3U") else {
                    let what = line.hasPrefix("<") ? "a web page" : "something else"
                    throw StreamingError(.notAudio, "It should be a playlist, and is \(what).", name: name)
                }
                isFirst = false
            } else if line.hasPrefix("#EXT") {
                try readTag(line)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                try readURI(String(line))
            }
        }
        return try finished()
    }

    private mutating func finished() throws(StreamingError) -> HLSPlaylist {
        if isMaster {
            guard !master.variants.isEmpty else {
                throw master.refusal ?? StreamingError(.empty, "The playlist names nothing to play.", name: name)
            }
            var result = master
            result.variables = variables
            return .master(result)
        }
        guard isMedia else { throw StreamingError(.notAudio, "It is a playlist of no live stream.", name: name) }
        if !partsAreBroken, problem == nil { media.openParts = parts }
        return .media(media)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == "\u{FEFF}" || $0 == " " || $0 == "\t" }
        while let last = line.last, last == " " || last == "\t" { line.removeLast() }
        return line
    }

    // MARK: Tags

    private mutating func readTag(_ line: Substring) throws(StreamingError) {
        let colon = line.firstIndex(of: ":")
        let name = line[..<(colon ?? line.endIndex)]
        let raw = colon.map { line[line.index(after: $0)...] } ?? ""
        let value = variables.isEmpty ? raw : Substring(substituted(String(raw)))
        switch name {
        case "#EXT-X-DEFINE": define(HLSAttributes(value))
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

    private mutating func readMediaTag(_ name: Substring, _ value: Substring) throws(StreamingError) {
        switch name {
        case "#EXTINF": readInformation(value)
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

    private mutating func define(_ attributes: HLSAttributes) {
        guard variables.count < 100 else { return }
        if let name = attributes["NAME"] { variables[name] = attributes["VALUE"] ?? "" }
        if let name = attributes["IMPORT"] { variables[name] = imported[name] }
        guard let name = attributes["QUERYPARAM"] else { return }
        let query = URLComponents(url: locator.base, resolvingAgainstBaseURL: true)?.queryItems
        variables[name] = query?.first { $0.name == name }?.value
    }

    /// Puts the values of variables in the places of `{$name}`.
    private func substituted(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.range(of: "{$"), let close = rest[open.upperBound...].firstIndex(of: "}") {
            result += rest[..<open.lowerBound]
            result += variables[String(rest[open.upperBound..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
            // Values that name variables themselves make no text longer than a playlist.
            guard result.utf8.count < HLSPlaylist.maximumSize else { return result }
        }
        return result + rest
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
            do throws(StreamingError) {
                url = try locator.url(of: text)
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

    private mutating func readInformation(_ text: Substring) {
        isMedia = true
        let comma = text.firstIndex(of: ",")
        duration = HLSNumber.seconds(of: Self.trimmed(text[..<(comma ?? text.endIndex)])).map { max($0, 0) }
        title = comma.map { Self.trimmed(text[text.index(after: $0)...]) }.flatMap { $0.isEmpty ? nil : String($0) }
    }

    private mutating func readKey(_ attributes: HLSAttributes) {
        key = nil
        problem = nil
        let method = attributes["METHOD"] ?? "NONE"
        if method == "NONE" { return }
        let format = attributes["KEYFORMAT"] ?? "identity"
        guard format == "identity" else {
            problem = StreamingError(
                .unsupported,
                "It is protected by '\(format)', which is not supported.",
                name: name
            )
            return
        }
        guard method == "AES-128", let reference = attributes["URI"] else {
            problem = StreamingError(.unsupported, "Its encryption '\(method)' is not supported.", name: name)
            return
        }
        do throws(StreamingError) {
            let vector = attributes.hexadecimal("IV").map { [UInt8](repeating: 0, count: 16 - $0.count) + $0 }
            key = HLSMediaPlaylist.Key(url: try locator.url(of: reference), vector: vector)
        } catch {
            problem = error
        }
    }

    private mutating func readMap(_ attributes: HLSAttributes) throws(StreamingError) {
        isMedia = true
        guard let reference = attributes["URI"] else { return }
        let range = attributes["BYTERANGE"].flatMap { HLSNumber.byteRange($0, after: 0) }
        let resource = HLSMediaPlaylist.Resource(url: try locator.url(of: reference), range: range)
        initialization = HLSMediaPlaylist.Initialization(resource: resource, key: key)
    }

    // MARK: URIs

    private mutating func readURI(_ line: String) throws(StreamingError) {
        let text = variables.isEmpty ? line : substituted(line)
        if let attributes = variant {
            variant = nil
            readVariant(attributes, text)
        } else if duration != nil || isMedia {
            try readSegment(text)
        }
    }

    private mutating func readVariant(_ attributes: HLSAttributes, _ text: String) {
        guard master.variants.count < HLSMasterPlaylist.maximumCount else { return }
        do throws(StreamingError) {
            master.variants.append(
                HLSMasterPlaylist.Variant(
                    url: try locator.url(of: text),
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

    private mutating func readSegment(_ text: String) throws(StreamingError) {
        defer {
            (duration, title, range, date) = (nil, nil, nil, nil)
            isGap = false
            parts = []
            partsAreBroken = false
        }
        // Those that come last are the ones a live stream plays; but there is no live stream of as many.
        guard media.segments.count < HLSMediaPlaylist.maximumSegments else { return }
        if let problem, !isGap { throw problem }
        let url = try locator.url(of: text)
        let last = media.segments.last
        var bytes: Range<Int64>?
        if let range {
            let next = last?.resource.url == url ? last?.resource.range?.upperBound : 0
            bytes = HLSNumber.byteRange(range, after: next)
            guard bytes != nil else {
                throw StreamingError(.notAudio, "The playlist has a byte range that is none.", name: name)
            }
        }
        media.segments.append(
            HLSMediaPlaylist.Segment(
                sequence: nextSequence,
                resource: HLSMediaPlaylist.Resource(url: url, range: bytes),
                duration: duration ?? media.targetDuration,
                title: title,
                key: key,
                initialization: initialization,
                discontinuity: discontinuity,
                date: date,
                isGap: isGap,
                parts: partsAreBroken ? [] : parts
            )
        )
    }

    /// The media sequence number of the segment whose tags are read.
    var nextSequence: Int64 {
        let first = media.firstSequence.addingClamped(media.skippedCount)
        return min(first.addingClamped(Int64(media.segments.count)), .max / 2)
    }
}

/// Dates as playlists write them: ISO 8601, with a fraction of a second or without.
enum HLSDate {
    /// Seconds since 1970; `nil` for what is no date.
    static func seconds(of text: String) -> Double? {
        let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return (date ?? (try? Date(text, strategy: .iso8601)))?.timeIntervalSince1970
    }

    /// The date in UTC, to the millisecond.
    static func text(of seconds: Double) -> String {
        // The style cuts what lies behind the millisecond.
        Date(timeIntervalSince1970: seconds + 0.0005).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        )
    }
}
