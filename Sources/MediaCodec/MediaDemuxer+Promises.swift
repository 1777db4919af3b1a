internal import ByteStream
internal import CFFmpeg

extension PacketTiming {
    /// Pages and clusters that are lost leave a gap in time, and no other sign; a shorter one is none.
    var shortestGap: Int64 { sampleRate / 20 }
}

extension MediaDemuxer {
    /// What the bytes have ended with, where nobody had told how many there are: all of them may have come.
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
