package import SyrinxByteStream

extension MediaReader {
    /// Opens a recording and decodes its first frame.
    /// - Parameters:
    ///   - raw: The format of the samples, if the stream contains only raw samples.
    ///   - roundsIntegersDown: Whether 32-bit integers are truncated to the 24 bits of a float instead of rounded.
    ///   - choice: Selects an audio track if there are several.
    /// - Throws: The errors of `MediaDemuxer`, and `.corrupt` or `.unsupported` if nothing can be decoded.
    package static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        roundsIntegersDown: Bool = false,
        choosing choice: SoundTrackChoice? = nil
    ) throws(SyrinxError) -> MediaReader {
        try open(MediaDemuxer.open(stream, raw: raw, choosing: choice), roundsIntegersDown: roundsIntegersDown)
    }

    /// Opens the recording of `demuxer`, from which no other code may read afterwards.
    /// - Parameter roundsIntegersDown: Whether 32-bit integers are truncated to the 24 bits of a float instead of
    ///   rounded, so that their upper bits stay unchanged.
    /// - Throws: `.corrupt` or `.unsupported` if nothing can be decoded, or the error of the stream.
    package static func open(
        _ demuxer: MediaDemuxer,
        roundsIntegersDown: Bool = false
    ) throws(SyrinxError) -> MediaReader {
        let reader = try MediaReader(demuxer, roundsIntegersDown: roundsIntegersDown)
        try reader.decodeFirst()
        return reader
    }

    /// Restricts reading to a part, in seconds, whose first frame becomes frame 0.
    /// - Parameter end: The end of the part, or `nil` for the end of the recording.
    /// - Throws: `.truncated` if the recording ends before the part starts, or the errors of `seek(toFrame:)`.
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
