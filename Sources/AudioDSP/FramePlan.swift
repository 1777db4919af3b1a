/// A windowed stretch of input and where it goes in the output.
struct PlannedFrame {
    enum Kind {
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
    /// Frames in the window.
    var length: Int
    /// The output frame on which the middle of the window falls.
    var centre: Int
    /// The input position that is heard there.
    var position: FixedPosition
    /// How many input frames one frame of the window spans: the factor by which frequencies rise.
    var pitchRatio: Double
    /// Output frames since the frame before.
    var hop: Int
    /// How far a better join may be looked for, before and after the position, in frames of the window.
    var searchBack = 0
    var searchAhead = 0
    /// Where in the window the join is compared with what is heard.
    var searchAt = 0
    /// How far from the position the join was found, in input frames; known once the frame has been made.
    var shift = FixedPosition(whole: 0)
    /// The number of input frames that have to be there.
    var inputEnd: Int
}

/// Decides which input is heard at which output frame, and what has to be made next: the time map, without the sound.
///
/// Frames of the vocoder lie a hop apart in the output, grains half their length, and between the middles of two of them the
/// map is a straight line. A change of rate, pitch or method therefore takes effect where the last frame made so far has its
/// middle, less than half a window ahead. At rate 1 and pitch 0 frames become identities; once every frame that overlaps the
/// output is one, the plan is `bypassing`: the output is the input and nothing has to be made. It holds no memory, so copying
/// it and running the copy ahead tells how much input a read will need.
struct FramePlan {
    /// Frames in the vocoder's window.
    let length: Int
    /// Frames in a grain, an even number.
    let grainLength: Int
    /// How far either way the best join is looked for, in frames of the window.
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

    /// The newest frame.
    private(set) var last: PlannedFrame
    /// The output frame at which the window of the next frame begins, or before.
    private var nextStart = 0
    /// The output frame at which the next frame is decided.
    private(set) var nextDecision = 0
    /// The output frame at which the newest frame has to have been made.
    private(set) var deadline = 0
    /// Frames with their middle before this output frame are identities whatever the rate: the way out of the bypass.
    private var identityUntil = 0
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
        last = PlannedFrame(
            kind: .identity,
            length: length,
            centre: 0,
            position: FixedPosition(whole: 0),
            pitchRatio: 1,
            hop: hop,
            inputEnd: 0
        )
    }

    /// Whether the parameters ask for the input as it is.
    var isNeutral: Bool { step == FixedPosition(whole: 1) && pitchRatio == 1 }

    /// What a frame of the vocoder leaves out at either end of its window, as nothing of it is heard there: below −76 dB.
    var margin: Int { @_noLocks @_noAllocation get { length * 9 / 128 } }

    /// How long, in output frames, a grain is made ahead of where it begins.
    private var grainLead: Int { @_noLocks @_noAllocation get { grainLength / 5 } }

    /// How far into its window a frame of the vocoder is decided: the rest of the margin is for making it.
    private var lateness: Int { @_noLocks @_noAllocation get { length / 128 } }

    /// The most output frames from setting a parameter to the middle of the first frame that has it.
    var decidedAhead: Int {
        if bypassing && isNeutral { return 0 }
        return usesGrains ? grainLength + grainLead : length / 2 + hop - lateness
    }

    /// For how many output frames the end of the input is heard on, at the most: windows whose middle lies behind it reach
    /// back to it, and each spreads what it has of it over its own length.
    var tail: Int {
        guard !isNeutral else { return 0 }
        let reach =
            usesGrains
            ? reach(length: grainLength, search: searchReach, hop: grainLength / 2)
            : reach(length: length, search: 0, hop: hop)
        return Int((Double(reach) / step.value).rounded(.up)) + (usesGrains ? grainLength / 2 : length / 2 - margin)
    }

    /// The first input frame that may still be read.
    ///
    /// Windows reach back by half their length and one hop, each input frame of it as wide as the highest pitch ratio, 4.
    var oldestInput: Int {
        let middle = bypassing ? bypassPosition : min(last.position.whole, last.position.whole + hop)
        return middle - 4 * (length / 2 + max(hop, length / 3)) - 8 * shape.halfWidth - length
    }

