internal import Foundation

/// Divides a FLAC stream into frames.
///
/// A frame does not state its size: it ends where the next one starts. A candidate for the next header also states its
/// first sample, which must be the end of the frame before. A frame is therefore complete as soon as the next header
/// has arrived. libavformat's parser buffers ten frames before it returns the first one.
struct FLACFrameParser {
    struct Piece {
        /// `nil` of bytes that belong to no frame: the decoder calls them damaged, and so they are counted.
        let frame: FLACFrameHeader?
        /// The offset in the file.
        let offset: Int64
        /// Release it before the next `push`, which would otherwise copy all bytes.
        let bytes: ArraySlice<UInt8>
    }

    private typealias Head = (place: Int, frame: FLACFrameHeader)

    /// The stream info, completed by the first frame.
    private(set) var info: FLACStreamInfo
    private var isNew = true
    /// The maximum number of bytes to wait for the header after a frame.
    private let longest: Int
    private var bytes: [UInt8] = []
    /// The offset of `bytes` in the file.
    private var offset: Int64 = 0
    /// The number of bytes that were returned.
    private var given = 0
    /// The position up to which all headers were found.
    private var searched = 0
    /// The frame that starts at `given`.
    private var current: FLACFrameHeader?
    /// The last header that does not follow from `current`.
    ///
    /// It is a coincidence, or the first header after damage: the next header decides.
    private var rival: Head?
    /// The checksum of `current` up to the position to which it was needed.
    private var sum: (end: Int, checksum: FLACChecksum) = (0, FLACChecksum())
    /// Whether the input has ended.
    private(set) var isAtEnd = false
    /// Whether the last frame was complete, and was followed at most by a tag.
    private(set) var hasEndedWhole = false

    /// The maximum size of a frame header, in bytes (RFC 9639, section 9.1).
    private static let headSize = 16

    init(_ info: FLACStreamInfo) {
        self.info = info
        // The size of uncompressed samples, with eight channels of 32 bits and one more: at most 2 MB.
        longest = info.blockSizes.upperBound * 33 + 1024
    }

    /// Adds bytes that start at `place` in the file.
    mutating func push(_ more: UnsafeBufferPointer<UInt8>, at place: Int64) {
        if given >= bytes.count - given { dropGiven() }
        if bytes.isEmpty { offset = place }
        bytes.append(contentsOf: more)
    }

    /// Called after the last bytes.
    mutating func finish() { isAtEnd = true }

    /// Discards all bytes, because the next ones are from another position.
    mutating func breakOff() {
        self = FLACFrameParser(info)
        isNew = false
    }

    /// Returns the next frame; `nil` if it needs more bytes, or at the end.
    mutating func next() -> Piece? {
        while let head = nextHead() {
            if let piece = meet(head) { return piece }
        }
        if searched - given > longest { return giveUp() }
        return isAtEnd ? takeLast() : nil
    }

    /// Returns the current frame if the available bytes end with it: then it is complete without a following header.
    mutating func nextAtEnd() -> Piece? {
        // The checksum is right by chance once in 65,536 times, so the samples are counted too.
        guard current != nil, rival == nil, given < bytes.count, isWhole(upTo: bytes.count),
            FLACFrameEnd.byteCount(of: bytes[given...], info) == bytes.count - given
        else { return nil }
        defer {
            current = nil
            given = bytes.count
            searched = bytes.count
            sum = (given, FLACChecksum())
        }
        return piece(upTo: bytes.count)
    }

    private mutating func dropGiven() {
        bytes.removeFirst(given)
        offset += Int64(given)
        searched -= given
        sum.end -= given
        rival?.place -= given
        given = 0
    }

    // MARK: Heads

    private mutating func nextHead() -> Head? {
        let limit = min(bytes.count - (isAtEnd ? 0 : Self.headSize), given + longest + 1)
        while searched < limit {
            guard let place = sync(in: searched..<limit) else {
                searched = limit
                return nil
            }
            searched = place + 1
            if let frame = FLACFrameHeader(bytes[...], at: place, of: info, isOfAnyForm: true) { return (place, frame) }
        }
        return nil
    }

