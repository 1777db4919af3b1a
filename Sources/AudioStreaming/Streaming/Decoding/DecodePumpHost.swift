import AVFAudio
import ByteStream
import MediaCodec

/// What a pump tells the streamer that it works for.
///
/// All calls come from the pump's thread.
protocol DecodePumpHost: AnyObject, Sendable {
    /// The stream is there; nothing has been read from it.
    func pump(_ pump: DecodePump, made stream: any ByteStream)
    /// The input that was opened ahead is known; the pump waits for `start(continuing:)`.
    func pump(_ pump: DecodePump, prepared info: MediaInfo)
    /// The input is known. Returns the format to decode to, or `nil` if the pump is not wanted any more.
    func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat?
    /// What is known of the input is known better; `tags` are those of the recording that is read, which in a chain changes, after
    /// so many seeks.
    func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int)
    /// All of the input has been decoded, and the pump waits for `finish(isLast:)`, or to be sought or cancelled.
    ///
    /// `frameCount` frames at the rate of the buffers are what the input has given since the last seek; some of them may still
    /// be held by the converter.
    func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int)
    /// What the converter held has been handed on as samples, as `finish(isLast: false)` asked.
    func pump(_ pump: DecodePump, finished seek: Int)
    /// The next samples; of no frames at the end. `seek` counts the seeks that had been carried out before them, `position`
    /// the frames of the input, at the buffer's rate, that lie before them.
    func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int, position: Int64)
    /// It cannot go on, and has ended.
    func pump(_ pump: DecodePump, failed error: any Error)
}
