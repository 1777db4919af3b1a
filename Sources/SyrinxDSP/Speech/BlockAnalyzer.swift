#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Measures blocks of a signal for a `PauseDetector`: of each band the power of the loudest channel, and of the sum of
/// the channels the periodicity and the share of mains hum.
struct BlockAnalyzer: ~Copyable {
    /// A high pass of second order, direct form II transposed, by the formulas of the Audio EQ Cookbook.
    private struct HighPass {
        private let b: Double
        private let a1: Double
        private let a2: Double

        init(frequency: Double, sampleRate: Double) {
            let angle = 2 * Double.pi * min(frequency, 0.45 * sampleRate) / sampleRate
            let alpha = sin(angle) * 0.5.squareRoot()
            let a0 = 1 + alpha
            b = (1 + cos(angle)) / 2 / a0
            a1 = -2 * cos(angle) / a0
            a2 = (1 - alpha) / a0
        }

        @inline(__always)
        func filter(_ x: Double, _ state: inout SIMD2<Double>) -> Double {
            let y = b * x + state[0]
            state = SIMD2(state[1] - 2 * b * x - a1 * y, b * x - a2 * y)
            return y
        }
    }

    /// The rate at which periods are looked for, about, and the shortest and longest of them and the stretch compared,
    /// in seconds.
    private static var pitchRate: Double { 8_000 }
    private static var periods: (shortest: Double, longest: Double) { (0.0025, 0.016) }
    private static var comparedTime: Double { 0.04 }
    /// The frequencies of mains, and the periods after which hum repeats itself: a voice has moved on after 60 ms.
    private static var mains: (Double, Double) { (50, 60) }
    private static var humTimes: (Double, Double) { (0.06, 4.0 / 60) }

    private let channelCount: Int
    private let low: HighPass
    private let high: HighPass
    private let lowStates: UnsafeMutablePointer<SIMD2<Double>>
    private let highStates: UnsafeMutablePointer<SIMD2<Double>>
    /// The sum of the channels of a block, above 100 Hz.
    private let mix: AlignedFloatBuffer
    /// The newest samples at the low rate, whitened.
    private let slow: AlignedFloatBuffer
    /// The same in order, for the comparison.
    private let line: AlignedFloatBuffer
    private var place = 0
    private let decimation: Int
    private let slowRate: Double
    private let lags: Range<Int>
    private let comparedCount: Int
    private var sum: Float = 0
    private var summed = 0
    private var lastSlow: Float = 0

    init(sampleRate: Double, channelCount: Int, blockLength: Int) {
        self.channelCount = channelCount
        low = HighPass(frequency: 100, sampleRate: sampleRate)
        high = HighPass(frequency: 2_500, sampleRate: sampleRate)
        lowStates = .allocate(capacity: channelCount)
        lowStates.initialize(repeating: SIMD2(), count: channelCount)
        highStates = .allocate(capacity: channelCount)
        highStates.initialize(repeating: SIMD2(), count: channelCount)
        mix = AlignedFloatBuffer(count: blockLength)
        decimation = max(1, Int((sampleRate / BlockAnalyzer.pitchRate).rounded()))
        let rate = sampleRate / Double(decimation)
        let shortest = max(1, Int(BlockAnalyzer.periods.shortest * rate))
        lags = shortest..<max(shortest, Int(BlockAnalyzer.periods.longest * rate)) + 1
        comparedCount = max(8, Int(BlockAnalyzer.comparedTime * rate))
        slowRate = rate
        let longest = max(lags.upperBound, Int(BlockAnalyzer.humTimes.1 * rate) + 1)
        slow = AlignedFloatBuffer(count: comparedCount + longest)
        line = AlignedFloatBuffer(count: comparedCount + longest)
    }

    deinit {
        lowStates.deallocate()
        highStates.deallocate()
    }

    mutating func reset() {
        lowStates.update(repeating: SIMD2(), count: channelCount)
        highStates.update(repeating: SIMD2(), count: channelCount)
        slow.clear()
        (sum, summed, lastSlow, place) = (0, 0, 0, 0)
    }

