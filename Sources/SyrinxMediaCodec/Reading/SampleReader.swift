package import SyrinxByteStream

/// Reads something as float samples from front to end, and goes to any frame of it: a recording, or a stream of many.
///
/// One thread at a time, and one that may wait.
package protocol SampleReader: AnyObject {
    /// The description, which may become better as data pass.
    var info: MediaInfo { get }
    /// The tags of the recording that is read.
    var tags: [String: String] { get }
    /// The cover picture, with its bytes, if there is one.
    var artwork: MediaPicture? { get }
    /// The frame that the next `read` begins with.
    var position: Int64 { get }
    /// Whether no sample is left.
    var isAtEnd: Bool { get }
    /// Packets that were missing or could not be decoded so far.
    var corruptPacketCount: Int { get }
    /// The frames of silence that stand in the place of what was damaged or missing, so far.
    var concealedFrameCount: Int64 { get }
    /// Returns the stretches of sound that were found to be missing since the last call.
    func takeMissing() -> [MissingSound]
    /// The error that describes the missing end, once reading has come to it; `nil` if nothing is known to be missing.
    var shortfall: SyrinxError? { get }
    /// Whether reading ends where a recording is cut off, instead of throwing `.truncated`.
    var endsWhereCutOff: Bool { get set }
    /// Whether the encoder's padding at the end is given out too.
    var keepsEndPadding: Bool { get set }

    /// Copies the next samples into `channels`, one pointer for each of `info.channelCount`, and returns how many frames: at
    /// least 1, and 0 at the end.
    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws(SyrinxError) -> Int
    /// Makes the next `read` begin at `frame`; beyond the end, at the end.
    func seek(toFrame frame: Int64) throws(SyrinxError)
    /// Reads only a part, in seconds, from here on, as if that were all.
    func select(from start: Double, to end: Double?) throws(SyrinxError)
    /// Reads all that is left, and returns the number of frames of the whole.
    func countFrames() throws(SyrinxError) -> Int64
}

extension MediaReader: SampleReader {
    package var artwork: MediaPicture? { demuxer.artwork }
    /// None: `corruptPacketCount` and `shortfall` describe the damage of a recording.
    package func takeMissing() -> [MissingSound] { [] }
}
