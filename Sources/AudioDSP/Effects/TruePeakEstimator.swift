/// The magnitudes of a signal between its samples.
///
/// The values halfway between samples come from two filters, of 80 and of 24 taps (windowed sincs). Sound near half the sample
/// rate, as in white noise, has its peaks in different places for long and for short interpolations, and converters use both. Quarters are interpolated from halves, and a parabola through three quarters gives the peak; a tone
/// is at most 0.07 dB above it. It is taken to be at most √2 times the largest of the samples and halves next to it, which is what a
/// tone has at half the sample rate.
///
/// That makes most of the work needless without a change of the result: where all samples and all halves lie √2 below a
/// threshold, so does all between them. The halves are bounded by their twelve nearest samples and the energy of the others
/// (Cauchy and Schwarz).
///
/// Samples come in groups; magnitudes follow `lagFrames` behind. One thread at a time; nothing but `init` allocates.
struct TruePeakEstimator: ~Copyable {
    /// The frames of a group.
    static let groupFrames = 16
    /// The frames from the first of a group that comes in to the first of the group whose magnitudes are known then.
    static let lagFrames = 4 * groupFrames

    /// Taps on each side.
    private static let (longCount, shortCount, nearCount, quarterCount) = (40, 12, 6, 4)
    /// The groups between the one that comes in and that whose halves can be computed.
    private static let halfLag = 3
    /// The groups that the halves of one reach over, on both sides and with itself, are seven: eight places for each channel.
    private static let slots = 8
    /// Frames kept before the newest group: those that the oldest halves need.
    private static let keptFrames = 8 * groupFrames
    /// Frames of a plane, most of which are there so that what is kept is moved seldom.
    private static let planeFrames = 16 * groupFrames

    // Compare its cases by `switch`: `==` looks up the type in a build without optimisation.
    private enum Halves {
        /// Not computed, as all are √2 below the threshold.
        case small
        /// Computed, and √2 below the threshold.
        case computedSmall
        case computed

        var mayBeLoud: Bool {
            switch self {
            case .small, .computedSmall: false
            case .computed: true
            }
        }

        var isMissing: Bool {
            switch self {
            case .small: true
            case .computedSmall, .computed: false
            }
        }
    }

    private let channelCount: Int
    private let threshold: Float
    private let skipsQuiet: Bool
    /// For each channel samples, halves by the long filter and halves by the short one.
    private let planes: AlignedFloatBuffer
    private let long: AlignedFloatBuffer
    private let short: AlignedFloatBuffer
    private let quarter: AlignedFloatBuffer
    /// The share of the energy of the samples further away in a half, squared, and the magnitudes of the nearest taps together.
    private let farGain: Float
    private let nearGain: Float
    /// The largest magnitude and the energy of the last groups of each channel, the newest first.
    private let peaks: AlignedFloatBuffer
    private let energies: AlignedFloatBuffer
    /// The values and bounds of the halves of the last three groups of each channel, the newest first.
    private let states: UnsafeMutablePointer<(Halves, Halves, Halves)>
    private var place = Self.keptFrames
    /// The largest magnitude in each frame of the group, of all channels; after `advance` returned `true`.
    let frameMagnitudes: AlignedFloatBuffer

    /// - Parameters:
    ///   - threshold: Magnitudes up to it need not be exact.
    ///   - skipsQuiet: Whether magnitudes that are certainly below the threshold are left out.
    init(channelCount: Int, threshold: Float, skipsQuiet: Bool = true) {
        self.channelCount = channelCount
        self.threshold = threshold
        self.skipsQuiet = skipsQuiet
        planes = AlignedFloatBuffer(count: 3 * Self.planeFrames * channelCount)
        peaks = AlignedFloatBuffer(count: Self.slots * channelCount)
        energies = AlignedFloatBuffer(count: Self.slots * channelCount)
        frameMagnitudes = AlignedFloatBuffer(count: Self.groupFrames)
        states = .allocate(capacity: max(channelCount, 1))
        states.initialize(repeating: (.small, .small, .small), count: max(channelCount, 1))
        // Windows whose side lobes are low enough that −0.3 dB stay below −0.1 dB by any interpolation between them.
        let (longTaps, shortTaps) = (
            HalfbandTaps.kaiser(count: Self.longCount, beta: 5), HalfbandTaps.kaiser(count: Self.shortCount, beta: 6)
        )
        long = Self.buffer(longTaps)
        short = Self.buffer(shortTaps)
        quarter = Self.buffer(HalfbandTaps.leastSquares(count: Self.quarterCount, edge: Double.pi / 2))
        var (far, farShort, near) = (0.0, 0.0, 0.0)
        for (index, tap) in longTaps.enumerated() {
            let other = index < Self.shortCount ? shortTaps[index] : 0
            let first = index < Self.nearCount ? tap : 0
            far += 2 * (tap - first) * (tap - first)
            farShort += 2 * (other - first) * (other - first)
            near += 2 * abs(first)
        }
        // A little more than they are, for what rounding adds.
        farGain = Float(max(far, farShort) * 1.001)
        nearGain = Float(near * 1.001)
    }

