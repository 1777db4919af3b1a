/// Keeps transients short: each belongs to one frame, and is faded out of all others.
///
/// The frame that sounds when a transient is due contains it completely, shifted to the time that the map requires.
/// Earlier frames end where the transient begins, and later frames start after it. A transient is therefore heard
/// once, at its original speed, instead of once per overlapping window. The overlap-add compensates the lost parts of
/// windows, because it divides by the sum of the windows.
struct TransientPreserver: ~Copyable {
    /// Rates above this pass onsets unchanged: the ear does not separate them.
    static var highestRate: Double { @_noLocks @_noAllocation get { 4 } }

    private let fade: Int
    private let body: Int
    private var detector: OnsetDetector
    /// The input frame up to which transients have been played.
    private var shown = Int.min
    /// The last transient owned by a frame, and the output frame at which it began.
    private var ownPlace = Int.min
    private var ownOutput = 0
    /// The windows of the current frame, for its earlier analysis and for itself.
    let earlierWindow: AlignedFloatBuffer
    let window: AlignedFloatBuffer
    private let scratch: AlignedFloatBuffer

    /// Windows of up to `length` frames.
    init(length: Int, sampleRate: Double) {
        fade = max(8, Int(sampleRate * 0.001))
        body = max(16, Int(sampleRate * 0.006))
        detector = OnsetDetector(sampleRate: sampleRate)
        earlierWindow = AlignedFloatBuffer(count: length)
        window = AlignedFloatBuffer(count: length)
        scratch = AlignedFloatBuffer(count: detector.blockLength + 1)
    }

    /// Starts the detection at an input frame; earlier input is unknown.
    @_noLocks @_noAllocation
    mutating func reset(from start: Int) {
        detector.reset(from: start)
        shown = Int.min
        ownPlace = Int.min
    }

    /// The input frames looked at so far.
    var examined: Int { @_noLocks @_noAllocation get { detector.examined } }

    /// Looks at the input up to `end`.
    @_noLocks @_noAllocation
    mutating func listen(to end: Int, of history: borrowing InputHistory, channelCount: Int) {
        let block = detector.blockLength
        while detector.examined + block <= end {
            var power: Float = 0
            for channel in 0..<channelCount {
                history.read(channel: channel, from: detector.examined - 1, count: block + 1, into: scratch.pointer)
                power += steepness(block)
            }
            guard detector.isStrike(power: power) else {
                detector.take(power: power, strikingAt: nil)
                continue
            }
            var offset = block - 1
            for channel in 0..<channelCount {
                history.read(channel: channel, from: detector.examined - 1, count: block + 1, into: scratch.pointer)
                offset = min(offset, rise(block))
            }
            detector.take(power: power, strikingAt: offset)
        }
    }

