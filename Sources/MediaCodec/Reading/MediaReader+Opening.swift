package import ByteStream

extension MediaReader {
    /// Opens a recording and decodes the first of it.
    /// - Parameters:
    ///   - raw: What the stream holds, if it is nothing but samples.
    ///   - roundsIntegersDown: As below.
    /// - Throws: `MediaError`, as `MediaDemuxer` does, and `.corrupt` or `.unsupported` if nothing can be decoded.
    package static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        roundsIntegersDown: Bool = false
    ) throws(MediaError) -> MediaReader {
        try open(MediaDemuxer.open(stream, raw: raw), roundsIntegersDown: roundsIntegersDown)
    }

    /// Opens the recording whose packets `demuxer` gives from here on, which no other code may then read.
    /// - Parameter roundsIntegersDown: Whether integers of 32 bits, of which a float holds 24, are cut to those and not
    ///   rounded to the nearest: then the upper bits of each are still what the recording has.
    /// - Throws: `MediaError` with `.corrupt` or `.unsupported` if nothing can be decoded, or the stream's error.
    package static func open(
        _ demuxer: MediaDemuxer,
        roundsIntegersDown: Bool = false
    ) throws(MediaError) -> MediaReader {
        let reader = try MediaReader(demuxer, roundsIntegersDown: roundsIntegersDown)
        try reader.decodeFirst()
        return reader
    }
}
