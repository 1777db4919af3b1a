import Glibc

/// Changes rate and pitch independently during processing.
///
/// The output is aligned to a time map: an output frame at map position p sounds like the input at p. The kernel adds
/// no delay, but requires the look-ahead that `requiredInput(forOutput:)` returns. At rate 1 and pitch 0 the output
/// equals the input bit for bit, without look-ahead. A change is audible within 50 ms at any overlap, and rate 1 with
/// pitch 0 is bit-exact again within 100 ms. The samples do not depend on the sizes of the reads. The work is spread
/// over the reads: with 64 frames or more, no read takes more than three times the mean. Only the first reads of
/// `timeDomain` at another pitch exceed it; they take at most 3 % of the time that they sound. Nothing allocates or
/// locks after `init`. Use from one thread at a time.
///
/// ```swift
/// let kernel = TimePitchKernel(sampleRate: 48_000, channelCount: 2, maximumFrameCount: 512)
/// kernel.setRate(1.25)
/// kernel.setPitch(cents: 300)
/// var needed = kernel.requiredInput(forOutput: 512)
/// while needed > 0 {
///     kernel.write(nextInput(), frameCount: min(needed, 512))
///     needed = kernel.requiredInput(forOutput: 512)
/// }
/// let frames = kernel.read(into: output, frameCount: 512)
/// ```
package final class TimePitchKernel {
    /// The rates that can be set: input frames for each output frame.
    package static var rateRange: ClosedRange<Double> { 1 / 32...32 }

    /// The pitches that can be set, in cents.
    package static var pitchRange: ClosedRange<Double> { -2400...2400 }

    // 48 taps at about −90 dB: flat up to 0.8 of the Nyquist frequency, without images above 1.05 of it.
    private static var shape: SincShape {
        SincShape(halfWidth: 24, phaseCount: 256, beta: 8.96, cutoff: 0.93)
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let maximumFrameCount: Int
    private let vocoder: PhaseVocoder
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one
    // thread.
    @exclusivity(unchecked) private var history: InputHistory
    @exclusivity(unchecked) private var map = TimeMap()
    @exclusivity(unchecked) private var plan: SynthesisSchedule
    @exclusivity(unchecked) private var algorithm = TimePitchAlgorithm.automatic
    @exclusivity(unchecked) private var inputEnded = false
    /// The output frame at which the frame in hand was decided.
    @exclusivity(unchecked) private var begun = 0

    /// Creates a kernel and allocates all its memory.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of input and output in Hz, clamped to 1000...768000.
    ///   - channelCount: The number of channels, at least 1.
    ///   - maximumFrameCount: The maximum number of frames per call of `write` or `read`, at least 1.
    package init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) {
        precondition(channelCount > 0 && maximumFrameCount > 0, "The counts must be more than zero.")
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        let sampleRate = Self.usable(sampleRate)
        self.sampleRate = sampleRate
        plan = Self.makePlan(sampleRate: sampleRate)
        let length = plan.length
        vocoder = PhaseVocoder(plan: plan, sampleRate: sampleRate, channelCount: channelCount, maximumPitchRatio: 4)
        // The frames kept after the newest one, and the frames that a read at the highest rate runs ahead.
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

    /// Returns the maximum tail in seconds for constant parameters: half a window of input at the rate, and half a
    /// window of output.
    ///
    /// 0 at rate 1 and pitch 0. The parameters are clamped like those of the setters. Callable from any thread.
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

    /// Returns the longest window of 2ᵏ or 3 · 2ᵏ frames up to 69.7 ms, whose response time is 43 ms.
    private static func windowLength(sampleRate: Double) -> Int {
        let limit = max(sampleRate * 0.0697, 256)
        var length = 128
        while Double(2 * length) <= limit { length *= 2 }
        return Double(length * 3 / 2) <= limit ? length * 3 / 2 : length
    }

    /// Sets the number of input frames per output frame.
    ///
    /// - Parameter rate: Clamped to `rateRange`; NaN is ignored. The initial value is 1.
    package func setRate(_ rate: Double) {
        guard !rate.isNaN else { return }
        plan.setRate(Self.clamped(rate: rate))
    }

    /// Sets the pitch shift.
    ///
    /// - Parameter cents: Clamped to `pitchRange`; NaN is ignored. The initial value is 0.
    package func setPitch(cents: Double) {
        guard !cents.isNaN else { return }
        plan.setPitchRatio(Self.pitchRatio(cents: cents))
        chooseMethod()
    }

    /// Sets the number of overlapping windows.
    ///
    /// - Parameter overlap: Clamped to 3...32; higher values are smoother and cost more. The initial value is 8.
    package func setOverlap(_ overlap: Double) {
        guard !overlap.isNaN else { return }
        plan.setOverlap(overlap)
    }

    /// Sets the algorithm; initially `automatic`.
    ///
    /// A change is audible within 50 ms, without a click.
    package func setAlgorithm(_ algorithm: TimePitchAlgorithm) {
        self.algorithm = algorithm
        chooseMethod()
    }

    /// Sets whether formants keep their frequencies when the pitch changes.
    ///
    /// - Parameter preserves: The initial value is `false`. If `true`, the spectral algorithm is used, whatever the
    ///   setting.
    package func setPreservesFormants(_ preserves: Bool) {
        vocoder.preservesFormants = preserves
        chooseMethod()
    }

    /// The maximum time in seconds from setting a parameter to its audible effect; 0 while the output equals the
    /// input.
    ///
    /// Output ahead of the read position by this time is already decided: half a window and a hop, minus the inaudible
    /// part.
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

    /// Returns how many of the next `frameCount` output frames depend only on the next `inputCount` input frames.
    ///
    /// Use it for a block of input whose last frames do not belong to the sound.
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
    ///   - channels: One pointer per channel.
    ///   - frameCount: The number of frames. Frames beyond `maximumFrameCount`, or beyond the free capacity, are not
    ///     taken; `framesWritten` shows how many were. The free capacity is at least `requiredInput`.
    package func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard !inputEnded else { return }
        history.write(channels, frameCount: min(frameCount, maximumFrameCount), keepingFrom: plan.oldestInput)
    }

    /// Marks the end of the input until the next reset.
    ///
    /// The remaining output can then be read; it ends where the map reaches the end of the input.
    package func endInput() {
        inputEnded = true
    }

    /// Reads output.
    ///
    /// - Parameters:
    ///   - channels: One pointer per channel, with capacity for the frames.
    ///   - frameCount: The number of frames to read, at most `maximumFrameCount`.
    /// - Returns: The number of frames read: fewer than requested only at the end of the input, or if too little input
    ///   was written.
    package func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        let wanted = min(frameCount, maximumFrameCount)
        var done = 0
        while done < wanted {
            work()
            if plan.settle() {
                vocoder.reset(startingAt: plan.output, input: plan.bypassPosition - plan.listeningBack)
                map.clear()
                // At the start the rate of one frame, otherwise that of the bypass; the next frame determines the
                // continuation.
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

    /// Performs the due share of the work for the current frame, between its decision and its deadline.
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

    /// Adds an identity to the map after it was made, because its join is known only then.
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
