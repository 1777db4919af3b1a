public import Foundation

/// The number of bits of a value in a waveform file.
public enum WaveformBits: Int, Sendable, CaseIterable {
    /// 8 bits, −128…127: the 16-bit value divided by 256, rounded towards zero.
    case eight = 8
    /// 16 bits, −32 768…32 767.
    case sixteen = 16
}

extension PeakWaveform {
    /// Encodes the waveform as a `.dat` file of audiowaveform: version 1 for one channel, version 2 for more;
    /// little-endian.
    public func datFile(bits: WaveformBits = .sixteen) -> Data {
        var data = Data(capacity: Self.headerSize(channelCount) + values.count * bits.rawValue / 8)
        writeDAT(bits: bits) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes the bytes of `datFile(bits:)` in pieces, without a copy of the whole in memory.
    /// - Throws: The errors of `write`.
    public func writeDAT<Failure: Error>(
        bits: WaveformBits = .sixteen,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try Self.hand(datHeader(count: count, bits: bits), to: write)
        try writeDATValues(bits: bits, write)
    }

    /// Returns the header of a `.dat` file with `count` points, for a file that is written while the waveform is being
    /// built.
    public func datHeader(count: Int, bits: WaveformBits) -> [UInt8] {
        var header: [UInt8] = []
        func put(_ number: Int) {
            let value = UInt32(truncatingIfNeeded: number)
            for shift in [0, 8, 16, 24] as [UInt32] { header.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        put(channelCount == 1 ? 1 : 2)
        put(bits == .eight ? 1 : 0)
        put(sampleRate)
        put(samplesPerPixel)
        put(count)
        if channelCount > 1 { put(channelCount) }
        return header
    }

    /// Writes the values of a `.dat` file, that is, everything after the header, in pieces.
    /// - Throws: The errors of `write`.
    public func writeDATValues<Failure: Error>(
        bits: WaveformBits,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var piece: [UInt8] = []
        piece.reserveCapacity(min(Self.pieceSize, values.count * 2))
        var index = 0
        while index < values.count {
            while index < values.count, piece.count + 2 <= Self.pieceSize {
                let value = values[index]
                if bits == .eight {
                    piece.append(UInt8(bitPattern: Int8(value / 256)))
                } else {
                    piece.append(UInt8(truncatingIfNeeded: value))
                    piece.append(UInt8(truncatingIfNeeded: value >> 8))
                }
                index += 1
            }
            try Self.hand(piece, to: write)
            piece.removeAll(keepingCapacity: true)
        }
    }

    private static let pieceSize = 65536

    /// The size of the header in bytes; only version 2 stores the number of channels.
    private static func headerSize(_ channelCount: Int) -> Int { channelCount == 1 ? 20 : 24 }

    /// Passes bytes to a throwing closure: `withUnsafeBytes` does not support typed throws here.
    static func hand<Failure: Error>(
        _ bytes: [UInt8],
        to write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, Failure> in
            do throws(Failure) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    /// Reads a `.dat` file of version 1 or 2 with 8 or 16 bits; 8-bit values are multiplied by 256.
    ///
    /// ```swift
    /// let waveform = try PeakWaveform(datFile: Data(contentsOf: URL(fileURLWithPath: "song.dat")))
    /// print(waveform.count, "blocks,", waveform.duration, "s")
    /// ```
    /// - Throws: `.unsupportedWaveform` for another version, `.badWaveform` if the header is invalid or does not match
    ///   the size of the file.
    public init(datFile data: Data) throws(AnalysisError) { self = try Self.read(datFile: data).waveform }

    /// Reads a `.dat` file, and returns the number of bits of its values too.
    /// - Throws: The errors of `init(datFile:)`.
    package static func read(datFile data: Data) throws(AnalysisError) -> (waveform: PeakWaveform, bits: WaveformBits) {
        let bytes = [UInt8](data)
        func number(_ offset: Int) -> Int {
            Int(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }))
        }
        guard bytes.count >= 20 else { throw bad("it is shorter than a header") }
        let version = number(0)
        guard version == 1 || version == 2 else {
            throw AnalysisError(.unsupportedWaveform, "The waveform has version \(version); 1 and 2 are known.")
        }
        guard version == 1 || bytes.count >= 24 else { throw bad("it is shorter than a header") }
        let channels = version == 2 ? number(20) : 1
        let size = number(4) & 1 == 1 ? 1 : 2
        let header = version == 2 ? 24 : 20
        // The length is unsigned.
        let length = number(16) & 0xFFFF_FFFF
        try check(sampleRate: number(8), samplesPerPixel: number(12), channels: channels, length: length)
        // Bounded: the length has 32 bits, of channels there are few (`check`).
        guard bytes.count - header == length * channels * 2 * size else {
            throw bad("it states \(length) points, and has \((bytes.count - header) / (channels * 2 * size))")
        }
        // Bounded: as many as there are bytes.
        let values = [Int16](unsafeUninitializedCapacity: length * channels * 2) { buffer, count in
            count = length * channels * 2
            for index in 0..<count {
                let at = header + index * size
                buffer[index] =
                    size == 1
                    ? Int16(Int8(bitPattern: bytes[at])) * 256
                    : Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
            }
        }
        let waveform = PeakWaveform(
            sampleRate: number(8),
            samplesPerPixel: number(12),
            channelCount: channels,
            values: values
        )
        return (waveform, size == 1 ? .eight : .sixteen)
    }

    /// The maximum number of channels in a waveform file, as many as FFmpeg has names for.
    private static let mostChannels = 64

    /// The largest number in the header of a `.dat` file.
    static let greatestHeaderNumber = Int(Int32.max)

    static func check(sampleRate: Int, samplesPerPixel: Int, channels: Int, length: Int) throws(AnalysisError) {
        guard 1...greatestHeaderNumber ~= sampleRate else { throw bad("its sample rate is \(sampleRate)") }
        guard 1...greatestHeaderNumber ~= samplesPerPixel else {
            throw bad("it has \(samplesPerPixel) samples a pixel")
        }
        guard (1...mostChannels).contains(channels) else { throw bad("it has \(channels) channels") }
        guard length > 0 else { throw bad("it has no points") }
    }

    static func bad(_ why: String) -> AnalysisError { AnalysisError(.badWaveform, "This is no waveform: \(why).") }
}
