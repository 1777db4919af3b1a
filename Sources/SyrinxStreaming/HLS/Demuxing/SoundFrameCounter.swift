/// Measures the duration of an elementary audio stream from its frame headers, as it arrives.
///
/// After a damaged frame, it searches for the next frame header.
struct SoundFrameCounter {
    /// The seconds of the frames that have begun.
    private(set) var seconds = 0.0
    private let read: ([UInt8]) -> (size: Int, seconds: Double)?
    private var head: [UInt8] = []
    /// The remaining bytes of the skipped frame.
    private var remaining = 0

    /// Bytes of a header, of any encoding.
    private static let headerSize = 7

    /// Creates a counter for frames of a libavformat format; returns `nil` for unsupported formats.
    init?(format: String) {
        switch format {
        case "aac": read = Self.adts
        case "mp3": read = Self.mpeg
        case "ac3", "eac3": read = Self.dolby
        default: return nil
        }
    }

    /// Processes the next bytes.
    mutating func push(_ bytes: [UInt8]) {
        var place = 0
        while place < bytes.count {
            if remaining > 0 {
                let count = min(remaining, bytes.count - place)
                // Bounded: no more than what is left.
                place += count
                remaining -= count
                continue
            }
            head.append(bytes[place])
            place += 1
            guard head.count == Self.headerSize else { continue }
            if let frame = read(head), frame.size >= Self.headerSize {
                seconds += frame.seconds
                // Bounded: the size is checked above.
                remaining = frame.size - Self.headerSize
                head = []
            } else {
                head.removeFirst()
            }
        }
    }

    /// Forgets a frame that was cut off.
    mutating func beginSegment() {
        head = []
        remaining = 0
    }

    // MARK: Headers

    /// ISO/IEC 14496-3, 1.A.2.2.
    private static func adts(_ head: [UInt8]) -> (size: Int, seconds: Double)? {
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
        ]
        let rate = Int(head[2] >> 2 & 15)
        guard head[0] == 0xFF, head[1] & 0xF6 == 0xF0, rate < rates.count else { return nil }
        let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        return (size, Double(1024 * (Int(head[6] & 3) + 1)) / Double(rates[rate]))
    }

    /// ISO/IEC 11172-3, 2.4.1.3, and 13818-3.
    private static func mpeg(_ head: [UInt8]) -> (size: Int, seconds: Double)? {
        let version = head[1] >> 3 & 3
        let layer = head[1] >> 1 & 3
        let index = Int(head[2] >> 4)
        let rateIndex = Int(head[2] >> 2 & 3)
        guard head[0] == 0xFF, head[1] & 0xE0 == 0xE0, version != 1, layer != 0, index != 0, index < 15, rateIndex < 3
        else { return nil }
        let isFirst = version == 3
        let rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let kilobits =
            switch (isFirst, layer) {
            case (true, 3): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448][index - 1]
            case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384][index - 1]
            case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][index - 1]
            case (false, 3): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256][index - 1]
            case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][index - 1]
            }
        let padding = Int(head[2] >> 1 & 1)
        let samples = layer == 3 ? 384 : layer == 2 || isFirst ? 1152 : 576
        let size =
            layer == 3
            ? (12_000 * kilobits / rate + padding) * 4
            : samples / 8 * 1000 * kilobits / rate + padding
        return (size, Double(samples) / Double(rate))
    }

    /// ETSI TS 102 366, 4.4.1 and E.1.3.1.
    private static func dolby(_ head: [UInt8]) -> (size: Int, seconds: Double)? {
        guard head[0] == 0x0B, head[1] == 0x77 else { return nil }
        let rates = [48_000, 44_100, 32_000]
        if head[5] >> 3 > 10 {
            // Bounded: 11 bits.
            let size = 2 * ((Int(head[2] & 7) << 8 | Int(head[3])) + 1)
            let code = Int(head[4] >> 6)
            // Dependent and additional substreams do not add to the duration.
            let isFirst = head[2] >> 6 != 1 && head[2] >> 3 & 7 == 0
            let half = Int(head[4] >> 4 & 3)
            guard code < 3 || half < 3 else { return nil }
            let rate = code < 3 ? rates[code] : rates[half] / 2
            let blocks = code < 3 ? [1, 2, 3, 6][half] : 6
            return (size, isFirst ? Double(256 * blocks) / Double(rate) : 0)
        }
        let code = Int(head[4] >> 6)
        let index = Int(head[4] & 0x3F)
        guard code < 3, index < 38 else { return nil }
        let kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640][
            index / 2
        ]
        // In 16-bit words; odd frame size codes at 44.1 kHz have one more word.
        let words = 96_000 * kilobits / rates[code] + (code == 1 ? index & 1 : 0)
        return (2 * words, 1536 / Double(rates[code]))
    }
}