    /// Measures a block of `count` frames, at most the block length.
    /// - Parameters:
    ///   - base: The first frame of the first channel.
    ///   - stride: The distance between the channels in floats.
    ///   - level: A level in dB. For louder blocks, periodicity and hum are not measured and set to 0.
    mutating func measure(
        _ base: UnsafePointer<Float>,
        stride: Int,
        count: Int,
        below level: Float
    ) -> PauseDetector.Block {
        var block = PauseDetector.Block(power: 0, highPower: 0, periodicity: 0, hum: 0)
        mix.clear()
        // Read once: for a change through the stored buffer, Swift 6.3 emits invalid code under ThreadSanitizer.
        let mixed = mix.pointer
        for channel in 0..<channelCount {
            let samples = base + channel * stride
            var (lowState, highState) = (lowStates[channel], highStates[channel])
            var (lowSum, highSum) = (0.0, 0.0)
            for index in 0..<count {
                let x = Double(samples[index])
                let (y, z) = (low.filter(x, &lowState), high.filter(x, &highState))
                lowSum += y * y
                highSum += z * z
                mixed[index] += Float(y)
            }
            // NaN or infinity would stay in the filters forever.
            let isFinite = lowSum.isFinite && highSum.isFinite
            lowStates[channel] = isFinite ? lowState : SIMD2()
            highStates[channel] = isFinite ? highState : SIMD2()
            block.power = max(block.power, isFinite ? min(Float(lowSum / Double(count)), 1) : 1)
            block.highPower = max(block.highPower, isFinite ? min(Float(highSum / Double(count)), 1) : 1)
        }
        for index in 0..<count { addSlow(mixed[index]) }
        if BandLevel.decibels(block.power) < level { measurePeriods(&block) }
        return block
    }

    private mutating func addSlow(_ sample: Float) {
        sum += sample.magnitude < 1e3 ? sample : 0
        summed += 1
        guard summed == decimation else { return }
        // Background noise falls with the frequency: flattened, it resembles itself less.
        slow.pointer[place] = sum - 0.9 * lastSlow
        place = (place + 1) % slow.count
        (lastSlow, sum, summed) = (sum, 0, 0)
    }

    /// Correlates the newest samples with those one period earlier, for all periods of a voice and of mains hum.
    private func measurePeriods(_ block: inout PauseDetector.Block) {
        copyFloats(slow.pointer + place, to: line.pointer, count: slow.count - place)
        copyFloats(slow.pointer, to: line.pointer + (slow.count - place), count: place)
        let newest = line.pointer + (line.count - comparedCount)
        let energy = dotProduct(newest, newest, count: comparedCount)
        for lag in lags { block.periodicity = max(block.periodicity, correlation(lag, energy)) }
        let (mains, times) = (BlockAnalyzer.mains, BlockAnalyzer.humTimes)
        block.hum = max(
            min(correlation(after: 1 / mains.0, energy), correlation(after: times.0, energy)),
            min(correlation(after: 1 / mains.1, energy), correlation(after: times.1, energy))
        )
    }

    /// Returns the correlation of the newest samples with those `time` seconds earlier, 0…1.
    private func correlation(after time: Double, _ energy: Float) -> Float {
        let lag = time * slowRate
        return max(correlation(Int(lag), energy), correlation(Int(lag.rounded(.up)), energy))
    }

    /// Returns the correlation of the newest samples, with the given energy, with those `lag` samples earlier, 0…1.
    private func correlation(_ lag: Int, _ energy: Float) -> Float {
        let newest = line.pointer + (line.count - comparedCount)
        let older = newest - lag
        let product = dotProduct(newest, older, count: comparedCount)
        guard product > 0 else { return 0 }
        let energies = energy * dotProduct(older, older, count: comparedCount)
        return energies > 0 ? product / energies.squareRoot() : 0
    }
}
