internal import CFFmpeg

/// A piece of compressed sound, as the container holds it.
public struct MediaPacket: Sendable {
    let box: PacketBox

    /// The frame of the recording that it begins at; negative before the first one, where the encoder's delay lies.
    ///
    /// `nil` where the container does not tell.
    public let startFrame: Int64?
    /// In a chain: the frame at which its recording begins, and where it begins in that, in frames of the recording's own rate.
    var inRecording: (start: Int64, position: Int64)?
    /// How many frames it decodes to, before anything is trimmed, if that is known.
    public let frameCount: Int?
    /// Where in the file it begins, if that is known.
    public let byteOffset: Int64?
    /// How many frames are to be dropped from its end, because they are padding of the encoder.
    ///
    /// In a chain they are of the recording's own rate.
    public internal(set) var endTrim: Int
    /// How many frames are to be dropped from its start, where the timestamps do not count for that.
    let startTrim: Int
    /// How many packets are missing before it, where damage has swallowed them.
    let lostBefore: Int
    /// How many frames are missing there, as far as that is known.
    let lostFrames: Int64
    /// At which position of Ogg its recording ends, if it begins in the last page of that.
    let endPosition: Int64?
    /// Whether another recording begins with it, in a chain of them.
    let beginsRecording: Bool
    /// What another recording in a chain calls itself, if that has come with this packet.
    let tags: [String: String]?

    /// The number of bytes.
    public var byteCount: Int { Int(box.packet.pointee.size) }

    /// A copy of the bytes.
    public var data: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Lends the bytes without copying them.
    /// - Parameter body: Gets the bytes, which are valid only while it runs.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(box) {} }
        return try body(UnsafeRawBufferPointer(start: box.packet.pointee.data, count: byteCount))
    }
}

/// Owns one packet of FFmpeg's.
///
/// Unchecked: after `MediaDemuxer` has filled it, nothing writes to it, and FFmpeg counts references to its data atomically.
final class PacketBox: @unchecked Sendable {
    let packet: UnsafeMutablePointer<AVPacket>

    /// Takes over the data that `source` refers to, and leaves `source` blank.
    init?(moving source: UnsafeMutablePointer<AVPacket>) {
        guard let packet = av_packet_alloc() else { return nil }
        av_packet_move_ref(packet, source)
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }
}
