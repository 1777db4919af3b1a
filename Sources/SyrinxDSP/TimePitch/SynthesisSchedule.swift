/// A windowed stretch of input and where it goes in the output.
struct SynthesisFrame {
    enum Kind {
        /// Added as it is, for as long as nothing else has been made: what sounds where shaping begins.
        case opening
        /// Added as it is: the input at rate 1 and pitch 0.
        case identity
        /// Turned in phase so that it continues the frame before it.
        case rotated
        /// Added as it is, moved to where it joins best.
        case grain
    }

    var kind: Kind
    /// Whether it is turned to continue the frame before it.
    var isRotated: Bool { @_noLocks @_noAllocation get { kind == .rotated } }
    var isOpening: Bool { @_noLocks @_noAllocation get { kind == .opening } }
    /// Whether it is the opening with which the output starts.
    var isFirst: Bool { @_noLocks @_noAllocation get { kind == .opening && start == 0 } }
    /// Frames in the window.
    var length: Int
    /// The output frame on which the middle of the window falls.
    var centre: Int
    /// The input position that is heard there.
    var position: FixedPosition
    /// The number of input frames that one frame of the window spans: the factor by which frequencies rise.
    var pitchRatio: Double
    /// Output frames since the frame before; for an opening, twice those in which transients after its middle are its own.
    var hop: Int
    /// The first output frame in which it is heard.
    var start = 0
    /// For how many frames past its middle the weight of an opening does not fall.
    var hold = 0
    /// The output frame on which its window begins.
    var begin: Int { @_noLocks @_noAllocation get { centre - length / 2 } }
    /// The distance before and after the position within which a better join is searched, in frames of the window.
    var searchBack = 0
    var searchAhead = 0
    /// The place in the window at which the join is compared with the output so far.
    var searchAt = 0
    /// The number of input frames that have to be there.
    var inputEnd: Int
}

/// Decides which input is heard at which output frame, and what has to be made next: the time map, without the sound.
///
/// Frames of the vocoder lie a hop apart in the output, grains half their length, and between the middles of two of them the
/// map is a straight line. A change of rate, pitch or method therefore takes effect where the last frame made so far has its
/// middle, less than half a window ahead. At rate 1 and pitch 0 frames become identities; once every frame that overlaps the
/// output is one, the plan is `bypassing`: the output is the input and nothing has to be made. At the start and after a bypass
/// an opening sounds alone until the first frames are finished. So these frames begin later than their windows. The schedule
/// holds no memory: a copy that runs ahead tells how much input a read needs.
struct SynthesisSchedule {
    /// Frames in the vocoder's window.
    let length: Int
    /// Frames in a grain, an even number.
    let grainLength: Int
    /// The distance either way within which the best join is searched, in frames of the window.
    let searchReach: Int
    /// The interpolator's reach where the pitch is not 0.
    let shape: SincShape

    private(set) var step = FixedPosition(whole: 1)
    private(set) var pitchRatio = 1.0
    private var hop: Int
    /// Whether grains are made, and not frames of the vocoder.
    var usesGrains = false

    /// The next output frame.
    private(set) var output = 0
    /// Whether the output is the input, bit for bit.
    private(set) var bypassing = true
    /// The input frame that `output` is, while bypassing.
    private(set) var bypassPosition = 0

    /// The newest frame, and the one before it.
    private(set) var last: SynthesisFrame
    private(set) var previous: SynthesisFrame
    /// The output frame at which the window of the next frame begins, or before.
    private var nextStart = 0
    /// The output frame at which the next frame is decided.
    private(set) var nextDecision = 0
    /// The output frame at which the newest frame has to have been made.
    var deadline: Int { @_noLocks @_noAllocation get { last.start } }
    /// Whether the bypass has been left and no frame has been planned since.
    private var isOpening = false
    /// The first output frame after all that are no identities.
    private var shapedEnd = 0
    /// By how much the identities may still be moved on by the search for their join.
    private var slack = 0

