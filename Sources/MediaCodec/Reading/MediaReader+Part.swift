internal import ByteStream

extension MediaReader {
    /// Reads only a part of the recording, in seconds, from here on, as if that were all: its first frame is frame 0.
    /// - Parameter end: `nil` for the end of the recording.
    /// - Throws: `.truncated` if the recording ends before the part begins, and as `seek(toFrame:)`.
    package func select(from start: Double, to end: Double?) throws(MediaError) {
        let part = FramePart(from: start, to: end, sampleRate: demuxer.info.sampleRate)
        try go(to: part.start)
        let isBehind = demuxer.info.frameCount.map { part.start >= $0 } ?? (place < part.start)
        if isBehind, part.start > 0 {
            let message = "It ends before the part of it begins that is to be read."
            throw MediaError(.truncated, message, name: demuxer.stream.name)
        }
        self.part = part
    }
}
