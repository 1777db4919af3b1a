internal import CoreMedia
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A picture of a track, and the time for which it is shown.
struct DecodedPicture {
    let frame: VideoFrame
    let start: CMTime
    let duration: CMTime
    /// The width of a pixel in relation to its height.
    let pixelAspectRatio: VideoInfo.Fraction

    /// The time at which it is not shown any more.
    var end: CMTime { start + duration }
}

/// Decodes the moving pictures of a track in the order in which they are shown, from any time on.
///
/// One thread at a time, but any may call `cancel()`.
protocol PictureSource: AnyObject {
    /// The recording, for errors.
    var name: String { get }
    /// Whether the picture that was given last is the last of all.
    var isAtEnd: Bool { get }
    /// Returns the next picture; `nil` at the end.
    func next() throws -> DecodedPicture?
    /// Goes to the picture that is shown at a time; to the first before the first, and to the last behind the last.
    /// - Parameter earliest: A picture not before this one will do, if it is decoded faster; `nil` for none.
    func seek(to time: CMTime, orFrom earliest: CMTime?) throws
    /// Breaks off, for good, a read that waits.
    func cancel()
}

/// The moving pictures of a file or resource.
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

    /// The ticks of a time; times of players are rounded to nanoseconds, and may lie a little before the picture that is meant.
    private func ticks(_ time: CMTime) -> Int64 {
        guard time.isNumeric else { return time > .zero ? .max : .min }
        return reader.info.ticks(time + CMTime(value: 1, timescale: 1_000_000_000))
    }
}
