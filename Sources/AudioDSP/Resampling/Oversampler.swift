#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Raises the sample rate by eight, frame by frame, and lowers it again.
///
/// Both ways go through the same linear-phase low pass (Kaiser window, 80 dB), whose stop band begins at half the lower rate:
/// nothing that is made in between folds back. It passes 0.39 of the lower rate. A frame and channel cost 768 products.
struct Oversampler: ~Copyable {
    static let factor = 8
    /// The taps of each of the eight phases.
    private static let phaseTaps = 48
    /// Frames by which raising and lowering lag together, at the lower rate.
    static let latencyFrames = phaseTaps - 1

    private let channelCount: Int
    /// For each tap the eight phases; behind them the same for the way down, in its order.
    private let taps: UnsafeMutablePointer<SIMD8<Float>>
    /// The last samples of each channel, twice, so that they lie in one piece.
    private let inputs: AlignedFloatBuffer
    private let outputs: UnsafeMutablePointer<SIMD8<Float>>
    private(set) var frame = 0
    private var slot = 0

    init(channelCount: Int) {
        self.channelCount = channelCount
        taps = .allocate(capacity: 2 * Self.phaseTaps)
        inputs = AlignedFloatBuffer(count: 2 * Self.phaseTaps * channelCount)
        outputs = .allocate(capacity: max(2 * Self.phaseTaps * channelCount, 1))
        outputs.initialize(repeating: SIMD8(), count: max(2 * Self.phaseTaps * channelCount, 1))
        taps.initialize(repeating: SIMD8(), count: 2 * Self.phaseTaps)
        let count = Self.factor * Self.phaseTaps - (Self.factor - 1)
        let middle = Double(count - 1) / 2
        var values = (0..<count).map { index -> Double in
            let x = Double(index) - middle
            // In cycles of the raised rate: the middle of the transition, which ends at half the lower rate.
            let cutoff = 0.4455 / Double(Self.factor)
            let sinc = x == 0 ? 2 * cutoff : sin(2 * Double.pi * cutoff * x) / (Double.pi * x)
            let place = x / (middle + 1)
            return sinc * SincTable.bessel(8 * (1 - place * place).squareRoot()) / SincTable.bessel(8)
        }
        let sum = values.reduce(0, +)
        values = values.map { $0 / sum }
        for (index, value) in values.enumerated() {
            // Raised: output phase p of the newest frame is the sum over k of tap 8k + p and the frame k before.
            taps[index / Self.factor][index % Self.factor] = Float(value * Double(Self.factor))
            // Lowered: at the newest frame's first sample, the sum over all taps n of the sample n before.
            let (back, phase) = (
                (index + Self.factor - 1) / Self.factor, (Self.factor - index % Self.factor) % Self.factor
            )
            taps[Self.phaseTaps + back][phase] = Float(value)
        }
    }

    deinit {
        taps.deallocate()
        outputs.deallocate()
    }

    mutating func reset() {
        inputs.clear()
        for index in 0..<2 * Self.phaseTaps * channelCount { outputs[index] = SIMD8() }
        (frame, slot) = (0, 0)
    }

    /// Returns the eight samples of a frame at the raised rate.
    @inline(__always)
    func raise(_ sample: Float, channel: Int) -> SIMD8<Float> {
        let samples = inputs.pointer + channel * 2 * Self.phaseTaps
        samples[slot] = sample
        samples[slot + Self.phaseTaps] = sample
        let newest = samples + slot + Self.phaseTaps
        var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = 0
        while tap < Self.phaseTaps {
            even += taps[tap] * newest[-tap]
            odd += taps[tap + 1] * newest[-tap - 1]
            tap += 2
        }
        return even + odd
    }

    /// Returns the sample at the lower rate for the next eight at the raised one.
    @inline(__always)
    func lower(_ samples: SIMD8<Float>, channel: Int) -> Float {
        let held = outputs + channel * 2 * Self.phaseTaps
        held[slot] = samples
        held[slot + Self.phaseTaps] = samples
        let newest = held + slot + Self.phaseTaps
        let down = taps + Self.phaseTaps
        var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = 0
        while tap < Self.phaseTaps {
            even += down[tap] * newest[-tap]
            odd += down[tap + 1] * newest[-tap - 1]
            tap += 2
        }
        return (even + odd).sum()
    }

    /// Goes on to the next frame.
    mutating func advance() {
        slot = slot + 1 == Self.phaseTaps ? 0 : slot + 1
        frame &+= 1
    }
}
