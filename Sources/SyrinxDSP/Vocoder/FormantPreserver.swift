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
            let gain = expf(change)
            for channel in 0..<channelCount {
                spectra[channel * stride + 2 * bin] *= gain
                spectra[channel * stride + 2 * bin + 1] *= gain
            }
        }
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
