#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory layout of an oversampler's planes for a channel, and the sums that fill them.
///
/// A raised rate is stored as planes, one for each phase of a frame, so that consecutive frames are adjacent. At R
/// times the rate, sample i is frame ⌊i / R⌋ of plane i mod R. Positions are offsets of frame 0 of a chunk, and
/// history precedes it.
struct OversamplerPlan {
    /// A factor of the sum of two samples.
    struct Tap {
        let first: Int32
        let second: Int32
        let gain: Float
    }

    /// A plane that is a sum over `count` taps.
    struct Sum {
        let target: Int32
        let count: Int32
    }

    /// A plane of which the last frames are needed for the next chunk.
    struct History {
        let place: Int32
        let count: Int32
    }

    /// The taps on each side of the steps from 1, 2 and 4 times the lower rate to the double.
    private static let counts = [18, 5, 3]
    /// The taps of the last step down.
    private static let sharpCount = 95
    /// The passband edge of the upsampling steps, as a fraction of the lower sample rate.
    private static let edge = 0.42

    private(set) var size = 0
    private(set) var taps: [Tap] = []
    private(set) var raising: [Sum] = []
    private(set) var lowering: [Sum] = []
    private(set) var histories: [History] = []
    private(set) var input = 0
    private(set) var output = 0
    /// The planes of the raised rate, and the planes of processed samples.
    private(set) var raised: [Int] = []
    private(set) var shaped: [Int] = []
    /// The interpolated planes of the double of a rate: 2, 4 and 8.
    private var odd: [[Int]] = []
    private var halves: [[Double]] = []

    init(chunkFrames: Int) {
        halves = Self.counts.enumerated().map { step, count in
            // In radians a sample of the rate that is doubled.
            HalfbandTaps.leastSquares(count: count, edge: 2 * Double.pi * Self.edge / Double(1 << step))
        }
        input = addPlane(history: 40, chunkFrames)
        for step in 0..<3 {
            let planes = (0..<(1 << step)).map { _ in addPlane(history: step < 2 ? 16 : 0, chunkFrames) }
            odd.append(planes)
            for (phase, plane) in planes.enumerated() { raise(step, phase, into: plane) }
        }
        raised = (0..<8).map { sample(rate: 8, $0) }
        shaped = (0..<8).map { _ in addPlane(history: 16, chunkFrames) }
        // A quarter of a frame of delay more makes the whole an even number of frames.
        let lowered4 = lower(shaped, step: 2, anchor: -1, history: 16, chunkFrames)
        let lowered2 = lower(lowered4, step: 1, anchor: 1, history: 48, chunkFrames)
        output = addPlane(history: 0, chunkFrames)
        lowerSharply(lowered2)
    }

    private mutating func addPlane(history: Int, _ chunkFrames: Int) -> Int {
        let place = size + history
        size = place + chunkFrames
        if history > 0 { histories.append(History(place: Int32(place), count: Int32(history))) }
        return place
    }

    /// Returns the place of sample `index` of `rate` on the way up.
    ///
    /// Every other sample is one of the rate below, as late as the ones between.
    private func sample(rate: Int, _ index: Int) -> Int {
        if rate == 1 { return input + index }
        let step = rate.trailingZeroBitCount - 1
        if index & 1 == 1 { return Self.place(odd[step], index >> 1) }
        return sample(rate: rate / 2, index / 2 - Self.counts[step])
    }

    /// Returns the place of a sample in the planes of a rate.
    private static func place(_ planes: [Int], _ index: Int) -> Int {
        let phase = index & (planes.count - 1)
        return planes[phase] + (index - phase) / planes.count
    }

    /// Adds the sum for the samples halfway between those of a rate.
    private mutating func raise(_ step: Int, _ phase: Int, into plane: Int) {
        let (rate, count) = (1 << step, Self.counts[step])
        for (index, gain) in halves[step].enumerated() {
            taps.append(
                Tap(
                    first: Int32(sample(rate: rate, phase - count - index)),
                    second: Int32(sample(rate: rate, phase - count + 1 + index)),
                    gain: Float(gain)
                )
            )
        }
        raising.append(Sum(target: Int32(plane), count: Int32(count)))
    }

    /// Adds the sums that halve the rate of `planes`, and returns their planes.
    /// - Parameter anchor: The newest sample of the first sum.
    private mutating func lower(_ planes: [Int], step: Int, anchor: Int, history: Int, _ chunkFrames: Int) -> [Int] {
        let count = Self.counts[step]
        let targets = (0..<planes.count / 2).map { _ in addPlane(history: history, chunkFrames) }
        for (phase, target) in targets.enumerated() {
            let middle = 2 * phase + anchor - (2 * count - 1)
            let center = Int32(Self.place(planes, middle))
            taps.append(Tap(first: center, second: center, gain: 0.25))
            for (index, gain) in halves[step].enumerated() {
                taps.append(
                    Tap(
                        first: Int32(Self.place(planes, middle - (2 * index + 1))),
                        second: Int32(Self.place(planes, middle + (2 * index + 1))),
                        gain: Float(gain / 2)
                    )
                )
            }
            lowering.append(Sum(target: Int32(target), count: Int32(count + 1)))
        }
        return targets
    }

    /// Adds the sum of the last step.
    private mutating func lowerSharply(_ planes: [Int]) {
        let count = (Self.sharpCount + 1) / 2
        let values = (0..<count).map { index -> Double in
            // In cycles of twice the lower rate: the middle of the transition, which ends at half the lower rate.
            let cutoff = 0.4455 / 2
            let x = Double(index)
            let sinc = index == 0 ? 2 * cutoff : sin(2 * Double.pi * cutoff * x) / (Double.pi * x)
            let place = x / Double(count)
            return sinc * SincTable.bessel(8 * (1 - place * place).squareRoot()) / SincTable.bessel(8)
        }
        let sum = 2 * values.reduce(0, +) - values[0]
        let middle = 1 - (count - 1)
        for (index, value) in values.enumerated() {
            taps.append(
                Tap(
                    first: Int32(Self.place(planes, middle - index)),
                    second: Int32(Self.place(planes, middle + index)),
                    gain: Float(value / sum / (index == 0 ? 2 : 1))
                )
            )
        }
        lowering.append(Sum(target: Int32(output), count: Int32(count)))
    }
}
