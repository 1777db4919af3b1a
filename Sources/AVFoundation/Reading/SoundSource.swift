internal import CoreAudioTypes
internal import CoreMedia
internal import SyrinxMediaCodec

/// Sound as float samples, one buffer a channel, from any frame on.
///
/// One thread at a time.
protocol SoundSource: AnyObject {
    /// Frames per second.
    var sampleRate: Double { get }
    /// The number of channels.
    var channelCount: Int { get }
    /// Makes the next read begin at `frame`; beyond the end, at the end.
    func seek(toFrame frame: Int64) throws
    /// Copies the next frames, at least one, and returns how many; 0 at the end.
    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int
    /// Breaks off, from any thread, a read that waits.
    func cancel()
}

/// The sound of a file or resource.
final class FileSoundSource: SoundSource {
    private let reader: MediaReader

    /// The sound that `reader` gives; one that is cut off ends there, as Apple's readers do.
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

/// Packets as they lie in a file or resource.
///
/// One thread at a time.
protocol PacketReading: AnyObject {
    /// The packets' format.
    var streamDescription: AudioStreamBasicDescription { get }
    /// Goes to a packet from which the sound at `frame` can be decoded.
    func seek(toFrame frame: Int64) throws
    /// The next packet; `nil` at the end.
    func next() throws -> MediaPacket?
    /// Breaks off, from any thread, a read that waits.
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
