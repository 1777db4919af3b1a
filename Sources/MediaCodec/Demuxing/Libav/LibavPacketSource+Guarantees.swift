internal import ByteStream
internal import CFFmpeg

extension LibavPacketSource {
    var isCutOff: Bool {
        guard let length = stream.length, metadata.container.hasPrefix("matroska") else { return false }
        return MatroskaHeader(bridge: format.bridge).end.map { length < $0 } ?? false
    }

    var statesEveryGap: Bool { timing.method != .counted && ["matroska", "webm"].contains(info.container) }

    var isCutAtStatedEnd: Bool {
        switch info.container {
        case "mp4", "caf": true
        // Of compressed sound a WAV file states the frames that went into the encoder.
        case "wav": !info.codec.hasPrefix("pcm_")
        case "mp3", "aac": metadata.gapless != nil && metadata.xing?.startSkip ?? 0 == 0
        default: false
        }
    }

    var statesLengthRoughly: Bool { metadata.xing != nil }

    func isShort(_ last: Int64, of stated: Int64) -> Bool {
        // A FLAC file that is cut ends within a frame; where none is, the stream info was wrong.
        guard last < stated, format.splitter?.hasEndedWhole != true else { return false }
        guard let xing = metadata.xing else { return true }
        // Headers of MP3 are often wrong by a frame or two, and where all the bytes are there, nothing is missing.
        if let size = stream.length, let bytes = xing.byteCount {
            return size < format.soundOffset.addingClamped(bytes)
        }
        return stated.subtractingClamped(last) > timing.framesPerPacket.multipliedClamped(by: 2)
    }
}
