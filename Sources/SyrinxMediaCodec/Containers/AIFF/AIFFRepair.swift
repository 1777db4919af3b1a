internal import SyrinxByteStream

/// Finds the missing sizes in an AIFF file that was written without seeking back, for example into a pipe.
///
/// Chunks are laid out as in Apple's "Audio Interchange File Format" (1989): a type of four characters and a 32-bit
/// size, all big-endian. The first chunk, `FORM`, contains the others.
struct AIFFRepair {
    /// Bytes of the file as they should be.
    struct Correction: Equatable {
        let offset: Int64
        let bytes: [UInt8]
    }

    /// The length of the file in bytes, if known.
    let length: Int64?
    /// Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// More chunks than this before the samples are not a real file.
    private static let mostChunks = 64
    /// The compression types of samples that are not compressed.
    private static let plain: Set = [
        "NONE", "sowt", "twos", "raw ", "in24", "42ni", "in32", "23ni", "fl32", "FL32", "fl64", "FL64",
    ]
    /// The size of a chunk that extends to the end of a stream of unknown length.
    private static let openEnd: Int64 = 0x7FFF_FFFF

    /// Returns the corrections for the file behind `bridge`.
    static func corrections(of bridge: AVIOBridge) -> [Correction] {
        AIFFRepair(length: bridge.stream.length) { bridge.look(at: $0, count: $1) }.corrections()
    }

    /// Returns the samples that libavformat does not support; `nil` if there are none.
    static func samples(of bridge: AVIOBridge) -> AIFFSamples? {
        AIFFRepair(length: bridge.stream.length) { bridge.look(at: $0, count: $1) }.samples()
    }

    /// Returns the samples that libavformat does not support; `nil` if there are none.
    func samples() -> AIFFSamples? {
        guard form == "AIFC" else { return nil }
        var offset: Int64 = 12
        for _ in 0..<Self.mostChunks {
            let chunk = bytes(offset, 30)
            guard chunk.count >= 8 else { return nil }
            if chunk.count == 30, chunk.starts(with: "COMM".utf8) {
                let type = String(decoding: chunk[26..<30], as: UTF8.self)
                return AIFFSamples(type: type, bits: Self.number(chunk[14..<16]), at: offset.addingClamped(26))
            }
            let size = Self.number(chunk[4..<8])
            guard Self.isStated(size) else { return nil }
            // Bounded: `mostChunks` sizes of 32 bits.
            offset += 8 + size + size % 2
        }
        return nil
    }

    /// `AIFF` or `AIFC`; `nil` if it is not an AIFF file.
    private var form: String? {
        let head = bytes(0, 12)
        guard head.count == 12, head.starts(with: "FORM".utf8) else { return nil }
        let form = String(decoding: head[8...], as: UTF8.self)
        return ["AIFF", "AIFC"].contains(form) ? form : nil
    }

    /// Returns the corrections; none if it is not an AIFF file.
    func corrections() -> [Correction] {
        guard form != nil else { return [] }
        let head = bytes(0, 12)
        var corrections: [Correction] = []
        if !Self.isStated(Self.number(head[4..<8])) { corrections.append(Self.size(rest(from: 8), at: 4)) }
        var common: (offset: Int64, frames: Int64, bytesPerFrame: Int64)?
        var offset: Int64 = 12
        for _ in 0..<Self.mostChunks {
            let chunk = bytes(offset, 8)
            guard chunk.count == 8 else { break }
            let size = Self.number(chunk[4...])
            switch String(decoding: chunk[..<4], as: UTF8.self) {
            case "COMM": common = commonFields(at: offset.addingClamped(8), size)
            case "SSND":
                // It starts with two fields of four bytes each.
                guard !Self.isStated(size) || size == 8 else { return corrections }
                let sound = rest(from: offset + 8)
                corrections.append(Self.size(sound, at: offset + 4))
                if let common, common.frames == 0, length != nil {
                    corrections.append(Self.size(max(sound - 8, 0) / common.bytesPerFrame, at: common.offset))
                }
                return corrections
            default: break
            }
            // Bounded: `mostChunks` sizes of 32 bits.
            offset += 8 + size + size % 2
        }
        return corrections
    }

    /// Returns the offset of the frame count, the count, and the bytes of an uncompressed frame.
    private func commonFields(at offset: Int64, _ size: Int64) -> (Int64, Int64, Int64)? {
        let fields = bytes(offset, 22)
        guard fields.count >= 18 else { return nil }
        let isPlain = size < 22 || Self.plain.contains(String(decoding: fields[18...], as: UTF8.self))
        // Bounded: the product of two numbers of 16 bits.
        let bytesPerFrame = Self.number(fields[0..<2]) * ((Self.number(fields[6..<8]) + 7) / 8)
        return isPlain && bytesPerFrame > 0 ? (offset + 2, Self.number(fields[2..<6]), bytesPerFrame) : nil
    }

    /// The bytes from `offset` to the end of the file.
    private func rest(from offset: Int64) -> Int64 { length.map { max($0 - offset, 0) } ?? Self.openEnd }

    private static func isStated(_ size: Int64) -> Bool { size != 0 && size != 0xFFFF_FFFF }

    private static func size(_ size: Int64, at offset: Int64) -> Correction {
        let value = UInt32(clamping: size).bigEndian
        return Correction(offset: offset, bytes: withUnsafeBytes(of: value) { Array($0) })
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
