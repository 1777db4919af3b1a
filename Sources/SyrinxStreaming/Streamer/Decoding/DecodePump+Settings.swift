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
        /// Whether the output plays in real time.
        ///
        /// Otherwise, the output is written as fast as possible, and the input is fetched ahead from the start.
        var isListenedTo = true
        /// Whether the input is opened ahead of its turn; decoding then starts with `start(continuing:)`.
        var isAhead = false
        /// The seconds of the input that are held back for the crossfade with the next input; 0 for none.
        var fadeDuration = 0.0
        /// The initial strength with which pauses are shortened.
        var smartSpeed = SmartSpeed.off
        /// Whether a start at or after the end is an error.
        var requiresStart = true
    }

    /// Sets the time at which decoding ends, effective at the next seek; `nil` is the end of the input.
    func setEnd(_ end: Double?) { commands.endOfPart = end }
}
