package import SyrinxByteStream

extension MediaReader {
    /// Opens a recording and decodes the first of it.
    /// - Parameters:
    ///   - raw: What the stream holds, if it is nothing but samples.
    ///   - roundsIntegersDown: As below.
    ///   - choice: Chooses a track of sound where there are several.
    /// - Throws: `SyrinxError`, as `MediaDemuxer` does, and `.corrupt` or `.unsupported` if nothing can be decoded.
    package static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        roundsIntegersDown: Bool = false,
        choosing choice: SoundTrackChoice? = nil
    ) throws(SyrinxError) -> MediaReader {
        try open(MediaDemuxer.open(stream, raw: raw, choosing: choice), roundsIntegersDown: roundsIntegersDown)
    }

    /// Opens the recording whose packets `demuxer` gives from here on, which no other code may then read.
    /// - Parameter roundsIntegersDown: Whether integers of 32 bits, of which a float holds 24, are cut to those and not
    ///   rounded to the nearest: then the upper bits of each are still what the recording has.
    /// - Throws: `SyrinxError` with `.corrupt` or `.unsupported` if nothing can be decoded, or the stream's error.
    package static func open(
        _ demuxer: MediaDemuxer,
        roundsIntegersDown: Bool = false
    ) throws(SyrinxError) -> MediaReader {
        let reader = try MediaReader(demuxer, roundsIntegersDown: roundsIntegersDown)
        try reader.decodeFirst()
        return reader
    }

    /// Reads only a part of the recording, in seconds, from here on, as if that were all: its first frame is frame 0.
    /// - Parameter end: `nil` for the end of the recording.
    /// - Throws: `.truncated` if the recording ends before the part begins, and as `seek(toFrame:)`.
    package func select(from start: Double, to end: Double?) throws(SyrinxError) {
        let part = FramePart(from: start, to: end, sampleRate: demuxer.info.sampleRate)
        try go(to: part.start)
        let isBehind = demuxer.info.frameCount.map { part.start >= $0 } ?? (place < part.start)
        if isBehind, part.start > 0 {
            let message = "It ends before the part of it begins that is to be read."
            throw SyrinxError(.truncated, message, name: demuxer.stream.name)
        }
        self.part = part
    }
}
