/// A windowed segment of input and its position in the output.
struct SynthesisFrame {
    enum Kind {
        /// Added unchanged until other frames are ready: the sound at the start of processing.
        case opening
        /// Added unchanged: the input at rate 1 and pitch 0.
        case identity
        /// Rotated in phase to continue the previous frame.
        case rotated
        /// Added unchanged at the position with the best join.
        case grain
    }

    var kind: Kind
    /// Whether the frame is rotated in phase to continue the previous one.
    var isRotated: Bool { @_noLocks @_noAllocation get { kind == .rotated } }
    var isOpening: Bool { @_noLocks @_noAllocation get { kind == .opening } }
    /// Whether it is the opening with which the output starts.
    var isFirst: Bool { @_noLocks @_noAllocation get { kind == .opening && start == 0 } }
    /// Frames in the window.
    var length: Int
    /// The output frame on which the middle of the window falls.
    var centre: Int
    /// The input position that sounds at this output position.
    var position: FixedPosition
    /// The number of input frames that one frame of the window spans: the factor by which frequencies rise.
    var pitchRatio: Double
    /// The distance to the previous frame in output frames.
    ///
    /// For an opening, twice the range after its center in which it owns transients.
    var hop: Int
    /// The first output frame in which the frame is audible.
    var start = 0
    /// The number of frames after its center for which the weight of an opening stays constant.
    var hold = 0
    /// The output frame on which its window begins.
    var begin: Int { @_noLocks @_noAllocation get { centre - length / 2 } }
    /// The search range for a better join before and after the position, in frames of the window.
    var searchBack = 0
    var searchAhead = 0
    /// The place in the window at which the join is compared with the output so far.
    var searchAt = 0
    /// The number of input frames that have to be there.
    var inputEnd: Int
}

/// Decides which input sounds at which output frame, and which frame to make next: the time map, without the audio.
///
/// Vocoder frames are one hop apart in the output, and grains half their length. Between the centers of two frames the
/// map is linear. A change of rate, pitch or method therefore takes effect at the center of the last frame made so
/// far, less than half a window ahead.
///
/// At rate 1 and pitch 0 frames become identities. Once all frames that overlap the output are identities, the
/// schedule is `bypassing`: the output is the input. At the start and after a bypass, an opening sounds alone until
/// the first frames are ready, so these frames start later than their windows. The schedule is a plain value: a copy
/// that runs ahead shows how much input a read needs.
struct SynthesisSchedule {
    /// Frames in the vocoder's window.
    let length: Int
    /// Frames in a grain, an even number.
    let grainLength: Int
    /// The search range for the best join in both directions, in frames of the window.
    let searchReach: Int
    /// The shape of the interpolator used if the pitch is not 0.
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

    /// The newest frame, and the previous one.
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
    /// The remaining distance by which the join search may move the identities.
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

    /// Whether the parameters require no processing.
    var isNeutral: Bool { step == FixedPosition(whole: 1) && pitchRatio == 1 }

    /// The number of frames that a vocoder frame omits at each end of its window, which are inaudible (below −76 dB).
    var margin: Int { @_noLocks @_noAllocation get { length * 9 / 128 } }

    /// The number of frames for which a grain may sound past its window.
    ///
    /// A transient of 7 ms with its fade may begin 5 ms before the end.
    var grainRoom: Int { @_noLocks @_noAllocation get { grainLength / 10 } }

    /// The number of output frames by which a grain is made before it sounds.
    private var grainLead: Int { @_noLocks @_noAllocation get { grainLength / 5 } }

    /// The number of output frames for which the first grain keeps its weight: the time to make it and the next one.
    private var openingHold: Int { @_noLocks @_noAllocation get { grainLength / 2 } }

    /// The place in its window at which a vocoder frame is decided.
    ///
    /// The rest of the margin, at least `pace`, is the time to make it.
    private var lateness: Int {
        @_noLocks @_noAllocation get { margin - pace < length / 128 ? margin - pace : length / 128 }
    }

    /// The minimum number of output frames in which a vocoder frame is made: half a hop, or less for hops beyond
    /// `soonest`, so that the frame sounds earlier.
    ///
    /// No read may cost three times the mean.
    private var pace: Int { @_noLocks @_noAllocation get { min(hop / 2, max(soonest / 2, hop * 27 / 64)) } }

