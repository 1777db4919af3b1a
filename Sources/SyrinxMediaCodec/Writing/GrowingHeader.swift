/// The header of a WAV, AIFF or CAF file whose samples follow it to the end of the file, kept true while they grow.
///
/// Starts from the header that libavformat writes for a file of unknown length, and states the sizes as libavformat does when it
/// completes the file: past 4 GiB a WAV file becomes an RF64 file (EBU Tech 3306).
struct GrowingHeader: Equatable {
    /// The header, as it is to stand in the file.
    private(set) var bytes: [UInt8]
    private let layout: Layout
    private let bytesPerFrame: Int64

    /// The containers whose header can be kept true.
    enum Form: Sendable { case wave, aiff, caf }

    private enum Layout: Equatable {
        /// Places of the room for the sizes of RF64 and of the `fact` chunk's count, where there are such.
        case wave(longSizes: Int?, fact: Int?)
        /// The place of the count of frames, and of the size of the samples' chunk.
        case aiff(frames: Int, samples: Int)
        /// The place of the size of the samples' chunk.
        case caf(samples: Int)
    }

    /// Finds the sizes in `bytes`.
    ///
    /// `nil` for other files, for compressed sound, and where the samples do not follow at once.
    /// - Parameters:
    ///   - form: The form of the header; `nil` for other files.
    ///   - bytesPerFrame: Of the samples; 0 for compressed sound.
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

    /// States that `count` bytes of samples follow.
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
            // Four bytes count the edits.
            put(Self.big(count + 4, 8), at: samples)
        }
    }

    /// The largest number of 32 bits; in WAV it also says that the size is stated elsewhere.
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
                // Behind the size stand an offset and the size of a block.
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

    /// The number of these bytes, the most significant first.
    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
