public import Foundation
internal import SyrinxByteStream

extension PeakWaveform {
    // MARK: audiowaveform

    /// Encodes the waveform as a `.json` file of audiowaveform, version 2, on one line.
    public func jsonFile(bits: WaveformBits = .sixteen) -> Data {
        var data = Data()
        writeJSON(bits: bits) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes the bytes of `jsonFile(bits:)` in pieces, without a copy of the whole in memory.
    /// - Throws: The errors of `write`.
    public func writeJSON<Failure: Error>(
        bits: WaveformBits = .sixteen,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try Self.hand(jsonHeader(count: count, bits: bits), to: write)
        try writeJSONValues(bits: bits, isFirst: true, write)
        try Self.hand(Self.jsonEnd, to: write)
    }

    /// Returns the start of a `.json` file with `count` points, up to the values.
    public func jsonHeader(count: Int, bits: WaveformBits) -> [UInt8] {
        let head =
            "{\"version\":2,\"channels\":\(channelCount),\"sample_rate\":\(sampleRate),"
            + "\"samples_per_pixel\":\(samplesPerPixel),\"bits\":\(bits.rawValue),\"length\":\(count),\"data\":["
        return Array(head.utf8)
    }

    /// The end of a `.json` file, after the values.
    public static let jsonEnd = Array("]}\n".utf8)

    /// Writes values of a `.json` file in pieces, preceded by a comma unless these blocks are the first.
    /// - Throws: The errors of `write`.
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

    /// Reads a `.json` file of audiowaveform, version 1 or 2, with 8 or 16 bits.
    /// - Throws: `.unsupportedWaveform` for another version, `.badWaveform` if the file is inconsistent.
    public init(jsonFile data: Data) throws(AnalysisError) { self = try Self.read(jsonFile: data).waveform }

    /// Reads a `.json` file, and returns the number of bits of its values too.
    /// - Throws: The errors of `init(jsonFile:)`.
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

    // MARK: wavesurfer.js

    /// Returns peaks for wavesurfer.js: for each channel, the value furthest from zero in each of at most `maxLength`
    /// bins, −1…1.
    ///
    /// Bin j covers the points ⌊j·s⌋ up to ⌈(j+1)·s⌉, where s is the number of points in a bin.
    /// - Parameters:
    ///   - maxLength: The maximum number of bins.
    ///   - precision: The number of steps from 0 to 1 to which values are rounded.
    public func wavesurferPeaks(maxLength: Int = 8000, precision: Int = 10000) -> [[Double]] {
        Self.wavesurferPeaks(count: count, channelCount: channelCount, maxLength: maxLength, precision: precision) {
            (range) throws(Never) in blocks(range)
        }
    }

    /// Returns peaks for wavesurfer.js of a waveform with `count` points, which `blocks` provides in parts.
    /// - Throws: The errors of `blocks`.
    public static func wavesurferPeaks<Failure: Error>(
        count: Int,
        channelCount: Int,
        maxLength: Int = 8000,
        precision: Int = 10000,
        _ blocks: (Range<Int>) throws(Failure) -> PeakWaveform
    ) throws(Failure) -> [[Double]] {
        let bins = max(min(maxLength, count), 0)
        guard bins > 0 else { return Array(repeating: [], count: channelCount) }
        let step = Double(count) / Double(bins)
        let steps = Double(max(precision, 1))
        var peaks = [[Double]](repeating: [], count: channelCount)
        for bin in 0..<bins {
            let end = min(Int(clamped: (Double(bin + 1) * step).rounded(.up)), count)
            let part = try blocks(Int(Double(bin) * step)..<end)
            for channel in 0..<channelCount {
                let both = part.merged(0..<part.count, channel: channel)
                let peak = Int(both.high) >= -Int(both.low) ? both.high : both.low
                peaks[channel].append((Double(peak) / 32768 * steps).rounded() / steps)
            }
        }
        return peaks
    }

    /// Encodes the peaks for wavesurfer.js as one line of JSON, with `duration` in seconds and `peaks`, an array for
    /// each channel.
    public func wavesurferFile(duration: Double? = nil, maxLength: Int = 8000, precision: Int = 10000) -> Data {
        let peaks = wavesurferPeaks(maxLength: maxLength, precision: precision)
        return Self.wavesurferFile(peaks: peaks, duration: duration ?? self.duration)
    }

    /// Encodes existing peaks for wavesurfer.js as one line of JSON; `duration` is in seconds.
    public static func wavesurferFile(peaks: [[Double]], duration: Double) -> Data {
        let rows = peaks.map { row in "[" + row.map { $0 == 0 ? "0" : "\($0)" }.joined(separator: ",") + "]" }
        return Data("{\"duration\":\(duration),\"peaks\":[\(rows.joined(separator: ","))]}\n".utf8)
    }
}
