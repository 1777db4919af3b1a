internal import CoreMedia
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A decoded picture of a track, with its display time.
struct DecodedPicture {
    let frame: VideoFrame
    let start: CMTime
    let duration: CMTime
    /// The ratio of the width of a pixel to its height.
    let pixelAspectRatio: VideoInfo.Fraction

    /// The end of the display time.
    var end: CMTime { start + duration }
}

/// Decodes the video of a track in display order, with random access.
///
/// Use it on one thread at a time; any thread may call `cancel()`.
protocol PictureSource: AnyObject {
    /// The name of the recording, for errors.
    var name: String { get }
    /// Whether the last returned picture is the last of the track.
    var isAtEnd: Bool { get }
    /// Returns the next picture; `nil` at the end.
    func next() throws -> DecodedPicture?
    /// Seeks to the picture that is shown at a time; a time outside of the video selects the first or the last picture.
    /// - Parameter earliest: If not `nil`, any picture from this time on is acceptable if it is faster to decode.
    func seek(to time: CMTime, orFrom earliest: CMTime?) throws
    /// Cancels all reads permanently, including a read that waits.
    func cancel()
}

/// The video of a file or HTTP resource.
final class FilePictures: PictureSource {
    private let reader: VideoReader
    private let stream: any ByteStream

    init(_ reader: VideoReader) {
        self.reader = reader
        stream = reader.stream
        reader.recentByteLimit = VideoReader.usualRecentByteLimit
    }

    deinit { stream.cancel() }

    var name: String { stream.name }
    var isAtEnd: Bool { reader.isAtEnd }

    func next() throws -> DecodedPicture? {
        guard let frame = try reader.next() else { return nil }
        let info = reader.info
        return DecodedPicture(
            frame: frame,
            start: info.time(frame.start),
            duration: info.time(frame.duration),
            pixelAspectRatio: info.pixelAspectRatio
        )
    }

    func seek(to time: CMTime, orFrom earliest: CMTime?) throws {
        let target = ticks(time)
        guard let earliest else { return try reader.seek(to: target) }
        try reader.seek(to: target, orFrom: min(ticks(earliest), target))
    }

    func cancel() { stream.cancel() }

    /// Returns the ticks of a time.
    ///
    /// Times of players are rounded to nanoseconds, so they may be slightly before the intended picture.
    private func ticks(_ time: CMTime) -> Int64 {
        guard time.isNumeric else { return time > .zero ? .max : .min }
        return reader.info.ticks(time + CMTime(value: 1, timescale: 1_000_000_000))
    }
}
