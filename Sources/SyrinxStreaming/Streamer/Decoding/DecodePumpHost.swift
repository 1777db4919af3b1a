import AVFAudio
import SyrinxByteStream
import SyrinxMediaCodec

/// The receiver of a pump's results.
///
/// All calls come from the pump's thread, but for those of measurements.
protocol DecodePumpHost: AnyObject, Sendable {
    /// The stream is there; nothing has been read from it.
    func pump(_ pump: DecodePump, made stream: any ByteStream)
    /// The input that was opened ahead is known; the pump waits for `start(continuing:)`.
    func pump(_ pump: DecodePump, prepared info: MediaInfo)
    /// The input is known. Returns the format to decode to, or `nil` if the pump is not wanted any more.
    func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat?
    /// Reports a better description of the input.
    ///
    /// `tags` are those of the recording that is read, which change in a chain.
    func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int)
    /// All of the input has been decoded, and the pump waits for `finish(isLast:)`, or to be sought or cancelled.
    ///
    /// `frameCount` frames at the rate of the buffers are what the input has given since the last seek; some of them may still
    /// be held by the converter.
    func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int)
    /// Reports that the converter's remaining samples have been delivered, as `finish(isLast: false)` asked.
    func pump(_ pump: DecodePump, finished seek: Int)
    /// The samples that follow begin at another time of the input than was asked for, or may do so.
    func pump(_ pump: DecodePump, landedAt time: Double, seek: Int)
    /// The next samples to play; of no frames at the end. `seek` counts the seeks that had been carried out before them.
    func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int)
    /// The next samples to play, which wait in `pump.held` to be taken; of no frames at the end. What is left there is the end.
    func pump(_ pump: DecodePump, held buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int)
    /// A part of the input that the samples to play leave out, reported before them.
    func pump(_ pump: DecodePump, leftOut cut: PauseFilter.Cut, seek: Int)
    /// A stretch of the input is missing, or cannot be decoded.
    func pump(_ pump: DecodePump, lacks sound: MissingSound)
    /// The samples as they have been decoded, with `position` frames of the input before them, at the buffer's rate.
    func pump(_ pump: DecodePump, decoded buffer: AVAudioPCMBuffer, position: Int64, seek: Int)
    /// Another sound of the input, such as another language, has been gone over to.
    func pump(_ pump: DecodePump, changedSoundTo option: SoundOption)
    /// Another sound cannot be had, and the one before goes on.
    func pump(_ pump: DecodePump, keepsSound error: SyrinxError)
    /// More of the input has been measured than is decoded; on the thread that measures.
    func pump(_ pump: DecodePump, measuredAhead result: LoudnessScan.Result)
    /// It cannot go on, and has ended.
    func pump(_ pump: DecodePump, failed error: any Error)
}

extension DecodePumpHost {
    /// Does nothing: for receivers that offer no choice of sound.
    func pump(_ pump: DecodePump, changedSoundTo option: SoundOption) {}
    /// Does nothing: for receivers that offer no choice of sound.
    func pump(_ pump: DecodePump, keepsSound error: SyrinxError) {}
    /// Does nothing: for receivers that do not normalise.
    func pump(_ pump: DecodePump, measuredAhead result: LoudnessScan.Result) {}
    /// Does nothing: for receivers that do not look ahead.
    func pump(_ pump: DecodePump, decoded buffer: AVAudioPCMBuffer, position: Int64, seek: Int) {}
    /// Does nothing: for receivers that report nothing.
    func pump(_ pump: DecodePump, lacks sound: MissingSound) {}
    /// Does nothing: for receivers without a timeline.
    func pump(_ pump: DecodePump, leftOut cut: PauseFilter.Cut, seek: Int) {}
    /// Does nothing: for receivers without a timeline.
    func pump(_ pump: DecodePump, landedAt time: Double, seek: Int) {}
}
