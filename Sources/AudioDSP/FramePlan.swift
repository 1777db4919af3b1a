/// One frame of the phase vocoder: a windowed stretch of input and where it goes in the output.
struct PlannedFrame {
    enum Kind {
        /// Added as it is: the input at rate 1 and pitch 0.
        case identity
        /// Turned in phase so that it continues the frame before it.
        case rotated
    }

    var kind: Kind
    /// The output frame on which the middle of the window falls.
    var centre: Int
    /// The input position that is heard there.
    var position: FixedPosition
    /// How many input frames one frame of the window spans: the factor by which frequencies rise.
    var pitchRatio: Double
    /// Output frames since the frame before.
    var hop: Int
    /// The number of input frames that have to be there.
    var inputEnd: Int
}

/// Decides which input is heard at which output frame, and what has to be made next: the time map, without the sound.
///
/// Frames of the vocoder lie `hop` apart in the output, and between two of them the map is a straight line. A change of
/// rate or pitch therefore takes effect where the last frame made so far has its middle, less than half a window ahead.
/// At rate 1 and pitch 0 frames become identities; once every frame that overlaps the output is one, the plan is
/// `bypassing`: the output is the input and nothing has to be made. It holds no memory, so copying it and running the
/// copy ahead tells how much input a read will need.
struct FramePlan {
    /// Frames in the window.
    let length: Int
    /// The interpolator's reach where the pitch is not 0.
    let shape: InterpolationBank.Shape

    private(set) var step = FixedPosition(whole: 1)
    private(set) var pitchRatio = 1.0
    private var hop: Int

    /// The next output frame.
    private(set) var output = 0
    /// Whether the output is the input, bit for bit.
    private(set) var bypassing = true
    /// The input frame that `output` is, while bypassing.
    private(set) var bypassPosition = 0

    /// The newest frame.
    private(set) var last: PlannedFrame
    private var nextCentre = 0
    /// Frames with their middle before this output frame are identities whatever the rate: the way out of the bypass.
    private var identityUntil = 0
    /// The first output frame after all rotated ones.
    private var rotatedEnd = 0

    init(length: Int, overlap: Double, shape: InterpolationBank.Shape) {
        self.length = length
        self.shape = shape
        hop = Self.hop(length: length, overlap: overlap)
        last = PlannedFrame(
            kind: .identity,
            centre: 0,
            position: FixedPosition(whole: 0),
            pitchRatio: 1,
            hop: hop,
            inputEnd: 0
        )
    }

    /// Whether the parameters ask for the input as it is.
    var isNeutral: Bool { step == FixedPosition(whole: 1) && pitchRatio == 1 }

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
        if isNeutral, output >= rotatedEnd, last.kind == .identity {
            bypassing = true
            bypassPosition = last.position.whole + (output - last.centre)
        }
        return false
    }

    /// How many output frames can be taken before another frame has to be made or `settle` asked again.
    @_noLocks @_noAllocation
    func ready() -> Int {
        if bypassing { return .max }
        let made = nextCentre - length / 2 + 1 - output
        // While the way back into the bypass is open, the switch must be on its exact frame however reads are cut.
        return isNeutral && last.kind == .identity && rotatedEnd > output ? min(made, rotatedEnd - output) : made
    }

    @_noLocks @_noAllocation
    mutating func advance(by count: Int) {
        output += count
        if bypassing { bypassPosition += count }
    }

    /// Plans the next frame with the parameters of now.
    @_noLocks @_noAllocation
    mutating func plan() -> PlannedFrame {
        let centre = nextCentre
        let distance = centre - last.centre
        var frame = last
        frame.centre = centre
        frame.hop = distance
        if centre < identityUntil || isNeutral {
            frame.kind = .identity
            frame.pitchRatio = 1
            let position = last.position + FixedPosition(whole: distance)
            // The bypass can only copy whole frames; the map gives way by half a frame at most, once.
            frame.position = FixedPosition(whole: position.rounded)
            frame.inputEnd = frame.position.whole + length / 2
        } else {
            frame.kind = .rotated
            frame.pitchRatio = pitchRatio
            frame.position = last.position + step * distance
            let half = Double(length / 2) * pitchRatio
            frame.inputEnd =
                frame.position.rounded + Int(half) + 1
                + (pitchRatio == 1 ? 0 : InterpolationBank.reach(shape: shape, ratio: pitchRatio) + 1)
                // A strike may move its frame by half a step of the map or of the window.
                + Int(max(step.value <= Strikes.highestRate ? step.value : 0, pitchRatio) * Double(distance)) / 2 + 2
            rotatedEnd = centre + length / 2
        }
        last = frame
        nextCentre = centre + hop
        return frame
    }

    /// Starts afresh, keeping the parameters.
    @_noLocks @_noAllocation
    mutating func reset() {
        output = 0
        bypassing = true
        bypassPosition = 0
        nextCentre = 0
        identityUntil = 0
        rotatedEnd = 0
    }

    @_noLocks @_noAllocation
    private mutating func leaveBypass() {
        bypassing = false
        last.kind = .identity
        last.pitchRatio = 1
        last.centre = output - length / 2
        if output == 0 {
            // Nothing has been heard yet: the map starts with the new rate, and runs on before the first frame.
            last.position = -(step * (length / 2))
            last.pitchRatio = pitchRatio
            identityUntil = last.centre
        } else {
            last.position = FixedPosition(whole: bypassPosition - length / 2)
            identityUntil = output + length / 2
        }
        rotatedEnd = output
        nextCentre = last.centre + hop
    }
}
