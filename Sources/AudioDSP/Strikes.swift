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
            var offset = block
            for channel in 0..<channelCount {
                history.read(channel: channel, from: detector.examined - 1, count: block + 1, into: scratch.pointer)
                var steepest: Float = 0
                for index in 0..<block {
                    let rise = scratch.pointer[index + 1] - scratch.pointer[index]
                    power += rise * rise
                    steepest = max(steepest, rise.magnitude)
                }
                var first = 0
                while first < block {
                    let rise = scratch.pointer[first + 1] - scratch.pointer[first]
                    if rise.magnitude >= 0.2 * steepest { break }
                    first += 1
                }
                if steepest > 0 { offset = min(offset, first) }
            }
            detector.take(power: power, risingAt: min(offset, block - 1))
        }
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
    ///   - base: the window without strikes.
    ///   - rate: input frames for each output frame.
    ///   - floor: what is left of a window where a strike is cut out, so that its output is never divided by nothing.
    /// - Returns: whether the windows are other than `base`, and whether a strike is the frame's own.
    @_noLocks @_noAllocation
    mutating func shape(
        _ frame: inout PlannedFrame,
        base: UnsafePointer<Float>,
        rate: Double,
        floor: Float
    ) -> (shaped: Bool, own: Bool) {
        guard rate <= Strikes.highestRate else { return (false, false) }
        let pitch = frame.pitchRatio
        let length = frame.length
        let half = Double(length / 2) * pitch
        let middle = frame.position.value
        let due = middle + rate * Double(frame.hop) / 2
        // A search for the best join could move a strike into the window that is not in it yet.
        let margin = Double(max(frame.searchBack, frame.searchAhead)) * pitch
        let from = Int(middle - half - margin - Double(frame.hop) * pitch * 2) - body
        let to = min(Int(middle + half + margin) + 1, detector.examined)
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
        if let own {
            // Moved so that the strike, at its own speed, falls on the output frame that the map has for it.
            let distance = Double(own) - middle
            frame.position = FixedPosition(Double(own) - pitch * distance / rate)
        }
        copyFloats(base, to: window.pointer, count: length)
        copyFloats(base, to: earlierWindow.pointer, count: length)
        while true {
            let current = (Double(place) - frame.position.value) / pitch + Double(length / 2)
            let earlier = current + Double(frame.hop)
            if place > shown {
                Strikes.cut(
                    window.pointer,
                    count: length,
                    from: Int(current) - fade,
                    to: length,
                    fade: fade,
                    floor: floor
                )
                Strikes.cut(
                    earlierWindow.pointer,
                    count: length,
                    from: Int(earlier) - fade,
                    to: length,
                    fade: fade,
                    floor: floor
                )
            } else if place > shownBefore {
                Strikes.cut(
                    earlierWindow.pointer,
                    count: length,
                    from: Int(earlier) - fade,
                    to: length,
                    fade: fade,
                    floor: floor
                )
            } else {
                let passed = Double(body) / pitch
                Strikes.cut(
                    window.pointer,
                    count: length,
                    from: 0,
                    to: Int(current + passed) + fade,
                    fade: fade,
                    floor: floor
                )
                Strikes.cut(
                    earlierWindow.pointer,
                    count: length,
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
