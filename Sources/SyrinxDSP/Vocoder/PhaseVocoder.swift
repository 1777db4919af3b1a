import Glibc

/// Makes the frames: reads their input, rotates phases or finds joins, and adds the result to the output.
///
/// It follows the decisions of `SynthesisSchedule`, one frame at a time, in steps: `begin` lists the steps, and `work`
/// performs those that are due. Use from one thread at a time; nothing allocates after `init`.
final class PhaseVocoder {
    let length: Int
    let channelCount: Int
    let transform: RealFFT
    // Exclusivity is unchecked at run time where accesses cannot overlap: each is over before the next begins, on one
    // thread.
    @exclusivity(unchecked) var lock: PeakPhaseLocker
    let window: AlignedFloatBuffer
    let grainWindow: AlignedFloatBuffer
    let ones: AlignedFloatBuffer
    /// The number of frames that a rotated frame omits at each end of its window.
    let margin: Int
    /// The maximum number of frames for which a grain may sound past its window.
    let grainRoom: Int
    @exclusivity(unchecked) var output: OverlapAdder
    @exclusivity(unchecked) var transients: TransientPreserver
    @exclusivity(unchecked) var search: WSOLASearch
    let formants: FormantPreserver
    /// Whether formants keep their frequencies when the pitch changes.
    @exclusivity(unchecked) var preservesFormants = false

    /// A stretch of input at the frame's pitch, one a channel; its stride.
    let grains: AlignedFloatBuffer
    let grainStride: Int
    let folded: AlignedFloatBuffer
    let current: AlignedFloatBuffer
    let earlier: AlignedFloatBuffer
    let sounding: AlignedFloatBuffer
    @exclusivity(unchecked) var pitched: PitchedInput
    @exclusivity(unchecked) private var tunedRatio = 1.0
    let widestHop: Int
    private let formantRounds = FormantPreserver.roundCount

    @exclusivity(unchecked) private var list: AmortizedSteps
    /// The current frame, the previous one at its join position, and the rate of the current frame.
    @exclusivity(unchecked) var frame: SynthesisFrame
    @exclusivity(unchecked) var heard: SynthesisFrame
    @exclusivity(unchecked) var rate = 1.0
    /// Whether the frame's windows are those of `transients`, whether it owns a transient, and the length of the
    /// window.
    @exclusivity(unchecked) var transient = (shaped: false, own: false, count: 0)
    /// The place at which the frame joins the output so far, in frames from the earliest possible place.
    @exclusivity(unchecked) var join = 0
    /// The similarity of both at the join, and whether the previous frame's window omits onsets.
    @exclusivity(unchecked) var likeness: Float = 1
    @exclusivity(unchecked) var heardIsShaped = false
    /// Whether the frame and its earlier look lie between the start and the end of the input.
    @exclusivity(unchecked) var isInside = false
    /// The sign of the previous grain.
    @exclusivity(unchecked) var polarity: Float = 1
    /// The window of an opening, and of a frame that starts to sound later than its window.
    let edge: AlignedFloatBuffer
    @exclusivity(unchecked) var openingIsShaped = false
    /// The output frame up to which the opening has been added.
    @exclusivity(unchecked) var openedUntil = Int.max
    /// The length in frames of the fade-in of a sound that begins inside its window: 2 ms.
    let fade: Int
    /// The input that has been or will be listened to.
    @exclusivity(unchecked) private var listenedTo = 0

