/// The header of a growing WAV, AIFF or CAF file whose samples extend to the end of the file.
///
/// libavformat writes the header for a file of unknown length. This type then updates the sizes as libavformat would
/// when it completes the file. Past 4 GiB, a WAV file becomes an RF64 file (EBU Tech 3306).
struct GrowingHeader: Equatable {
    /// The current contents of the header.
    private(set) var bytes: [UInt8]
    private let layout: Layout
    private let bytesPerFrame: Int64

    /// The containers whose header can be updated.
    enum Form: Sendable { case wave, aiff, caf }

    private enum Layout: Equatable {
        /// The offsets of the space for the RF64 sizes and of the `fact` chunk's count, if they exist.
        case wave(longSizes: Int?, fact: Int?)
        /// The offsets of the frame count and of the size of the sample chunk.
        case aiff(frames: Int, samples: Int)
        /// The offset of the size of the sample chunk.
        case caf(samples: Int)
    }

    /// Parses a header and finds its sizes.
    ///
    /// Returns `nil` for other formats, for compressed audio, and if the samples do not directly follow the header.
    /// - Parameters:
    ///   - form: The container; `nil` for other files.
    ///   - bytesPerFrame: The size of a frame; 0 for compressed audio.
    init?(_ bytes: [UInt8], _ form: Form?, bytesPerFrame: Int) {
        guard bytesPerFrame > 0 else { return nil }
        self.bytes = bytes
        self.bytesPerFrame = Int64(bytesPerFrame)
        let found: Layout? =
            switch form {
            case .wave: Self.wave(bytes)
            case .aiff: Self.aiff(bytes)
            case .caf: Self.caf(bytes)
            case nil: nil
            }
        guard let found else { return nil }
        layout = found
    }

    /// Updates the sizes for `count` bytes of samples.
    mutating func state(sampleBytes count: Int64) {
        let fileSize = Int64(bytes.count) + count
        let frames = count / bytesPerFrame
        switch layout {
        case .wave(let longSizes, let fact):
            let isLong = fileSize - 8 > Self.largest
            if isLong, let longSizes {
                put(Array("RF64".utf8), at: 0)
                put(Array("ds64".utf8), at: longSizes - 8)
                for (index, number) in [fileSize - 8, count, frames].enumerated() {
                    put(Self.little(number, 8), at: longSizes + 8 * index)
                }
            }
            put(Self.little(isLong ? Self.largest : fileSize - 8, 4), at: 4)
            put(Self.little(isLong ? Self.largest : count, 4), at: bytes.count - 4)
            if let fact { put(Self.little(isLong ? Self.largest : frames, 4), at: fact) }
        case .aiff(let frameCount, let samples):
            put(Self.big(min(fileSize - 8, Self.largest), 4), at: 4)
            put(Self.big(min(frames, Self.largest), 4), at: frameCount)
            put(Self.big(min(count + 8, Self.largest), 4), at: samples)
        case .caf(let samples):
            // The size includes the four bytes of the edit count.
            put(Self.big(count + 4, 8), at: samples)
        }
    }

    /// The largest 32-bit size; in a WAV file it means that the size is stated elsewhere.
    private static let largest: Int64 = 0xFFFF_FFFF

    private mutating func put(_ piece: [UInt8], at place: Int) {
        bytes.replaceSubrange(place..<place + piece.count, with: piece)
    }

    private static func big(_ number: Int64, _ count: Int) -> [UInt8] { little(number, count).reversed() }

    private static func little(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    // MARK: Finding

    private static func wave(_ bytes: [UInt8]) -> Layout? {
        guard text(bytes, 0) == "RIFF", text(bytes, 8) == "WAVE" else { return nil }
        var longSizes: Int?
        var fact: Int?
        var place = 12
        while place + 8 <= bytes.count {
            let size = Int(number(bytes[place + 4..<place + 8].reversed()))
            switch text(bytes, place) {
            case "data": return place + 8 == bytes.count ? .wave(longSizes: longSizes, fact: fact) : nil
            case "JUNK" where place == 12 && size >= 28: longSizes = place + 8
            case "fact" where size >= 4: fact = place + 8
            default: break
            }
            place += 8 + size + size % 2
        }
        return nil
    }

    private static func aiff(_ bytes: [UInt8]) -> Layout? {
        guard text(bytes, 0) == "FORM" else { return nil }
        var frames: Int?
        var place = 12
        while place + 8 <= bytes.count {
            let size = Int(number(bytes[place + 4..<place + 8]))
            switch text(bytes, place) {
            case "SSND":
                // The size is followed by an offset and a block size.
                guard let frames, place + 16 == bytes.count else { return nil }
                return .aiff(frames: frames, samples: place + 4)
            case "COMM" where size >= 6: frames = place + 10
            default: break
            }
            place += 8 + size + size % 2
        }
        return nil
    }

    private static func caf(_ bytes: [UInt8]) -> Layout? {
        guard text(bytes, 0) == "caff" else { return nil }
        var place = 8
        while place + 12 <= bytes.count {
            if text(bytes, place) == "data" {
                return place + 16 == bytes.count ? .caf(samples: place + 4) : nil
            }
            let size = number(bytes[place + 4..<place + 12])
            guard size < UInt64(bytes.count) else { return nil }
            place += 12 + Int(size)
        }
        return nil
    }

    private static func text(_ bytes: [UInt8], _ place: Int) -> String {
        String(decoding: bytes.dropFirst(place).prefix(4), as: UTF8.self)
    }

    /// Returns the big-endian integer in these bytes.
    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
