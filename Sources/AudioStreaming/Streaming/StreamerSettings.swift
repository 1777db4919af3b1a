import AVFAudio
import ByteStream
import Foundation
import HTTPStream

/// What a streamer has been told, whatever it plays.
struct StreamerSettings {
    var readBufferSize: AVAudioFrameCount = 8_192
    var cache: DiskCache?
    var network = HTTPByteStream.Options()
    var startTime: TimeInterval = 0
    var endTime: TimeInterval?
    var delegateQueue = DispatchQueue.main
    var decodedBufferHandler: Streamer.DecodedBufferHandler?
}
