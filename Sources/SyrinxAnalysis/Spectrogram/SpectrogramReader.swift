internal import Foundation
public import SyrinxByteStream
internal import SyrinxDSP
import SyrinxMediaCodec

/// Computes columns of a spectrogram for any part of a recording.
///
/// Reads block, so use it on one thread at a time that may wait. Memory is bounded by a few transforms.
///
/// ```swift
/// let reader = try SpectrogramReader(FileByteStream(url: url))
/// let edges = stride(from: 0.0, through: 8000, by: 100).map { $0 }
/// let columns = reader.columns(from: 0, secondsPerColumn: 0.02, count: 500, edges: edges)
/// print(columns[0] ?? []) // 80 levels, 0…255
/// ```
public final class SpectrogramReader {
    /// The range in decibels below a full-scale sine: a full-scale sine has the level 255; this many decibels below it,
    /// the level is 0.
    public static let range = 100.0
    /// The maximum distance of columns, in frames, up to which all audio is read; wider columns are sampled.
    private static let longestHop = 16_384.0
    /// The maximum distance in frames that is read through instead of seeking.
    private static let reach: Int64 = 32_768
    private static let step = 4096

    /// The sample rate in hertz.
    public var sampleRate: Double { reader.info.sampleRate }

    private let stream: any ByteStream
    private let reader: MediaReader
    /// The average of all channels, starting at the frame `heldStart`.
    private var held: [Float] = []
    private var heldStart: Int64 = 0
    private var isBroken = false
    private var transforms: [Int: Transform] = [:]
    private let storage: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Creates a reader of a recording.
    /// - Parameter stream: The bytes. A read of bytes that have not arrived throws `.interrupted`, and the affected
    ///   columns are `nil`.
    /// - Throws: `SyrinxError` if the recording cannot be opened.
    public init(_ stream: any ByteStream) throws(SyrinxError) {
        self.stream = stream
        reader = try MediaReader.open(stream)
        let count = reader.info.channelCount
        storage = .allocate(capacity: Self.step * count)
        storage.initialize(repeating: 0, count: Self.step * count)
        channels = .allocate(capacity: count)
        for channel in 0..<count { (channels + channel).initialize(to: storage + channel * Self.step) }
    }

    deinit {
        storage.deallocate()
        channels.deallocate()
    }

    /// Computes columns; each has the levels of frequency bands, from low to high.
    ///
    /// A column that is longer than a transform has the maximum level of up to four transforms within it.
    /// - Parameters:
    ///   - start: The time at the left edge of the first column in seconds; times outside of the recording are silent.
    ///   - secondsPerColumn: The duration of a column in seconds, above 0.
    ///   - count: The number of columns, 0…65 536.
    ///   - edges: The edges of the bands in hertz, ascending.
    ///   - shouldGoOn: Called before each column; returning false ends the computation.
    /// - Returns: The levels, 0…255; `nil` for columns whose bytes have not arrived or cannot be decoded. Fewer than
    ///   `count` columns if `shouldGoOn` returned false.
    public func columns(
        from start: Double,
        secondsPerColumn: Double,
        count: Int,
        edges: [Double],
        while shouldGoOn: () -> Bool = { true }
    ) -> [[UInt8]?] {
        guard start.isFinite, secondsPerColumn.isFinite, secondsPerColumn > 0, edges.count > 1 else { return [] }
        stream.setInterrupted(true)
        defer { stream.setInterrupted(false) }
        let hop = secondsPerColumn * sampleRate
        let size = hop >= 512 ? 2048 : hop >= 64 ? 1024 : 512
        let transform = transform(size, edges)
        let parts = min(max(Int(clamped: hop / Double(size)), 1), 4)
        var result: [[UInt8]?] = []
        for column in 0..<min(max(count, 0), 65_536) {
            guard shouldGoOn() else { return result }
            transform.clear()
            var isKnown = true
            for part in 0..<(hop > Self.longestHop ? min(parts, 2) : parts) where isKnown {
                let share = (Double(part) + 0.5) / Double(parts)
                let middle = start * sampleRate + (Double(column) + share) * hop
                let first = Int64(clamped: middle.rounded()).subtractingClamped(Int64(size / 2))
                isKnown = fill(transform.samples, from: first, count: size)
                if isKnown { transform.add() }
            }
            result.append(isKnown ? transform.levels(range: Self.range) : nil)
        }
        return result
    }

    private func transform(_ size: Int, _ edges: [Double]) -> Transform {
        if let made = transforms[size], made.edges == edges { return made }
        let made = Transform(size: size, sampleRate: sampleRate, edges: edges)
        transforms[size] = made
        return made
    }

