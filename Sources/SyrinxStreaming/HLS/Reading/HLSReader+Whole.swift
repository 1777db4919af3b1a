import SyrinxByteStream
import SyrinxMediaCodec

/// The presentation as a whole.
extension HLSReader {
    func countFrames() throws(MediaError) -> Int64 {
        let frames = HLSFrames(channelCount: format.channelCount, capacity: 4096)
        while try read(into: frames.channels, frameCount: frames.capacity) > 0 {}
        return position
    }

    func select(from start: Double, to end: Double?) throws(MediaError) {
        throw MediaError(.unsupported, "A part of a live stream cannot be played as if it were all.", name: name)
    }
}

extension MediaError {
    /// A failure of a presentation: its code and its sentence, as they are.
    init(_ error: StreamingError) {
        self.init(error.code, error.message, name: error.name, underlying: error.underlying ?? error)
    }
}