    /// The same for a frame after one without rotation, whose spectrum has to be computed too.
    private var firstPace: Int { @_noLocks @_noAllocation get { min(2 * pace, max(soonest, pace * 4 / 3)) } }

    /// The least from one frame of the vocoder to another that is made because a parameter has changed: the hop of 8
    /// windows.
    private var soonest: Int { @_noLocks @_noAllocation get { length / 8 } }

    /// The most output frames from setting a parameter to the middle of the first frame that has it.
    var decidedAhead: Int {
        if bypassing && isNeutral { return 0 }
        return usesGrains ? grainLength + grainLead : length / 2 - lateness + min(hop, max(soonest, margin - lateness))
    }

    /// The maximum number of output frames for which the end of the input sounds.
    ///
    /// Windows centered after the end still overlap the input, and each spreads its part over its own length.
    var tail: Int {
        guard !isNeutral else { return 0 }
        let reach =
            usesGrains
            ? reach(length: grainLength, search: searchReach, hop: grainLength / 2)
            : reach(length: length, search: 0, hop: hop)
        let heard = Int((Double(reach) / step.value).rounded(.up))
        // An opening sounds until the first grain follows.
        return usesGrains ? max(heard, openingHold) + grainLength / 2 + grainRoom : heard + length / 2 - margin
    }

    /// The first input frame that may still be read.
    ///
    /// Windows reach back by half their length and one hop, with each input frame as wide as the highest pitch ratio,
    /// 4.
    var oldestInput: Int {
        let middle = bypassing || isOpening ? bypassPosition : min(previous.position.whole, last.position.whole)
        return middle - 4 * (length / 2 + max(hop, length / 3)) - 8 * shape.halfWidth - length
    }

    /// The number of input frames before the first processed one in which onsets are detected when a bypass ends: the
    /// range of the first windows, and 30 ms to distinguish onsets from earlier sound.
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

    /// Moves the next frame earlier, if windows are so far apart that new parameters would be audible too late.
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

    /// Enters or leaves the bypass if the parameters and the frames made so far require it.
    ///
    /// - Returns: Whether the bypass was left, so that the overlap-add has to start from silence.
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

    /// Returns the number of output frames that can be taken before another frame has to be made or `settle` called
    /// again.
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

    /// Returns the output frame from which a frame decided now can be audible.
    ///
    /// This is the start of its window, or later if the frame is late, because making several frames at once would be
    /// too expensive.
    @_noLocks @_noAllocation
    private func start(of frame: SynthesisFrame) -> Int {
        guard frame.isRotated else { return frame.begin }
        return max(frame.begin + margin, output + (last.isRotated ? pace : firstPace))
    }

    /// Records the position of the join of the last planned frame.
    ///
    /// - Parameter frames: The shift of the frame in frames of its window.
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
            // Vocoder frames and this one have about equal weight here; after a grain, its sound fades out.
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
        // After grains the vocoder has no phases to continue, so its first frame is a long one.
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
            // At another pitch the window begins at most half a frame of output away.
            + (pitchRatio == 1 ? 0 : shape.tapCount(ratio: pitchRatio) / 2 + Int(pitchRatio / 2) + 2)
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
        // Before the first sound, the map starts with the new rate.
        let isStart = output == 0
        let lead = isStart || usesGrains ? 0 : length / 2 - margin
        last.centre = output + lead
        last.position = FixedPosition(whole: bypassPosition + lead)
        last.pitchRatio = isStart ? pitchRatio : 1
        let hop = min(self.hop, firstPace)
        nextStart = usesGrains ? output + last.hold : last.centre + hop - length / 2
        // It owns transients up to the middle between it and the next frame, and while it sounds alone.
        last.hop = usesGrains ? last.hold + grainLength / 2 : isStart ? 2 * hop : hop
        last.searchBack = 0
        last.searchAhead = 0
        last.inputEnd =
            last.position.rounded + reach(length: last.length, search: last.hold, hop: isStart ? last.hop : 0)
        shapedEnd = output
        slack = 0
    }
}
