import Glibc

/// Changes how fast sound goes by and how high it is, each without the other, while it runs.
///
/// The output is aligned to a time map that runs with it: the output frame at map position p sounds like the input at p.
/// The kernel adds no delay but asks for the look-ahead it needs through `requiredInput(forOutput:)`. At rate 1 and
/// pitch 0 the output is the input, bit for bit, without look-ahead. At any overlap a change is heard within 50 ms, and rate
/// 1 with pitch 0 is bit-exact again within 100 ms. Read calls of any size give the same samples, and the work is spread over
/// them: from 64 frames on, none takes more than three times the mean, not even the first. Nothing allocates or locks after
/// `init`. Use from one thread at a time.
package final class TimePitchKernel {
    /// The rates that can be set: input frames for each output frame.
    package static var rateRange: ClosedRange<Double> { 1 / 32...32 }

    /// The pitches that can be set, in cents.
    package static var pitchRange: ClosedRange<Double> { -2400...2400 }

    // 48 taps at about −90 dB: flat up to 0.8 of the Nyquist frequency, images beyond 1.05 of it are gone.
    private static var shape: SincShape {
        SincShape(halfWidth: 24, phaseCount: 256, beta: 8.96, cutoff: 0.93)
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let maximumFrameCount: Int
    private let vocoder: PhaseVocoder
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one thread.
    @exclusivity(unchecked) private var history: InputHistory
    @exclusivity(unchecked) private var map = TimeMap()
    @exclusivity(unchecked) private var plan: SynthesisSchedule
    @exclusivity(unchecked) private var algorithm = TimePitchAlgorithm.automatic
    @exclusivity(unchecked) private var inputEnded = false
    /// The output frame at which the frame in hand was decided.
    @exclusivity(unchecked) private var begun = 0

    /// Allocates everything the kernel will ever need.
    ///
    /// - Parameters:
    ///   - sampleRate: frames a second of input and output, clamped to 1000...768000.
    ///   - channelCount: the number of channels, at least 1.
    ///   - maximumFrameCount: the most frames that one call of `write` or `read` handles, at least 1.
    package init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) {
        precondition(channelCount > 0 && maximumFrameCount > 0, "The counts must be more than zero.")
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        let sampleRate = Self.usable(sampleRate)
        self.sampleRate = sampleRate
        plan = Self.makePlan(sampleRate: sampleRate)
        let length = plan.length
        vocoder = PhaseVocoder(plan: plan, sampleRate: sampleRate, channelCount: channelCount, maximumPitchRatio: 4)
        // What is kept behind the newest frame, and what the greatest rate runs ahead in one read.
        let behind = 8 * length + 16 * Self.shape.halfWidth
        let ahead = 32 * (maximumFrameCount + length) + 4 * length
        history = InputHistory(channelCount: channelCount, minimumCapacity: behind + ahead + maximumFrameCount)
    }

    private static func usable(_ sampleRate: Double) -> Double {
        sampleRate.isFinite ? min(max(sampleRate, 1000), 768_000) : 44100
    }

    private static func makePlan(sampleRate: Double) -> SynthesisSchedule {
        SynthesisSchedule(
            length: windowLength(sampleRate: sampleRate),
            grainLength: 2 * Int(sampleRate * 0.01),
            searchReach: WSOLASearch.reach(sampleRate: sampleRate),
            overlap: 8,
            shape: shape
        )
    }

    /// Seconds for which the end of the input sounds on, at the most, with parameters that stay as they are: half a window
    /// of input at the rate, and half a window of output.
    ///
    /// 0 at rate 1 and pitch 0. The parameters are those of the setters, clamped as they clamp. Any thread.
    package static func tailTime(
        sampleRate: Double,
        rate: Double,
        cents: Double,
        overlap: Double = 8,
        algorithm: TimePitchAlgorithm = .automatic,
        preservesFormants: Bool = false
    ) -> Double {
        let sampleRate = usable(sampleRate)
        var plan = makePlan(sampleRate: sampleRate)
        plan.setRate(clamped(rate: rate))
        plan.setPitchRatio(pitchRatio(cents: cents))
        plan.setOverlap(overlap)
        plan.usesGrains = usesGrains(algorithm, preservesFormants: preservesFormants, pitchRatio: plan.pitchRatio)
        return Double(plan.tail) / sampleRate
    }

    private static func clamped(rate: Double) -> Double { max(rateRange.lowerBound, min(rateRange.upperBound, rate)) }

    private static func pitchRatio(cents: Double) -> Double {
        let clamped = max(pitchRange.lowerBound, min(pitchRange.upperBound, cents))
        return clamped == 0 ? 1 : exp2(clamped / 1200)
    }

    private static func usesGrains(
        _ algorithm: TimePitchAlgorithm,
        preservesFormants: Bool,
        pitchRatio: Double
    ) -> Bool {
        let needsSpectrum = preservesFormants && pitchRatio != 1
        return algorithm == .timeDomain && !needsSpectrum
    }

    /// The longest window of 2ᵏ or 3 · 2ᵏ frames up to 69.7 ms, whose response time is 43 ms.
    private static func windowLength(sampleRate: Double) -> Int {
        let limit = max(sampleRate * 0.0697, 256)
        var length = 128
        while Double(2 * length) <= limit { length *= 2 }
        return Double(length * 3 / 2) <= limit ? length * 3 / 2 : length
    }

    /// Sets how many input frames pass for each output frame.
    ///
    /// - Parameter rate: clamped to `rateRange`; what is not a number changes nothing. 1 at first.
    package func setRate(_ rate: Double) {
        guard !rate.isNaN else { return }
        plan.setRate(Self.clamped(rate: rate))
    }

    /// Sets by how much the sound is raised.
    ///
    /// - Parameter cents: clamped to `pitchRange`; what is not a number changes nothing. 0 at first.
    package func setPitch(cents: Double) {
        guard !cents.isNaN else { return }
        plan.setPitchRatio(Self.pitchRatio(cents: cents))
        chooseMethod()
    }

    /// Sets how many windows overlap at any moment.
    ///
    /// - Parameter overlap: clamped to 3...32; more is smoother and costs more. 8 at first.
    package func setOverlap(_ overlap: Double) {
        guard !overlap.isNaN else { return }
        plan.setOverlap(overlap)
    }

    /// Sets the algorithm, which is `automatic` at first.
    ///
    /// A change is heard within 50 ms, without a click.
    package func setAlgorithm(_ algorithm: TimePitchAlgorithm) {
        self.algorithm = algorithm
        chooseMethod()
    }

    /// Sets whether a voice keeps its size when the pitch changes.
    ///
    /// - Parameter preserves: whether formants stay where they are. False at first. Only the spectral method can do it, and
    ///   is used for it whatever the algorithm.
    package func setPreservesFormants(_ preserves: Bool) {
        vocoder.preservesFormants = preserves
        chooseMethod()
    }

    /// The longest time, in seconds, from setting a parameter to where it is heard.
    ///
    /// What lies ahead of the output by up to so much is settled: half a window and a hop, less what is too quiet to be heard. 0 while the output is the input.
    package var responseTime: Double { Double(plan.decidedAhead) / sampleRate }

    /// The cost of the frames made since `init`: about nanoseconds, counted and not measured.
    package var workDone: Int { vocoder.spent }

    /// The frames written since the start or the last reset.
    package var framesWritten: Int64 { Int64(history.written) }

    /// The input frame, since the start, that the next output frame corresponds to.
    package var inputPosition: Double {
        if plan.bypassing {
            return Double(plan.bypassPosition)
        }
        return map.position(at: plan.output).value
    }

    /// Returns the number of further input frames that have to be written before that many output frames can be read.
    ///
    /// Exact as long as rate, pitch and overlap stay. Zero if there are enough, or if the input has ended.
    package func requiredInput(forOutput frameCount: Int) -> Int {
        guard frameCount > 0, !inputEnded else { return 0 }
        var ahead = plan
        let target = ahead.output + frameCount
        var need = 0
        while ahead.output < target {
            _ = ahead.settle()
            if ahead.bypassing {
                need = max(need, ahead.bypassNeed(until: target))
                break
            }
            let ready = ahead.ready()
            if ready > 0 {
                ahead.advance(by: min(ready, target - ahead.output))
            } else {
                need = max(need, ahead.plan().inputEnd)
            }
        }
        return max(need - history.written, 0)
    }

    /// Returns how many of the next `frameCount` output frames depend on no more than the next `inputCount` input frames.
    ///
    /// For a block of input that ends in frames which are not part of the sound.
    package func outputCount(decidedBy inputCount: Int, upTo frameCount: Int) -> Int {
        var (least, most) = (0, frameCount)
        while least < most {
            let middle = (least + most + 1) / 2
            if requiredInput(forOutput: middle) <= inputCount { least = middle } else { most = middle - 1 }
        }
        return least
    }

    /// Appends input.
    ///
    /// - Parameters:
    ///   - channels: one pointer a channel.
    ///   - frameCount: how many frames each holds; what exceeds `maximumFrameCount` or the room left by unread input
    ///     (at least what `requiredInput` asks for) is not taken, which `framesWritten` tells.
    package func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard !inputEnded else { return }
        history.write(channels, frameCount: min(frameCount, maximumFrameCount), keepingFrom: plan.oldestInput)
    }

    /// Says that nothing more will be written until the next reset.
    ///
    /// The rest can then be read; the output ends where the map reaches the end of the input.
    package func endInput() {
        inputEnded = true
    }

    /// Reads output.
    ///
    /// - Parameters:
    ///   - channels: one pointer a channel, with room for the frames.
    ///   - frameCount: how many frames are wanted, at most `maximumFrameCount`.
    /// - Returns: how many were written; fewer than wanted only at the end of the input or where too little was written.
    package func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        let wanted = min(frameCount, maximumFrameCount)
        var done = 0
        while done < wanted {
            work()
            if plan.settle() {
                vocoder.reset(startingAt: plan.output, input: plan.bypassPosition - plan.listeningBack)
                map.clear()
                // Of one frame at the start, of the bypass else: the next frame says how it goes on.
                map.append(
                    from: plan.output,
                    position: FixedPosition(whole: plan.bypassPosition),
                    step: FixedPosition(whole: 1)
                )
            }
            let count: Int
            if plan.bypassing {
                count = copyInput(into: channels, offset: done, limit: wanted - done)
                guard count > 0 else { break }
            } else if plan.ready() > 0 {
                var limit = min(plan.ready(), wanted - done)
                if !vocoder.isDone {
                    limit = min(limit, plan.deadline - plan.output)
                    limit = min(limit, vocoder.sound(at: plan.output, from: history))
                }
                count = inputEnded ? framesBeforeEnd(limit: limit) : limit
                guard count > 0 else { break }
                vocoder.take(at: plan.output, count: count, into: channels, offset: done)
            } else {
                finish()
                guard beginFrame() else { break }
                continue
            }
            plan.advance(by: count)
            map.advance(to: plan.output)
            done += count
        }
        work()
        return done
    }

    /// Starts afresh, keeping rate, pitch and overlap.
    package func reset() {
        history.reset()
        vocoder.reset(startingAt: 0, input: 0)
        map.clear()
        plan.reset()
        begun = 0
        inputEnded = false
    }

    private func chooseMethod() {
        plan.usesGrains = Self.usesGrains(
            algorithm,
            preservesFormants: vocoder.preservesFormants,
            pitchRatio: plan.pitchRatio
        )
    }

    private func copyInput(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        offset: Int,
        limit: Int
    ) -> Int {
        let count = min(limit, history.written - plan.bypassPosition)
        guard count > 0 else { return 0 }
        for channel in 0..<channelCount {
            history.read(channel: channel, from: plan.bypassPosition, count: count, into: channels[channel] + offset)
        }
        return count
    }

    private func framesBeforeEnd(limit: Int) -> Int {
        map.frames(from: plan.output, limit: limit, beforeInputFrame: history.written)
    }

    private func beginFrame() -> Bool {
        var next = plan
        let frame = next.plan()
        guard inputEnded || frame.inputEnd <= history.written else { return false }
        plan = next
        begun = plan.output
        vocoder.begin(frame, rate: plan.step.value, after: plan.previous)
        if frame.kind != .identity { enter(step: plan.step) }
        return true
    }

    /// Does what is due of the frame in hand: its share of the way from where it was decided to where it has to be done.
    private func work() {
        guard !vocoder.isDone else { return }
        let way = plan.deadline - begun
        vocoder.work(part: way > 0 ? plan.output - begun : 1, of: max(way, 1), from: history)
        if vocoder.isDone { close() }
    }

    private func finish() {
        guard !vocoder.isDone else { return }
        vocoder.work(part: 1, of: 1, from: history)
        close()
    }

    /// Enters an identity that has just been made into the map: only now it is known where it has joined.
    private func close() {
        plan.join(movedBy: vocoder.shift)
        let frame = plan.last
        guard frame.kind == .identity else { return }
        let distance = frame.position - plan.previous.position
        enter(step: FixedPosition(distance.value / Double(frame.hop)))
    }

    /// Enters the line from the middle of the frame before to that of the newest into the map.
    private func enter(step: FixedPosition) {
        map.append(from: plan.previous.centre, position: plan.previous.position, step: step)
        map.advance(to: plan.output)
    }
}
