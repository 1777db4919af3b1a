/// Divides a free-format MP3 stream into frames, and converts them for the decoder.
///
/// libavcodec rejects free-format frames, because it does not know their size. It accepts "application data units" (RFC
/// 5219): a frame with all of its bits, which may start up to 511 bytes before it in the stream.
struct FreeFormatSplitter {
    struct Piece: Equatable {
        /// The offset of the frame in the file.
        let offset: Int64
        /// An application data unit; for bytes that are not a frame, a single byte.
        let bytes: [UInt8]
    }

    let stream: FreeFormatStream
    private var bytes: [UInt8] = []
    /// The offset of `bytes` in the file.
    private var offset: Int64 = 0
    /// The number of bytes that were returned.
    private var given = 0
    /// The last main data of the frames so far; the next frame may refer to it.
    private var reservoir: [UInt8] = []
    /// Whether a tag is being skipped.
    private var isInTag = false
    /// Whether the input has ended.
    private(set) var isAtEnd = false

    /// `main_data_begin` has nine bits.
    private static let largestReservoir = 511

    init(_ stream: FreeFormatStream) { self.stream = stream }

    /// Adds bytes that start at `place` in the file.
    mutating func push(_ more: UnsafeBufferPointer<UInt8>, at place: Int64) {
        bytes.removeFirst(given)
        offset += Int64(given)
        given = 0
        if bytes.isEmpty { offset = place }
        bytes.append(contentsOf: more)
    }

    /// Called after the last bytes.
    mutating func finish() { isAtEnd = true }

    /// Discards all bytes, because the next ones are from another position.
    mutating func breakOff() { self = FreeFormatSplitter(stream) }

    /// Returns the next frame; `nil` if it needs more bytes, or at the end.
    mutating func next() -> Piece? {
        while given < bytes.count {
            let rest = bytes[given...]
            if let header = header(at: given) {
                let size = stream.size(of: header)
                guard rest.count >= size else { return isAtEnd ? take(upTo: bytes.count) : nil }
                defer { given += size }
                isInTag = false
                return Piece(offset: offset + Int64(given), bytes: unit(rest.prefix(size), header))
            }
            isInTag = isInTag || PacketLossEstimator.isTag(rest)
            guard let end = endOfJunk else { return nil }
            // Each piece counts as a lost frame.
            let junk = take(upTo: min(end, given + stream.frameSize))
            reservoir = []
            if !isInTag { return junk }
        }
        return nil
    }

    // MARK: What is no frame

    private func header(at place: Int) -> FreeFormatHeader? {
        FreeFormatHeader(bytes[place...]).flatMap { $0.isSameKind(stream.header) ? $0 : nil }
    }

    /// The start of the next two consecutive frames, or the end of the bytes that are known to contain none.
    ///
    /// `nil` if more bytes are needed.
    private var endOfJunk: Int? {
        let most = FreeFormatHeader.byteCount + stream.frameSize + 1
        // The very last frame has no successor.
        guard isAtEnd || bytes.count - given >= 2 * most else { return nil }
        let last = isAtEnd ? bytes.count : bytes.count - most
        return (given + 1..<max(last, given + 1)).first(where: begins) ?? max(last, given + 1)
    }

    private func begins(at place: Int) -> Bool {
        guard let header = header(at: place) else { return false }
        let next = place + stream.size(of: header)
        return next + FreeFormatHeader.byteCount > bytes.count ? isAtEnd : self.header(at: next) != nil
    }

    /// Drops bytes that are not a complete frame.
    ///
    /// Their replacement is too short for a header, because libavcodec would decode them as a frame of another layer or
    /// rate.
    private mutating func take(upTo end: Int) -> Piece {
        defer { given = end }
        return Piece(offset: offset + Int64(given), bytes: [0])
    }

    // MARK: Application data units

    /// Returns the header, the side information, and all main data that they refer to.
    private mutating func unit(_ frame: ArraySlice<UInt8>, _ header: FreeFormatHeader) -> [UInt8] {
        let start = frame.startIndex + FreeFormatHeader.byteCount + (header.hasChecksum ? 2 : 0)
        let main = start + header.sideInfoSize
        let head = FreeFormatHeader.usual(frame)
        guard main <= frame.endIndex else { return head + [UInt8](repeating: 0, count: header.sideInfoSize) }
        let side = Array(frame[start..<main])
        let data = frame[main...]
        defer { reservoir = (reservoir + data).suffix(Self.largestReservoir) }
        let (borrowed, bits) = Self.measures(side, header)
        let needed = (bits + 7) / 8
        // A frame that refers to data before the first frame that was read becomes silence.
        // Bounded: numbers of at most 14 bits, and bytes in memory.
        guard borrowed <= reservoir.count, needed <= borrowed + data.count else {
            return head + [UInt8](repeating: 0, count: side.count)
        }
        // Bounded: these are bytes, joined.
        return head + side + (reservoir.suffix(borrowed) + data).prefix(needed)
    }

    /// Returns how many bytes before the frame its bits start, and their number (ISO/IEC 11172-3, 2.4.1.7).
    private static func measures(_ side: [UInt8], _ header: FreeFormatHeader) -> (borrowed: Int, bits: Int) {
        let channelCount = header.isMono ? 1 : 2
        let borrowed = number(side, at: 0, width: header.isVersion1 ? 9 : 8)
        // Private bits and, in version 1, the bits that the granules share.
        let first = header.isVersion1 ? 9 + (header.isMono ? 5 : 3) + 4 * channelCount : 8 + channelCount
        let width = header.isVersion1 ? 59 : 63
        let count = (header.isVersion1 ? 2 : 1) * channelCount
        return (borrowed, (0..<count).reduce(0) { $0 + number(side, at: first + $1 * width, width: 12) })
    }

    private static func number(_ bytes: [UInt8], at bit: Int, width: Int) -> Int {
        (bit..<bit + width).reduce(0) { $0 << 1 | Int(bytes[$1 >> 3] >> UInt8(7 - $1 & 7) & 1) }
    }
}
