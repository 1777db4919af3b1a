import Glibc

/// Makes the frames: reads the input a frame needs, turns its phases or finds where it joins, and adds it to the output.
///
/// Works on what `FramePlan` decides. One thread at a time; nothing allocates after `init`.
final class Vocoder {
    private let length: Int
    private let channelCount: Int
    private let transform: RealFFT
    private let lock: PhaseLock
    private let window: FloatStore
    private let grainWindow: FloatStore
    private let ones: FloatStore
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one thread.
    @exclusivity(unchecked) private var output: OverlapAdder
    @exclusivity(unchecked) private var strikes: Strikes
    private let search: JoinSearch
    private let formants: FormantKeeper
    /// Whether formants stay where they are when the pitch changes.
    @exclusivity(unchecked) var preservesFormants = false

    /// A stretch of input at the frame's pitch, one a channel; its stride.
    private let grains: FloatStore
    private let grainStride: Int
    private let raw: FloatStore
    private let folded: FloatStore
    private let current: FloatStore
    private let earlier: FloatStore
    private let sounding: FloatStore
    @exclusivity(unchecked) private var bank: InterpolationBank
    private var soundingIsKnown = false
    private let widestHop: Int

    init(
        plan: FramePlan,
        sampleRate: Double,
        channelCount: Int,
        maximumPitchRatio: Double
    ) {
        length = plan.length
        self.channelCount = channelCount
        transform = RealFFT(length: length)
        lock = PhaseLock(binCount: length / 2 + 1, channelCount: channelCount)
        output = OverlapAdder(channelCount: channelCount, length: length)
        strikes = Strikes(length: length, sampleRate: sampleRate)
        window = Self.window(length: length, power: 1.5)
        grainWindow = Self.window(length: plan.grainLength, power: 1)
        ones = FloatStore(count: length)
        ones.pointer.update(repeating: 1, count: length)
        search = JoinSearch(length: plan.grainLength / 2, sampleRate: sampleRate, channelCount: channelCount)
        formants = FormantKeeper(length: length, sampleRate: sampleRate)
        widestHop = FramePlan.hop(length: length, overlap: 3)
        let longest = length + max(widestHop, 2 * plan.searchReach)
        grainStride = (longest + 15) / 16 * 16
        grains = FloatStore(count: grainStride * channelCount)
        let reach = plan.shape.tapCount(ratio: maximumPitchRatio) / 2
        raw = FloatStore(count: Int(Double(longest) * maximumPitchRatio) + 2 * reach + 8)
        folded = FloatStore(count: length)
        current = FloatStore(count: lock.stride * channelCount)
        earlier = FloatStore(count: lock.stride * channelCount)
        sounding = FloatStore(count: lock.stride * channelCount)
        bank = InterpolationBank(shape: plan.shape, maximumRatio: maximumPitchRatio)
    }

