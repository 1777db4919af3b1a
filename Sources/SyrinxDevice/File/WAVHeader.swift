/// The header of a WAV file with 32-bit float samples, always 92 bytes long.
///
/// A `JUNK` chunk of 28 bytes follows `RIFF`. When the data exceed 32-bit sizes, it becomes the `ds64` chunk and the
/// file an RF64 file (EBU Tech 3306), without moving samples.
package struct WAVHeader: Equatable, Sendable {
    /// The format of the samples.
    package let format: DeviceFormat

    /// Creates a header for samples of this format.
    package init(format: DeviceFormat) { self.format = format }

    /// The number of bytes before the first sample.
    package static let byteCount = 92

    /// The size that readers treat as "until the end", for a file that cannot be changed later.
    private static let unknown = UInt32.max

    /// The size of a frame, in bytes.
    package var frameByteCount: Int { format.channelCount * 4 }

    /// Returns the header for `dataByteCount` bytes of samples, or for an unknown length.
    package func bytes(dataByteCount: UInt64?) -> [UInt8] {
        let size = dataByteCount.map { $0 + UInt64(Self.byteCount) - 8 }
        let isLong = size.map { $0 >= UInt64(Self.unknown) } ?? false
        var bytes = Bytes()
        bytes.text(isLong ? "RF64" : "RIFF")
        bytes.number(size.flatMap { UInt32(exactly: $0) } ?? Self.unknown)
        bytes.text("WAVE")
        bytes.text(isLong ? "ds64" : "JUNK")
        bytes.number(UInt32(28))
        bytes.number(isLong ? size ?? 0 : 0)
        bytes.number(isLong ? dataByteCount ?? 0 : 0)
        bytes.number(isLong ? (dataByteCount ?? 0) / UInt64(frameByteCount) : 0)
        bytes.number(UInt32(0))
        bytes.text("fmt ")
        bytes.number(UInt32(16))
        bytes.number(UInt16(3))  // WAVE_FORMAT_IEEE_FLOAT
        bytes.number(UInt16(format.channelCount))
        bytes.number(UInt32(min(format.sampleRate.rounded(), Double(UInt32.max))))
        let byteRate = (format.sampleRate * Double(frameByteCount)).rounded()
        bytes.number(UInt32(min(byteRate, Double(UInt32.max))))
        bytes.number(UInt16(frameByteCount))
        bytes.number(UInt16(32))
        // Formats other than PCM must state the number of frames.
        bytes.text("fact")
        bytes.number(UInt32(4))
        bytes.number(dataByteCount.flatMap { UInt32(exactly: $0 / UInt64(frameByteCount)) } ?? Self.unknown)
        bytes.text("data")
        bytes.number(isLong ? Self.unknown : dataByteCount.flatMap { UInt32(exactly: $0) } ?? Self.unknown)
        return bytes.all
    }

    private struct Bytes {
        var all: [UInt8] = []

        mutating func text(_ text: StaticString) {
            text.withUTF8Buffer { all.append(contentsOf: $0) }
        }

        mutating func number<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { all.append(contentsOf: $0) }
        }
    }
}
