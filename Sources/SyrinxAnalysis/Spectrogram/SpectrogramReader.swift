internal import Foundation
public import SyrinxByteStream
internal import SyrinxDSP
import SyrinxMediaCodec

/// Computes columns of a spectrogram of any part of a recording.
///
/// One thread at a time, and one that may wait for a file. Memory is bounded by a few transforms, whatever the recording.
public final class SpectrogramReader {
    /// The level of a full-scale sine is 255; that of this many decibels below it, and less, 0.
    public static let range = 100.0
    /// Frames between two columns up to which all of the sound is read; coarser ones are samples of it.
    private static let longestHop = 16_384.0
    /// Frames that are read rather than jumped over.
    private static let reach: Int64 = 32_768
    private static let step = 4096

    /// Frames per second.
    public var sampleRate: Double { reader.info.sampleRate }

    private let stream: any ByteStream
    private let reader: MediaReader
    /// Samples of all channels, averaged, from `heldStart` on.
    private var held: [Float] = []
    private var heldStart: Int64 = 0
    private var isBroken = false
    private var transforms: [Int: Transform] = [:]
    private let storage: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// A reader of a recording.
    /// - Parameter stream: The bytes. A read of those that have not arrived throws `.interrupted`, and their columns are missing.
    /// - Throws: `SyrinxError` if it cannot be opened.
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

    /// Computes columns: for each the levels of bands of frequencies, from the lowest up.
    ///
    /// A column that is longer than a transform has the greatest level of up to four that lie in it.
    /// - Parameters:
    ///   - start: The time at the left edge of the first column, in seconds; what lies before 0 or behind the end is silent.
    ///   - secondsPerColumn: The seconds of a column, more than 0.
    ///   - count: The number of columns, 0 … 65 536.
    ///   - edges: The edges of the bands in hertz, rising.
    ///   - shouldGoOn: Asked before each column; if false, there are no more.
    /// - Returns: The levels 0…255, or `nil` for columns whose bytes have not arrived or cannot be decoded; fewer than `count` if it
    ///   was told to stop.
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

    /// Copies samples; silence before the start and behind the end.
    /// - Returns: False if some could not be read.
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

    /// Has samples be held, as far as the recording has them.
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
                // Not each time, because the rest is moved.
                if unused >= Int64(4 * Self.step) {
                    held.removeFirst(Int(clamping: unused))
                    heldStart = heldStart.addingClamped(unused)
                }
            }
            return true
        } catch {
            // The end of a recording that is cut off is silent too.
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

/// A transform with its window, and the greatest powers of bands of what it was given.
private final class Transform {
    let edges: [Double]
    private let sampleBuffer: AlignedFloatBuffer
    private let spectrumBuffer: AlignedFloatBuffer
    private let fft: RealFFT
    private let size: Int
    private let window: [Float]
    /// The lines of each band, and between which two its middle lies if it has none.
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

    /// Adds the spectrum of `samples`, which the window changes.
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
        // A full-scale sine has a quarter of the window's length as its magnitude.
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
