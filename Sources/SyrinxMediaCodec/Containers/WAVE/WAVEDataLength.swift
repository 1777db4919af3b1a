internal import SyrinxByteStream

/// The number of frames that a WAV file states, or, if it states none, has.
///
/// libavformat gives what the file holds, and so does not tell that the end is missing. Chunks are laid out as in RIFF,
/// and sizes past 4 GiB as in RF64 (EBU Tech 3306) or Wave64.
struct WAVEDataLength {
    /// Bytes of the whole file, if that is known.
    let length: Int64?
    /// Reads up to `count` bytes at an offset of the file, or fewer where they cannot be had.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// More chunks than this before the samples are not a real file.
    private static let mostChunks = 64
    /// In place of a size that stands elsewhere, or was not known when the file was begun.
    private static let unknown: Int64 = 0xFFFF_FFFF

    /// The sizes that programs write into a pipe, where they cannot go back; the last two are those of SoX and others.
    private static let placeholders: Set<Int64> = [0, unknown, 0x7FFF_FFFF, 0x7FFF_F000]

    /// The frames of the samples' chunk; where its size is not stated those that the file has, or `nil`.
    func frameCount() -> Int64? {
        bytes(0, 4).elementsEqual("riff".utf8) ? longFrameCount() : shortFrameCount()
    }

    /// Returns the frame count of Sony's Wave64: types of 16 bytes, sizes of 64 bits that include the header, chunks at
    /// multiples of 8.
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