    init(
        plan: SynthesisSchedule,
        sampleRate: Double,
        channelCount: Int,
        maximumPitchRatio: Double
    ) {
        length = plan.length
        margin = plan.margin
        grainRoom = plan.grainRoom
        self.channelCount = channelCount
        transform = RealFFT(length: length)
        lock = PeakPhaseLocker(binCount: length / 2 + 1, channelCount: channelCount)
        output = OverlapAdder(channelCount: channelCount, length: length)
        transients = TransientPreserver(length: length, sampleRate: sampleRate)
        window = Self.window(length: length, power: 1.5)
        grainWindow = Self.window(length: plan.grainLength, power: 1)
        edge = AlignedFloatBuffer(count: length)
        fade = max(8, Int(sampleRate * 0.002))
        ones = AlignedFloatBuffer(count: length)
        ones.pointer.update(repeating: 1, count: length)
        search = WSOLASearch(length: plan.grainLength / 2, sampleRate: sampleRate, channelCount: channelCount)
        formants = FormantPreserver(length: length, sampleRate: sampleRate)
        widestHop = SynthesisSchedule.hop(length: length, overlap: 3)
        let longest = length + max(widestHop, 2 * plan.searchReach)
        grainStride = (longest + 15) / 16 * 16
        grains = AlignedFloatBuffer(count: grainStride * channelCount)
        folded = AlignedFloatBuffer(count: length)
        current = AlignedFloatBuffer(count: lock.stride * channelCount)
        earlier = AlignedFloatBuffer(count: lock.stride * channelCount)
        sounding = AlignedFloatBuffer(count: lock.stride * channelCount)
        pitched = PitchedInput(
            shape: plan.shape,
            maximumRatio: maximumPitchRatio,
            channelCount: channelCount,
            longest: longest
        )
        list = AmortizedSteps(capacity: 192 + 32 * channelCount)
        frame = plan.last
        heard = plan.last
    }

