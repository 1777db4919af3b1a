internal import ByteStream
internal import CFFmpeg

extension PacketTimeline {
    /// Pages and clusters that are lost leave a gap in time, and no other sign; a shorter one is none.
    var shortestGap: Int64 { sampleRate / 20 }
}

extension MediaDemuxer {
    /// The error that the bytes ended with, where their number was not known: they may be complete.
    var connectionCut: ByteStreamError? { format.bridge.cut }

    /// Whether the bytes are Ogg and end with the last page of a stream, which says that it is the last (RFC 3533, 6).
    var endsWithLastPage: Bool {
        guard notes.container == "ogg", chain == nil else { return false }
        let end = avio_tell(format.bridge.context)
        var place = holes.place.lowerBound
        var isLast = false
        while place < end, let page = OggPage(format.bridge.passed(at: place, count: OggPage.largestHeader)) {
            isLast = page.isLast
            place += Int64(page.end)
        }
        return isLast && place == end
    }

    /// Whether the bytes end before the container does, of those that do not state how much sound they have.
    var isCutOff: Bool {
        guard let length = stream.length else { return false }
        switch notes.container {
        case "ogg":
            return stream.isSeekable ? !OggLastPage.endsStream(format.bridge.tail(OggLastPage.size)) : !endsWithLastPage
        case let name where name.hasPrefix("matroska"):
            return MatroskaHeader(bridge: format.bridge).end.map { length < $0 } ?? false
        default: return false
        }
    }

    /// Returns the error for a recording that ends at frame `last` and should have `stated` frames, if that is known.
    func shortfall(endingAt last: Int64, of stated: Int64?, damagedPackets count: Int) -> MediaError {
        let seconds = { (frames: Int64) in Self.clock(Double(frames) / Double(self.timing.sampleRate)) }
        let damage = count > 0 ? ", and \(count) of the packets before \(count == 1 ? "is" : "are") damaged" : ""
        let expected = stated.map { "but it states a length of \(seconds($0))" } ?? "where its stream is cut off"
        let message = "It ends at \(seconds(last)), \(expected): the rest is missing\(damage)."
        return MediaError(.truncated, message, name: stream.name)
    }

    private static func clock(_ seconds: Double) -> String {
        guard let thousandths = Int(exactly: (seconds * 1000).rounded()) else { return "\(seconds) s" }
        let pad = { (number: Int, width: Int) in
            String(repeating: "0", count: max(width - String(number).count, 0)) + String(number)
        }
        let minutes = thousandths / 60000
        let hours = minutes >= 60 ? "\(minutes / 60):\(pad(minutes % 60, 2))" : "\(minutes)"
        return "\(hours):\(pad(thousandths / 1000 % 60, 2)).\(pad(thousandths % 1000, 3))"
    }

    /// Whether the timestamps leave no gap, unless something is lost.
    var statesEveryGap: Bool {
        timing.method != .counted && !notes.hasNoCommonClock && ["ogg", "matroska", "webm"].contains(info.container)
    }

    /// Whether what the packets decode to beyond the stated length is padding.
    var isCutAtStatedEnd: Bool {
        switch info.container {
        case "mp4", "caf": true
        // Of compressed sound a WAV file states the frames that went into the encoder.
        case "wav": !info.codec.hasPrefix("pcm_")
        case "mp3", "aac": notes.gapless != nil && notes.xing?.startSkip ?? 0 == 0
        default: false
        }
    }

    /// Whether data that end at frame `last` lack some of the `stated` frames.
    func isShort(_ last: Int64, of stated: Int64) -> Bool {
        // A FLAC file that is cut ends within a frame; where none is, the stream info was wrong.
        guard last < stated, format.splitter?.hasEndedWhole != true else { return false }
        guard let xing = notes.xing else { return true }
        // Headers of MP3 are often wrong by a frame or two, and where all the bytes are there, nothing is missing.
        if let size = stream.length, let bytes = xing.byteCount {
            return size < format.soundOffset.addingClamped(bytes)
        }
        return stated.subtractingClamped(last) > timing.framesPerPacket.multipliedClamped(by: 2)
    }
}
