/// Cuts bytes that are pushed into packets, once it is known what they are.
///
/// It gives out a packet as soon as its end is known, whatever the sizes of the pieces that it is pushed.
package protocol PacketCutter: Sendable {
    /// Takes the next bytes.
    mutating func push(_ bytes: UnsafeRawBufferPointer)

    /// Says that the bytes that come next may be from another place.
    /// - Parameters:
    ///   - offset: Where they begin in the file, if that is known.
    ///   - frame: The frame that was sought, if one was.
    mutating func breakOff(at offset: Int64?, toFrame frame: Int64?)

    /// Says that these were all bytes.
    mutating func finish()

    /// Returns the next packet; `nil` if more bytes have to come first.
    mutating func next() -> PacketCut?
}

/// A packet of a stream, or several of plain samples.
package struct PacketCut: Sendable, Equatable {
    /// The bytes of the packet.
    package var bytes: [UInt8]
    /// The frames that it decodes to; 0 if the cutter does not know.
    package var frameCount: UInt32
    /// The offset in the file; `nil` if it is not known, as after a jump.
    package var offset: Int64?
    /// The frame of the recording that it begins with, if the packet itself tells.
    package var startFrame: Int64?

    /// A packet of these bytes.
    package init(bytes: [UInt8], frameCount: UInt32 = 0, offset: Int64? = nil, startFrame: Int64? = nil) {
        self.bytes = bytes
        self.frameCount = frameCount
        self.offset = offset
        self.startFrame = startFrame
    }
}

/// Bytes that have come and have not been used up, with their place in the file.
struct ByteBacklog: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The first byte that has not been used up.
    var place = 0
    /// The offset of `bytes` in the file.
    private var offset: Int64

    init(at offset: Int64) { self.offset = offset }

    var count: Int { bytes.count }
    /// The bytes that have not been used up.
    var waiting: Int { bytes.count - place }
    /// The offset in the file of the byte at `place`.
    var fileOffset: Int64 { offset + Int64(place) }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if place > 0, place >= bytes.count - place { dropUsed() }
        bytes.append(contentsOf: more)
    }

    /// Returns how far the places of bytes have moved.
    @discardableResult
    mutating func dropUsed() -> Int {
        let used = place
        bytes.removeFirst(used)
        offset += Int64(used)
        place = 0
        return used
    }

    /// Forgets all bytes: the next ones lie at `offset`.
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
