public import Foundation

extension PeakWaveform {
    /// The waveform as a `.json` file of audiowaveform, version 2: one line.
    public func jsonFile(bits: WaveformBits = .sixteen) -> Data {
        var data = Data()
        writeJSON(bits: bits) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes the bytes of `jsonFile` in pieces, so that no copy of the whole is ever in memory.
    /// - Throws: What `write` throws.
    public func writeJSON<Failure: Error>(
        bits: WaveformBits = .sixteen,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try Self.hand(jsonHeader(count: count, bits: bits), to: write)
        try writeJSONValues(bits: bits, isFirst: true, write)
        try Self.hand(Self.jsonEnd, to: write)
    }

    /// Returns the part of a `.json` file that precedes the values of `count` points.
    public func jsonHeader(count: Int, bits: WaveformBits) -> [UInt8] {
        let head =
            "{\"version\":2,\"channels\":\(channelCount),\"sample_rate\":\(sampleRate),"
            + "\"samples_per_pixel\":\(samplesPerPixel),\"bits\":\(bits.rawValue),\"length\":\(count),\"data\":["
        return Array(head.utf8)
    }

    /// The part of a `.json` file that follows the values.
    public static let jsonEnd = Array("]}\n".utf8)

    /// Writes what follows the header in a `.json` file, in pieces; with a comma before it unless these blocks are the first.
    /// - Throws: What `write` throws.
    public func writeJSONValues<Failure: Error>(
        bits: WaveformBits,
        isFirst: Bool,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var piece: [UInt8] = []
        for index in values.indices {
            if index > 0 || !isFirst { piece.append(UInt8(ascii: ",")) }
            let value = bits == .eight ? values[index] / 256 : values[index]
            piece.append(contentsOf: String(value).utf8)
            if piece.count > 65000 {
                try Self.hand(piece, to: write)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try Self.hand(piece, to: write)
    }

    private struct File: Decodable {
        var version: Int
        var channels: Int?
        var sample_rate: Int
        var samples_per_pixel: Int
        var bits: Int
        var length: Int
        var data: [Int]
    }

    /// Reads a `.json` file of audiowaveform, version 1 or 2, of 8 or 16 bit.
    /// - Throws: `.unsupportedWaveform` for another version, `.badWaveform` if it contradicts itself.
    public init(jsonFile data: Data) throws(AnalysisError) { self = try Self.read(jsonFile: data).waveform }

    /// Reads a `.json` file, and tells how many bits its values have.
    /// - Throws: As `init(jsonFile:)`.
    package static func read(jsonFile data: Data) throws(AnalysisError) -> (waveform: PeakWaveform, bits: WaveformBits)
    {
        guard let file = try? JSONDecoder().decode(File.self, from: data) else {
            throw bad("it is not the JSON of one")
        }
        guard file.version == 1 || file.version == 2 else {
            throw AnalysisError(.unsupportedWaveform, "The waveform has version \(file.version); 1 and 2 are known.")
        }
        let channels = file.version == 2 ? file.channels ?? 0 : 1
        try check(
            sampleRate: file.sample_rate,
            samplesPerPixel: file.samples_per_pixel,
            channels: channels,
            length: file.length
        )
        guard let bits = WaveformBits(rawValue: file.bits) else { throw bad("it has \(file.bits) bits") }
        guard file.data.count % (2 * channels) == 0, file.data.count / (2 * channels) == file.length else {
            throw bad("it states \(file.length) points, and has \(file.data.count / (2 * channels))")
        }
        let limit = bits == .eight ? -128...127 : -32768...32767
        guard file.data.allSatisfy(limit.contains) else {
            throw bad("a value is beyond its \(bits.rawValue) bits")
        }
        let factor = bits == .eight ? 256 : 1
        let waveform = PeakWaveform(
            sampleRate: file.sample_rate,
            samplesPerPixel: file.samples_per_pixel,
            channelCount: channels,
            values: file.data.map { Int16($0 * factor) }
        )
        return (waveform, bits)
    }
}
