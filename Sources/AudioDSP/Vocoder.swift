import Glibc

/// Makes the vocoder's frames: reads the input a frame needs, transforms it, turns its phases and adds it to the output.
///
/// Works on what `FramePlan` decides. One thread at a time; nothing allocates after `init`.
final class Vocoder {
    private let length: Int
    private let channelCount: Int
    private let transform: RealFFT
    private let lock: PhaseLock
    private let window: FloatStore
    private var output: OverlapAdder
    private var strikes: Strikes

    private let grain: FloatStore
    private let raw: FloatStore
    private let folded: FloatStore
    private let current: FloatStore
    private let earlier: FloatStore
    private let sounding: FloatStore
    private var bank: InterpolationBank
    private var soundingIsKnown = false
    private let widestHop: Int

    init(
        length: Int,
        sampleRate: Double,
        channelCount: Int,
        shape: InterpolationBank.Shape,
        maximumPitchRatio: Double
    ) {
        self.length = length
        self.channelCount = channelCount
        transform = RealFFT(length: length)
        lock = PhaseLock(binCount: length / 2 + 1, channelCount: channelCount)
        output = OverlapAdder(channelCount: channelCount, length: length)
        strikes = Strikes(length: length, sampleRate: sampleRate)
        window = FloatStore(count: length)
        for index in 0..<length {
            window.pointer[index] = Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(length)))
        }
        widestHop = FramePlan.hop(length: length, overlap: 3)
        grain = FloatStore(count: length + widestHop)
        let reach = InterpolationBank.reach(shape: shape, ratio: maximumPitchRatio)
        raw = FloatStore(count: Int(Double(length + widestHop) * maximumPitchRatio) + 2 * reach + 8)
        folded = FloatStore(count: length)
        current = FloatStore(count: lock.stride * channelCount)
        earlier = FloatStore(count: lock.stride * channelCount)
        sounding = FloatStore(count: lock.stride * channelCount)
        bank = InterpolationBank(shape: shape, maximumRatio: maximumPitchRatio)
    }

    /// Makes one frame at a rate; `previous` is the one before it.
    func make(
        _ frame: PlannedFrame,
        rate: Double,
        after previous: PlannedFrame,
        from history: borrowing InputHistory
    ) {
        let start = frame.centre - length / 2
        strikes.listen(to: frame.inputEnd, of: history, channelCount: channelCount)
        switch frame.kind {
        case .identity:
            strikes.pass(frame.position.whole)
            addIdentity(frame, from: history)
            output.addWeight(at: start, window.pointer, window: window.pointer, count: length)
        case .rotated:
            var frame = frame
            let strike = strikes.shape(&frame, base: window.pointer, rate: rate)
            addRotated(frame, strike, after: previous, from: history)
            let shaped = strike.shaped ? strikes.window.pointer : window.pointer
            output.addWeight(at: start, shaped, window: window.pointer, count: length)
        }
    }

    /// Takes finished output of every channel, from `first` on in each target.
    @_noLocks @_noAllocation
    func take(
        at position: Int,
        count: Int,
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        offset: Int
    ) {
        for channel in 0..<channelCount {
            output.take(channel: channel, at: position, count: count, into: channels[channel] + offset)
        }
        output.finish(at: position, count: count)
    }

    /// Forgets everything that sounds.
    ///
    /// - Parameters:
    ///   - start: the first output frame that will be taken.
    ///   - input: the input frame it is.
    @_noLocks @_noAllocation
    func reset(startingAt start: Int, input: Int) {
        output.clear(startingAt: start)
        strikes.reset(from: input - 2 * length)
        sounding.clear()
        soundingIsKnown = false
    }

    @_noLocks @_noAllocation
    private func addIdentity(_ frame: PlannedFrame, from history: borrowing InputHistory) {
        soundingIsKnown = false
        for channel in 0..<channelCount {
            let start = frame.position.whole - length / 2
            history.read(channel: channel, from: start, count: length, into: grain.pointer)
            multiply(grain.pointer, window.pointer, count: length)
            output.add(
                channel: channel,
                at: frame.centre - length / 2,
                grain.pointer,
                window: window.pointer,
                count: length
            )
        }
    }

    // Not marked `@_noLocks`: the transform calls C.
    private func addRotated(
        _ frame: PlannedFrame,
        _ strike: (shaped: Bool, own: Bool),
        after previous: PlannedFrame,
        from history: borrowing InputHistory
    ) {
        let now = strike.shaped ? strikes.window.pointer : window.pointer
        let before = strike.shaped ? strikes.earlierWindow.pointer : window.pointer
        let stride = lock.stride
        let hop = min(frame.hop, widestHop)
        if !soundingIsKnown, previous.kind == .identity {
            for channel in 0..<channelCount {
                fetch(previous, back: 0, channel: channel, from: history)
                analyse(grain.pointer, window.pointer, into: sounding.pointer + channel * stride)
            }
        }
        soundingIsKnown = true
        for channel in 0..<channelCount {
            fetch(frame, back: hop, channel: channel, from: history)
            analyse(grain.pointer, before, into: earlier.pointer + channel * stride)
            analyse(grain.pointer + hop, now, into: current.pointer + channel * stride)
        }
        lock.rotate(
            current.pointer,
            earlier: earlier.pointer,
            sounding: sounding.pointer,
            bend: frame.pitchRatio / previous.pitchRatio,
            strikes: strike.own
        )
        copyFloats(current.pointer, to: sounding.pointer, count: stride * channelCount)
        for channel in 0..<channelCount {
            transform.inverse(current.pointer + channel * stride, into: folded.pointer)
            unfold(folded.pointer, into: grain.pointer, length: length)
            output.add(
                channel: channel,
                at: frame.centre - length / 2,
                grain.pointer,
                window: window.pointer,
                count: length
            )
        }
    }

    /// Reads a frame's window and `back` frames before it, at the frame's pitch.
    @_noLocks @_noAllocation
    private func fetch(_ frame: PlannedFrame, back: Int, channel: Int, from history: borrowing InputHistory) {
        let count = length + back
        guard frame.pitchRatio != 1 else {
            let start = frame.position.rounded - length / 2 - back
            history.read(channel: channel, from: start, count: count, into: grain.pointer)
            return
        }
        bank.tune(ratio: frame.pitchRatio)
        let step = FixedPosition(frame.pitchRatio)
        let start = frame.position - step * (length / 2 + back)
        let reach = bank.tapCount / 2
        let span = Int(Double(count) * frame.pitchRatio) + 2 * reach + 4
        history.read(channel: channel, from: start.whole - reach + 1, count: min(span, raw.count), into: raw.pointer)
        bank.read(raw.pointer, fraction: start.fraction, step: step, into: grain.pointer, count: count)
    }

    /// Windows a frame, turns its middle to the front, so that phases are those of the middle, and transforms it.
    private func analyse(
        _ samples: UnsafePointer<Float>,
        _ window: UnsafePointer<Float>,
        into spectrum: UnsafeMutablePointer<Float>
    ) {
        fold(samples, window: window, into: folded.pointer, length: length)
        transform.forward(folded.pointer, into: spectrum)
    }
}
