import Foundation

/// A sine of peak `amplitude`.
public func sineWave(
    frequency: Double,
    sampleRate: Double,
    frameCount: Int,
    amplitude: Double = 0.5,
    phase: Double = 0
) -> [Float] {
    (0..<frameCount).map {
        Float(
            amplitude * sin(2 * .pi * (frequency * Double($0) / sampleRate).truncatingRemainder(dividingBy: 1) + phase)
        )
    }
}

/// White noise of peak `amplitude`: the same for the same seed. Unlike a tone, it lies in one place only.
public func whiteNoise(frameCount: Int, amplitude: Float = 0.5, seed: UInt64 = 1) -> [Float] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return [Float](unsafeUninitializedCapacity: frameCount) { samples, count in
        while count < frameCount {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            samples[count] = (Float(state >> 40) / 8_388_608 - 1) * amplitude
            count += 1
        }
    }
}

/// The channels of interleaved samples.
public func deinterleave(_ samples: [Float], channelCount: Int) -> [[Float]] {
    let frameCount = samples.count / channelCount
    return (0..<channelCount).map { channel in
        [Float](unsafeUninitializedCapacity: frameCount) { buffer, count in
            for frame in 0..<frameCount { buffer[frame] = samples[frame * channelCount + channel] }
            count = frameCount
        }
    }
}

/// Returns the difference of `actual` and `expected`, in decibels relative to `expected`: −∞ if there is none.
///
/// Compares as many samples as the shorter one has; a missing rest is for the caller to count.
public func residualDecibels(_ expected: [Float], _ actual: [Float]) -> Double {
    residualDecibels(expected[...], actual[...])
}

/// Returns the difference of `actual` and `expected`, in decibels relative to `expected`: −∞ if there is none.
public func residualDecibels(_ expected: ArraySlice<Float>, _ actual: ArraySlice<Float>) -> Double {
    let count = min(expected.count, actual.count)
    var difference = 0.0
    var energy = 0.0
    expected.withUnsafeBufferPointer { expected in
        actual.withUnsafeBufferPointer { actual in
            var index = 0
            while index < count {
                let sample = Double(expected[index])
                let error = Double(actual[index]) - sample
                difference += error * error
                energy += sample * sample
                index += 1
            }
        }
    }
    if difference == 0 { return -.infinity }
    return 10 * log10(difference / max(energy, .leastNormalMagnitude))
}

/// The root mean square, in decibels of full scale.
public func levelDecibels(_ samples: [Float]) -> Double {
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(energy / Double(max(1, samples.count)))
}

/// The interval between two frequencies in cents: 1200 is an octave up.
public func cents(from: Double, to: Double) -> Double { 1200 * log2(to / from) }

/// The frequency of the strongest tone, by the peak of the spectrum under a Hann window.
/// - Parameters:
///   - samples: At least 64; the first 65 536 of them count.
///   - range: Where to look, in hertz; everywhere if `nil`.
public func toneFrequency(
    _ samples: [Float],
    sampleRate: Double,
    in range: ClosedRange<Double>? = nil
) -> Double {
    var size = 64
    while size * 2 <= min(samples.count, 65_536) { size *= 2 }
    let transform = TestTransform(size: size)
    var windowed = [Double](repeating: 0, count: size)
    for index in 0..<size {
        windowed[index] = Double(samples[index]) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(size)))
    }
    let spectrum = transform.forward(windowed)
    let resolution = sampleRate / Double(size)
    let lowest = max(1, Int((range?.lowerBound ?? 0) / resolution))
    let highest = min(size / 2 - 1, Int(((range?.upperBound ?? sampleRate / 2) / resolution).rounded(.up)))
    let peak = (lowest...max(lowest, highest)).max { spectrum.power($0) < spectrum.power($1) } ?? lowest
    // The spectrum between the bins has one maximum there: golden-section search narrows it down.
    var low = (Double(peak) - 1) / Double(size)
    var high = (Double(peak) + 1) / Double(size)
    let ratio = (5.0.squareRoot() - 1) / 2
    for _ in 0..<40 {
        let first = high - ratio * (high - low)
        let second = low + ratio * (high - low)
        if power(of: windowed, at: first) > power(of: windowed, at: second) { high = second } else { low = first }
    }
    return (low + high) / 2 * sampleRate
}

private func power(of samples: [Double], at cyclesPerSample: Double) -> Double {
    let stepReal = cos(2 * .pi * cyclesPerSample)
    let stepImaginary = -sin(2 * .pi * cyclesPerSample)
    var real = 1.0
    var imaginary = 0.0
    var sumReal = 0.0
    var sumImaginary = 0.0
    samples.withUnsafeBufferPointer { samples in
        var index = 0
        while index < samples.count {
            sumReal += samples[index] * real
            sumImaginary += samples[index] * imaginary
            (real, imaginary) = (
                real * stepReal - imaginary * stepImaginary, real * stepImaginary + imaginary * stepReal
            )
            index += 1
        }
    }
    return sumReal * sumReal + sumImaginary * sumImaginary
}
