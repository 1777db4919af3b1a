/// The properties of frames in the stream info of a FLAC file (RFC 9639 section 8.2).
struct FLACStreamInfo: Equatable {
    let blockSizes: ClosedRange<Int>
    /// The number of samples that frame numbers count in.
    var countedSize: Int
    /// 0 if the encoder did not state it.
    let largestFrame: Int
    /// 0 if each frame states it.
    let sampleRate: Int
    let channelCount: Int
    let bitsPerSample: Int

    /// `nil` if `bytes` are not a stream info block, or an invalid one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 18 else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        let (smallest, largest) = (number(0..<2), number(2..<4))
        guard smallest >= 16, smallest <= largest else { return nil }
        blockSizes = smallest...largest
        countedSize = largest
        largestFrame = number(7..<10)
        sampleRate = number(10..<13) >> 4
        channelCount = (Int(bytes[12]) >> 1 & 7) + 1
        // Bounded: five bits.
        bitsPerSample = (number(12..<14) >> 4 & 31) + 1
    }
}

/// The header of a FLAC frame (RFC 9639, section 9.1), as far as it states the frame's position in time.
struct FLACFrameHeader: Equatable {
    /// The first of its samples, counted from the start of the recording.
    let start: Int64
    let count: Int
    /// Whether the header states the sample number, as opposed to the frame number.
    let tellsSample: Bool

    /// Parses a frame that starts at `place`; returns `nil` if there is none.
    ///
    /// A header must have a valid checksum, which random bytes have in one of 256 cases. It must also have the channels
    /// and the depth of the stream info.
    /// - Parameter isOfAnyForm: Whether other channels and depths are accepted, as in concatenated files and files with
    ///   a wrong stream info.
    init?(_ bytes: ArraySlice<UInt8>, at place: Int, of info: FLACStreamInfo, isOfAnyForm: Bool = false) {
        guard place + 4 <= bytes.endIndex, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8 else { return nil }
        tellsSample = bytes[place + 1] & 1 == 1
        let (sizeCode, rateCode) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] & 15))
        let (channelCode, depthCode) = (Int(bytes[place + 3] >> 4), Int(bytes[place + 3] >> 1 & 7))
        guard sizeCode != 0, rateCode != 15, bytes[place + 3] & 1 == 0 else { return nil }
        guard channelCode < 11, depthCode != 3 else { return nil }
        if !isOfAnyForm {
            guard (channelCode < 8 ? channelCode + 1 : 2) == info.channelCount else { return nil }
            guard [info.bitsPerSample, 8, 12, -1, 16, 20, 24, 32][depthCode] == info.bitsPerSample else { return nil }
        }
        var end = place + 4
        guard let number = Self.codedNumber(bytes, &end) else { return nil }
        func take(_ width: Int) -> Int? {
            guard end + width <= bytes.endIndex else { return nil }
            defer { end += width }
            return bytes[end..<end + width].reduce(0) { $0 << 8 | Int($1) }
        }
        switch sizeCode {
        case 1: count = 192
        case 2...5: count = 576 << (sizeCode - 2)
        case 6:
            guard let size = take(1) else { return nil }
            count = size + 1
        case 7:
            guard let size = take(2) else { return nil }
            count = size + 1
        default: count = 256 << (sizeCode - 8)
        }
        guard take([12: 1, 13: 2, 14: 2][rateCode] ?? 0) != nil, end < bytes.endIndex else { return nil }
        // The decoder rejects larger blocks than the stream info states.
        guard Self.checksum(bytes[place..<end]) == bytes[end], count <= info.blockSizes.upperBound else { return nil }
        // The number of a frame counts frames, which are all of one size but for the last.
        // Bounded: 36 bits and 16 bits.
        start = tellsSample ? number : number * Int64(info.countedSize)
    }

    /// A number in the coding of UTF-8, of up to 36 bits.
    private static func codedNumber(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int64? {
        guard place < bytes.endIndex else { return nil }
        let first = bytes[place]
        let length = (~first).leadingZeroBitCount
        place += 1
        guard length != 0 else { return Int64(first) }
        guard (2...7).contains(length), place + length - 1 <= bytes.endIndex else { return nil }
        var number = Int64(first & (0x7F >> UInt8(length)))
        for byte in bytes[place..<place + length - 1] {
            guard byte & 0xC0 == 0x80 else { return nil }
            number = number << 6 | Int64(byte & 0x3F)
        }
        place += length - 1
        return number
    }

    /// CRC-8 with the polynomial x⁸ + x² + x + 1.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 == 0 ? value << 1 : value << 1 ^ 0x07 }
        }
    }
}
