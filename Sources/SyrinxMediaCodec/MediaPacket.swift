internal import CSyrinxFFmpeg

/// A piece of compressed sound, as the container holds it.
package struct MediaPacket: Sendable {
    let box: PacketBox

    /// The frame of the recording that it begins at; negative before the first one, where the encoder's delay lies.
    ///
    /// `nil` where the container does not tell.
    package let startFrame: Int64?
    /// In a chain: the frame at which its recording begins, and where it begins in that, in frames of the recording's own rate.
    var inRecording: (start: Int64, position: Int64)?
    /// The number of frames that it decodes to, before trimming, if that is known.
    package let frameCount: Int?
    /// The offset in the file, if that is known.
    package let byteOffset: Int64?
    /// The number of frames to drop from its end, which are padding of the encoder.
    ///
    /// In a chain they are of the recording's own rate.
    package internal(set) var endTrim: Int
    /// The number of frames to drop from its start, where the timestamps do not count them.
    let startTrim: Int
    /// The number of packets missing before it because of damage.
    let lostBefore: Int
    /// The number of frames missing before it, as far as that is known.
    let lostFrames: Int64
    /// The position at which its recording ends, in that recording's own count, if it is among its last packets.
    let endPosition: Int64?
    /// Whether another recording begins with it, in a chain of them.
    let beginsRecording: Bool
    /// The tags of another recording in a chain, if they came with this packet.
    let tags: [String: String]?

    /// The number of bytes.
    package var byteCount: Int { Int(box.packet.pointee.size) }

    /// A copy of the bytes.
    package var data: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Lends the bytes without copying them.
    /// - Parameter body: Gets the bytes, which are valid only while it runs.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(box) {} }
        return try body(UnsafeRawBufferPointer(start: box.packet.pointee.data, count: byteCount))
    }
}

/// Owns one packet of FFmpeg's.
///
/// Unchecked: after a packet source has filled it, nothing writes to it, and FFmpeg counts references to its data atomically.
final class PacketBox: @unchecked Sendable {
    let packet: UnsafeMutablePointer<AVPacket>

    /// Takes over the data that `source` refers to, and leaves `source` blank.
    init?(moving source: UnsafeMutablePointer<AVPacket>) {
        guard let packet = av_packet_alloc() else { return nil }
        av_packet_move_ref(packet, source)
        self.packet = packet
    }

    /// Refers to a part of the data of another packet.
    init?(_ whole: PacketBox, bytes: Range<Int>) {
        guard bytes.upperBound <= Int(whole.packet.pointee.size), let packet = av_packet_clone(whole.packet) else {
            return nil
        }
        packet.pointee.data += bytes.lowerBound
        packet.pointee.size = Int32(clamping: bytes.count)
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }
}
