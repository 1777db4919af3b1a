#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A filter for any number of channels, whose settings change without clicks.
///
/// Frequency and quality factor ramp on logarithmic scales, and gain in dB, each with a `ParameterGlide`. During a
/// ramp the coefficients are updated for every frame. A change of type or bypass crossfades over 20 ms. A bypassed
/// filter costs nothing. Without ramps, frames are computed in pairs by their index. The output does not depend on the
/// division into blocks. Use from one thread at a time; `process` neither allocates nor locks.
package struct SmoothedFilter: ~Copyable {
    private typealias Pair = SIMD2<Double>
    private typealias State = FramePairCoefficients.State

    /// The maximum number of frames per chunk, and the interval at which tiny states are set to 0.
    private static let chunkFrames = 32
    /// The level, 180 dB below full scale, below which the integrators are set to 0, so that silence is exact.
    private static let floor = 1e-9

    /// The settings that `set` gave, and whether the filter acts.
    private struct Request: Equatable {
        var settings: FilterSettings
        var isActive: Bool
    }

    private let sampleRate: Double
    private let pairCount: Int
    /// Two integrators for each pair of channels: first those of the filter, then those of the filter that fades out.
    private let states: UnsafeMutablePointer<Pair>
    /// The state before the pair of frames of which the first is done, and the input of that frame, of each pair of
    /// channels.
    private let starts: UnsafeMutablePointer<(state: State, input: Pair)>
    private var isOpen = false
    /// The coefficients of the frames of a chunk, while they move.
    private let moving: UnsafeMutablePointer<FilterCoefficients>
    private var type = FilterType.parametric
    private var isActive = false
    private var coefficients = FilterCoefficients.identity {
        didSet { hasNewCoefficients = true }
    }
    private var pairCoefficients = FramePairCoefficients(.identity)
    private var hasNewCoefficients = false
    /// The logarithms of frequency and quality, and the gain in dB.
    private var glide: ParameterGlide
    /// The filter that fades out.
    private var oldCoefficients = FilterCoefficients.identity
    private var wasActive = false
    private var fade: CrossfadeCurve
    private var last: Request?
    private var isPending = false
    private var hasBegun = false
    private var sinceCheck = 0

    /// A filter that lets all pass until it is set.
    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        pairCount = (channelCount + 1) / 2
        states = .allocate(capacity: max(4 * pairCount, 1))
        states.initialize(repeating: Pair(), count: max(4 * pairCount, 1))
        starts = .allocate(capacity: max(pairCount, 1))
        starts.initialize(repeating: (State(), Pair()), count: max(pairCount, 1))
        moving = .allocate(capacity: Self.chunkFrames)
        moving.initialize(repeating: .identity, count: Self.chunkFrames)
        glide = ParameterGlide(sampleRate: sampleRate)
        fade = CrossfadeCurve(frameCount: Int((0.02 * sampleRate).rounded()))
    }

    deinit {
        states.deallocate()
        starts.deallocate()
        moving.deallocate()
    }

    /// Forgets the input and finishes all changes.
    package mutating func reset() {
        for index in 0..<4 * pairCount { states[index] = Pair() }
        if let last { jump(to: last) }
        fade.finish()
        isPending = false
        isOpen = false
        sinceCheck = 0
        hasBegun = false
    }

    /// Sets the settings or bypasses the filter, with ramps; immediately before the first `process`.
    package mutating func set(_ settings: FilterSettings, isActive: Bool) {
        let request = Request(settings: settings, isActive: isActive)
        if last == request { return }
        last = request
        apply(request)
    }

    private mutating func apply(_ request: Request) {
        isPending = false
        guard hasBegun else { return jump(to: request) }
        if request.settings.type == type, request.isActive == isActive {
            glide.move(to: target(of: request.settings))
        } else if fade.isFinished {
            beginFade(to: request)
        } else {
            // One fade at a time: the newest settings follow it.
            isPending = true
        }
    }

    private mutating func jump(to request: Request) {
        type = request.settings.type
        isActive = request.isActive
        glide.jump(to: target(of: request.settings))
        coefficients = currentCoefficients()
    }

    private mutating func beginFade(to request: Request) {
        (oldCoefficients, wasActive) = (coefficients, isActive)
        for index in 0..<2 * pairCount {
            states[2 * pairCount + index] = states[index]
            states[index] = Pair()
        }
        jump(to: request)
        fade.begin()
    }

    private func target(of settings: FilterSettings) -> SIMD4<Double> {
        let frequency = FilterSettings.bounded(settings.frequency, sampleRate)
        return SIMD4(log(frequency), log(settings.quality(sampleRate: sampleRate)), settings.gain, 0)
    }

    private func currentCoefficients() -> FilterCoefficients {
        FilterCoefficients(
            type,
            frequency: exp(glide.current[0]),
            quality: exp(glide.current[1]),
            gain: glide.current[2],
            sampleRate: sampleRate
        )
    }

    /// Filters `frameCount` frames of each channel in place.
    package mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int
    ) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            if !isActive, fade.isFinished {
                // A change is inaudible while the filter is bypassed.
                if glide.isMoving, let last { jump(to: last) }
                return
            }
            var count = min(frameCount - done, Self.chunkFrames - sinceCheck)
            if !fade.isFinished { count = min(count, fade.remaining) }
            let isMoving = glide.isMoving
            if isMoving { count = fillMoving(count) }
            let isSteady = fade.isFinished && !isMoving
            if !isSteady {
                isOpen = false
            } else if hasNewCoefficients {
                pairCoefficients = FramePairCoefficients(coefficients)
                hasNewCoefficients = false
            }
            for pair in 0..<pairCount {
                let left = channels[2 * pair] + done
                let right = 2 * pair + 1 < channelCount ? channels[2 * pair + 1] + done : nil
                if isSteady {
                    // Of a channel alone, both halves of the vectors are the same.
                    filter(pair, left, right ?? left, count)
                } else if fade.isFinished {
                    filterMoving(pair, left, right, count)
                } else {
                    crossfade(pair, left, right, count, isMoving: isMoving)
                }
            }
            if isSteady { isOpen = (sinceCheck + count) % 2 == 1 }
            advance(count)
            done += count
        }
    }

    /// Computes the coefficients of the next frames until all ramps have ended, and returns the number of frames.
    private mutating func fillMoving(_ limit: Int) -> Int {
        var count = 0
        while count < limit, glide.isMoving {
            glide.advance()
            coefficients = currentCoefficients()
            moving[count] = coefficients
            count += 1
        }
        return count
    }

    private mutating func advance(_ count: Int) {
        if !fade.isFinished {
            fade.advance(count)
            if fade.isFinished, isPending, let last { apply(last) }
        }
        sinceCheck += count
        if sinceCheck == Self.chunkFrames {
            sinceCheck = 0
            dropRemains()
        }
    }

    private func dropRemains() {
        for pair in 0..<pairCount {
            let (first, second) = (states[2 * pair], states[2 * pair + 1])
            for lane in 0..<2 where abs(first[lane]) + abs(second[lane]) < Self.floor {
                states[2 * pair][lane] = 0
                states[2 * pair + 1][lane] = 0
            }
        }
    }

    /// Filters two channels, which may be the same one, with coefficients that stay.
    private func filter(
        _ pair: Int,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let steps = pairCoefficients
        var state = State(first: states[2 * pair], second: states[2 * pair + 1])
        var frame = 0
        if sinceCheck % 2 == 1 {
            let input = Pair(Double(left[0]), Double(right[0]))
            if isOpen {
                let (start, before) = starts[pair]
                Self.write(steps.secondOutput(before, input, start), left, right, 0)
                state = steps.afterBoth(before, input, start)
            } else {
                Self.write(steps.output(input, state), left, right, 0)
                state = steps.next(input, state)
            }
            frame = 1
        }
        while frame &+ 1 < count {
            let (inputs, others) = (load2(left + frame), load2(right + frame))
            let now = widened(SIMD2(inputs[0], others[0]))
            let next = widened(SIMD2(inputs[1], others[1]))
            let first = narrowed(steps.output(now, state))
            let second = narrowed(steps.secondOutput(now, next, state))
            state = steps.afterBoth(now, next, state)
            store2(SIMD2(first[1], second[1]), to: right + frame)
            store2(SIMD2(first[0], second[0]), to: left + frame)
            frame &+= 2
        }
        if frame < count {
            let input = Pair(Double(left[frame]), Double(right[frame]))
            starts[pair] = (state, input)
            Self.write(steps.output(input, state), left, right, frame)
            state = steps.next(input, state)
        }
        (states[2 * pair], states[2 * pair + 1]) = (state.first, state.second)
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private static func write(
        _ output: Pair,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ frame: Int
    ) {
        right[frame] = Float(output[1])
        left[frame] = Float(output[0])
    }

    /// Returns a frame of two channels, with 0 for a missing second channel.
    ///
    /// Avoids `== nil`, which looks up metadata in debug builds.
    private static func pair(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>?, _ frame: Int)
        -> Pair
    {
        guard let right else { return Pair(Double(left[frame]), 0) }
        return Pair(Double(left[frame]), Double(right[frame]))
    }

    /// Filters with coefficients that change with each frame.
    private func filterMoving(
        _ pair: Int,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>?,
        _ count: Int
    ) {
        var (first, second) = (states[2 * pair], states[2 * pair + 1])
        for frame in 0..<count {
            let input = Self.pair(left, right, frame)
            let output = Self.tick(input, moving[frame].values, &first, &second)
            left[frame] = Float(output[0])
            right?[frame] = Float(output[1])
        }
        (states[2 * pair], states[2 * pair + 1]) = (first, second)
    }

    /// Fades from the old filter to the new one.
    private func crossfade(
        _ pair: Int,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>?,
        _ count: Int,
        isMoving: Bool
    ) {
        let old = 2 * (pairCount + pair)
        var (first, second) = (states[2 * pair], states[2 * pair + 1])
        var (oldFirst, oldSecond) = (states[old], states[old + 1])
        for frame in 0..<count {
            let input = Self.pair(left, right, frame)
            let values = isMoving ? moving[frame].values : coefficients.values
            let new = isActive ? Self.tick(input * fade.inputGain(after: frame + 1), values, &first, &second) : input
            let gone = wasActive ? Self.tick(input, oldCoefficients.values, &oldFirst, &oldSecond) : input
            let output = gone + (new - gone) * fade.share(after: frame + 1)
            left[frame] = Float(output[0])
            right?[frame] = Float(output[1])
        }
        (states[2 * pair], states[2 * pair + 1]) = (first, second)
        (states[old], states[old + 1]) = (oldFirst, oldSecond)
    }

    @inline(__always)
    private static func tick(
        _ input: Pair,
        _ values: SIMD8<Double>,
        _ first: inout Pair,
        _ second: inout Pair
    ) -> Pair {
        let v3 = input - second
        let v1 = values[0] * first + values[1] * v3
        let v2 = second + values[1] * first + values[2] * v3
        first = 2 * v1 - first
        second = 2 * v2 - second
        return values[3] * input + values[4] * v1 + values[5] * v2
    }
}
