internal import CFFmpeg

/// Whether an Ogg file is several recordings one after the other, which RFC 3533 calls chained.
///
/// Each begins its positions anew, so the last of them says nothing of the whole.
enum OggChain {
    /// - Parameters:
    ///   - head: The first bytes of the file.
    ///   - tail: Gives the last bytes of it, as many as it is asked for.
    /// - Returns: Whether the last page belongs to none of the streams that the file begins with.
    static func isChained(head: [UInt8], tail: (_ count: Int) -> [UInt8]) -> Bool {
        guard let last = lastSerial(in: tail(OggTail.size)) ?? lastSerial(in: tail(Int(OggTail.reach))) else {
            return false
        }
        let first = firstSerials(in: head)
        return !first.isEmpty && !first.contains(last)
    }

    /// Whether a packet in the middle begins another recording of a chain.
    ///
    /// libavformat passes on the headers of Vorbis and FLAC, where they are not the first; those of Opus it keeps, and then
    /// says what to skip.
    static func begins(with packet: UnsafePointer<AVPacket>, of container: String) -> Bool {
        guard container == "ogg", let data = packet.pointee.data else { return false }
        if PacketTrim.of(packet).start > 0 { return true }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        return bytes.starts(with: [0x01] + Array("vorbis".utf8)) || bytes.starts(with: [0x7F] + Array("FLAC".utf8))
    }

    /// Whether a packet of Vorbis is not one of its headers, which are odd (Vorbis I specification, section 4.2.1).
    static func isSound(_ packet: UnsafePointer<AVPacket>) -> Bool {
        packet.pointee.size > 0 && packet.pointee.data[0] & 1 == 0
    }

    /// By how much libavformat is going to cut too much off the end of a recording that begins with this sound.
    ///
    /// So it does with Vorbis in a single page, where the first packet, which is silent, counts from 0.
    static func endTrimExcess(after first: UnsafePointer<AVPacket>, _ timing: PacketTiming) -> Int64 {
        first.pointee.pts == 0 ? timing.frames(first.pointee.duration) : 0
    }

    private static let pageStart = Array("OggS".utf8)

    /// The serial numbers of the pages at the front that begin a stream.
    private static func firstSerials(in head: [UInt8]) -> [ArraySlice<UInt8>] {
        var serials: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset + 27 <= head.count, head[offset..<offset + 4].elementsEqual(pageStart) {
            // Bit 1 of the flags: the first page of its stream.
            guard head[offset + 5] & 2 != 0 else { break }
            serials.append(head[offset + 14..<offset + 18])
            let lacing = Int(head[offset + 26])
            guard offset + 27 + lacing <= head.count else { break }
            offset += 27 + lacing + head[offset + 27..<offset + 27 + lacing].reduce(0) { $0 + Int($1) }
        }
        return serials
    }

    private static func lastSerial(in tail: [UInt8]) -> ArraySlice<UInt8>? {
        guard tail.count >= 27 else { return nil }
        return (0...tail.count - 27).reversed().first { tail[$0] == 0x4F && tail[$0..<$0 + 4].elementsEqual(pageStart) }
            .map { tail[$0 + 14..<$0 + 18] }
    }
}
