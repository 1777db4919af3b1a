internal import SyrinxByteStream

/// The packet table of a CAF file: the number of frames, and the encoder's delay and padding.
///
/// Chunks are laid out as in Apple's specification of the Core Audio Format: a file header of 8 bytes, then chunks of a
/// four-character type, a size of 64 bits and a body, all big-endian.
struct CAFPacketTable: Equatable {
    /// The number of audible frames, if stated.
    var frameCount: Int64?
    /// Frames before them.
    var startSkip: Int64 = 0

    /// More chunks than this are not a real file.
    private static let mostChunks = 64

    /// - Parameters:
    ///   - mayEndShort: Whether the last packet may decode to fewer frames than the others: then a table that counts
    ///     whole packets is not used.
    ///   - bytes: Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    init?(mayEndShort: Bool, bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) {
        var offset: Int64 = 8
        var framesPerPacket: Int64 = 0
        var bytesPerPacket: Int64 = 0
        var counted: Int64?
        for _ in 0..<Self.mostChunks {
            let head = bytes(offset, 12)
            guard head.count == 12 else { break }
            let size = Self.number(head[4..<12])
            let body = offset.addingClamped(12)
            switch String(decoding: head[0..<4], as: UTF8.self) {
            case "desc":
                let fields = bytes(body.addingClamped(16), 8)
                guard fields.count == 8 else { return nil }
                bytesPerPacket = Self.number(fields[0..<4])
                framesPerPacket = Self.number(fields[4..<8])
            case "data" where size > 4 && bytesPerPacket > 0 && framesPerPacket > 0:
                // The first four bytes count edits.
                // Bounded: the size is over 4.
                counted = ((size - 4) / bytesPerPacket).multipliedChecked(by: framesPerPacket)
            case "pakt":
                let table = bytes(body, 24)
                guard table.count == 24 else { return nil }
                let packets = Self.number(table[0..<8])
                let valid = Self.number(table[8..<16])
                let priming = Int64(Int32(truncatingIfNeeded: Self.number(table[16..<20])))
                let remainder = Int64(Int32(truncatingIfNeeded: Self.number(table[20..<24])))
                guard valid >= 0, priming >= 0, remainder >= 0, priming < 1 << 20 else { return nil }
                let isWhole = packets.multipliedChecked(by: framesPerPacket) == valid
                startSkip = priming
                frameCount = mayEndShort && isWhole ? nil : valid
                return
            default: break
            }
            // A size of -1 means that the chunk extends to the end.
            guard size >= 0, let next = body.addingChecked(size) else { break }
            offset = next
        }
        guard let counted else { return nil }
        frameCount = counted
    }

    /// Returns the offset of the table's first byte.
    static func offset(bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Int64? {
        var offset: Int64 = 8
        for _ in 0..<mostChunks {
            let head = bytes(offset, 12)
            guard head.count == 12 else { return nil }
            let body = offset.addingClamped(12)
            if head[0..<4].elementsEqual("pakt".utf8) { return body }
            let size = number(head[4..<12])
            guard size >= 0, let next = body.addingChecked(size) else { return nil }
            offset = next
        }
        return nil
    }

    /// Returns the part of a table that follows on the number of packets.
    static func head(frameCount: Int64, startSkip: Int64, endSkip: Int64) -> [UInt8] {
        let values = [
            UInt64(bitPattern: frameCount),
            UInt64(UInt32(clamping: startSkip)) << 32 | UInt64(UInt32(clamping: endSkip)),
        ]
        return values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
