import SyrinxByteStream
import SyrinxMediaCodec

/// The presentation as a whole.
extension HLSReader {
    func countFrames() throws(SyrinxError) -> Int64 {
        let frames = HLSFrames(channelCount: format.channelCount, capacity: 4096)
        while try read(into: frames.channels, frameCount: frames.capacity) > 0 {}
        return position
    }

    func select(from start: Double, to end: Double?) throws(SyrinxError) {
        throw SyrinxError(.unsupported, "A part of a live stream cannot be played as if it were all.", name: name)
    }
}
