internal import Foundation
internal import SyrinxByteStream
internal import SyrinxDSP

/// Estimates the fractions of speech and music in a recording.
///
/// Each second is classified together with its neighbors, in windows of three seconds. Two measures decide: the change
/// of the level at the rate of syllables, and the change of the spectrum between frames of about 23 ms (Scheirer and
/// Slaney, ICASSP 1997). Windows below −60 dBFS and windows of noise count as neither. The measures use the mean of all
/// channels, from 100 Hz to 4 kHz.
///
/// The method is a classical one, without training on large data sets. It classifies about 98 % of an hour of
/// announcements in three languages and music correctly; its threshold was chosen with the same data. Singing mostly
/// counts as music, speech over loud music as either, and solo percussion often as speech.
///
/// Owns the memory of its transform; use it on one thread at a time.
public final class SpeechMusicDetector {
    /// The fractions of a recording; both are `nil` if it is shorter than a second, or its sample rate is below 4 kHz.
    public struct Shares: Sendable, Equatable {
        /// The fraction of speech windows, 0…1; a window of three seconds starts at each second.
        public var speech: Double?
        /// The fraction of music windows, 0…1; together with `speech` at most 1.
        public var music: Double?
    }

    /// The minimum sample rate in hertz.
    public static let lowestSampleRate = 4000.0

    private static let windowDuration = 3.0
    private static let frequencies = 100.0...4000

    private let isUsable: Bool
    private let channelCount: Int
    private let frames: SpectrumFrames
    private let classifier: SpeechMusicClassifier
    private let windowCount: Int
    private let stepCount: Int
    private let bins: Range<Int>
    private let mix: AlignedFloatBuffer
    /// The magnitudes of the last frame, and the sum of their squares.
    private var last: [Float]
    private var lastEnergy: Float = 0
    private var window: [SpeechMusicClassifier.Frame] = []
    private var counts = (speech: 0, music: 0, all: 0)

    /// Creates an estimate for a sample rate in hertz and a number of channels.
    public init(sampleRate: Double, channelCount: Int) {
        isUsable = sampleRate >= Self.lowestSampleRate && channelCount > 0
        self.channelCount = channelCount
        frames = SpectrumFrames(seconds: 0.023, sampleRate: sampleRate, channelCount: channelCount)
        let frameRate = sampleRate / Double(frames.size)
        classifier = SpeechMusicClassifier(frameRate: frameRate)
        windowCount = max(Int(clamped: (Self.windowDuration * frameRate).rounded()), 3)
        stepCount = max(Int(clamped: frameRate.rounded()), 1)
        let low = Int(clamped: (Self.frequencies.lowerBound / frameRate).rounded(.up))
        let high = Int(clamped: Self.frequencies.upperBound / frameRate)
        bins = min(low, frames.binCount)..<max(min(high + 1, frames.binCount), min(low, frames.binCount))
        mix = AlignedFloatBuffer(count: frames.size)
        last = Array(repeating: 0, count: bins.count)
    }

    /// Adds samples, one pointer for each channel.
    public func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        if isUsable { frames.append(channels, frameCount: frameCount, add) }
    }

    /// Ends the recording and returns the fractions.
    public func finish() -> Shares {
        // A recording that is shorter than one window is classified as a whole.
        if counts.all == 0, window.count >= stepCount { judge() }
        guard counts.all > 0 else { return Shares() }
        return Shares(
            speech: Double(counts.speech) / Double(counts.all),
            music: Double(counts.music) / Double(counts.all)
        )
    }

    private func judge() {
        switch classifier.kind(of: window) {
        case .speech: counts.speech += 1
        case .music: counts.music += 1
        case .neither: break
        }
        counts.all += 1
    }

    private func add() {
        window.append(frame())
        guard window.count == windowCount else { return }
        judge()
        window.removeFirst(stepCount)
    }

    private func frame() -> SpeechMusicClassifier.Frame {
        let (size, target) = (frames.size, mix.pointer)
        target.update(from: frames.samples(0), count: size)
        for channel in 1..<max(channelCount, 1) {
            let samples = frames.samples(channel)
            for index in 0..<size { target[index] += samples[index] }
        }
        var square: Float = 0
        for index in 0..<size { square += target[index] * target[index] }
        let spectrum = frames.spectrum(of: target)
        var (energy, product, logarithms): (Float, Float, Float) = (0, 0, 0)
        for bin in bins {
            let (real, imaginary) = (spectrum[2 &* bin], spectrum[2 &* bin &+ 1])
            let power = real * real + imaginary * imaginary
            let magnitude = power.squareRoot()
            energy += power
            logarithms += log2(power + Self.tiny)
            product += magnitude * last[bin &- bins.lowerBound]
            last[bin &- bins.lowerBound] = magnitude
        }
        let count = Float(max(bins.count, 1))
        let flux = Self.flux(product, energy, lastEnergy)
        lastEnergy = energy
        return SpeechMusicClassifier.Frame(
            level: (square / Float(size)).squareRoot() / Float(channelCount),
            flux: window.isEmpty && counts.all == 0 ? 0 : flux,
            flatness: exp2(logarithms / count) / (energy / count + Self.tiny)
        )
    }

    private static let tiny: Float = 1e-12

    /// Returns the distance between two normalized spectra, from their inner product and their energies.
    private static func flux(_ product: Float, _ energy: Float, _ other: Float) -> Float {
        guard energy > tiny, other > tiny else { return energy > tiny || other > tiny ? 1 : 0 }
        let cosine = product / (energy.squareRoot() * other.squareRoot())
        return cosine.isFinite ? max(2 - 2 * cosine, 0).squareRoot() : 0
    }
}
