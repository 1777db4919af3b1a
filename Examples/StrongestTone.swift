import Accelerate

// snippet: spectrum
/// The frequency of the strongest tone in samples, whose number is a power of 2, to the next bin of their spectrum.
func strongestTone(in samples: [Float], sampleRate: Double) -> Double? {
    let half = samples.count / 2
    guard half > 0, samples.count & (samples.count - 1) == 0,
        let fft = vDSP.FFT(
            log2n: vDSP_Length(samples.count.trailingZeroBitCount),
            radix: .radix2,
            ofType: DSPSplitComplex.self
        )
    else { return nil }
    let window = vDSP.window(
        ofType: Float.self,
        usingSequence: .hanningDenormalized,
        count: samples.count,
        isHalfWindow: false
    )
    let windowed = vDSP.multiply(samples, window)
    var (even, odd) = ([Float](repeating: 0, count: half), [Float](repeating: 0, count: half))
    var magnitudes = even
    even.withUnsafeMutableBufferPointer { real in
        odd.withUnsafeMutableBufferPointer { imaginary in
            guard let realp = real.baseAddress, let imagp = imaginary.baseAddress else { return }
            var spectrum = DSPSplitComplex(realp: realp, imagp: imagp)
            windowed.withUnsafeBytes { bytes in
                vDSP_ctoz(Array(bytes.bindMemory(to: DSPComplex.self)), 2, &spectrum, 1, vDSP_Length(half))
            }
            fft.forward(input: spectrum, output: &spectrum)
            vDSP.squareMagnitudes(spectrum, result: &magnitudes)
        }
    }
    // The first holds the bins of 0 Hz and of half the sample rate together.
    magnitudes[0] = 0
    let (bin, _) = vDSP.indexOfMaximum(magnitudes)
    return Double(bin) * sampleRate / Double(samples.count)
}
// end