    /// Hann's, periodic, to a power.
    ///
    /// The vocoder uses 1.5. Measured on music against the spectra of the source, it is nearer than 1 at every rate
    /// from 0.75 to 2. A power of 2 is nearer still at rate 2, but not below.
    private static func window(length: Int, power: Double) -> AlignedFloatBuffer {
        let window = AlignedFloatBuffer(count: length)
        for index in 0..<length {
            window.pointer[index] = Float(pow(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(length)), power))
        }
        return window
    }

    /// Whether the frame has been made.
    var isDone: Bool { list.isDone }

    /// The cost of the frames so far, in the units of `AmortizedSteps`.
    var spent: Int { list.spent }

    /// The shift of the frame to its join position, in frames of its window; valid after the frame is made.
    var shift: Int { join - frame.searchBack }

    /// Begins a frame at a rate; `previous` is the frame before it.
    ///
    /// A preceding opening is made together with it.
    @_noLocks @_noAllocation
    func begin(_ frame: SynthesisFrame, rate: Double, after previous: SynthesisFrame) {
        heard = self.frame
        heard.position = heard.position + FixedPosition(heard.pitchRatio) * (join - heard.searchBack)
        if previous.isOpening { heard = previous }
        self.frame = frame
        self.rate = rate
        join = frame.searchBack
        likeness = 1
        heardIsShaped = transient.shaped
        transient = (false, false, 0)
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

    /// Performs the remaining work of the frame up to `part` / `whole` of its cost.
    // Not marked `@_noLocks`: the transform calls C, and the standard library's square root is not marked.
    func work(part: Int, of whole: Int, from history: borrowing InputHistory) {
        while let step = list.next(part: part, of: whole) { perform(step, from: history) }
    }

    /// Makes at least one frame of output that can be taken at `output`.
    ///
    /// - Returns: The number of frames that can be taken during an opening.
    func sound(at output: Int, from history: borrowing InputHistory) -> Int {
        while openedUntil <= output, let step = list.next(part: 1, of: 1) { perform(step, from: history) }
        return isDone ? .max : openedUntil - output
    }

    /// The number of frames for which an opening sounds.
    var openingSpan: Int {
        @_noLocks @_noAllocation get {
            heard.centre + heard.hold + heard.length / 2 - heard.start - (heard.length == length ? margin : 0)
        }
    }

    @_noLocks @_noAllocation
    private func listOpening() {
        let span = openingSpan
        // At the start a transient may shift the whole opening; after the bypass its position is fixed.
        let canMove = heard.isFirst
        openedUntil = heard.start
        list.append(.open, cost: span / 2)
        if canMove {
            listOpeningShape(to: min(heard.position.whole + Int(rate * Double(heard.hop) / 2) + 1, heard.inputEnd))
        }
        list.hurry()
        // Output that sounds while the first frame is made is computed when it is taken.
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
        let count = to - from
        let reading = heard.pitchRatio == 1 ? 0 : pitched.cost(frames: count, ratio: heard.pitchRatio, atOnce: false)
        let cost = (reading + count) * channelCount
        if count > 0 { list.append(.sound, from: from, count: count, cost: cost) }
    }

    @_noLocks @_noAllocation
    private func listHeard() {
        if !heard.isOpening {
            listTuning(heard.pitchRatio)
            for channel in 0..<channelCount { listFetchHeard(channel) }
        }
        for channel in 0..<channelCount { list.append(.hear, channel, cost: 3 * length) }
    }

    @_noLocks @_noAllocation
    private func listListening(to last: Int) {
        var end = max(transients.examined, listenedTo)
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
        // At ratio 1 nothing is interpolated.
        guard ratio != tunedRatio, ratio != 1 else { return }
        tunedRatio = ratio
        guard ratio > 1 else { return }
        for part in 0..<8 { list.append(.tune, part, count: 8, cost: 3_000) }
    }

    @_noLocks @_noAllocation
    private func listFetchHeard(_ channel: Int) {
        let parts = heard.pitchRatio == 1 ? 1 : 8
        for part in 0..<parts {
            let from = length * part / parts
            let count = length * (part + 1) / parts - from
            let ratio = heard.pitchRatio
            let cost = parts == 1 ? count * 3 / 10 : pitched.cost(frames: count, ratio: ratio, atOnce: false)
            list.append(.fetchHeard, channel, from: from, count: count, cost: cost)
        }
    }

    /// The input of the frame in hand, at its pitch.
    var input: PitchedInput.Window {
        @_noLocks @_noAllocation get {
            let first = frame.length / 2 + (frame.isRotated ? min(frame.hop, widestHop) : frame.searchBack)
            return PitchedInput.Window(
                position: frame.position,
                ratio: frame.pitchRatio,
                offset: -first,
                count: frame.length
                    + (frame.isRotated ? min(frame.hop, widestHop) : frame.searchBack + frame.searchAhead)
            )
        }
    }

    @_noLocks @_noAllocation
    private func listResampling() {
        guard frame.pitchRatio != 1 else { return }
        // A transient may still move the frame a little.
        let missing = pitched.missing(input)
        let cost = pitched.cost(frames: missing, ratio: frame.pitchRatio, atOnce: channelCount > 1) * channelCount
        for part in 0..<8 { list.append(.resample, part, count: 8, cost: max(cost / 8, 1)) }
    }

    @_noLocks @_noAllocation
    private func listRotated() {
        listResampling()
        for channel in 0..<channelCount {
            list.append(.fetch, channel, cost: input.count * 3 / 10)
            list.append(.analyseEarlier, channel, cost: 3 * length)
            list.append(.analyse, channel, cost: 3 * length)
        }
        list.append(.find, cost: length * (channelCount + 1))
        for part in 0..<4 { list.append(.turn, part, count: 4, cost: length / 2 * channelCount) }
        list.append(.keep, cost: length / 4 * channelCount)
        list.append(.raise, cost: length / 2 * channelCount)
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
        listResampling()
        for channel in 0..<channelCount { list.append(.fetch, channel, cost: input.count * 3 / 10) }
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

    /// Takes finished output of every channel, from `first` in each target.
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
    ///   - input: the input frame from which on transients are listened for.
    @_noLocks @_noAllocation
    func reset(startingAt start: Int, input: Int) {
        // The interpolator's rows may be incomplete.
        if !list.isDone { tunedRatio = 1 }
        list.clear()
        output.clear(startingAt: start)
        transients.reset(from: input)
        pitched.reset()
        listenedTo = 0
        polarity = 1
    }
}