    /// Returns the first position in `range` at which a header may start.
    private func sync(in range: Range<Int>) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = range.lowerBound
            while place < range.upperBound, let hit = memchr(base + place, 0xFF, range.upperBound - place) {
                place = UnsafeRawPointer(hit) - base
                if place + 1 < bytes.count, bytes[place + 1] & 0xFE == 0xF8 { return place }
                place += 1
            }
            return nil
        }
    }

    private mutating func meet(_ head: Head) -> Piece? {
        guard let current else { return cut(at: head) }
        // After a gap, it is the next frame if the frame before is complete.
        if head.frame.start == current.end || head.frame.start > current.end && isWhole(upTo: head.place) {
            return cut(at: head)
        }
        if let rival, head.frame.start == rival.frame.end {
            // It follows from the rival header, and is found again as such.
            searched = head.place
            return cut(at: rival)
        }
        rival = head
        return nil
    }

    private mutating func isWhole(upTo place: Int) -> Bool {
        // The end of the bytes was checked before, and now a header was found in the last of them.
        if place < sum.end { sum = (given, FLACChecksum()) }
        sum.checksum.add(bytes[sum.end..<place])
        sum.end = place
        return sum.checksum.value == 0
    }

    // MARK: Giving out

    /// Returns the bytes before `head`, with which the next frame starts.
    private mutating func cut(at head: Head) -> Piece? {
        let piece = head.place > given ? piece(upTo: head.place) : nil
        current = head.frame
        note(head.frame)
        rival = nil
        given = head.place
        sum = (head.place, FLACChecksum())
        return piece
    }

    /// Uses the first frame if the stream info does not determine the unit of frame numbers.
    private mutating func note(_ frame: FLACFrameHeader) {
        if isNew, frame.start == 0, !frame.tellsSample, info.blockSizes.lowerBound < info.blockSizes.upperBound {
            info.countedSize = frame.count
        }
        isNew = false
    }

    private func piece(upTo end: Int) -> Piece {
        Piece(frame: current, offset: offset + Int64(given), bytes: bytes[given..<end])
    }

    private mutating func giveUp() -> Piece? {
        if let rival { return cut(at: rival) }
        defer {
            current = nil
            given = searched
        }
        return piece(upTo: searched)
    }

    private mutating func takeLast() -> Piece? {
        guard given < bytes.count else { return nil }
        let end = current == nil ? nil : FLACChecksum.lastEnd(in: bytes[given...])
        // The header with the later valid end is the last frame: coincidental ends precede the true one.
        if let rival, end ?? 0 < FLACChecksum.lastEnd(in: bytes[rival.place...]) ?? rival.place + 1 {
            return cut(at: rival)
        }
        hasEndedWhole = end.map { FLACTail.isEnd(bytes[$0...]) } ?? false
        defer {
            current = nil
            given = bytes.count
        }
        return piece(upTo: end ?? bytes.count)
    }
}

extension FLACFrameHeader {
    /// The sample number after the last sample.
    var end: Int64 { start + Int64(count) }
}

/// The CRC-16 with the polynomial x¹⁶ + x¹⁵ + x² + 1 (RFC 9639, section 9.3).
///
/// The checksum of a whole frame, which ends with its own CRC, is 0.
struct FLACChecksum {
    private(set) var value: UInt16 = 0

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005 }
    }

    private static func next(_ value: UInt16, _ byte: UInt8, _ table: UnsafeBufferPointer<UInt16>) -> UInt16 {
        value << 8 ^ table[Int(value >> 8) ^ Int(byte)]
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var value = value
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { for byte in $0 { value = Self.next(value, byte, table) } }
        }
        self.value = value
    }

    /// The number of trailing zero bytes that do not change the checksum and may belong to the frame: too few for the
    /// decoder to mistake them for another frame.
    private static let mostZeros = 8

    /// Returns the end of a frame that starts with `bytes`, regardless of what follows; `nil` if no checksum is valid.
    ///
    /// It is the last valid end: in one frame of ten, a coincidental one precedes it.
    static func lastEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        var end: Int?
        var zeros = 0
        var value: UInt16 = 0
        Self.table.withUnsafeBufferPointer { table in
            for place in bytes.indices {
                value = next(value, bytes[place], table)
                zeros = value == 0 ? zeros + 1 : 0
                if (1...1 + mostZeros).contains(zeros) { end = place + 1 }
            }
        }
        return end
    }
}
