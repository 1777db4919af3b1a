import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// The settings of a streamer, independent of its input.
struct StreamerSettings {
    var readBufferSize: AVAudioFrameCount = 8_192
    var cache: DiskCache?
    var network = HTTPByteStream.Options()
    var startTime: TimeInterval = 0
    var endTime: TimeInterval?
    var crossfade = Crossfade()
    var smartSpeed = SmartSpeed.off
    var waitsForOutput = true
    var normalization: LoudnessNormalization?
    var decodedBufferHandler: Streamer.DecodedBufferHandler?
    var decodingObserver: (@Sendable (ClosedRange<TimeInterval>) -> Void)?
}
