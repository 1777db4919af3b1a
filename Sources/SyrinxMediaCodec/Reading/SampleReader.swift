package import SyrinxByteStream

/// A source of float samples with exact seeks: a recording, or a stream of several recordings.
///
/// Use it from one thread at a time, and not from a thread that must not block.
package protocol SampleReader: AnyObject {
    /// The description, which can become more precise as more data is read.
    var info: MediaInfo { get }
    /// The tags of the current recording.
    var tags: [String: String] { get }
    /// The cover picture with its data, or `nil` if there is none.
    var artwork: MediaPicture? { get }
    /// The index of the next frame to read.
    var position: Int64 { get }
    /// Whether all samples have been read.
    var isAtEnd: Bool { get }
    /// The number of packets so far that were missing or could not be decoded.
    var corruptPacketCount: Int { get }
    /// The number of frames so far that were replaced by silence.
    var concealedFrameCount: Int64 { get }
    /// Returns the parts that were found missing since the last call.
    func takeMissing() -> [MissingSound]
    /// The error that describes the missing end, or `nil` if nothing is known to be missing.
    var shortfall: SyrinxError? { get }
    /// Whether a truncated recording ends normally instead of throwing `.truncated`.
    var endsWhereCutOff: Bool { get set }
    /// Whether the padding at the end is returned too.
    var keepsEndPadding: Bool { get set }

    /// Copies the next samples into `channels`, one pointer per channel of `info`, and returns the number of frames.
    ///
    /// It returns at least 1 frame, or 0 at the end.
    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws(SyrinxError) -> Int
    /// Sets the next frame to read; a frame after the end selects the end.
    func seek(toFrame frame: Int64) throws(SyrinxError)
    /// Restricts reading to a part, in seconds, as if it were the whole input.
    func select(from start: Double, to end: Double?) throws(SyrinxError)
    /// Reads the remaining samples and returns the number of frames of the whole input.
    func countFrames() throws(SyrinxError) -> Int64
}

extension MediaReader: SampleReader {
    package var artwork: MediaPicture? { demuxer.artwork }
    /// Returns an empty array: `corruptPacketCount` and `shortfall` describe the damage of a recording.
    package func takeMissing() -> [MissingSound] { [] }
}
