import AVFAudio
import SyrinxByteStream
import SyrinxMediaCodec

/// The receiver of a pump's results.
///
/// All calls are made on the pump's thread, except those of measurements.
protocol DecodePumpHost: AnyObject, Sendable {
    /// The byte stream was created; nothing has been read.
    func pump(_ pump: DecodePump, made stream: any ByteStream)
    /// An input that was opened ahead is known; the pump waits for `start(continuing:)`.
    func pump(_ pump: DecodePump, prepared info: MediaInfo)
    /// The input is known.
    ///
    /// Returns the format to decode to, or `nil` if the pump is no longer needed.
    func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat?
    /// Reports a better description of the input.
    ///
    /// `tags` are those of the recording that is read, which change in a chain.
    func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int)
    /// The whole input was decoded; the pump waits for `finish(isLast:)`, a seek or a cancellation.
    ///
    /// The input has returned `frameCount` frames, at the sample rate of the buffers, since the last seek. The
    /// converter may hold some of them.
    func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int)
    /// Reports that the converter was drained, as requested with `finish(isLast: false)`.
    func pump(_ pump: DecodePump, finished seek: Int)
    /// The next samples may start at another time of the input than requested.
    func pump(_ pump: DecodePump, landedAt time: Double, seek: Int)
    /// Delivers the next samples; empty at the end.
    ///
    /// `seek` is the number of seeks carried out before them.
    func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int)
    /// Delivers the next samples, which wait in `pump.held`; empty at the end.
    ///
    /// The remaining held frames are the end of the input.
    func pump(_ pump: DecodePump, held buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int)
    /// Reports a part of the input that the next samples omit.
    func pump(_ pump: DecodePump, leftOut cut: PauseFilter.Cut, seek: Int)
    /// Reports a part of the input that is missing or cannot be decoded.
    func pump(_ pump: DecodePump, lacks sound: MissingSound)
    /// The samples as they have been decoded, with `position` frames of the input before them, at the buffer's rate.
    func pump(_ pump: DecodePump, decoded buffer: AVAudioPCMBuffer, position: Int64, seek: Int)
    /// The pump has switched to another audio track of the input.
    func pump(_ pump: DecodePump, changedSoundTo option: SoundOption)
    /// Another audio track cannot be played; the previous one continues.
    func pump(_ pump: DecodePump, keepsSound error: SyrinxError)
    /// More of the input has been measured than is decoded; on the thread that measures.
    func pump(_ pump: DecodePump, measuredAhead result: LoudnessScan.Result)
    /// It cannot go on, and has ended.
    func pump(_ pump: DecodePump, failed error: any Error)
}

extension DecodePumpHost {
    /// Does nothing: for receivers without a choice of audio tracks.
    func pump(_ pump: DecodePump, changedSoundTo option: SoundOption) {}
    /// Does nothing: for receivers without a choice of audio tracks.
    func pump(_ pump: DecodePump, keepsSound error: SyrinxError) {}
    /// Does nothing: for receivers without normalization.
    func pump(_ pump: DecodePump, measuredAhead result: LoudnessScan.Result) {}
    /// Does nothing: for receivers that ignore decoded buffers.
    func pump(_ pump: DecodePump, decoded buffer: AVAudioPCMBuffer, position: Int64, seek: Int) {}
    /// Does nothing: for receivers that do not report gaps.
    func pump(_ pump: DecodePump, lacks sound: MissingSound) {}
    /// Does nothing: for receivers without a timeline.
    func pump(_ pump: DecodePump, leftOut cut: PauseFilter.Cut, seek: Int) {}
    /// Does nothing: for receivers without a timeline.
    func pump(_ pump: DecodePump, landedAt time: Double, seek: Int) {}
}
