import Foundation

let sampleRate = 44100.0

/// A sum of sines, each at the same amplitude and with a phase of its own.
func tones(_ frequencies: [Double], amplitude: Double = 0.2, frameCount: Int) -> [Float] {
    (0..<frameCount).map { frame in
        var sum = 0.0
        for (index, frequency) in frequencies.enumerated() {
            sum += sin(2 * .pi * frequency * Double(frame) / sampleRate + Double(index))
        }
        return Float(amplitude * sum)
    }
}

/// Noise that is the same on every run.
func noise(frameCount: Int, amplitude: Float = 0.5, seed: UInt64 = 1) -> [Float] {
    var state = seed
    return (0..<frameCount).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
    }
}

func decibels(_ ratio: Double) -> Double { 10 * log10(max(ratio, 1e-30)) }

func energy(_ samples: ArraySlice<Float>) -> Double {
    samples.withUnsafeBufferPointer { samples in
        var sum = 0.0
        var index = 0
        while index < samples.count {
            sum += Double(samples[index]) * Double(samples[index])
            index &+= 1
        }
        return sum
    }
}

func energy(_ samples: [Float]) -> Double { energy(samples[...]) }

/// Signal over what the best-fitting sines at these frequencies leave, in dB: the least over blocks of a quarter second.
func purity(_ samples: [Float], _ frequencies: [Double], skip: Int = 11025) -> Double {
    let length = 11025
    var worst = Double.infinity
    var start = skip
    while start + length <= samples.count - skip {
        let block = samples[start..<start + length].map(Double.init)
        worst = min(worst, decibels(fit(block, frequencies).ratio))
        start += length
    }
    return worst
}

/// Signal over what does not come again after a period, in dB: the least over blocks of a quarter second.
///
/// What best fits and does come again is the mean of the periods.
func periodicity(_ samples: [Float], period: Int, skip: Int = 11025) -> Double {
    let cycles = 11025 / period
    var worst = Double.infinity
    for start in stride(from: skip, through: samples.count - skip - cycles * period, by: cycles * period) {
        var (whole, kept) = (0.0, 0.0)
        for phase in 0..<period {
            var sum = 0.0
            for index in stride(from: start + phase, to: start + cycles * period, by: period) {
                sum += Double(samples[index])
                whole += Double(samples[index]) * Double(samples[index])
            }
            kept += sum * sum / Double(cycles)
        }
        worst = min(worst, decibels(whole / max(whole - kept, 1e-30)))
    }
    return worst
}

/// Least squares of sines and cosines: what it explains over what it leaves, and each sine's amplitude and phase.
func fit(_ block: [Double], _ frequencies: [Double]) -> (ratio: Double, amplitudes: [Double], phases: [Double]) {
    var columns: [[Double]] = []
    for frequency in frequencies {
        let turn = 2 * Double.pi * frequency / sampleRate
        columns.append(block.indices.map { sin(turn * Double($0)) })
        columns.append(block.indices.map { cos(turn * Double($0)) })
    }
    let size = columns.count
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
    for row in 0..<size {
        for column in row..<size {
            matrix[row][column] = dot(columns[row], columns[column])
            matrix[column][row] = matrix[row][column]
        }
        matrix[row][size] = dot(columns[row], block)
    }
    for pivot in 0..<size {
        for row in 0..<size where row != pivot {
            let factor = matrix[row][pivot] / matrix[pivot][pivot]
            for column in pivot...size { matrix[row][column] -= factor * matrix[pivot][column] }
        }
    }
    let solution = (0..<size).map { matrix[$0][size] / matrix[$0][$0] }
    var rest = block
    for column in 0..<size { subtract(columns[column], times: solution[column], from: &rest) }
    let amplitudes = frequencies.indices.map { hypot(solution[2 * $0], solution[2 * $0 + 1]) }
    let phases = frequencies.indices.map { atan2(solution[2 * $0 + 1], solution[2 * $0]) }
    return (dot(block, block) / max(dot(rest, rest), 1e-30), amplitudes, phases)
}