    init(length: Int, grainLength: Int, searchReach: Int, overlap: Double, shape: SincShape) {
        self.length = length
        self.grainLength = grainLength
        self.searchReach = searchReach
        self.shape = shape
        hop = Self.hop(length: length, overlap: overlap)
        last = SynthesisFrame(
            kind: .identity,
            length: length,
            centre: 0,
            position: FixedPosition(whole: 0),
            pitchRatio: 1,
            hop: hop,
            inputEnd: 0
        )
        previous = last
    }

    /// Whether the parameters ask for the input as it is.
    var isNeutral: Bool { step == FixedPosition(whole: 1) && pitchRatio == 1 }

    /// The number of frames that a vocoder frame leaves out at either end of its window, where it is inaudible: below −76 dB.
    var margin: Int { @_noLocks @_noAllocation get { length * 9 / 128 } }

    /// For how long a grain may be heard on after the end of its window: a transient, which lasts 7 ms with its fade, may begin 5 ms
    /// before it.
    var grainRoom: Int { @_noLocks @_noAllocation get { grainLength / 10 } }

    /// The number of output frames by which a grain is made before it begins.
    private var grainLead: Int { @_noLocks @_noAllocation get { grainLength / 5 } }

    /// The number of output frames for which the first grain keeps its weight: the time to make it and the next one.
    private var openingHold: Int { @_noLocks @_noAllocation get { grainLength / 2 } }

    /// The place in its window at which a vocoder frame is decided.
    ///
    /// The rest of the margin, at least `pace`, is the time to make it.
    private var lateness: Int {
        @_noLocks @_noAllocation get { margin - pace < length / 128 ? margin - pace : length / 128 }
    }

    /// In how many output frames a frame of the vocoder is made at the fastest: half a hop; of a hop beyond `soonest` less, so
    /// that it is heard sooner, but no read may cost three times the mean.
    private var pace: Int { @_noLocks @_noAllocation get { min(hop / 2, max(soonest / 2, hop * 27 / 64)) } }

    /// The same for one after a frame that was not turned, whose spectrum has to be found too.
    private var firstPace: Int { @_noLocks @_noAllocation get { min(2 * pace, max(soonest, pace * 4 / 3)) } }

    /// The least from one frame of the vocoder to another that is made because a parameter has changed: the hop of 8 windows.
    private var soonest: Int { @_noLocks @_noAllocation get { length / 8 } }

    /// The most output frames from setting a parameter to the middle of the first frame that has it.
    var decidedAhead: Int {
        if bypassing && isNeutral { return 0 }
        return usesGrains ? grainLength + grainLead : length / 2 - lateness + min(hop, max(soonest, margin - lateness))
    }

    /// For how many output frames the end of the input is heard on, at the most: windows whose middle lies behind it reach
    /// back to it, and each spreads what it has of it over its own length.
    var tail: Int {
        guard !isNeutral else { return 0 }
        let reach =
            usesGrains
            ? reach(length: grainLength, search: searchReach, hop: grainLength / 2)
            : reach(length: length, search: 0, hop: hop)
        let heard = Int((Double(reach) / step.value).rounded(.up))
        // An opening is heard on for as long as it takes the first grain to follow.
        return usesGrains ? max(heard, openingHold) + grainLength / 2 + grainRoom : heard + length / 2 - margin
    }

    /// The first input frame that may still be read.
    ///
    /// Windows reach back by half their length and one hop, each input frame of it as wide as the highest pitch ratio, 4.
    var oldestInput: Int {
        let middle = bypassing || isOpening ? bypassPosition : min(previous.position.whole, last.position.whole)
        return middle - 4 * (length / 2 + max(hop, length / 3)) - 8 * shape.halfWidth - length
    }

    /// The number of input frames before the first shaped one in which onsets are detected when the bypass ends: the reach of
    /// the first windows, and 30 ms to tell onsets from earlier sound.
    var listeningBack: Int {
        let window = usesGrains ? grainLength / 2 + searchReach : length / 2 + hop
        return max(Int(Double(window) * pitchRatio) - (usesGrains ? 0 : length / 2 - margin), 0) + 3 * grainLength / 2
    }

