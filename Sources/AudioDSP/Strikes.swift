/// Keeps strikes short: each belongs to one frame, and is faded out of all the others.
///
/// The frame whose turn it is when a strike is due shows it whole, moved so that it falls where the time map says; frames
/// before it end where the strike begins, and frames after it begin where it has passed. So a strike is heard once, at its
/// own speed, instead of once for every window that it lies in. What windows lose this way is made up for by the
/// overlap-add, which divides by what they add up to.
struct Strikes: ~Copyable {
    /// Rates above this pass strikes by as they come: nobody can tell them apart.
    static var highestRate: Double { @_noLocks @_noAllocation get { 4 } }

    private let fade: Int
    private let body: Int
    private var detector: OnsetDetector
    /// Strikes up to here have been shown.
    private var shown = Int.min
    /// The windows of the frame in hand, its earlier look and its own.
    let earlierWindow: FloatStore
    let window: FloatStore
    private let scratch: FloatStore

    /// Windows of up to `length` frames.
    init(length: Int, sampleRate: Double) {
        fade = max(8, Int(sampleRate * 0.001))
        body = max(16, Int(sampleRate * 0.006))
        detector = OnsetDetector(sampleRate: sampleRate)
        earlierWindow = FloatStore(count: length)
        window = FloatStore(count: length)
        scratch = FloatStore(count: detector.blockLength + 1)
    }

    /// Starts listening at an input frame; what was before it is not known.
    @_noLocks @_noAllocation
    mutating func reset(from start: Int) {
        detector.reset(from: start)
        shown = Int.min
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

    /// The sum of the squares of the steps in what has been read.
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

    /// Where in what has been read a step is for the first time nearly as large as the largest.
    @_noLocks @_noAllocation
    private func rise(_ block: Int) -> Int {
        let samples = scratch.pointer
        var steepest: Float = 0
        for index in 0..<block { steepest = max(steepest, (samples[index + 1] - samples[index]).magnitude) }
        guard steepest > 0 else { return block }
        for index in 0..<block where (samples[index + 1] - samples[index]).magnitude >= 0.2 * steepest { return index }
        return block
    }

    /// Says that strikes up to an input frame have been heard as they are.
    @_noLocks @_noAllocation
    mutating func pass(_ place: Int) {
        shown = max(shown, place)
    }

    /// Shapes the windows for a frame.
    ///
    /// - Parameters:
    ///   - frame: the frame; its position is moved if a strike is its own.
    ///   - base: the window without strikes, of `count` frames.
    ///   - middle: where in it the frame's position is heard.
    ///   - rate: input frames for each output frame.
    ///   - floor: what is left of a window where a strike is cut out, so that its output is never divided by nothing.
    /// - Returns: whether the windows are other than `base`, and whether a strike is the frame's own.
    @_noLocks @_noAllocation
    mutating func shape(
        _ frame: inout PlannedFrame,
        base: UnsafePointer<Float>,
        count: Int,
        middle: Int,
        rate: Double,
        floor: Float
    ) -> (shaped: Bool, own: Bool) {
        guard rate <= Strikes.highestRate else { return (false, false) }
        let pitch = frame.pitchRatio
        let before = Double(middle) * pitch
        let after = Double(count - middle) * pitch
        let position = frame.position.value
        let due = position + rate * Double(frame.hop) / 2
        // A search for the best join could move a strike into the window that is not in it yet.
        let margin = Double(max(frame.searchBack, frame.searchAhead)) * pitch
        let from = Int(position - before - margin - Double(frame.hop) * pitch * 2) - body
        let to = min(Int(position + after + margin) + 1, detector.examined)
        guard var place = detector.next(from: from, to: to) else { return (false, false) }
        let shownBefore = shown
        var own: Int?
        var probe: Int? = place
        while let strike = probe, Double(strike) <= due {
            if strike > shownBefore {
                own = strike
                shown = strike
            }
            probe = detector.next(from: strike + 1, to: to)
        }
        // An opening after the bypass goes on where that was, at its speed.
        if let own, !frame.isOpening || frame.isFirst {
            // Moved so that the strike, at its own speed, falls on the output frame that the map has for it.
            let distance = Double(own) - position
            frame.position = FixedPosition(Double(own) - pitch * distance / rate)
        }
        copyFloats(base, to: window.pointer, count: count)
        copyFloats(base, to: earlierWindow.pointer, count: count)
        while true {
            let current = (Double(place) - frame.position.value) / pitch + Double(middle)
            let earlier = current + Double(frame.hop)
            if place > shown {
                Strikes.cut(
                    window.pointer,
                    count: count,
                    from: Int(current) - fade,
                    to: count,
                    fade: fade,
                    floor: floor
                )
                Strikes.cut(
                    earlierWindow.pointer,
                    count: count,
                    from: Int(earlier) - fade,
                    to: count,
                    fade: fade,
                    floor: floor
                )
            } else if place > shownBefore {
                Strikes.cut(
                    earlierWindow.pointer,
                    count: count,
                    from: Int(earlier) - fade,
                    to: count,
                    fade: fade,
                    floor: floor
                )
            } else if !frame.isOpening {
                let passed = Double(body) / pitch
                Strikes.cut(
                    window.pointer,
                    count: count,
                    from: 0,
                    to: Int(current + passed) + fade,
                    fade: fade,
                    floor: floor
                )
                Strikes.cut(
                    earlierWindow.pointer,
                    count: count,
                    from: 0,
                    to: Int(earlier + passed) + fade,
                    fade: fade,
                    floor: floor
                )
            }
            guard let following = detector.next(from: place + 1, to: to) else { break }
            place = following
        }
        return (true, own != nil)
    }

    /// Fades a window out from one end up to a place, over `fade` frames inside the cut.
    @_noLocks @_noAllocation
    private static func cut(
        _ window: UnsafeMutablePointer<Float>,
        count: Int,
        from: Int,
        to: Int,
        fade: Int,
        floor: Float
    ) {
        let start = max(from, 0)
        let end = min(to, count)
        guard start < end else { return }
        for index in start..<end {
            let depth = from > 0 || to >= count ? index - from : to - 1 - index
            let gain = max(1 - Float(depth) / Float(fade), floor)
            window[index] *= gain
        }
    }
}
