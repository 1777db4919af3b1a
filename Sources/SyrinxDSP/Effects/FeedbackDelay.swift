#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A delay with feedback through a low-pass filter, for any number of channels.
///
/// The delay line contains x + feedback · lowpass(delayed), and the wet sound is the output of the filter. Fractional
/// delays use cubic Lagrange interpolation; delays within 0.005 frames of an integer are exact. A new delay crossfades
/// over 30 ms, and the other settings ramp over 10 ms. The line is linear up to full scale and limited to twice that,
/// so that the feedback cannot grow without bound. The output does not depend on the division into blocks. Use from
/// one thread at a time; `process` neither allocates nor locks.
package struct FeedbackDelay: ~Copyable {
    /// The settings of a delay.
    package struct Settings: Equatable, Sendable {
        /// Seconds, 0…`longest`.
        package var time: Double
        /// The share of the delayed sound that is fed back, −1…1.
        package var feedback: Double
        /// The −3 dB point of the low pass in Hz.
        package var cutoff: Double
        /// The share of the delayed sound, 0…1, at equal power.
        package var mix: Double

        package init(time: Double, feedback: Double, cutoff: Double, mix: Double) {
            (self.time, self.feedback, self.cutoff, self.mix) = (time, feedback, cutoff, mix)
        }

        /// The time in seconds in which the delay line decays by 180 dB, at most one hour.
        package var tailTime: Double {
            let gain = min(abs(feedback), 1)
            guard gain < 1 else { return 3_600 }
            // Each round is delayed, and rings on in the low pass.
            let rounds = gain > 0 ? 2 + log(1e-9) / log(gain) : 1
            let ringing = -log(1e-9) / (2 * .pi * max(cutoff, 1))
            return min(time * rounds + ringing * (1 + rounds / 4), 3_600)
        }
    }

    /// The longest delay, in seconds.
    package static let longest = 2.0
    /// Delays this near to whole numbers of frames are whole, and are not interpolated.
    private static let wholeTolerance = 0.005
    /// Smaller values in the delay line are set to 0, so that silence is exact.
    private static var floor: Float { @_noLocks @_noAllocation get { 1e-9 } }
    /// The argument up to which x (27 + x²) / (27 + 9 x²) is taken for tanh: there it reaches 1, without slope.
    private static var tanhEnd: Float { @_noLocks @_noAllocation get { 3 } }
    /// The maximum number of frames per chunk, and the interval of the checks of the low-pass filter's state.
    private static let chunkFrames = 64
    /// The minimum delay in frames for processing frames together, because the feedback depends on earlier output.
    private static let shortest = 8.0

    /// A value that moves in a straight line, counted in frames.
    private struct Line {
        var current: Double
        private var target: Double
        private var step = 0.0
        private var left = 0

        init(_ value: Double) { (current, target) = (value, value) }

        mutating func jump(to value: Double) { self = Line(value) }

        var isMoving: Bool { left > 0 }

        mutating func move(to value: Double, over frames: Int) {
            guard value != target else { return }
            target = value
            left = frames
            step = (value - current) / Double(frames)
        }

        @inline(__always)
        mutating func next() -> Double {
            guard left > 0 else { return current }
            left -= 1
            current = target - step * Double(left)
            return current
        }
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let capacity: Int
    private let line: AlignedFloatBuffer
    /// The output of the line in a chunk, of each channel, with three frames more for the interpolation.
    private let delayed: AlignedFloatBuffer
    private let filter: FirstOrderFilter
    private var write = 0
    /// Frames of delay, and of the delay that fades in.
    private var delay = 0.0
    private var newDelay = 0.0
    private var fadeLeft = 0
    private let fadeFrames: Int
    private let rampFrames: Int
    private var feedback = Line(0)
    private var smoothing = Line(1)
    private var dry = Line(1)
    private var wet = Line(0)
    private var wanted = 0.0
    private var settings: Settings?
    private var hasBegun = false

    /// Creates a delay that passes its input until settings are set.
    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        // Three frames more for the interpolation, in whole chunks.
        let frames = Int((Self.longest * sampleRate).rounded(.up)) + 4
        capacity = (frames + Self.chunkFrames - 1) / Self.chunkFrames * Self.chunkFrames
        line = AlignedFloatBuffer(count: capacity * channelCount)
        delayed = AlignedFloatBuffer(count: Self.delayedStride * channelCount)
        filter = FirstOrderFilter(channelCount: channelCount)
        fadeFrames = max(1, Int((0.03 * sampleRate).rounded()))
        rampFrames = max(1, Int((0.01 * sampleRate).rounded()))
    }

    private static let delayedStride = chunkFrames + 4

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        line.clear()
        filter.reset()
        hasBegun = false
        fadeLeft = 0
    }

    /// Sets the settings, with ramps; immediately before the first `process`.
    package mutating func set(_ settings: Settings) {
        if hasBegun, settings == self.settings { return }
        self.settings = settings
        let frames = min(max(settings.time, 0), Self.longest) * sampleRate
        // A time in single precision is a whole number of frames only nearly.
        let whole = frames.rounded()
        let exact = abs(frames - whole) < Self.wholeTolerance ? whole : frames
        wanted = exact > 0 ? max(exact, 1) : 0
        let share = min(max(settings.mix, 0), 1) * Double.pi / 2
        let cutoff = min(max(settings.cutoff, 1), sampleRate)
        // A one-pole low pass (impulse invariant); near half the sample rate it lets all pass.
        let pole = cutoff >= 0.49 * sampleRate ? 1 : 1 - exp(-2 * Double.pi * cutoff / sampleRate)
        // Exact at both ends: a mix of 0 is the input, bit for bit.
        let (dryGain, wetGain) = (settings.mix >= 1 ? 0 : cos(share), settings.mix <= 0 ? 0 : sin(share))
        let back = min(max(settings.feedback, -1), 1)
        if hasBegun {
            feedback.move(to: back, over: rampFrames)
            smoothing.move(to: pole, over: rampFrames)
            dry.move(to: dryGain, over: rampFrames)
            wet.move(to: wetGain, over: rampFrames)
        } else {
            feedback.jump(to: back)
            smoothing.jump(to: pole)
            dry.jump(to: dryGain)
            wet.jump(to: wetGain)
            (delay, fadeLeft) = (wanted, 0)
        }
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            var count = 1
            if isSteady {
                count = steadyFrames(limit: frameCount - done)
                processSteadily(channels, from: done, count)
            } else {
                process(channels, frame: done)
            }
            done += count
            write += count
            if write % Self.chunkFrames == 0 { filter.settle() }
            if write == capacity { write = 0 }
        }
    }

    /// Whether frames can be processed together: no setting ramps, and the feedback does not depend on the same chunk.
    private var isSteady: Bool {
        fadeLeft == 0 && wanted == delay && (delay == 0 || delay >= Self.shortest) && !feedback.isMoving
            && !smoothing.isMoving && !dry.isMoving && !wet.isMoving
    }

    /// The frames up to the next check, within the delay.
    private func steadyFrames(limit: Int) -> Int {
        let count = min(limit, Self.chunkFrames - write % Self.chunkFrames)
        if delay == 0 { return count }
        let whole = Int(delay)
        return min(count, delay == Double(whole) ? whole : whole - 1)
    }

    private mutating func processSteadily(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        from first: Int,
        _ count: Int
    ) {
        let pole = smoothing.current
        for pair in 0..<(channelCount + 1) / 2 {
            let channel = 2 * pair
            let isStereo = channel + 1 < channelCount
            let left = readSteadily(channel, channels[channel] + first, count)
            let right = isStereo ? readSteadily(channel + 1, channels[channel + 1] + first, count) : left
            if pole == 1 {
                filter.hold(pair, left[count - 1], right[count - 1])
                mix(channels[channel] + first, left, channel, count)
                if isStereo { mix(channels[channel + 1] + first, right, channel + 1, count) }
            } else {
                let filtered = delayed.pointer + channel * Self.delayedStride
                let other = isStereo ? filtered + Self.delayedStride : filtered
                filter.process(
                    pair,
                    from: (left, right),
                    filtered,
                    other,
                    frameCount: count,
                    FirstOrderFilter.Coefficients(forward0: pole, back: 1 - pole),
                    isOdd: write % 2 == 1
                )
                mix(channels[channel] + first, filtered, channel, count)
                if isStereo { mix(channels[channel + 1] + first, other, channel + 1, count) }
            }
        }
    }

    /// Returns the output of the delay line, interpolated: a pointer into the line if it is contiguous, else a copy.
    private func readSteadily(
        _ channel: Int,
        _ input: UnsafePointer<Float>,
        _ count: Int
    ) -> UnsafePointer<Float> {
        let target = delayed.pointer + channel * Self.delayedStride
        if delay == 0 { return input }
        let whole = Int(delay)
        let part = Float(delay - Double(whole))
        let span = part == 0 ? count : count + 3
        let place = write - whole - (part == 0 ? 0 : 2)
        let oldest = place < 0 ? place + capacity : place
        let samples = line.pointer + channel * capacity
        let straight = min(span, capacity - oldest)
        if part == 0, straight == span { return UnsafePointer(samples + oldest) }
        copyFloats(samples + oldest, to: target, count: straight)
        copyFloats(samples, to: target + straight, count: span - straight)
        if part == 0 { return UnsafePointer(target) }
        let taps = cubicTaps(part)
        var frame = 0
        while frame < count {
            let place = target + frame
            place[0] = taps[0] * place[3] + taps[1] * place[2] + taps[2] * place[1] + taps[3] * place[0]
            frame &+= 1
        }
        return UnsafePointer(target)
    }

    /// Writes the input and the feedback to the delay line, and mixes the output.
    ///
    /// Values below the floor were already set to 0 in the low-pass filter and in the line.
    private func mix(
        _ samples: UnsafeMutablePointer<Float>,
        _ filtered: UnsafePointer<Float>,
        _ channel: Int,
        _ count: Int
    ) {
        let (back, dryGain, wetGain) = (Float(feedback.current), Float(dry.current), Float(wet.current))
        let kept = line.pointer + (channel * capacity + write)
        var frame = 0
        var peaks = SIMD8<Float>()
        while frame &+ 8 <= count {
            let (sample, echo) = (load8(samples + frame), load8(filtered + frame))
            let sum = sample + back * echo
            let sizes = absolute(sum)
            peaks = larger(peaks, sizes)
            store8(sum.replacing(with: 0, where: sizes .< Self.floor), to: kept + frame)
            store8(dryGain * sample + wetGain * echo, to: samples + frame)
            frame &+= 8
        }
        let vectors = frame
        while frame < count {
            let (sample, echo) = (samples[frame], filtered[frame])
            kept[frame] = Self.bounded(sample + back * echo)
            samples[frame] = dryGain * sample + wetGain * echo
            frame &+= 1
        }
        if largest(peaks) > 1 { Self.bound(kept, count: vectors) }
    }

    /// Processes a single frame, while a setting ramps or the delay is short.
    private mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frame: Int) {
        if fadeLeft == 0, wanted != delay {
            newDelay = wanted
            fadeLeft = fadeFrames
        }
        let (back, pole) = (Float(feedback.next()), smoothing.next())
        let (dryGain, wetGain) = (Float(dry.next()), Float(wet.next()))
        let share = Float(fadeLeft) / Float(fadeFrames)
        for channel in 0..<channelCount {
            let sample = channels[channel][frame]
            var delayed = read(delay, channel, sample)
            if fadeLeft > 0 {
                let new = read(newDelay, channel, sample)
                delayed = new + (delayed - new) * share
            }
            let smoothed = filter.next(
                delayed,
                channel: channel,
                FirstOrderFilter.Coefficients(forward0: pole, back: 1 - pole)
            )
            let filtered = pole == 1 ? delayed : Float(smoothed)
            line.pointer[channel * capacity + write] = Self.bounded(sample + back * filtered)
            channels[channel][frame] = dryGain * sample + wetGain * (abs(filtered) < Self.floor ? 0 : filtered)
        }
        if fadeLeft > 0 {
            fadeLeft -= 1
            if fadeLeft == 0 { delay = newDelay }
        }
    }

    /// Returns the input `frames` frames before the current one, which is not yet in the delay line.
    @inline(__always)
    private func read(_ frames: Double, _ channel: Int, _ sample: Float) -> Float {
        if frames == 0 { return sample }
        let whole = Int(frames)
        let part = Float(frames - Double(whole))
        let samples = line.pointer + channel * capacity
        @inline(__always) func at(_ distance: Int) -> Float {
            if distance == 0 { return sample }
            let place = write - distance
            return samples[place < 0 ? place + capacity : place]
        }
        if part == 0 { return at(whole) }
        return cubic(part, at(whole - 1), at(whole), at(whole + 1), at(whole + 2))
    }

    /// Returns samples up to full scale unchanged, and larger ones compressed to stay below twice full scale.
    @inline(__always)
    private static func bounded(_ sample: Float) -> Float {
        let size = abs(sample)
        if size <= 1 { return size < floor ? 0 : sample }
        let excess = size - 1
        let x = tanhEnd < excess ? tanhEnd : excess
        let s = x * x
        let bent = 1 + x * (27 + s) / (27 + 9 * s)
        return sample < 0 ? -bent : bent
    }

    /// Limits samples in place, with exactly the results of the other overload.
    /// - Parameter count: A multiple of 8.
    // Without the attributes, a build without optimisation looks up the types of the vectors while it runs.
    @_noLocks @_noAllocation
    private static func bound(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        var frame = 0
        while frame < count {
            let sample = load8(samples + frame)
            let sizes = absolute(sample)
            let x = smaller(sizes - 1, SIMD8(repeating: tanhEnd))
            let s = x * x
            let bent = 1 + x * (27 + s) / (27 + 9 * s)
            // Behind the sign of the sample.
            let signs = unsafeBitCast(sample, to: SIMD8<UInt32>.self) & 0x8000_0000
            let signed = unsafeBitCast(unsafeBitCast(bent, to: SIMD8<UInt32>.self) | signs, to: SIMD8<Float>.self)
            store8(sample.replacing(with: signed, where: sizes .> 1), to: samples + frame)
            frame &+= 8
        }
    }
}