    /// Hann's, periodic, to a power.
    ///
    /// 1.5 for the vocoder: measured on music against the spectra of the source, it is nearer than 1 at every rate from 0.75 to
    /// 2, and 2 is nearer still at rate 2 but not below.
    private static func window(length: Int, power: Double) -> FloatStore {
        let window = FloatStore(count: length)
        for index in 0..<length {
            window.pointer[index] = Float(pow(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(length)), power))
        }
        return window
    }

    /// Makes one frame at a rate; `previous` is the one before it.
    ///
    /// - Returns: by how many frames of its window it was moved to where it joins.
    func make(
        _ frame: PlannedFrame,
        rate: Double,
        after previous: PlannedFrame,
        from history: borrowing InputHistory
    ) -> Int {
        let start = frame.centre - frame.length / 2
        let base = frame.length == length ? window.pointer : grainWindow.pointer
        strikes.listen(to: frame.inputEnd, of: history, channelCount: channelCount)
        var frame = frame
        if frame.kind == .identity {
            strikes.pass(frame.position.whole)
            return addPlain(frame, window: base, from: history)
        }
        // Frames of the vocoder are windowed twice, which squares what is left.
        let strike = strikes.shape(&frame, base: base, rate: rate, floor: frame.kind == .rotated ? 0.01 : 0.0005)
        let shaped = strike.shaped ? strikes.window.pointer : base
        guard frame.kind == .rotated else {
            if strike.shaped {
                // Where the window is cut, its place is given.
                frame.searchBack = 0
                frame.searchAhead = 0
            }
            return addPlain(frame, window: shaped, from: history)
        }
        addRotated(frame, strike, after: previous, from: history)
        output.addWeight(at: start, shaped, window: shaped, count: length)
        return 0
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

    /// Adds a frame with the phases it has, joined where it fits best of where it may.
    // Not marked `@_noLocks`: the search is not.
    private func addPlain(
        _ frame: PlannedFrame,
        window: UnsafePointer<Float>,
        from history: borrowing InputHistory
    ) -> Int {
        soundingIsKnown = false
        let start = frame.centre - frame.length / 2
        let range = frame.searchBack + frame.searchAhead
        let first = frame.length / 2 + frame.searchBack
        for channel in 0..<channelCount {
            let grain = grains.pointer + channel * grainStride
            fetch(frame, from: -first, count: frame.length + range, channel: channel, history, into: grain)
        }
        var join = 0
        if range > 0 {
            for channel in 0..<channelCount {
                let heard = search.heard.pointer + channel * search.stride
                output.peek(channel: channel, at: start + frame.searchAt, count: search.length, into: heard)
            }
            let offer = grains.pointer + frame.searchAt
            join = search.best(offer, offerStride: grainStride, range: range, due: frame.searchBack)
        }
        for channel in 0..<channelCount {
            let grain = grains.pointer + channel * grainStride + join
            output.add(channel: channel, at: start, grain, window: window, count: frame.length)
        }
        output.addWeight(at: start, ones.pointer, window: window, count: frame.length)
        return join - frame.searchBack
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
        let grain = grains.pointer
        if !soundingIsKnown, previous.kind != .rotated {
            var heard = previous
            heard.position = previous.position + previous.shift
            for channel in 0..<channelCount {
                fetch(heard, from: -length / 2, count: length, channel: channel, history, into: grain)
                analyse(grain, window.pointer, into: sounding.pointer + channel * stride)
            }
        }
        soundingIsKnown = true
        for channel in 0..<channelCount {
            fetch(frame, from: -length / 2 - hop, count: length + hop, channel: channel, history, into: grain)
            analyse(grain, before, into: earlier.pointer + channel * stride)
            analyse(grain + hop, now, into: current.pointer + channel * stride)
        }
        lock.rotate(
            current.pointer,
            earlier: earlier.pointer,
            sounding: sounding.pointer,
            bend: frame.pitchRatio / previous.pitchRatio,
            strikes: strike.own
        )
        copyFloats(current.pointer, to: sounding.pointer, count: stride * channelCount)
        if preservesFormants, frame.pitchRatio != 1 {
            formants.shape(current.pointer, stride: stride, channelCount: channelCount, ratio: frame.pitchRatio)
        }
        for channel in 0..<channelCount {
            transform.inverse(current.pointer + channel * stride, into: folded.pointer)
            unfold(folded.pointer, into: grain, length: length)
            output.add(
                channel: channel,
                at: frame.centre - length / 2,
                grain,
                window: now,
                count: length
            )
        }
    }

    /// Reads input at a frame's pitch, from so many frames of its window after its position.
    @_noLocks @_noAllocation
    private func fetch(
        _ frame: PlannedFrame,
        from offset: Int,
        count: Int,
        channel: Int,
        _ history: borrowing InputHistory,
        into target: UnsafeMutablePointer<Float>
    ) {
        guard frame.pitchRatio != 1 else {
            history.read(channel: channel, from: frame.position.rounded + offset, count: count, into: target)
            return
        }
        bank.tune(ratio: frame.pitchRatio)
        let step = FixedPosition(frame.pitchRatio)
        let start = frame.position + step * offset
        let reach = bank.tapCount / 2
        let span = Int(Double(count) * frame.pitchRatio) + 2 * reach + 4
        history.read(channel: channel, from: start.whole - reach + 1, count: min(span, raw.count), into: raw.pointer)
        bank.read(raw.pointer, fraction: start.fraction, step: step, into: target, count: count)
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
