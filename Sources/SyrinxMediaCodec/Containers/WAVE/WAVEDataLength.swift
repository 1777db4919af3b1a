internal import SyrinxByteStream

/// Reads the number of frames that the header of a WAV file states.
///
/// If the header states none, the count is derived from the file's length. libavformat always derives it from the
/// length, so it cannot detect a truncated file. Supports RIFF, RF64 (EBU Tech 3306) and Wave64.
struct WAVEDataLength {
    /// The length of the file, in bytes, if it is known.
    let length: Int64?
    /// Reads up to `count` bytes at a file offset, or fewer if they are unavailable.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// The maximum number of chunks before the samples.
    private static let mostChunks = 64
    /// The size that means "stated elsewhere" or "unknown".
    private static let unknown: Int64 = 0xFFFF_FFFF

    /// The sizes that programs write to a pipe, in which they cannot seek back; the last two are written by SoX and
    /// others.
    private static let placeholders: Set<Int64> = [0, unknown, 0x7FFF_FFFF, 0x7FFF_F000]

    /// Returns the number of frames in the `data` chunk.
    ///
    /// If the chunk does not state its size, the number is derived from the file's length; `nil` if that is unknown
    /// too.
    func frameCount() -> Int64? {
        bytes(0, 4).elementsEqual("riff".utf8) ? longFrameCount() : shortFrameCount()
    }

    /// Returns the number of frames of a Wave64 file.
    ///
    /// A Wave64 chunk has a type of 16 bytes and a 64-bit size that includes its header, and starts at a multiple of 8.
    private func longFrameCount() -> Int64? {
        var offset: Int64 = 40
        var bytesPerFrame: Int64 = 0
        for _ in 0..<Self.mostChunks {
            let head = bytes(offset, 24)
            guard head.count == 24 else { return nil }
            let size = Self.number(head[16..<24])
            guard size >= 24 else { return nil }
            switch String(decoding: head[0..<4], as: UTF8.self) {
            case "fmt ": bytesPerFrame = Self.number(bytes(offset.addingClamped(36), 2)[...])
            // Bounded: the size is at least 24.
            case "data": return bytesPerFrame > 0 ? (size - 24) / bytesPerFrame : nil
            default: break
            }
            guard let next = offset.addingChecked(size.addingClamped(7) & ~7) else { return nil }
            offset = next
        }
        return nil
    }

    private func shortFrameCount() -> Int64? {
        var offset: Int64 = 12
        var bytesPerFrame: Int64 = 0
        var longSize: Int64?
        for _ in 0..<Self.mostChunks {
            let head = bytes(offset, 8)
            guard head.count == 8 else { return nil }
            let kind = String(decoding: head[0..<4], as: UTF8.self)
            var size = Self.number(head[4..<8])
            switch kind {
            case "ds64": longSize = Self.number(bytes(offset.addingClamped(16), 8)[...])
            case "fmt ": bytesPerFrame = Self.number(bytes(offset.addingClamped(20), 2)[...])
            case "data":
                if size == Self.unknown, let longSize, longSize > 0 { size = longSize }
                guard bytesPerFrame > 0 else { return nil }
                let rest = length.map { max($0.subtractingClamped(offset).subtractingClamped(8), 0) }
                guard Self.placeholders.contains(size), rest ?? 0 < size || size == 0 else {
                    return size / bytesPerFrame
                }
                return rest.flatMap { $0 >= bytesPerFrame ? $0 / bytesPerFrame : nil }
            default: break
            }
            guard size < Self.unknown else { return nil }
            // Bounded: the size has 32 bits.
            offset = offset.addingClamped(8 + size + size % 2)
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
