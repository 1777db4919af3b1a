/// Finds the end of a FLAC frame by parsing all of its samples (RFC 9639, section 9).
///
/// Parsing takes about as long as decoding, so use it only if a checksum already suggests that the frame is complete.
struct FLACFrameEnd {
    private var bits: BitReader
    private let info: FLACStreamInfo

    /// Returns the size of the frame at the start of `bytes`; `nil` if it is damaged or incomplete.
    static func byteCount(of bytes: ArraySlice<UInt8>, _ info: FLACStreamInfo) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var frame = FLACFrameEnd(bits: BitReader(buffer), info: info)
            return frame.read()
        }
    }

    private init(bits: BitReader, info: FLACStreamInfo) {
        self.bits = bits
        self.info = info
    }

    private mutating func read() -> Int? {
        guard let head = readHead() else { return nil }
        for channel in 0..<head.channelCount {
            let isDifference = head.differenceChannel == channel
            guard readSubframe(head.sampleCount, depth: head.depth + (isDifference ? 1 : 0)) else { return nil }
        }
        bits.align()
        // The checksum of the frame.
        guard bits.skip(16) else { return nil }
        return bits.position / 8
    }

    private struct Head {
        var sampleCount: Int
        var channelCount: Int
        var depth: Int
        /// The channel that stores the difference of two channels, and therefore has one more bit per sample.
        var differenceChannel: Int?
    }

    private mutating func readHead() -> Head? {
        guard bits.skip(16), let sizeCode = bits.take(4), let rateCode = bits.take(4), let channelCode = bits.take(4),
            let depthCode = bits.take(3), bits.skip(1), let lead = bits.take(8)
        else { return nil }
        let length = (~UInt8(truncatingIfNeeded: lead)).leadingZeroBitCount
        guard length == 0 || bits.skip(8 * (length - 1)) else { return nil }
        let count: Int
        switch sizeCode {
        case 1: count = 192
        case 2...5: count = 576 << (sizeCode - 2)
        case 6: count = (bits.take(8) ?? -1) + 1
        case 7: count = (bits.take(16) ?? -1) + 1
        case 8...15: count = 256 << (sizeCode - 8)
        default: return nil
        }
        guard count > 0, bits.skip([12: 8, 13: 16, 14: 16][rateCode] ?? 0), bits.skip(8), channelCode < 11 else {
            return nil
        }
        let depths = [info.bitsPerSample, 8, 12, 0, 16, 20, 24, 32]
        guard depths[depthCode] > 0 else { return nil }
        return Head(
            sampleCount: count,
            channelCount: channelCode < 8 ? channelCode + 1 : 2,
            depth: depths[depthCode],
            differenceChannel: [8: 1, 9: 0, 10: 1][channelCode]
        )
    }

    private mutating func readSubframe(_ count: Int, depth: Int) -> Bool {
        guard bits.take(1) == 0, let type = bits.take(6), let hasWaste = bits.take(1) else { return false }
        var depth = depth
        if hasWaste == 1 {
            guard let zeros = bits.takeUnary() else { return false }
            depth -= zeros + 1
        }
        guard depth > 0 else { return false }
        switch type {
        case 0: return bits.skip(depth)
        case 1: return bits.skip(count * depth)
        case 8...12: return bits.skip((type - 8) * depth) && readResidual(count, order: type - 8)
        case 32...63:
            let order = type - 31
            guard bits.skip(order * depth), let precision = bits.take(4), precision < 15, bits.skip(5) else {
                return false
            }
            return bits.skip(order * (precision + 1)) && readResidual(count, order: order)
        default: return false
        }
    }

    private mutating func readResidual(_ count: Int, order: Int) -> Bool {
        guard let method = bits.take(2), method < 2, let partitionOrder = bits.take(4) else { return false }
        let width = method == 0 ? 4 : 5
        for partition in 0..<1 << partitionOrder {
            let samples = (count >> partitionOrder) - (partition == 0 ? order : 0)
            guard samples >= 0, let parameter = bits.take(width) else { return false }
            if parameter == (1 << width) - 1 {
                guard let size = bits.take(5), bits.skip(samples * size) else { return false }
                continue
            }
            for _ in 0..<samples {
                guard bits.takeUnary() != nil, bits.skip(parameter) else { return false }
            }
        }
        return true
    }
}

/// Reads bits, most significant first.
private struct BitReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The position in bits.
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Skips bits; false if there are too few.
    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count * 8 - position else { return false }
        position += count
        return true
    }

    /// Returns an unsigned integer of up to 16 bits; `nil` if there are too few bits.
    mutating func take(_ count: Int) -> Int? {
        guard count <= bytes.count * 8 - position else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
            position += 1
        }
        return value
    }

    /// Returns the number of zeros before the next one bit, and skips both.
    mutating func takeUnary() -> Int? {
        let start = position
        while position < bytes.count * 8 {
            let rest = bytes[position >> 3] << UInt8(position & 7)
            if rest == 0 {
                position = (position | 7) + 1
            } else {
                position += rest.leadingZeroBitCount + 1
                return position - 1 - start
            }
        }
        return nil
    }

    mutating func align() { position = (position + 7) & ~7 }
}
