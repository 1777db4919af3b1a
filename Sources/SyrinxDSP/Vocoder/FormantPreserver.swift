import Glibc

/// Restores the formants of a frame after a pitch shift.
///
/// The envelope of a voice passes through its partials: see `PartialEnvelope`. That of any other sound is the "true
/// envelope": cepstral smoothing, repeated on the maximum of the spectrum and its envelope until the envelope touches the
/// peaks (Imai and Abe 1979; Röbel and Rodet 2005). Both are measured on all channels together, which preserves their
/// differences. Use from one thread at a time; nothing allocates after `init`.
final class FormantPreserver {
    /// Rounds of smoothing; more change little.
    static let roundCount = 6
    /// The highest pitch in Hz whose partials are treated as pitch, not as formants.
    private static let highestPitch = 400.0
    /// The most that a bin is raised or lowered: 40 dB, as a natural logarithm.
    private static let limit: Float = 4.6
    /// The frequencies in Hz at which noise and partials are distinguished.
    private static let judged = 200.0...6000.0
    /// The mean depth of the bins below the envelope of noise alone, and of partials alone; natural logarithms.
    private static let depths: ClosedRange<Float> = 0.6...0.7
    /// The highest peak of the cepstrum of noise alone, and of voices.
    private static let clarities: ClosedRange<Float> = 0.055...0.075

    private let binCount: Int
    private let length: Int
    private let sampleRate: Double
    private let transform: RealFFT
    private let level: AlignedFloatBuffer
    private let envelope: AlignedFloatBuffer
    private let spectrum: AlignedFloatBuffer
    private let cepstrum: AlignedFloatBuffer
    private let partials: PartialEnvelope
    /// The part of the cepstrum that is the envelope.
    private var kept = 8
    private var ratio = 1.0
    /// Whether the envelope passes through partials, and needs no smoothing.
    private var isVoice = false

    init(length: Int, sampleRate: Double) {
        self.length = length
        self.sampleRate = sampleRate
        binCount = length / 2 + 1
        transform = RealFFT(length: length)
        level = AlignedFloatBuffer(count: binCount)
        envelope = AlignedFloatBuffer(count: binCount)
        spectrum = AlignedFloatBuffer(count: 2 * binCount + 16)
        cepstrum = AlignedFloatBuffer(count: length)
        partials = PartialEnvelope(length: length, sampleRate: sampleRate)
    }

    /// Shapes the spectra of a frame that was raised by a ratio, once its envelope has been smoothed.
    ///
    /// - Parameter stride: floats from one channel's spectrum to the next.
    func shape(_ spectra: UnsafeMutablePointer<Float>, stride: Int, _ channelCount: Int, ratio: Double) {
        let raise = densityGain
        for bin in 0..<binCount {
            // The sound at this bin has the envelope of its original bin. It gets the envelope of its new position,
            // which is at `ratio` times the frequency in the shifted input.
            let place = min(Double(bin) * ratio, Double(binCount - 1))
            let low = min(Int(place), binCount - 2)
            let share = Float(place - Double(low))
            let wanted = envelope.pointer[low] + share * (envelope.pointer[low + 1] - envelope.pointer[low])
            // Above the highest frequency of a sound that was lowered there is only the noise of the interpolation.
            let most = Double(bin) < 0.95 * ratio * Double(binCount) ? Self.limit : 0
            let change = max(-Self.limit, min(most, wanted - envelope.pointer[bin]))
            let gain = raise * expf(change)
            for channel in 0..<channelCount {
                spectra[channel * stride + 2 * bin] *= gain
                spectra[channel * stride + 2 * bin + 1] *= gain
            }
        }
    }

    /// The gain that keeps the level of noise.
    ///
    /// Resampling spreads noise over a band that is wider by the ratio, so its density falls. Partials keep theirs.
    private var densityGain: Float {
        guard !isVoice else { return 1 }
        // Bounded: the sample rate is at least 1000 Hz.
        let first = Int(Self.judged.lowerBound / sampleRate * Double(length))
        // Bounded: the same, and the frequency at most half of it.
        let last = Int(min(Self.judged.upperBound, 0.45 * min(ratio, 1) * sampleRate) / sampleRate * Double(length))
        guard first < last else { return 1 }
        var sum: Float = 0
        for bin in first..<last { sum += envelope.pointer[bin] - level.pointer[bin] }
        let depth = sum / Float(last - first)
        let flat = Self.share(of: depth, below: Self.depths)
        let noise = min(flat, Self.share(of: partials.clarity, below: Self.clarities))
        return expf(noise * 0.5 * logf(Float(ratio)))
    }

    /// Returns 1 below a range, 0 above it, and between them in proportion.
    private static func share(of value: Float, below range: ClosedRange<Float>) -> Float {
        max(0, min(1, (range.upperBound - value) / (range.upperBound - range.lowerBound)))
    }

    /// Measures the level of each bin, a natural logarithm.
    func begin(_ spectra: UnsafePointer<Float>, stride: Int, _ channelCount: Int, ratio: Double) {
        var loudest: Float = 0
        for bin in 0..<binCount {
            var power: Float = 0
            for channel in 0..<channelCount {
                let value = spectra + channel * stride + 2 * bin
                power += value[0] * value[0] + value[1] * value[1]
            }
            level.pointer[bin] = power
            loudest = max(loudest, power)
        }
        // Values 100 dB below the maximum do not belong to formants.
        let floor = loudest * 1e-10 + 1e-30
        for bin in 0..<binCount { level.pointer[bin] = 0.5 * logf(level.pointer[bin] + floor) }
        copyFloats(level.pointer, to: envelope.pointer, count: binCount)
        self.ratio = ratio
        isVoice = false
        kept = max(8, min(length / 2, Int(sampleRate / (Self.highestPitch * max(ratio, 0.25)))))
    }

    /// Smooths the envelope; the rounds in their order, `roundCount` of them.
    func smooth(round: Int) {
        guard !isVoice else { return }
        for bin in 0..<binCount {
            spectrum.pointer[2 * bin] = envelope.pointer[bin]
            spectrum.pointer[2 * bin + 1] = 0
        }
        transform.inverse(spectrum.pointer, into: cepstrum.pointer)
        if round == 0, let distance = partials.distance(in: cepstrum.pointer, ratio: ratio) {
            isVoice = true
            partials.fill(envelope.pointer, from: level.pointer, distance: distance)
            return
        }
        for index in kept..<(length - kept + 1) { cepstrum.pointer[index] = 0 }
        // The last that is kept fades, so that the cut does not ring.
        for index in kept / 2..<kept {
            let share = Float(kept - index) / Float(kept - kept / 2)
            cepstrum.pointer[index] *= share
            cepstrum.pointer[length - index] *= share
        }
        transform.forward(cepstrum.pointer, into: spectrum.pointer)
        let isLast = round + 1 == Self.roundCount
        for bin in 0..<binCount {
            let smoothed = spectrum.pointer[2 * bin]
            envelope.pointer[bin] = isLast ? smoothed : max(smoothed, level.pointer[bin])
        }
    }
}
