import Foundation
import SyrinxByteStream

/// The tags of low-latency HLS (draft-pantos-hls-rfc8216bis, 4.4.3.7, 4.4.3.8, 4.4.4.9 and 4.4.5).
///
/// Invalid tags are ignored, because the playlist can be played without them.
extension HLSPlaylistParser {
    mutating func readLowLatencyTag(_ name: Substring, _ value: Substring) {
        switch name {
        case "#EXT-X-SERVER-CONTROL": readControl(HLSAttributes(value))
        case "#EXT-X-PART-INF": media.partTarget = Self.positive(HLSAttributes(value), "PART-TARGET")
        case "#EXT-X-SKIP": readSkip(HLSAttributes(value))
        case "#EXT-X-PART": readPart(HLSAttributes(value))
        case "#EXT-X-PRELOAD-HINT": readHint(HLSAttributes(value))
        case "#EXT-X-RENDITION-REPORT": readReport(HLSAttributes(value))
        default: break
        }
    }

    private static func positive(_ attributes: HLSAttributes, _ name: String) -> Double? {
        attributes.seconds(name).flatMap { $0 > 0 ? $0 : nil }
    }

    private mutating func readControl(_ attributes: HLSAttributes) {
        media.canBlockReload = attributes.isYes("CAN-BLOCK-RELOAD")
        media.holdBack = Self.positive(attributes, "HOLD-BACK")
        media.partHoldBack = Self.positive(attributes, "PART-HOLD-BACK")
        media.skipBoundary = Self.positive(attributes, "CAN-SKIP-UNTIL")
    }

    /// Takes the key, the initialization section and the clock of omitted segments from the last of them.
    private mutating func readSkip(_ attributes: HLSAttributes) {
        guard media.segments.isEmpty else { return }
        media.skippedCount = min(attributes.integer("SKIPPED-SEGMENTS") ?? 0, Self.largestNumber)
        guard media.skippedCount > 0 else { return }
        guard known(media.firstSequence) != nil, let last = known(nextSequence - 1) else {
            media.lacksSkipped = true
            return
        }
        key = last.key
        initialization = last.initialization
        discontinuity = last.discontinuity
    }

    private mutating func readPart(_ attributes: HLSAttributes) {
        guard !partsAreBroken, parts.count < HLSMediaPlaylist.maximumParts, let part = part(attributes) else {
            partsAreBroken = true
            return
        }
        parts.append(part)
    }

    /// Drops the parts of early segments beyond the maximum: playback needs those at the end.
    mutating func forgetOldParts() {
        partCount += media.segments.last?.parts.count ?? 0
        while partCount > HLSMediaPlaylist.maximumParts, partStart < media.segments.count {
            partCount -= media.segments[partStart].parts.count
            media.segments[partStart].parts = []
            partStart += 1
        }
    }

    private mutating func part(_ attributes: HLSAttributes) -> HLSMediaPlaylist.Segment? {
        guard let location = location(attributes), let duration = attributes.seconds("DURATION"), duration >= 0 else {
            return nil
        }
        var bytes: Range<Int64>?
        if let range = attributes["BYTERANGE"] {
            let last = parts.last.flatMap { $0.resource.location == location ? $0.resource.range?.upperBound : nil }
            bytes = HLSNumber.byteRange(range, after: last ?? 0)
            // Such a range is a piece of the encrypted segment, which cannot be decrypted alone.
            guard bytes != nil, key == nil else { return nil }
        }
        // Bounded: seconds, in floating point.
        let offset = parts.last.map { $0.offset + $0.duration } ?? 0
        return HLSMediaPlaylist.Segment(
            sequence: nextSequence,
            resource: HLSMediaPlaylist.Resource(location, range: bytes),
            duration: duration,
            key: key,
            initialization: initialization,
            discontinuity: discontinuity,
            // Bounded: seconds, in floating point.
            date: date.map { $0 + offset },
            isGap: attributes.isYes("GAP"),
            part: parts.count,
            offset: offset,
            isIndependent: attributes.isYes("INDEPENDENT")
        )
    }

    private mutating func url(_ attributes: HLSAttributes) -> URL? { location(attributes)?.url }

    private mutating func location(_ attributes: HLSAttributes) -> CompactURL? {
        guard let text = attributes["URI"] else { return nil }
        do throws(SyrinxError) {
            return try references.location(of: Array(text.utf8)[...])
        } catch {
            return nil
        }
    }

    /// A playlist has one hint of each type; further ones are ignored.
    private mutating func readHint(_ attributes: HLSAttributes) {
        guard let type = attributes["TYPE"], type == "PART" || type == "MAP", let url = url(attributes) else { return }
        let hint = HLSMediaPlaylist.Hint(
            url: url,
            start: attributes.integer("BYTERANGE-START") ?? 0,
            isInitialization: type == "MAP"
        )
        if !media.hints.contains(where: { $0.isInitialization == hint.isInitialization }) { media.hints.append(hint) }
    }

    private mutating func readReport(_ attributes: HLSAttributes) {
        guard let url = url(attributes), let sequence = attributes.integer("LAST-MSN"), sequence <= Self.largestNumber,
            media.reports.count < HLSMasterPlaylist.maximumCount
        else { return }
        let part = attributes.integer("LAST-PART").flatMap { $0 < HLSMediaPlaylist.maximumParts ? Int($0) : nil }
        media.reports.append(HLSMediaPlaylist.Report(url: url, sequence: sequence, part: part))
    }
}
