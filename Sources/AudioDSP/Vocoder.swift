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
    /// What a grain may be heard on for after the end of its window.
    let grainRoom: Int
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
    @exclusivity(unchecked) private var tunedRatio = 1.0
    let widestHop: Int
    private let formantRounds = FormantKeeper.roundCount

    @exclusivity(unchecked) private var list: WorkList
    /// The frame in hand, the one before it where it was joined, and the rate it is made at.
    @exclusivity(unchecked) var frame: PlannedFrame
    @exclusivity(unchecked) var heard: PlannedFrame
    @exclusivity(unchecked) var rate = 1.0
    /// Whether the frame's windows are those of `strikes`, whether a strike is its own, and how long the window is then.
    @exclusivity(unchecked) var strike = (shaped: false, own: false, count: 0)
    /// Where the frame joins what is heard: frames from the earliest place there is.
    @exclusivity(unchecked) var join = 0
    /// How alike they are there, and whether the frame before has a window that strikes were cut out of.
    @exclusivity(unchecked) var likeness: Float = 1
    @exclusivity(unchecked) var heardIsShaped = false
    /// The sign that the grain before was given.
    @exclusivity(unchecked) var polarity: Float = 1
    /// The window of an opening, and of a frame that is heard later than its window begins.
    let edge: FloatStore
    @exclusivity(unchecked) var openingIsShaped = false
    /// The output frame up to which the opening has been added.
    @exclusivity(unchecked) var openedUntil = Int.max
    /// Over how many frames something that begins inside its window fades in: 2 ms.
    let fade: Int
    /// The input that has been or will be listened to.
    @exclusivity(unchecked) private var listenedTo = 0

    init(
        plan: FramePlan,
        sampleRate: Double,
        channelCount: Int,
        maximumPitchRatio: Double
    ) {
        length = plan.length
        margin = plan.margin
        grainRoom = plan.grainRoom
        self.channelCount = channelCount
        transform = RealFFT(length: length)
        lock = PhaseLock(binCount: length / 2 + 1, channelCount: channelCount)
        output = OverlapAdder(channelCount: channelCount, length: length)
        strikes = Strikes(length: length, sampleRate: sampleRate)
        window = Self.window(length: length, power: 1.5)
        grainWindow = Self.window(length: plan.grainLength, power: 1)
        edge = FloatStore(count: length)
        fade = max(8, Int(sampleRate * 0.002))
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
        list = WorkList(capacity: 192 + 32 * channelCount)
        frame = plan.last
        heard = plan.last
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
    ///
    /// An opening before it is made with it.
    @_noLocks @_noAllocation
    func begin(_ frame: PlannedFrame, rate: Double, after previous: PlannedFrame) {
        heard = self.frame
        heard.position = heard.position + FixedPosition(heard.pitchRatio) * (join - heard.searchBack)
        if previous.isOpening { heard = previous }
        self.frame = frame
        self.rate = rate
        join = frame.searchBack
        likeness = 1
        heardIsShaped = strike.shaped
        strike = (false, false, 0)
        openingIsShaped = false
        list.clear()
        openedUntil = .max
        if heard.isOpening { listOpening() }
        if frame.isRotated, !heard.isRotated { listHeard() }
        listListening(to: frame.inputEnd)
        list.append(.shape, cost: frame.length / 2)
        listTuning(frame.pitchRatio)
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

    /// Makes at least one frame of output that can be taken at `output`.
    ///
    /// - Returns: how many can be taken, while there is an opening.
    func sound(at output: Int, from history: borrowing InputHistory) -> Int {
        while openedUntil <= output, let step = list.next(part: 1, of: 1) { perform(step, from: history) }
        return isDone ? .max : openedUntil - output
    }

    /// How many frames an opening is heard for.
    var openingSpan: Int {
        @_noLocks @_noAllocation get {
            heard.centre + heard.hold + heard.length / 2 - heard.start - (heard.length == length ? margin : 0)
        }
    }

    @_noLocks @_noAllocation
    private func listOpening() {
        let span = openingSpan
        // At the start a strike may move it as a whole; after the bypass it goes on where that was.
        let canMove = heard.isFirst
        openedUntil = heard.start
        list.append(.open, cost: span / 2)
        if canMove {
            listOpeningShape(to: min(heard.position.whole + Int(rate * Double(heard.hop) / 2) + 1, heard.inputEnd))
        }
        list.hurry()
        // What is heard while the first frame is made is made as it is taken.
        let first = min(frame.start - heard.start, span)
        var from = 0
        while from < first {
            listSound(from: from, to: min(from + 64, first))
            from += 64
        }
        listOpeningShape(to: heard.inputEnd)
        for part in 0..<8 {
            from = first + (span - first) * part / 8
            listSound(from: from, to: first + (span - first) * (part + 1) / 8)
        }
    }

    @_noLocks @_noAllocation
    private func listOpeningShape(to end: Int) {
        listListening(to: end)
        list.append(.shapeOpening, cost: openingSpan)
        listTuning(heard.pitchRatio)
    }

    @_noLocks @_noAllocation
    private func listSound(from: Int, to: Int) {
        let cost = (to - from) * (taps(heard) * 3 / 10 + 1) * channelCount
        if to > from { list.append(.sound, from: from, count: to - from, cost: cost) }
    }

    @_noLocks @_noAllocation
    private func listHeard() {
        if !heard.isOpening {
            listTuning(heard.pitchRatio)
            for channel in 0..<channelCount { listFetch(.fetchHeard, of: heard, channel, count: length) }
        }
        for channel in 0..<channelCount { list.append(.hear, channel, cost: 3 * length) }
    }

    @_noLocks @_noAllocation
    private func listListening(to last: Int) {
        var end = max(strikes.examined, listenedTo)
        let chunk = max(256, (last - end) / 16)
        while end < last {
            let next = min(end + chunk, last)
            list.append(.listen, from: next, cost: (next - end) * channelCount * 5 / 8)
            end = next
        }
        listenedTo = end
    }

    @_noLocks @_noAllocation
    private func listTuning(_ ratio: Double) {
        // At 1 nothing is interpolated.
        guard ratio != tunedRatio, ratio != 1 else { return }
        tunedRatio = ratio
        if ratio > 1 { list.append(.tune, cost: 25_000) }
    }

    @_noLocks @_noAllocation
    private func taps(_ frame: PlannedFrame) -> Int {
        frame.pitchRatio == 1 ? 1 : Int(64 * (frame.pitchRatio > 1 ? frame.pitchRatio : 1))
    }

    @_noLocks @_noAllocation
    private func listFetch(_ kind: WorkList.Kind, of frame: PlannedFrame, _ channel: Int, count: Int) {
        let taps = taps(frame)
        let parts = taps == 1 ? 1 : 8
        for part in 0..<parts {
            let from = count * part / parts
            let next = count * (part + 1) / parts
            list.append(kind, channel, from: from, count: next - from, cost: max((next - from) * taps * 3 / 10, 1))
        }
    }

    @_noLocks @_noAllocation
    private func listRotated() {
        for channel in 0..<channelCount {
            listFetch(.fetch, of: frame, channel, count: length + min(frame.hop, widestHop))
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
        let range = frame.searchBack + frame.searchAhead
        for channel in 0..<channelCount { listFetch(.fetch, of: frame, channel, count: frame.length + range) }
        if range > 0 {
            for channel in 0..<channelCount { list.append(.compare, channel, cost: search.length) }
            let (coarse, fine) = (search.coarseParts(range: range), search.fineParts(range: range))
            for part in 0..<coarse {
                list.append(.searchCoarsely, part, count: coarse, cost: search.coarseCost(range: range) / coarse)
            }
            for part in 0..<fine {
                list.append(.searchFinely, part, count: fine, cost: search.fineCost(range: range) / fine)
            }
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
    ///   - input: the input frame from which on strikes are listened for.
    @_noLocks @_noAllocation
    func reset(startingAt start: Int, input: Int) {
        list.clear()
        output.clear(startingAt: start)
        strikes.reset(from: input)
        listenedTo = 0
        polarity = 1
    }
}
