/// The bytes before the samples of a float 32 WAV file, always 92 of them.
///
/// A `JUNK` chunk of 28 bytes is kept free behind `RIFF`: when the data grow beyond what 32 bits count, it becomes the
/// `ds64` chunk and the file an RF64 (EBU Tech 3306), without a sample having to move.
package struct WAVHeader: Equatable, Sendable {
    /// The format of the samples.
    package let format: DeviceFormat

    /// A header for samples of this format.
    package init(format: DeviceFormat) { self.format = format }

    /// The number of bytes before the first sample.
    package static let byteCount = 92

    /// The sizes in a file without seeking, which readers take for "until the end".
    private static let unknown = UInt32.max

    /// The bytes of one frame.
    package var frameByteCount: Int { format.channelCount * 4 }

    /// The header of a file of `dataByteCount` bytes of samples, or of one whose length is not known yet.
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
        // Formats other than PCM have to say how many frames there are.
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
