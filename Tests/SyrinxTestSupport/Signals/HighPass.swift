import Foundation

/// Returns the part of a signal above a frequency, by eight poles.
///
/// It is here, and not beside the tests, because this module is optimised and tests are not.
/// - Parameters:
///   - samples: The signal.
///   - frequency: Where the part begins, 3 dB down, in hertz.
///   - sampleRate: In hertz.
public func highPassed(_ samples: [Float], above frequency: Double, sampleRate: Double) -> [Double] {
    var signal = samples.map { Double($0) }
    for quality in [0.5098, 0.6013, 0.9000, 2.5629] {
        let turn = 2 * Double.pi * frequency / sampleRate
        let alpha = sin(turn) / (2 * quality)
        let gain: Double = (1 + cos(turn)) / 2 / (1 + alpha)
        let first: Double = -2 * cos(turn) / (1 + alpha)
        let second: Double = (1 - alpha) / (1 + alpha)
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        for index in signal.indices {
            var value: Double = gain * (signal[index] - 2 * x1 + x2)
            value -= first * y1 + second * y2
            (x2, x1) = (x1, signal[index])
            (y2, y1) = (y1, value)
            signal[index] = value
        }
    }
    return signal
}