    deinit { states.deallocate() }

    private static func buffer(_ taps: [Double]) -> AlignedFloatBuffer {
        let buffer = AlignedFloatBuffer(count: taps.count)
        for (index, tap) in taps.enumerated() { buffer.pointer[index] = Float(tap) }
        return buffer
    }

    /// Forgets the input.
    mutating func reset() {
        planes.clear()
        peaks.clear()
        energies.clear()
        for channel in 0..<channelCount { states[channel] = (.small, .small, .small) }
        place = Self.keptFrames
    }

    /// Returns the place for the samples of the next group of a channel.
    func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
        planes.pointer + (3 * channel * Self.planeFrames + place)
    }

    /// Takes up the group of all channels that has been written.
    /// - Returns: Whether `frameMagnitudes` has been filled; else all are below the threshold.
    mutating func advance() -> Bool {
        var isLoud = false
        for channel in 0..<channelCount {
            measure(channel)
            if skipsQuiet, !mayBeLoud(channel) { continue }
            if !isLoud { frameMagnitudes.clear() }
            isLoud = true
            fillMagnitudes(channel)
        }
        place += Self.groupFrames
        if place == Self.planeFrames { moveKept() }
        return isLoud
    }

    private mutating func moveKept() {
        for plane in 0..<3 * channelCount {
            let samples = planes.pointer + plane * Self.planeFrames
            copyFloats(samples + (place - Self.keptFrames), to: samples, count: Self.keptFrames)
        }
        place = Self.keptFrames
    }

    /// Notes peak and energy of the newest group, and computes the halves of a group unless they are small.
    private func measure(_ channel: Int) {
        let samples = input(channel)
        let (low, high) = (load8(samples), load8(samples + 8))
        let squares = low * low + high * high
        let (peaks, energies) = (peaks.pointer + channel * Self.slots, energies.pointer + channel * Self.slots)
        store8(Self.shifted(load8(peaks)), to: peaks)
        store8(Self.shifted(load8(energies)), to: energies)
        peaks[0] = largest(larger(absolute(low), absolute(high)))
        energies[0] = total(squares)
        let old = states[channel]
        var newest = Halves.small
        if !skipsQuiet || !areHalvesSmall(channel) {
            newest = fillHalves(channel, groupsBack: Self.halfLag) <= small ? .computedSmall : .computed
        }
        states[channel] = (newest, old.0, old.1)
    }

    /// Returns seven values, each one place further.
    @inline(__always)
    private static func shifted(_ values: SIMD8<Float>) -> SIMD8<Float> {
        SIMD8(0, values[0], values[1], values[2], values[3], values[4], values[5], 0)
    }

    /// Whether the halves of the group that can be computed are certainly √2 below the threshold.
    private func areHalvesSmall(_ channel: Int) -> Bool {
        let (peaks, energies) = (peaks.pointer + channel * Self.slots, energies.pointer + channel * Self.slots)
        let far = total(load8(energies)) * farGain
        let middle = Self.halfLag
        let peak = max(max(peaks[middle - 1], peaks[middle]), peaks[middle + 1])
        let left = small - peak * nearGain
        if left > 0, left * left >= far { return true }
        let samples = input(channel) - Self.halfLag * Self.groupFrames
        let (low, high) = (near(samples), near(samples + 8))
        let rest = small - largest(larger(absolute(low), absolute(high)))
        return rest > 0 && rest * rest >= far
    }

    /// The magnitude of samples and halves up to which all between them lies below the threshold.
    private var small: Float { threshold * 0.707 }

    @inline(__always)
    private func near(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
        var sum = SIMD8<Float>()
        for tap in 0..<Self.nearCount { sum += (load8(samples - tap) + load8(samples + (tap + 1))) * long.pointer[tap] }
        return sum
    }

    /// Whether a frame of the group whose magnitudes are known next may exceed the threshold; computes the halves that it needs.
    private func mayBeLoud(_ channel: Int) -> Bool {
        let peaks = peaks.pointer + channel * Self.slots
        let state = states[channel]
        let middle = Self.halfLag + 1
        let peak = max(max(peaks[middle - 1], peaks[middle]), peaks[middle + 1])
        if peak <= small, !state.0.mayBeLoud, !state.1.mayBeLoud, !state.2.mayBeLoud { return false }
        if state.0.isMissing { fill(channel, 0, &states[channel].0) }
        if state.1.isMissing { fill(channel, 1, &states[channel].1) }
        if state.2.isMissing { fill(channel, 2, &states[channel].2) }
        return true
    }

    private func fill(_ channel: Int, _ group: Int, _ state: inout Halves) {
        _ = fillHalves(channel, groupsBack: Self.halfLag + group)
        state = .computedSmall
    }

    /// Computes the halves of a group, and returns the largest magnitude.
    private func fillHalves(_ channel: Int, groupsBack: Int) -> Float {
        let samples = input(channel) - groupsBack * Self.groupFrames
        var peaks = SIMD8<Float>()
        for vector in 0..<Self.groupFrames / 8 {
            let part = 8 * vector
            let place = samples + part
            let long = Self.halves(place, long.pointer, Self.longCount)
            let short = Self.halves(place, short.pointer, Self.shortCount)
            store8(long, to: place + Self.planeFrames)
            store8(short, to: place + 2 * Self.planeFrames)
            peaks = larger(peaks, larger(absolute(long), absolute(short)))
        }
        return largest(peaks)
    }

    @inline(__always)
    private static func halves(
        _ samples: UnsafePointer<Float>,
        _ taps: UnsafePointer<Float>,
        _ count: Int
    ) -> SIMD8<Float> {
        var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = 0
        while tap < count {
            even += (load8(samples - tap) + load8(samples + (tap + 1))) * taps[tap]
            odd += (load8(samples - (tap + 1)) + load8(samples + (tap + 2))) * taps[tap + 1]
            tap += 2
        }
        return even + odd
    }

    /// Raises `frameMagnitudes` to those of a channel.
    private func fillMagnitudes(_ channel: Int) {
        let samples = input(channel) - Self.lagFrames
        for vector in 0..<Self.groupFrames / 8 {
            let part = 8 * vector
            let place = samples + part
            let target = frameMagnitudes.pointer + part
            let first = peak(place, place + Self.planeFrames)
            let second = peak(place, place + 2 * Self.planeFrames)
            store8(larger(load8(target), larger(first, second)), to: target)
        }
    }

    /// Returns the largest magnitudes from each frame to the next, for halves by one filter.
    @inline(__always)
    private func peak(_ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>) -> SIMD8<Float> {
        let (now, next, half, last) = (load8(x), load8(x + 1), load8(h), load8(h - 1))
        let (before, (first, third)) = (quarters(x - 1, h - 1).second, quarters(x, h))
        let bound = larger(
            larger(absolute(now), absolute(next)),
            larger(absolute(half), absolute(last))
        )
        let limit = larger(bound, absolute(load8(h + 1))) * 1.414_2
        let top = larger(
            larger(parabola(before, now, first), parabola(now, first, half)),
            larger(parabola(first, half, third), parabola(half, third, next))
        )
        return smaller(top, limit)
    }

    /// Returns the values a quarter and three quarters behind each frame.
    @inline(__always)
    private func quarters(
        _ x: UnsafePointer<Float>,
        _ h: UnsafePointer<Float>
    ) -> (first: SIMD8<Float>, second: SIMD8<Float>) {
        let taps = quarter.pointer
        let (now, next, half) = (load8(x), load8(x + 1), load8(h))
        var first = (now + half) * taps[0]
        first += (load8(h - 1) + next) * taps[1]
        first += (load8(x - 1) + load8(h + 1)) * taps[2]
        first += (load8(h - 2) + load8(x + 2)) * taps[3]
        var second = (half + next) * taps[0]
        second += (now + load8(h + 1)) * taps[1]
        second += (load8(h - 1) + load8(x + 2)) * taps[2]
        second += (load8(x - 1) + load8(h + 2)) * taps[3]
        return (first, second)
    }

    /// Returns the magnitude at the top of the parabola through three values where the middle one is the largest, else that of the
    /// middle one.
    @inline(__always)
    private func parabola(_ before: SIMD8<Float>, _ middle: SIMD8<Float>, _ after: SIMD8<Float>) -> SIMD8<Float> {
        let size = absolute(middle)
        let sign = SIMD8<Float>(repeating: 1).replacing(with: -1, where: middle .< 0)
        let (left, right) = (larger(before * sign, -size), larger(after * sign, -size))
        let bend = 2 * size - left - right
        let slope = right - left
        let isTop = (left .<= size) .& (right .<= size) .& (bend .> 1e-6)
        let top = size + slope * slope / (8 * bend)
        return size.replacing(with: top, where: isTop)
    }
}
