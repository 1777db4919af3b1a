import Foundation

/// The place of a signal in a recording.
public struct Alignment: Sendable {
    /// The sample of the recording at which the signal begins; negative if its beginning is missing.
    public let offset: Int
    /// The similarity of both in the excerpt that was searched: 1 is the same up to a factor.
    public let correlation: Double
}

/// Finds `signal` in `recording` by cross-correlation of its loudest excerpt.
///
/// Costs about a second for a minute at 44.1 kHz. Whether all of the signal is there, and without a gap, is for
/// `residualDecibels` to say. A steady tone lies in many places: use noise or music.
/// - Parameter excerptLength: Rounded down to a power of two.
/// - Returns: The best place, or `nil` if nothing is alike (a correlation under 0.5).
public func alignment(of signal: [Float], in recording: [Float], excerptLength: Int = 16_384) -> Alignment? {
    var length = 1
    while length * 2 <= min(excerptLength, signal.count) { length *= 2 }
    guard length >= 16, recording.count >= length else { return nil }
    let start = loudestStart(signal, length: length)
    let transform = TestTransform(size: 2 * length)
    let excerpt = signal[start..<start + length].map(Double.init)
    let energy = excerpt.reduce(0) { $0 + $1 * $1 }
    guard energy > 0 else { return nil }
    let pattern = transform.forward(excerpt + [Double](repeating: 0, count: length))

    var best: Alignment?
    var position = 0
    while position + length <= recording.count {
        let end = min(recording.count, position + 2 * length)
        var block = recording[position..<end].map(Double.init)
        block += [Double](repeating: 0, count: 2 * length - block.count)
        if let found = bestMatch(block, pattern, transform, length: length, energy: energy),
            found.correlation > best?.correlation ?? 0.5
        {
            best = Alignment(offset: position + found.offset - start, correlation: found.correlation)
            if found.correlation > 0.9995 { break }
        }
        position += length
    }
    return best
}

private func loudestStart(_ signal: [Float], length: Int) -> Int {
    var best = (energy: -1.0, start: 0)
    // A few places are enough: the excerpt only must not be silence.
    let step = max(1, (signal.count - length) / 16)
    for start in stride(from: 0, through: signal.count - length, by: step) {
        var energy = 0.0
        for index in stride(from: start, to: start + length, by: 7) { energy += Double(signal[index] * signal[index]) }
        if energy > best.energy { best = (energy, start) }
    }
    return best.start
}

/// The best of the first `length + 1` places in a block of twice that length.
private func bestMatch(
    _ block: [Double],
    _ pattern: TestSpectrum,
    _ transform: TestTransform,
    length: Int,
    energy: Double
) -> Alignment? {
    var product = transform.forward(block)
    for bin in 0..<2 * length {
        let real = product.real[bin] * pattern.real[bin] + product.imaginary[bin] * pattern.imaginary[bin]
        product.imaginary[bin] = product.imaginary[bin] * pattern.real[bin] - product.real[bin] * pattern.imaginary[bin]
        product.real[bin] = real
    }
    let correlations = transform.inverse(product)
    var windowEnergy = block[0..<length].reduce(0) { $0 + $1 * $1 }
    var best: Alignment?
    for offset in 0...length {
        let value = correlations[offset % (2 * length)] / Double(2 * length)
        let normal = (energy * max(windowEnergy, energy * 1e-6)).squareRoot()
        if value / normal > best?.correlation ?? 0 { best = Alignment(offset: offset, correlation: value / normal) }
        if offset < length {
            windowEnergy += block[offset + length] * block[offset + length] - block[offset] * block[offset]
        }
    }
    return best
}

/// Returns the start of the first `length` zeros in a row.
public func firstSilence(in samples: [Float], length: Int) -> Int? {
    var run = 0
    for (index, sample) in samples.enumerated() {
        run = sample == 0 ? run + 1 : 0
        if run == length { return index + 1 - length }
    }
    return nil
}
