#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The diffuse-field equalization of a head.
///
/// A head and its ear canals color sound from all directions in the same way, and the listener's own head does so
/// again. The inverse of the mean power over all directions removes this coloration, and preserves the differences
/// between directions. One filter serves all directions and both ears, so interaural differences do not change. H.
/// Møller, "Fundamentals of binaural technology", Applied Acoustics 36, 1992, section 4.
package enum DiffuseField {
    /// The maximum boost or cut of a frequency in dB.
    private static let limit = 15.0
    /// The maximum boost in dB below `lowFrequency`, where the loss was caused by the loudspeaker of the measurement.
    private static let lowLimit = 30.0
    private static let lowFrequency = 160.0
    /// Hz; the mean of lower frequencies is that of this one.
    private static let lowest = 40.0

    /// Returns responses that have a mean power of 1 over all directions, in thirds of an octave and within limits.
    ///
    /// - Parameter measured: Responses of one length; at least one.
    /// - Parameter weights: The share of each direction in all directions; their sum is 1.
    package static func equalized(_ measured: [HeadResponse], weights: [Double], sampleRate: Double) -> [HeadResponse] {
        var length = 1_024
        // 80 ms contain the decay of the filter's lowest frequencies.
        while Double(length) < 0.08 * sampleRate || length < 2 * (measured.first?.left.count ?? 0), length < 1 << 20 {
            length *= 2
        }
        let transform = RealFFT(length: length)
        let samples = AlignedFloatBuffer(count: length)
        let spectrum = AlignedFloatBuffer(count: length + 2)
        var power = [Double](repeating: 0, count: transform.binCount)
        for (response, weight) in zip(measured, weights) where weight > 0 {
            for ear in [response.left, response.right] {
                load(ear, into: samples)
                transform.forward(samples.pointer, into: spectrum.pointer)
                for bin in power.indices {
                    let (real, imaginary) = (Double(spectrum.pointer[2 * bin]), Double(spectrum.pointer[2 * bin + 1]))
                    power[bin] += weight / 2 * (real * real + imaginary * imaginary)
                }
            }
        }
        let gains = gains(power, resolution: sampleRate / Double(length))
        let filter = minimumPhase(gains, transform, samples, spectrum)
        func filtered(_ ear: [Float]) -> [Float] {
            load(ear, into: samples)
            transform.forward(samples.pointer, into: spectrum.pointer)
            for bin in power.indices {
                let (real, imaginary) = (spectrum.pointer[2 * bin], spectrum.pointer[2 * bin + 1])
                spectrum.pointer[2 * bin] = real * filter[2 * bin] - imaginary * filter[2 * bin + 1]
                spectrum.pointer[2 * bin + 1] = real * filter[2 * bin + 1] + imaginary * filter[2 * bin]
            }
            transform.inverse(spectrum.pointer, into: samples.pointer)
            return (0..<ear.count).map { samples.pointer[$0] }
        }
        return measured.map {
            HeadResponse(direction: $0.direction, left: filtered($0.left), right: filtered($0.right))
        }
    }

    private static func load(_ response: [Float], into samples: borrowing AlignedFloatBuffer) {
        samples.clear()
        for (index, sample) in response.enumerated() { samples.pointer[index] = sample }
    }

    /// Returns the inverse of a power in thirds of an octave, as gains of the amplitude; `resolution` is the distance
    /// of bins in Hz.
    private static func gains(_ power: [Double], resolution: Double) -> [Double] {
        var sums = [0.0]
        for value in power { sums.append(sums[sums.count - 1] + value) }
        let half = pow(2, 1.0 / 6)
        return power.indices.map { bin in
            let frequency = max(Double(bin) * resolution, lowest)
            let first = min(max(Int((frequency / half / resolution).rounded()), 0), power.count - 1)
            let end = min(max(Int((frequency * half / resolution).rounded()) + 1, first + 1), power.count)
            let mean = (sums[end] - sums[first]) / Double(end - first)
            let highest = Double(bin) * resolution < lowFrequency ? lowLimit : limit
            let decibels = mean > 0 ? min(max(-10 * log10(mean), -limit), highest) : 0
            return pow(10, decibels / 20)
        }
    }

    /// Returns the spectrum of the filter of minimum phase that has the gains: its logarithm has a causal transform.
    ///
    /// A. Oppenheim, R. Schafer, "Discrete-Time Signal Processing", 3rd edition, section 13.5.1.
    private static func minimumPhase(
        _ gains: [Double],
        _ transform: RealFFT,
        _ samples: borrowing AlignedFloatBuffer,
        _ spectrum: borrowing AlignedFloatBuffer
    ) -> [Float] {
        for (bin, gain) in gains.enumerated() {
            (spectrum.pointer[2 * bin], spectrum.pointer[2 * bin + 1]) = (Float(log(gain)), 0)
        }
        transform.inverse(spectrum.pointer, into: samples.pointer)
        let half = transform.length / 2
        for index in 1..<half { samples.pointer[index] *= 2 }
        for index in half + 1..<transform.length { samples.pointer[index] = 0 }
        transform.forward(samples.pointer, into: spectrum.pointer)
        var filter = [Float](repeating: 0, count: 2 * gains.count)
        for bin in gains.indices {
            let (gain, angle) = (exp(spectrum.pointer[2 * bin]), spectrum.pointer[2 * bin + 1])
            (filter[2 * bin], filter[2 * bin + 1]) = (gain * cos(angle), gain * sin(angle))
        }
        return filter
    }
}