    @_noLocks @_noAllocation
    mutating func setRate(_ rate: Double) { step = FixedPosition(rate) }

    @_noLocks @_noAllocation
    mutating func setPitchRatio(_ ratio: Double) { pitchRatio = ratio }

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
            leaveBypass()
            return true
        }
        if isNeutral, output >= shapedEnd, last.kind == .identity {
            bypassing = true
            bypassPosition = last.position.whole + (output - last.centre)
        }
        return false
    }

    /// The first input frame that is not needed for the output before `end`, while bypassing.
    @_noLocks @_noAllocation
    func bypassNeed(until end: Int) -> Int { bypassPosition + (end - output) + slack }

    /// How many output frames can be taken before another frame has to be made or `settle` asked again.
    @_noLocks @_noAllocation
    func ready() -> Int {
        if bypassing { return .max }
        let made = nextDecision - output
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
    mutating func plan() -> PlannedFrame {
        var frame = last
        frame.length = usesGrains ? grainLength : length
        frame.centre = usesGrains ? last.centre + grainLength / 2 : nextStart + length / 2
        frame.hop = frame.centre - last.centre
        frame.shift = FixedPosition(whole: 0)
        if frame.centre < identityUntil || isNeutral {
            planIdentity(&frame)
        } else {
            planShaped(&frame)
        }
        deadline = frame.centre - frame.length / 2 + (frame.isRotated ? margin : 0)
        last = frame
        nextStart = usesGrains ? frame.centre : frame.centre + hop - length / 2
        nextDecision = max(deadline, usesGrains ? nextStart - grainLead : nextStart + lateness)
        return frame
    }

    /// Says where the frame planned last was joined.
    ///
    /// - Parameter frames: by how much it was moved, in frames of its window.
    @_noLocks @_noAllocation
    mutating func join(movedBy frames: Int) {
        if last.kind == .identity {
            last.position = last.position + FixedPosition(whole: frames)
            slack -= frames
        } else {
            last.shift = FixedPosition(last.pitchRatio) * frames
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
        deadline = 0
        identityUntil = 0
        shapedEnd = 0
        slack = 0
    }

    @_noLocks @_noAllocation
    private mutating func planIdentity(_ frame: inout PlannedFrame) {
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
        // The bypass can only copy whole frames; the map gives way by half a frame at most, once.
        frame.position = FixedPosition(whole: position.rounded)
        frame.inputEnd = frame.position.whole + frame.length / 2 + slack
    }

    @_noLocks @_noAllocation
    private mutating func planShaped(_ frame: inout PlannedFrame) {
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
        shapedEnd = max(shapedEnd, frame.centre + frame.length / 2)
        slack = 0
    }

    /// How many input frames on either side of its position a shaped frame may be made from.
    @_noLocks @_noAllocation
    private func reach(length: Int, search: Int, hop: Int) -> Int {
        let half = Double(length / 2 + search) * pitchRatio
        return Int(half) + 1
            + (pitchRatio == 1 ? 0 : shape.tapCount(ratio: pitchRatio) / 2 + 1)
            // A strike may move its frame by half a step of the map or of the window.
            + Int(max(step.value <= Strikes.highestRate ? step.value : 0, pitchRatio) * Double(hop)) / 2 + 2
    }

    @_noLocks @_noAllocation
    private mutating func leaveBypass() {
        let half = (usesGrains ? grainLength : length) / 2
        bypassing = false
        last.kind = .identity
        last.length = 2 * half
        last.pitchRatio = 1
        last.centre = output - half
        last.shift = FixedPosition(whole: 0)
        if output == 0 {
            // Nothing has been heard yet: the map starts with the new rate, and the first frame has its middle on the first
            // output frame.
            if !usesGrains { last.centre = -hop }
            last.position = step * last.centre
            last.pitchRatio = pitchRatio
            identityUntil = last.centre
        } else {
            last.position = FixedPosition(whole: bypassPosition - half)
            identityUntil = usesGrains ? output + 1 : output + half
        }
        shapedEnd = output
        slack = 0
        nextStart = usesGrains ? last.centre : last.centre + hop - half
        nextDecision = output
        deadline = output
    }
}
