import AVFAudio
import SyrinxByteStream
import SyrinxHTTPStream

extension DecodePump {
    /// The input and the settings of a pump.
    struct Settings {
        var input: StreamingInput
        var network = HTTPByteStream.Options()
        var cache: DiskCache?
        var preference = SoundPreference()
        /// The part of the input, in its own seconds; `nil` is its end.
        var start: Double
        var end: Double?
        var readBufferSize: AVAudioFrameCount
        /// Whether it is heard.
        ///
        /// Otherwise it is written as fast as it comes, and fetched ahead from the beginning.
        var isListenedTo = true
        /// Whether it is opened for when another input has ended, and decoded after `start(continuing:)`.
        var isAhead = false
        /// Seconds of the input that are held back, to overlap with the next one; 0 is none.
        var fadeDuration = 0.0
        /// The strength by which pauses are shortened, to begin with.
        var smartSpeed = SmartSpeed.off
        /// Whether a start at or behind the end is a failure.
        var requiresStart = true
    }

    /// Has decoding end at another time of the input, from the next seek on; `nil` is its end.
    func setEnd(_ end: Double?) { commands.endOfPart = end }
}
