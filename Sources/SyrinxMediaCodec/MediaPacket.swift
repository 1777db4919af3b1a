internal import CSyrinxFFmpeg

/// A packet of compressed audio from a container.
package struct MediaPacket: Sendable {
    let box: PacketBox

    /// The first frame of the packet in the recording; negative for frames of the encoder delay.
    ///
    /// `nil` if the container does not state it.
    package let startFrame: Int64?
    /// In a chain, the first frame of the packet's recording, and the packet's position in it at that recording's own
    /// rate.
    var inRecording: (start: Int64, position: Int64)?
    /// The number of frames that the packet decodes to, before trimming, if it is known.
    package let frameCount: Int?
    /// The file offset, if it is known.
    package let byteOffset: Int64?
    /// The number of padding frames to drop from the end of the packet.
    ///
    /// In a chain, they are counted at the recording's own rate.
    package internal(set) var endTrim: Int
    /// The number of frames to drop from the start of the packet, if the timestamps do not include them.
    let startTrim: Int
    /// The number of packets missing before this one because of damage.
    let lostBefore: Int
    /// The number of frames missing before this packet, as far as it is known.
    let lostFrames: Int64
    /// The end position of the packet's recording, in its own count, if the packet is one of its last.
    let endPosition: Int64?
    /// Whether the packet is the first of another recording in a chain.
    let beginsRecording: Bool
    /// The tags of another recording in a chain, if they accompany this packet.
    let tags: [String: String]?

    /// The number of bytes.
    package var byteCount: Int { Int(box.packet.pointee.size) }

    /// A copy of the bytes.
    package var data: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Calls `body` with the bytes, without copying them.
    /// - Parameter body: Receives the bytes, which are valid only until it returns.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(box) {} }
        return try body(UnsafeRawBufferPointer(start: box.packet.pointee.data, count: byteCount))
    }
}

/// Owns an FFmpeg packet.
///
/// Unchecked `Sendable`: nothing writes to the packet after its source has filled it, and FFmpeg's reference counts are
/// atomic.
final class PacketBox: @unchecked Sendable {
    let packet: UnsafeMutablePointer<AVPacket>

    /// Moves the data of `source` into a new packet, and leaves `source` empty.
    init?(moving source: UnsafeMutablePointer<AVPacket>) {
        guard let packet = av_packet_alloc() else { return nil }
        av_packet_move_ref(packet, source)
        self.packet = packet
    }

    /// References a part of the data of another packet.
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
