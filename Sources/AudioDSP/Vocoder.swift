import Glibc

/// Makes the frames: reads the input a frame needs, turns its phases or finds where it joins, and adds it to the output.
///
/// Works on what `FramePlan` decides, a frame at a time, in steps: `begin` lists them, `work` does as many as are due. One
/// thread at a time; nothing allocates after `init`.
final class Vocoder {
    let length: Int
    let channelCount: Int
    let transform: RealFFT
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one thread.
    @exclusivity(unchecked) var lock: PhaseLock
    let window: FloatStore
    let grainWindow: FloatStore
    let ones: FloatStore
    /// What a frame that is turned leaves out at either end of its window.
    let margin: Int
    @exclusivity(unchecked) var output: OverlapAdder
    @exclusivity(unchecked) var strikes: Strikes
    @exclusivity(unchecked) var search: JoinSearch
    let formants: FormantKeeper
    /// Whether formants stay where they are when the pitch changes.
    @exclusivity(unchecked) var preservesFormants = false

    /// A stretch of input at the frame's pitch, one a channel; its stride.
    let grains: FloatStore
    let grainStride: Int
    let raw: FloatStore
    let folded: FloatStore
    let current: FloatStore
    let earlier: FloatStore
    let sounding: FloatStore
    @exclusivity(unchecked) var bank: InterpolationBank
    @exclusivity(unchecked) var soundingIsKnown = false
    @exclusivity(unchecked) private var tunedRatio = 1.0
    let widestHop: Int
    private let formantRounds = FormantKeeper.roundCount

    @exclusivity(unchecked) private var list: WorkList
    /// The frame in hand, the one before it, and the rate it is made at.
    @exclusivity(unchecked) var frame: PlannedFrame
    @exclusivity(unchecked) var previous: PlannedFrame
    @exclusivity(unchecked) var rate = 1.0
    /// Whether the frame's windows are those of `strikes`, and whether a strike is its own.
    @exclusivity(unchecked) var strike = (shaped: false, own: false)
    /// Where the frame joins what is heard: frames from the earliest place there is.
    @exclusivity(unchecked) var join = 0

    init(
        plan: FramePlan,
        sampleRate: Double,
        channelCount: Int,
        maximumPitchRatio: Double
    ) {
        length = plan.length
        margin = plan.margin
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
        list = WorkList(capacity: 64 + 16 * channelCount)
        frame = plan.last
        previous = plan.last
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

    /// Whether the frame has been made.
    var isDone: Bool { list.isDone }

    /// What making frames has cost so far, in the units of `WorkList`.
    var spent: Int { list.spent }

    /// By how many frames of its window the frame was moved to where it joins, once it is done.
    var shift: Int { join - frame.searchBack }

    /// Takes a frame in hand, to be made at a rate; `previous` is the one before it.
    @_noLocks @_noAllocation
    func begin(_ frame: PlannedFrame, rate: Double, after previous: PlannedFrame) {
        self.frame = frame
        self.previous = previous
        self.rate = rate
        join = frame.searchBack
        strike = (false, false)
        list.clear()
        listInput()
        if frame.isRotated {
            listRotated()
        } else {
            listPlain()
        }
        list.append(.weigh, cost: frame.length / 4)
    }

    /// Does what is left of the frame up to `part` of `whole` of its cost.
    // Not marked `@_noLocks`: the transform calls C, and the standard library's square root is not marked.
    func work(part: Int, of whole: Int, from history: borrowing InputHistory) {
        while let step = list.next(part: part, of: whole) { perform(step, from: history) }
    }

    @_noLocks @_noAllocation
    private func listInput() {
        let unheard = max(frame.inputEnd - strikes.examined, 0)
        let chunk = max(1024, unheard / 16)
        var end = frame.inputEnd - unheard
        while end < frame.inputEnd {
            let next = min(end + chunk, frame.inputEnd)
            list.append(.listen, from: next, cost: 2 * (next - end) * channelCount)
            end = next
        }
        list.append(.shape, cost: frame.length / 2)
        if frame.pitchRatio > 1, frame.pitchRatio != tunedRatio { list.append(.tune, cost: 60_000) }
        tunedRatio = frame.pitchRatio
    }

    @_noLocks @_noAllocation
    private func listFetch(_ channel: Int, count: Int) {
        let taps = frame.pitchRatio == 1 ? 1 : Int(64 * (frame.pitchRatio > 1 ? frame.pitchRatio : 1))
        let parts = taps == 1 ? 1 : 8
        for part in 0..<parts {
            let from = count * part / parts
            let next = count * (part + 1) / parts
            list.append(.fetch, channel, from: from, count: next - from, cost: max((next - from) * taps / 4, 1))
        }
    }

    @_noLocks @_noAllocation
    private func listRotated() {
        if !soundingIsKnown, !previous.isRotated { list.append(.hear, cost: 6 * length * channelCount) }
        soundingIsKnown = true
        for channel in 0..<channelCount {
            listFetch(channel, count: length + min(frame.hop, widestHop))
            list.append(.analyseEarlier, channel, cost: 3 * length)
            list.append(.analyse, channel, cost: 3 * length)
        }
        list.append(.find, cost: length * (channelCount + 1))
        for part in 0..<4 { list.append(.turn, part, count: 4, cost: length / 4 * channelCount) }
        list.append(.keep, cost: length / 4 * channelCount)
        if preservesFormants, frame.pitchRatio != 1 {
            list.append(.level, cost: 4 * length)
            for round in 0..<formantRounds { list.append(.smooth, round, cost: 6 * length) }
            list.append(.formants, cost: 6 * length)
        }
        for channel in 0..<channelCount {
            list.append(.invert, channel, cost: 3 * length)
            list.append(.add, channel, cost: length / 2)
        }
    }

    @_noLocks @_noAllocation
    private func listPlain() {
        soundingIsKnown = false
        let range = frame.searchBack + frame.searchAhead
        for channel in 0..<channelCount { listFetch(channel, count: frame.length + range) }
        if range > 0 {
            for channel in 0..<channelCount { list.append(.compare, channel, cost: search.length) }
            for part in 0..<8 {
                list.append(.searchCoarsely, part, count: 8, cost: search.coarseCost(range: range) / 8)
            }
            for part in 0..<8 { list.append(.searchFinely, part, count: 8, cost: search.fineCost(range: range) / 8) }
        }
        for channel in 0..<channelCount { list.append(.add, channel, cost: frame.length / 2) }
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

    /// Forgets everything that sounds, and the frame in hand.
    ///
    /// - Parameters:
    ///   - start: the first output frame that will be taken.
    ///   - input: the input frame it is.
    @_noLocks @_noAllocation
    func reset(startingAt start: Int, input: Int) {
        list.clear()
        output.clear(startingAt: start)
        strikes.reset(from: input - 2 * length)
        sounding.clear()
        soundingIsKnown = false
    }
}
