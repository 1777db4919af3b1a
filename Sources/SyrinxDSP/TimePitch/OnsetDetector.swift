/// Finds transients: the places in the input before which it was much quieter.
///
/// Watches the steepness of the waveform, which weighs high frequencies more, in blocks of about 1.5 ms, against the
/// loudest of the 20 ms before. A transient is 12 dB above that. Works on the input alone, so all frames agree on the
/// places.
struct OnsetDetector: ~Copyable {
    /// The number of onsets remembered; the oldest is dropped for a new one.
    private static var capacity: Int { 256 }
    /// The rise in level that makes an onset, as a ratio of powers: 12 dB.
    private static var rise: Float { 16 }

    let blockLength: Int
    private let recent: AlignedFloatBuffer
    // Allocated here, freed in deinit, and not shared.
    private let places: UnsafeMutablePointer<Int>
    private var count = 0
    private var blocks = 0
    private var holdUntil = 0

    init(sampleRate: Double) {
        blockLength = max(16, Int(sampleRate * 0.00145))
        recent = AlignedFloatBuffer(count: 14)
        places = .allocate(capacity: Self.capacity)
        places.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        places.deallocate()
    }

    /// Starts at the block that contains an input frame.
    @_noLocks @_noAllocation
    mutating func reset(from start: Int) {
        recent.clear()
        count = 0
        blocks = max(start, 0) / blockLength
        // Silence precedes the first frame. Before any other frame, the unknown input may have been as loud.
        holdUntil = start > 0 ? blocks + recent.count : 0
    }

    /// The input frames looked at so far.
    var examined: Int { @_noLocks @_noAllocation get { blocks * blockLength } }

    /// Returns whether a transient begins in the next block, given the power of its differences summed over the
    /// channels.
    @_noLocks @_noAllocation
    func isStrike(power: Float) -> Bool {
        // −90 dB of full scale: an onset below it is inaudible.
        var loudest = Float(blockLength) * 1e-9
        for index in 0..<recent.count { loudest = max(loudest, recent.pointer[index]) }
        return power > OnsetDetector.rise * loudest && blocks >= holdUntil
    }

    /// Takes the next block.
    ///
    /// - Parameter offset: The position of the transient in the block; `nil` without one.
    @_noLocks @_noAllocation
    mutating func take(power: Float, strikingAt offset: Int?) {
        if let offset {
            places[count % OnsetDetector.capacity] = blocks * blockLength + offset
            count += 1
            holdUntil = blocks + recent.count
        }
        recent.pointer[blocks % recent.count] = power
        blocks += 1
    }

    /// The first transient at or after `from` and before `to`, or nil.
    @_noLocks @_noAllocation
    func next(from: Int, to: Int) -> Int? {
        var found: Int?
        let kept = min(count, OnsetDetector.capacity)
        for back in 0..<kept {
            let place = places[(count - 1 - back) % OnsetDetector.capacity]
            if place < from { break }
            if place < to { found = place }
        }
        return found
    }
}
