/// Converts the sample rate with a windowed sinc, with linear phase and without added delay.
///
/// Output frame k is the input at exactly k · inputRate / outputRate: the kernel requires look-ahead instead of adding
/// delay. The response is flat within 0.1 dB up to 0.9 of the lower Nyquist frequency, and below −80 dB from that
/// frequency on. Equal rates pass the input bit for bit. The ratio may change between two reads; the output then
/// continues without a step. Nothing allocates or locks after `init`. Use from one thread at a time.
///
/// ```swift
/// let resampler = ResamplerKernel(
///     inputRate: 44_100, outputRate: 48_000, channelCount: 2, maximumFrameCount: 512)
/// let needed = resampler.requiredInput(forOutput: 512)
/// resampler.write(input, frameCount: min(needed, 512))
/// let frames = resampler.read(into: output, frameCount: 512)
/// ```
package final class ResamplerKernel {
    // Transition of ±0.05 Nyquist around 0.95 and about −100 dB: (100 − 7.95) / (14.36 · 127 taps) = 0.05 of the sample
    // rate wide (Kaiser's estimate).
    private static let shape = SincShape(halfWidth: 64, phaseCount: 512, beta: 10.06, cutoff: 0.95)

    private let channelCount: Int
    private let maximumFrameCount: Int
    private let maximumRatio: Double
    /// The largest number of frames around a position that the kernel may need.
    private let maximumReach: Int
    private var ratio: Double
    private var reach: Int
    private var step: FixedPosition
    private var halfStep: FixedPosition
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one
    // thread.
    @exclusivity(unchecked) private var bank: PolyphaseFilterBank
    /// The stretch of input that a read needs, of two channels.
    private let scratch: AlignedFloatBuffer
    private let scratchStride: Int
    @exclusivity(unchecked) private var history: InputHistory
    private var position = FixedPosition(whole: 0)
    private var inputEnded = false

    /// Creates a resampler and allocates all its memory.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in Hz; more than 0.
    ///   - outputRate: The sample rate of the output in Hz; more than 0.
    ///   - channelCount: The number of channels, at least 1.
    ///   - maximumFrameCount: The maximum number of frames per call of `write` or `read`, at least 1.
    ///   - maximumRatio: The maximum argument of `setRatio`; `nil` if `setRatio` is never called.
    package init(
        inputRate: Double,
        outputRate: Double,
        channelCount: Int,
        maximumFrameCount: Int,
        maximumRatio: Double? = nil
    ) {
        let valid = inputRate > 0 && outputRate > 0 && inputRate.isFinite && outputRate.isFinite
        precondition(valid && channelCount > 0 && maximumFrameCount > 0, "The rates and counts must be more than zero.")
        let ratio = inputRate / outputRate
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        step = FixedPosition(ratio)
        halfStep = FixedPosition(ratio / 2)
        // A step of one reads the frames themselves.
        reach = ratio == 1 ? 0 : Self.shape.tapCount(ratio: ratio) / 2
        self.ratio = ratio
        let highest = max(ratio, maximumRatio ?? ratio)
        self.maximumRatio = highest
        let isFixed = maximumRatio == nil
        maximumReach = isFixed ? reach : Self.shape.tapCount(ratio: highest) / 2
        if isFixed {
            bank = PolyphaseFilterBank(shape: Self.shape, inputRate: inputRate, outputRate: outputRate)
        } else {
            bank = PolyphaseFilterBank(shape: Self.shape, maximumRatio: highest)
            bank.tune(ratio: ratio)
        }
        let span = Int(Double(maximumFrameCount) * highest) + 2 * maximumReach + 4
        scratchStride = (span + 15) / 16 * 16
        scratch = AlignedFloatBuffer(count: scratchStride * min(channelCount, 2))
        history = InputHistory(channelCount: channelCount, minimumCapacity: span + 2 * maximumFrameCount)
    }

    /// Sets the number of input frames per output frame: more than 0, at most the `maximumRatio` of `init`.
    ///
    /// At ratio 1 and an integer position, frames are copied. A new ratio above 1 costs about 0.3 ms, and any other
    /// ratio nothing.
    package func setRatio(_ ratio: Double) {
        guard ratio != self.ratio, ratio > 0 else { return }
        self.ratio = ratio < maximumRatio ? ratio : maximumRatio
        step = FixedPosition(self.ratio)
        halfStep = FixedPosition(self.ratio / 2)
        bank.tune(ratio: self.ratio)
        settleReach()
    }

    private func settleReach() {
        let isWhole = ratio == 1 && position.fraction == 0
        reach = isWhole ? 0 : Self.shape.tapCount(ratio: ratio) / 2
    }

    /// Returns the tail of the filter in seconds: half its length, 64 frames of the lower of the two rates.
    ///
    /// `ratio` is the number of input frames per output frame, more than 0. Callable from any thread.
    package static func tailTime(inputRate: Double, ratio: Double) -> Double {
        Double(shape.tapCount(ratio: ratio) / 2) / inputRate
    }

    /// The frames written since the start or the last reset.
    package var framesWritten: Int64 { Int64(history.written) }

    /// The input frame, since the start, that the next output frame is the value of.
    package var inputPosition: Double { position.value }

    /// Returns the number of further input frames that have to be written before that many output frames can be read.
    ///
    /// Zero if there are enough, or if the input has ended.
    package func requiredInput(forOutput frameCount: Int) -> Int {
        guard frameCount > 0, !inputEnded else { return 0 }
        let last = position + step * (frameCount - 1)
        let end = reach == 0 ? last.whole + 1 : last.whole + reach + 1
        return max(end - history.written, 0)
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
        history.write(
            channels,
            frameCount: min(frameCount, maximumFrameCount),
            keepingFrom: position.whole - maximumReach
        )
    }

    /// Marks the end of the input until the next reset.
    ///
    /// The remaining output can then be read; it ends with the input.
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
        let count = availableFrames(upTo: min(frameCount, maximumFrameCount))
        guard count > 0 else { return 0 }
        let first = reach == 0 ? position.whole : position.whole - reach + 1
        let span = (position + step * (count - 1)).whole + reach + 1 - first
        var channel = 0
        while channel < channelCount {
            if reach == 0 {
                history.read(channel: channel, from: first, count: count, into: channels[channel])
                channel += 1
            } else if channel + 1 < channelCount {
                interpolatePair(channel, from: first, span: span, into: channels, count: count)
                channel += 2
            } else {
                interpolate(channel, from: first, span: span, into: channels[channel], count: count)
                channel += 1
            }
        }
        position = position + step * count
        return count
    }

    @_noLocks @_noAllocation
    private func interpolate(
        _ channel: Int,
        from first: Int,
        span: Int,
        into target: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        history.read(channel: channel, from: first, count: span, into: scratch.pointer)
        bank.read(scratch.pointer, fraction: position.fraction, step: step, into: target, count: count)
    }

    /// Two channels at once, which load each weight once.
    @_noLocks @_noAllocation
    private func interpolatePair(
        _ channel: Int,
        from first: Int,
        span: Int,
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        count: Int
    ) {
        let second = scratch.pointer + scratchStride
        history.read(channel: channel, from: first, count: span, into: scratch.pointer)
        history.read(channel: channel + 1, from: first, count: span, into: second)
        bank.read(
            (UnsafePointer(scratch.pointer), UnsafePointer(second)),
            fraction: position.fraction,
            step: step,
            into: (channels[channel], channels[channel + 1]),
            count: count
        )
    }

    /// Starts afresh.
    package func reset() {
        history.reset()
        position = FixedPosition(whole: 0)
        inputEnded = false
        settleReach()
    }

    @_noLocks @_noAllocation
    private func availableFrames(upTo limit: Int) -> Int {
        guard limit > 0 else { return 0 }
        // Before the end, a frame needs its whole look-ahead. At the end, the last frame is the one whose center is
        // within the input, which results in round(frames · outputRate / inputRate) frames.
        let first = position + (inputEnded ? halfStep : FixedPosition(whole: reach))
        let room = FixedPosition(whole: history.written) - first
        guard FixedPosition(whole: 0) < room else { return 0 }
        // The quotient is rounded, so the count is put right by whole frames.
        var count = Int(min(room.value / step.value, Double(limit)))
        while count > 0, !(first + step * (count - 1) < FixedPosition(whole: history.written)) { count -= 1 }
        while count < limit, first + step * count < FixedPosition(whole: history.written) { count += 1 }
        return count
    }
}