    @_noLocks @_noAllocation
    mutating func setRate(_ rate: Double) {
        let new = FixedPosition(rate)
        if new == step { return }
        step = new
        hurry()
    }

    @_noLocks @_noAllocation
    mutating func setPitchRatio(_ ratio: Double) {
        guard ratio != pitchRatio else { return }
        pitchRatio = ratio
        hurry()
    }

    /// Brings the next frame forward, where windows are so far apart that what has been set would be heard too late.
    @_noLocks @_noAllocation
    private mutating func hurry() {
        guard !bypassing, !isOpening, !usesGrains, last.isRotated else { return }
        let start = max(last.begin + soonest, max(output, deadline) - lateness)
        guard start < nextStart else { return }
        nextStart = start
        nextDecision = max(deadline, nextStart + lateness)
    }

    @_noLocks @_noAllocation
    mutating func setOverlap(_ overlap: Double) { hop = Self.hop(length: length, overlap: overlap) }

    @_noLocks @_noAllocation
    static func hop(length: Int, overlap: Double) -> Int { Int(Double(length) / min(max(overlap, 3), 32)) }

    /// Enters or leaves the bypass where the parameters and the frames made so far call for it.
    ///
    /// - Returns: whether the bypass has just been left, so that the overlap-add has to start from silence.
    @_noLocks @_noAllocation
    mutating func settle() -> Bool {
        if bypassing {
            guard !isNeutral else { return false }
            bypassing = false
            isOpening = true
            nextDecision = output
            return true
        }
        if isNeutral, isOpening {
            bypassing = true
            isOpening = false
        } else if isNeutral, output >= shapedEnd, last.kind == .identity {
            bypassing = true
            bypassPosition = last.position.whole + (output - last.centre)
        }
        return false
    }

    /// The first input frame that is not needed for the output before `end`, while bypassing.
    @_noLocks @_noAllocation
    func bypassNeed(until end: Int) -> Int { bypassPosition + (end - output) + slack }

    /// Returns the number of output frames that can be taken before another frame has to be made or `settle` called again.
    @_noLocks @_noAllocation
    func ready() -> Int {
        if bypassing { return .max }
        let made = nextDecision - output
        if isOpening { return 0 }
        // While the way back into the bypass is open, the switch must be on its exact frame however reads are cut.
        return isNeutral && last.kind == .identity && shapedEnd > output ? min(made, shapedEnd - output) : made
    }

    @_noLocks @_noAllocation
    mutating func advance(by count: Int) {
        output += count
        if bypassing {
            bypassPosition += count
            slack = 0
        }
    }

    /// Plans the next frame with the parameters of now.
    @_noLocks @_noAllocation
    mutating func plan() -> SynthesisFrame {
        let opens = isOpening
        if opens { open() }
        previous = last
        var frame = last
        frame.length = usesGrains ? grainLength : length
        frame.centre = (usesGrains && !opens ? last.centre : nextStart) + frame.length / 2
        frame.hop = frame.centre - last.centre
        if isNeutral {
            planIdentity(&frame)
        } else {
            planShaped(&frame)
        }
        if opens { frame.inputEnd = max(frame.inputEnd, last.inputEnd) }
        frame.start = start(of: frame)
        last = frame
        nextStart = usesGrains ? frame.centre : frame.centre + hop - length / 2
        nextDecision = max(deadline, usesGrains ? nextStart - grainLead : nextStart + lateness)
        return frame
    }

    /// The output frame from which a frame that is decided now can be heard.
    ///
    /// That is where its window begins; but what has to be made at once, because it is late, would cost as much as several
    /// frames.
    @_noLocks @_noAllocation
    private func start(of frame: SynthesisFrame) -> Int {
        guard frame.isRotated else { return frame.begin }
        return max(frame.begin + margin, output + (last.isRotated ? pace : firstPace))
    }