// Without optimisation, as most tests run, an index that counts through memory is ten times as fast as a range and arrays.
private func dot(_ a: [Double], _ b: [Double]) -> Double {
    a.withUnsafeBufferPointer { a in
        b.withUnsafeBufferPointer { b in
            var sum = 0.0
            var index = 0
            while index < a.count {
                sum += a[index] * b[index]
                index &+= 1
            }
            return sum
        }
    }
}

private func subtract(_ a: [Double], times factor: Double, from rest: inout [Double]) {
    a.withUnsafeBufferPointer { a in
        rest.withUnsafeMutableBufferPointer { rest in
            var index = 0
            while index < a.count {
                rest[index] -= factor * a[index]
                index &+= 1
            }
        }
    }
}

/// By how many cents a tone is off a frequency: from the turn of its phase between two quarter seconds 50 ms apart.
func centsOff(_ samples: [Float], _ frequency: Double) -> Double {
    let length = 11025
    let distance = 2205
    let start = samples.count / 2 - (length + distance) / 2
    func phase(at start: Int) -> Double {
        fit(samples[start..<start + length].map(Double.init), [frequency]).phases[0]
    }
    let expected = 2 * .pi * frequency * Double(distance) / sampleRate
    let turn = (phase(at: start + distance) - phase(at: start) - expected).remainder(dividingBy: 2 * .pi)
    return 1200 * log2(1 + turn * sampleRate / Double(distance) / (2 * .pi * frequency))
}

/// The largest step between neighbours.
func steepest(_ samples: ArraySlice<Float>) -> Float {
    samples.withUnsafeBufferPointer { samples in
        var most: Float = 0
        var index = 1
        while index < samples.count {
            let step = (samples[index] - samples[index &- 1]).magnitude
            if step > most { most = step }
            index &+= 1
        }
        return most
    }
}

/// The loudness of the quietest stretch of so many frames, as a root mean square.
func quietest(_ samples: ArraySlice<Float>, frames: Int) -> Double {
    var least = Double.infinity
    var start = samples.startIndex
    while start + frames <= samples.endIndex {
        least = min(least, (energy(samples[start..<start + frames]) / Double(frames)).squareRoot())
        start += frames / 2
    }
    return least
}

/// Bursts of noise, 4 ms long, and where they begin: not on multiples of a grain's 441 frames, at any rate.
func clicks(frameCount: Int, every distance: Int = 5657) -> (samples: [Float], places: [Int]) {
    var samples = [Float](repeating: 0, count: frameCount)
    let places = Array(stride(from: 11025, to: frameCount - 11025, by: distance))
    let burst = noise(frameCount: 176)
    for place in places {
        for index in burst.indices { samples[place + index] = burst[index] }
    }
    return (samples, places)
}

/// Memory as the transform wants it.
func aligned(_ count: Int) -> UnsafeMutablePointer<Float> {
    let raw = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
    let floats = raw.bindMemory(to: Float.self, capacity: count)
    floats.initialize(repeating: 0, count: count)
    return floats
}

/// The true peak in dB, by interpolation at 16 times the rate with a windowed sinc of `half` taps on each side.
func truePeak(_ samples: ArraySlice<Float>, half: Int = 40) -> Double {
    let samples = Array(samples)
    var taps = [[Double]]()
    for part in 0..<16 {
        let offset = Double(part) / 16
        let row = (1 - half...half).map { tap -> Double in
            let x = Double(tap) - offset
            let sinc = abs(x) < 1e-12 ? 1 : sin(.pi * x) / (.pi * x)
            let w = cos(.pi * x / Double(2 * half + 2))
            return sinc * w * w
        }
        taps.append(row)
    }
    var peak = 0.0
    for center in half..<samples.count - half where abs(samples[center]) > 0.4 || abs(samples[center + 1]) > 0.4 {
        for row in taps {
            var sum = 0.0
            for tap in 0..<2 * half { sum += Double(samples[center + 1 - half + tap]) * row[tap] }
            peak = max(peak, abs(sum))
        }
    }
    return 20 * log10(max(peak, 1e-9))
}
