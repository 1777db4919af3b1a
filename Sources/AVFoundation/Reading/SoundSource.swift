internal import CoreAudioTypes
internal import CoreMedia
internal import SyrinxMediaCodec

/// A source of deinterleaved float samples, with random access.
///
/// Use it on one thread at a time; any thread may call `cancel()`.
protocol SoundSource: AnyObject {
    /// The sample rate in hertz.
    var sampleRate: Double { get }
    /// The number of channels.
    var channelCount: Int { get }
    /// Makes the next read start at `frame`, clamped to the end.
    func seek(toFrame frame: Int64) throws
    /// Copies the next frames, at least one, and returns their number; 0 at the end.
    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int
    /// Cancels a blocked read; any thread may call it.
    func cancel()
}

/// The audio of a file or HTTP resource.
final class FileSoundSource: SoundSource {
    private let reader: MediaReader

    /// Creates a source for `reader`; a truncated file ends at the truncation, as with Apple's readers.
    init(_ reader: MediaReader) {
        self.reader = reader
        reader.endsWhereCutOff = true
    }

    deinit { reader.demuxer.stream.cancel() }

    var sampleRate: Double { reader.info.sampleRate }
    var channelCount: Int { reader.info.channelCount }

    func seek(toFrame frame: Int64) throws { try reader.seek(toFrame: frame) }

    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int {
        try reader.read(into: channels, frameCount: frameCount)
    }

    func cancel() { reader.demuxer.stream.cancel() }
}

/// Reads the packets of a file or HTTP resource as stored.
///
/// Use it on one thread at a time; any thread may call `cancel()`.
protocol PacketReading: AnyObject {
    /// The format of the packets.
    var streamDescription: AudioStreamBasicDescription { get }
    /// Seeks to a packet from which the audio at `frame` can be decoded.
    func seek(toFrame frame: Int64) throws
    /// Returns the next packet; `nil` at the end.
    func next() throws -> MediaPacket?
    /// Cancels a blocked read; any thread may call it.
    func cancel()
}

/// The packets of a file or resource.
final class FilePacketReader: PacketReading {
    private let demuxer: MediaDemuxer

    init(_ demuxer: MediaDemuxer) {
        self.demuxer = demuxer
    }

    deinit { demuxer.stream.cancel() }

    var streamDescription: AudioStreamBasicDescription { demuxer.info.streamDescription }
    func seek(toFrame frame: Int64) throws { try demuxer.seek(toFrame: frame) }
    func next() throws -> MediaPacket? { try demuxer.nextPacket() }
    func cancel() { demuxer.stream.cancel() }
}