    /// Says where the frame planned last was joined.
    ///
    /// - Parameter frames: by how much it was moved, in frames of its window.
    @_noLocks @_noAllocation
    mutating func join(movedBy frames: Int) {
        if last.kind == .identity {
            last.position = last.position + FixedPosition(whole: frames)
            slack -= frames
        }
    }

    /// Starts afresh, keeping the parameters.
    @_noLocks @_noAllocation
    mutating func reset() {
        output = 0
        bypassing = true
        bypassPosition = 0
        nextStart = 0
        nextDecision = 0
        last.start = 0
        isOpening = false
        shapedEnd = 0
        slack = 0
    }

    @_noLocks @_noAllocation
    private mutating func planIdentity(_ frame: inout SynthesisFrame) {
        frame.kind = .identity
        frame.pitchRatio = 1
        frame.searchBack = 0
        frame.searchAhead = 0
        if last.kind != .identity {
            frame.searchAhead = 2 * searchReach
            slack = 2 * searchReach
            // Frames of the vocoder and this one weigh alike about here; after a grain, what is heard fades out.
            let follows = last.isRotated && !usesGrains
            frame.searchAt = follows ? max((frame.length - hop) / 2 - grainLength / 4, 0) : 0
        }
        let position = last.position + FixedPosition(whole: frame.hop)
        // The bypass can only copy whole frames; the map deviates by half a frame at most, once.
        frame.position = FixedPosition(whole: position.rounded)
        frame.inputEnd = frame.position.whole + frame.length / 2 + slack
    }

    @_noLocks @_noAllocation
    private mutating func planShaped(_ frame: inout SynthesisFrame) {
        // The vocoder has nothing to turn a frame towards after grains: its first is a long one.
        let isGrain = usesGrains || last.length != length
        frame.kind = isGrain ? .grain : .rotated
        frame.searchBack = isGrain ? searchReach : 0
        frame.searchAhead = frame.searchBack
        frame.searchAt = 0
        frame.pitchRatio = pitchRatio
        frame.position = last.position + step * frame.hop
        frame.inputEnd =
            frame.position.rounded + reach(length: frame.length, search: frame.searchAhead, hop: frame.hop)
        shapedEnd = max(shapedEnd, frame.centre + frame.length / 2 + (usesGrains ? grainRoom : 0))
        slack = 0
    }

    /// Returns the number of input frames on either side of its position that a shaped frame may use.
    @_noLocks @_noAllocation
    private func reach(length: Int, search: Int, hop: Int) -> Int {
        let half = Double(length / 2 + search) * pitchRatio
        return Int(half) + 1
            + (pitchRatio == 1 ? 0 : shape.tapCount(ratio: pitchRatio) / 2 + 1)
            // A transient may move its frame by half a step of the map or of the window.
            + Int(max(step.value <= TransientPreserver.highestRate ? step.value : 0, pitchRatio) * Double(hop)) / 2 + 2
    }

    /// Makes an opening the newest frame.
    @_noLocks @_noAllocation
    private mutating func open() {
        isOpening = false
        last.kind = .opening
        last.length = usesGrains ? grainLength : length
        last.start = output
        last.hold = usesGrains ? openingHold : 0
        // Before anything was heard, the map starts with the new rate.
        let isStart = output == 0
        let lead = isStart || usesGrains ? 0 : length / 2 - margin
        last.centre = output + lead
        last.position = FixedPosition(whole: bypassPosition + lead)
        last.pitchRatio = isStart ? pitchRatio : 1
        let hop = min(self.hop, firstPace)
        nextStart = usesGrains ? output + last.hold : last.centre + hop - length / 2
        // Transients belong to it up to the middle between it and the next frame, and while it is heard alone.
        last.hop = usesGrains ? last.hold + grainLength / 2 : isStart ? 2 * hop : hop
        last.searchBack = 0
        last.searchAhead = 0
        last.inputEnd =
            last.position.rounded + reach(length: last.length, search: last.hold, hop: isStart ? last.hop : 0)
        shapedEnd = output
        slack = 0
    }
}
