#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A delay with feedback through a low pass, for any number of channels.
///
/// The line holds x + feedback · lowpass(delayed); the wet sound is what comes out of the low pass. Delays are fractions of a
/// frame by cubic interpolation (Lagrange), and exact where they are whole. A change of the delay fades from one place of the
/// line to another over 30 ms; the other settings move over 10 ms. The line is linear up to full scale and bounded at twice
/// that, so that no feedback runs away. Output does not depend on how frames are cut into blocks. One thread at a time;
/// `process` neither allocates nor locks.
package struct FeedbackDelay: ~Copyable {
    /// The settings of a delay.
    package struct Settings: Equatable, Sendable {
        /// Seconds, 0…`longest`.
        package var time: Double
        /// The part of the delayed sound that goes in again, −1…1.
        package var feedback: Double
        /// The −3 dB point of the low pass in Hz.
        package var cutoff: Double
        /// The share of the delayed sound, 0…1, at equal power.
        package var mix: Double

        package init(time: Double, feedback: Double, cutoff: Double, mix: Double) {
            (self.time, self.feedback, self.cutoff, self.mix) = (time, feedback, cutoff, mix)
        }

        /// Seconds in which what is in the line falls by 180 dB, at most an hour.
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
    /// Below it what is in the line is dropped, so that silence is exact.
    private static let floor: Float = 1e-9

    /// A value that moves in a straight line, counted in frames.
    private struct Line {
        var current: Double
        private var target: Double
        private var step = 0.0
        private var left = 0

        init(_ value: Double) { (current, target) = (value, value) }

        mutating func jump(to value: Double) { self = Line(value) }

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
    /// The state of the low pass of each channel.
    private let filters: UnsafeMutablePointer<Double>
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
    private var hasBegun = false

    /// A delay that gives its input until it is set.
    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        // Three frames more for the interpolation.
        capacity = Int((Self.longest * sampleRate).rounded(.up)) + 4
        line = AlignedFloatBuffer(count: capacity * channelCount)
        filters = .allocate(capacity: max(channelCount, 1))
        filters.initialize(repeating: 0, count: max(channelCount, 1))
        fadeFrames = max(1, Int((0.03 * sampleRate).rounded()))
        rampFrames = max(1, Int((0.01 * sampleRate).rounded()))
    }

    deinit { filters.deallocate() }

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        line.clear()
        for channel in 0..<channelCount { filters[channel] = 0 }
        hasBegun = false
        fadeLeft = 0
    }

    /// Has the delay go to `settings`; at once if nothing has been processed yet.
    package mutating func set(_ settings: Settings) {
        let frames = min(max(settings.time, 0), Self.longest) * sampleRate
        wanted = frames > 0 ? max(frames, 1) : 0
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
        for frame in 0..<frameCount {
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
                filters[channel] += pole * (Double(delayed) - filters[channel])
                let filtered = pole == 1 ? delayed : Float(filters[channel])
                line.pointer[channel * capacity + write] = Self.bounded(sample + back * filtered)
                if abs(filters[channel]) < Double(Self.floor) { filters[channel] = 0 }
                channels[channel][frame] = dryGain * sample + wetGain * (abs(filtered) < Self.floor ? 0 : filtered)
            }
            if fadeLeft > 0 {
                fadeLeft -= 1
                if fadeLeft == 0 { delay = newDelay }
            }
            write += 1
            if write == capacity { write = 0 }
        }
    }

    /// Returns what lies `frames` before the frame that is processed now, which is not in the line yet.
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

    /// Returns the sample up to full scale as it is, and beyond bent so that it stays below twice that.
    @inline(__always)
    private static func bounded(_ sample: Float) -> Float {
        let size = abs(sample)
        if size <= 1 { return size < floor ? 0 : sample }
        let bent = 1 + tanhf(size - 1)
        return sample < 0 ? -bent : bent
    }
}