    /// Returns the sum of the squared differences of the samples read.
    @_noLocks @_noAllocation
    private func steepness(_ block: Int) -> Float {
        let samples = scratch.pointer
        // Four sums side by side are a vector.
        var (sum0, sum1, sum2, sum3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var index = 0
        while index &+ 4 <= block {
            let (a, b) = (samples[index &+ 1] - samples[index], samples[index &+ 2] - samples[index &+ 1])
            let (c, d) = (samples[index &+ 3] - samples[index &+ 2], samples[index &+ 4] - samples[index &+ 3])
            sum0 += a * a
            sum1 += b * b
            sum2 += c * c
            sum3 += d * d
            index &+= 4
        }
        while index < block {
            let step = samples[index &+ 1] - samples[index]
            sum0 += step * step
            index &+= 1
        }
        return (sum0 + sum2) + (sum1 + sum3)
    }

    /// Returns the place of the first step in the block that is nearly as large as the largest.
    @_noLocks @_noAllocation
    private func rise(_ block: Int) -> Int {
        let samples = scratch.pointer
        var steepest: Float = 0
        for index in 0..<block { steepest = max(steepest, (samples[index + 1] - samples[index]).magnitude) }
        guard steepest > 0 else { return block }
        for index in 0..<block where (samples[index + 1] - samples[index]).magnitude >= 0.2 * steepest { return index }
        return block
    }

    /// Records that transients up to an input frame were output unchanged.
    @_noLocks @_noAllocation
    mutating func pass(_ place: Int) {
        shown = max(shown, place)
    }

    /// Shapes the windows of a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame. Its position is shifted if it owns a transient. A grain is also shifted past a transient
    ///     that has already sounded.
    ///   - base: The window of `count` frames for a frame without transients.
    ///   - room: The number of frames by which the window of a grain may grow; 0 for other frames.
    ///   - middle: The index in the window at which the frame's position sounds.
    ///   - rate: Input frames per output frame.
    ///   - floor: The remaining weight where a transient is removed, which prevents a division by 0.
    /// - Returns: Whether the windows differ from `base`, whether the frame owns a transient, and the length of the
    ///   window.
    @_noLocks @_noAllocation
    mutating func shape(
        _ frame: inout SynthesisFrame,
        base: UnsafePointer<Float>,
        count: Int,
        room: Int = 0,
        middle: Int,
        rate: Double,
        floor: Float
    ) -> (shaped: Bool, own: Bool, count: Int) {
        guard rate <= TransientPreserver.highestRate else { return (false, false, count) }
        let pitch = frame.pitchRatio
        let position = frame.position.value
        // A search for the best join could otherwise move an unhandled transient into the window.
        let margin = Double(max(frame.searchBack, frame.searchAhead)) * pitch
        let from = Int(position - Double(middle) * pitch - margin - Double(frame.hop) * pitch * 2) - body
        let to = min(Int(position + Double(count - middle) * pitch + margin) + 1, detector.examined)
        guard let first = detector.next(from: from, to: to) else { return (false, false, count) }
        let shownBefore = shown
        let (own, passed) = claim(from: first, to: to, due: position + rate * Double(frame.hop) / 2)
        if let own {
            let away = (Double(own) - position) / rate
            ownPlace = own
            ownOutput = frame.centre + Int(away)
            // Shifted so that the transient, at its original speed, sounds at the output frame given by the map. An
            // opening after the bypass continues at its previous position and speed.
            if !frame.isOpening || frame.isFirst { frame.position = FixedPosition(Double(own) - pitch * away) }
        } else if let passed, room > 0 {
            let moved = past(passed, from: position, pitch: pitch, most: margin)
            if moved > position { frame.position = FixedPosition(moved) }
        }
        copyFloats(base, to: window.pointer, count: count)
        copyFloats(base, to: earlierWindow.pointer, count: count)
        var length = count
        if let own, room > 0 {
            length = hold(own, of: frame, at: position, count: count, room: room, middle: middle, rate: rate)
        }
        var next: Int? = first
        while let place = next {
            cut(
                place,
                of: frame,
                isPast: place <= shownBefore,
                at: position,
                count: length,
                room: room,
                middle: middle,
                rate: rate,
                floor: floor
            )
            next = detector.next(from: place + 1, to: to)
        }
        return (true, own != nil, length)
    }

    /// Which of the transients from `first` on is a frame's own, the last that is due and has not been shown; and the
    /// last that has been.
    @_noLocks @_noAllocation
    private mutating func claim(from first: Int, to: Int, due: Double) -> (own: Int?, passed: Int?) {
        let shownBefore = shown
        var (own, passed): (Int?, Int?) = (nil, nil)
        var next: Int? = first
        while let transient = next, transient <= shownBefore || Double(transient) <= due {
            if transient > shownBefore {
                own = transient
                shown = transient
            } else {
                passed = transient
            }
            next = detector.next(from: transient + 1, to: to)
        }
        return (own, passed)
    }

    /// Returns the position of a grain after a transient in its center.
    ///
    /// The previous grain contains the part that is then removed.
    @_noLocks @_noAllocation
    private func past(_ transient: Int, from position: Double, pitch: Double, most: Double) -> Double {
        let wanted = Double(transient + body) + Double(fade) * pitch
        return max(position, min(wanted, position + most))
    }

    /// Sets the window of a grain, from the end of the previous one to the start of the next one.
    ///
    /// - Parameter position: The frame's position before its shift.
    /// - Returns: The number of frames in the window.
    @_noLocks @_noAllocation
    private func hold(
        _ transient: Int,
        of frame: SynthesisFrame,
        at position: Double,
        count: Int,
        room: Int,
        middle: Int,
        rate: Double
    ) -> Int {
        let pitch = frame.pitchRatio
        let most = Double(frame.searchAhead) * pitch
        let away = Double(transient) - position
        let due = away / rate
        // The position of the transient in the previous and the next grain, from which it is removed.
        let before = (away + rate * Double(frame.hop)) / pitch - Double(frame.hop)
        let follower = past(transient, from: position + rate * Double(count / 2), pitch: pitch, most: most)
        let after = (Double(transient) - follower) / pitch + Double(count / 2)
        let begin = max(middle + Int(min(before, due)) - fade, 0)
        let end = min(middle + Int(max(after, due) + Double(body) / pitch) + fade, count + room)
        let window = window.pointer
        for index in count..<max(end, count) { window[index] = 0 }
        for index in begin..<max(end, begin) {
            let nearest = min(index + 1 - begin, end - index)
            window[index] = max(window[index], min(Float(nearest) / Float(fade), 1))
        }
        return max(end, count)
    }

    /// Removes a transient from the windows of a frame that does not own it.
    @_noLocks @_noAllocation
    private func cut(
        _ place: Int,
        of frame: SynthesisFrame,
        isPast: Bool,
        at position: Double,
        count: Int,
        room: Int,
        middle: Int,
        rate: Double,
        floor: Float
    ) {
        let pitch = frame.pitchRatio
        let (window, earlierWindow) = (window.pointer, earlierWindow.pointer)
        let current = Int((Double(place) - frame.position.value) / pitch + Double(middle))
        // The place of the transient in its own frame. Another frame that is heard there would lower its level.
        let due = Int((Double(place) - position) / rate) + middle
        let hop = frame.hop
        if place > shown {
            fadeOut(window, from: min(current, due) - fade, count: count, floor)
            fadeOut(earlierWindow, from: min(current, due) + hop - fade, count: count, floor)
        } else if !isPast {
            fadeOut(earlierWindow, from: current + hop - fade, count: count, floor)
        } else if !frame.isOpening {
            let passed = Int(Double(body) / pitch) + fade
            var heard = max(current, due)
            if place == ownPlace { heard = max(current, ownOutput - frame.centre + middle) }
            let end = room > 0 ? min(heard + passed, middle + room) : heard + passed
            fadeIn(window, until: end, count: count, floor)
            fadeIn(earlierWindow, until: heard + hop + passed, count: count, floor)
        }
    }

    /// Fades out a window within `fade` frames after a position.
    @_noLocks @_noAllocation
    private func fadeOut(_ window: UnsafeMutablePointer<Float>, from: Int, count: Int, _ floor: Float) {
        var index = max(from, 0)
        while index < count {
            window[index] *= max(1 - Float(index - from) / Float(fade), floor)
            index += 1
        }
    }

    /// Fades in a window within `fade` frames before a position.
    @_noLocks @_noAllocation
    private func fadeIn(_ window: UnsafeMutablePointer<Float>, until: Int, count: Int, _ floor: Float) {
        var index = 0
        while index < min(until, count) {
            window[index] *= max(1 - Float(until - 1 - index) / Float(fade), floor)
            index += 1
        }
    }
}