    /// Copies samples, with silence outside of the recording.
    /// - Returns: False if samples could not be read.
    private func fill(_ target: UnsafeMutablePointer<Float>, from first: Int64, count: Int) -> Bool {
        let end = first.addingClamped(Int64(count))
        guard hold(max(first, 0)..<max(end, 0)) else { return false }
        for index in 0..<count {
            let place = first.addingClamped(Int64(index)).subtractingClamped(heldStart)
            target[index] =
                first.addingClamped(Int64(index)) >= 0 && place >= 0 && place < Int64(held.count)
                ? held[Int(clamping: place)] : 0
        }
        return true
    }

    /// Loads samples into memory, as far as the recording has them.
    private func hold(_ frames: Range<Int64>) -> Bool {
        do throws(SyrinxError) {
            let next = heldStart.addingClamped(Int64(held.count))
            if isBroken || frames.lowerBound < heldStart || frames.lowerBound > next.addingClamped(Self.reach) {
                held = []
                isBroken = true
                try reader.seek(toFrame: frames.lowerBound)
                isBroken = false
                heldStart = reader.position
                if heldStart < frames.lowerBound { return true }
            }
            while heldStart.addingClamped(Int64(held.count)) < frames.upperBound {
                let count = try reader.read(into: UnsafePointer(channels), frameCount: Self.step)
                if count == 0 { break }
                take(count)
                let unused = min(frames.lowerBound.subtractingClamped(heldStart), Int64(held.count))
                // Not for each column, because removal moves the remaining samples.
                if unused >= Int64(4 * Self.step) {
                    held.removeFirst(Int(clamping: unused))
                    heldStart = heldStart.addingClamped(unused)
                }
            }
            return true
        } catch {
            // A truncated recording is silent after its end.
            isBroken = error.code != .truncated
            return !isBroken
        }
    }

    private func take(_ count: Int) {
        let channelCount = reader.info.channelCount
        let scale = 1 / Float(channelCount)
        for frame in 0..<count {
            var sum: Float = 0
            for channel in 0..<channelCount { sum += channels[channel][frame] }
            held.append(sum.isFinite ? sum * scale : 0)
        }
    }
}

/// A transform with its window, and the maximum power of each band.
private final class Transform {
    let edges: [Double]
    private let sampleBuffer: AlignedFloatBuffer
    private let spectrumBuffer: AlignedFloatBuffer
    private let fft: RealFFT
    private let size: Int
    private let window: [Float]
    /// The bins of each band; for a band without a bin, the position of its center between two bins.
    private let bands: [(lines: Range<Int>, middle: Float)]
    private var powers: [Float]
    private var lines: [Float]

    init(size: Int, sampleRate: Double, edges: [Double]) {
        (self.size, self.edges) = (size, edges)
        fft = RealFFT(length: size)
        window = SpectrumAnalyzer.Window.hann.curve(size).map { Float($0) }
        let perHertz = Double(size) / sampleRate
        bands = zip(edges, edges.dropFirst()).map { low, high in
            let first = Int(clamped: (low * perHertz).rounded(.up)).clamped(size)
            let last = Int(clamped: (high * perHertz).rounded(.up)).clamped(size)
            let middle = min(max((low + high) / 2 * perHertz, 0), Double(size / 2 - 1))
            return (first..<max(first, last), Float(middle))
        }
        powers = Array(repeating: 0, count: bands.count)
        lines = Array(repeating: 0, count: size / 2 + 1)
        sampleBuffer = AlignedFloatBuffer(count: size)
        spectrumBuffer = AlignedFloatBuffer(count: size + 2)
    }

    var samples: UnsafeMutablePointer<Float> { sampleBuffer.pointer }

    func clear() { for band in powers.indices { powers[band] = 0 } }

    /// Adds the spectrum of `samples`; overwrites them with the windowed samples.
    func add() {
        let (samples, spectrum) = (sampleBuffer.pointer, spectrumBuffer.pointer)
        for index in 0..<size { samples[index] *= window[index] }
        fft.forward(samples, into: spectrum)
        for line in lines.indices {
            let (real, imaginary) = (spectrum[2 * line], spectrum[2 * line + 1])
            lines[line] = real * real + imaginary * imaginary
        }
        for (index, band) in bands.enumerated() {
            var power: Float = 0
            for line in band.lines where lines[line] > power { power = lines[line] }
            if band.lines.isEmpty {
                let line = Int(band.middle)
                let share = band.middle - Float(line)
                power = lines[line] * (1 - share) + lines[line + 1] * share
            }
            if power > powers[index] { powers[index] = power }
        }
    }

    func levels(range: Double) -> [UInt8] {
        // The magnitude of a full-scale sine is a quarter of the window's length.
        let full = Float(size) / 4
        let scale = 1 / (full * full)
        return powers.map { power in
            guard power > 0, power.isFinite else { return 0 }
            let share = 1 + 10 * log10(Double(power * scale)) / range
            // Bounded: 0 … 255.
            return UInt8((min(max(share, 0), 1) * 255).rounded())
        }
    }
}

extension Int {
    fileprivate func clamped(_ size: Int) -> Int { Swift.min(Swift.max(self, 0), size / 2 + 1) }
}
