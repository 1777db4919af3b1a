/// Splits pushed bytes of a known format into packets.
///
/// A packet is returned as soon as its end is known, regardless of the sizes of the pushed pieces.
package protocol PacketCutter: Sendable {
    /// Adds bytes.
    mutating func push(_ bytes: UnsafeRawBufferPointer)

    /// Called before bytes that may come from another position of the file.
    /// - Parameters:
    ///   - offset: The file offset of the next byte, if it is known.
    ///   - frame: The frame to which the reader seeks, if it does.
    mutating func breakOff(at offset: Int64?, toFrame frame: Int64?)

    /// Called after the last byte.
    mutating func finish()

    /// Returns the next packet; `nil` if it needs more bytes.
    mutating func next() -> PacketCut?
}

/// A packet of a stream, or a number of frames of uncompressed samples.
package struct PacketCut: Sendable, Equatable {
    /// The bytes of the packet.
    package var bytes: [UInt8]
    /// The number of frames that the packet decodes to; 0 if the cutter does not know it.
    package var frameCount: UInt32
    /// The file offset; `nil` if it is unknown, for example after a jump.
    package var offset: Int64?
    /// The first frame of the packet in the recording, if the packet states it.
    package var startFrame: Int64?

    package init(bytes: [UInt8], frameCount: UInt32 = 0, offset: Int64? = nil, startFrame: Int64? = nil) {
        self.bytes = bytes
        self.frameCount = frameCount
        self.offset = offset
        self.startFrame = startFrame
    }
}

/// Bytes that were pushed but not yet consumed, with their file offset.
struct ByteBacklog: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The index of the first byte that has not been consumed.
    var place = 0
    /// The file offset of `bytes`.
    private var offset: Int64

    init(at offset: Int64) { self.offset = offset }

    var count: Int { bytes.count }
    /// The number of bytes that have not been consumed.
    var waiting: Int { bytes.count - place }
    /// The file offset of the byte at `place`.
    var fileOffset: Int64 { offset + Int64(place) }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if place > 0, place >= bytes.count - place { dropUsed() }
        bytes.append(contentsOf: more)
    }

    /// Removes consumed bytes if that is worthwhile, and returns by how much indices have decreased.
    @discardableResult
    mutating func dropUsed() -> Int {
        let used = place
        bytes.removeFirst(used)
        offset += Int64(used)
        place = 0
        return used
    }

    /// Discards all bytes; the next ones are at `offset`.
    mutating func restart(at offset: Int64) {
        bytes.removeAll(keepingCapacity: true)
        place = 0
        self.offset = offset
    }

    mutating func take(_ count: Int) -> [UInt8] {
        defer { place += count }
        return Array(bytes[place..<place + count])
    }
}
