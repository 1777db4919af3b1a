/// Decides which blocks of 10 ms of a recording are pauses of speech.
///
/// A block is quiet if its level is near the noise floor of the recording, and if it has no pitch other than mains
/// hum. Both are tested for all frequencies above 100 Hz, and for those above 2.5 kHz, which are prominent in weak
/// consonants and breaths.
///
/// A block without pitch that is not quiet is soft if its level is far below the maximum in both bands: a breath, or
/// the decay of a word.
///
/// A quiet section is a pause only if the recording is much louder elsewhere. In addition, the floor must have
/// occurred before, or the following sound must rise from it, because a fade-out has no floor. Decisions are delayed
/// by 200 ms.
struct PauseDetector: ~Copyable {
    /// The measures of a block: mean squares, and the correlations with itself one period earlier, 0…1.
    struct Block {
        var power: Float
        var highPower: Float
        /// That of the best period of a voice.
        var periodicity: Float
        /// The smaller of the correlations after one and after several periods of mains hum.
        var hum: Float
    }

    /// The kind of a block.
    enum Kind {
        /// Part of a word, or other sound to keep unchanged.
        case sound
        /// Far softer than words, and without a pitch.
        case soft
        /// At the noise floor.
        case quiet
    }

    /// The number of blocks after the decided block that must be known.
    static var lookAhead: Int { 20 }

    // In dB.
    /// The margins in dB above the floor for sound: sustained sound uses a margin that grows with the distance to the
    /// maximum level by `share`.
    ///
    /// Sound that exceeds it further counts immediately.
    private static var margins: (least: Float, most: Float, share: Float) { (6, 9, 0.18) }
    private static var step: Float { 4 }
    /// The levels in dB below the maximum for soft sound, for all frequencies and for high ones.
    private static var soft: (full: Float, high: Float) { (-26, -20) }
    /// The levels in dB below the maximum, and below full scale, at which sound is inaudible.
    private static var inaudible: (relative: Float, absolute: Float) { (-55, -75) }
    /// Above it a quiet sound with a pitch is taken for music, and not for hum.
    private static var pitched: (relative: Float, absolute: Float) { (-52, -68) }
    /// The least distance of the loudest level from the floor.
    private static var range: Float { 20 }
    /// The rise in dB from a floor that confirms the floor, and the maximum change of a confirmed floor.
    private static var rise: Float { 15 }
    private static var drift: Float { 4 }
    /// The level in dB above the floor at which sound has decayed.
    private static var settled: Float { 3 }
    /// Blocks after which the floor is that of a pause.
    private static var youth: Int { 300 }
    /// The mean square of the first block that is not digital silence.
    private static var beginning: Float { 1e-8 }
    /// The mean periodicity of five blocks that makes a pitch.
    private static var pitch: Float { 0.5 }
    /// The share of the periodicity that hum has at least, where hum is all that has a pitch.
    private static var humShare: Float { 0.85 }
    /// The noise floor above which hum is taken for music, in dB of full scale.
    private static var loudestHum: Float { -48 }
    /// Blocks after which hum has repeated itself.
    private static var humReach: Int { 7 }

    private var full = BandLevel()
    private var high = BandLevel()
    private let periodicities = AlignedFloatBuffer(count: BandLevel.capacity)
    private let hums = AlignedFloatBuffer(count: BandLevel.capacity)
    /// Whether the first sound was reached.
    ///
    /// Silence before it gives no information about the floor.
    private var hasBegun = false
    /// The floor that speech rose from last.
    private var confirmedFloor: Float?

    init() {}

    /// Clears the signal, and keeps the statistics of the recording.
    mutating func reset() {
        full.reset()
        high.reset()
        hasBegun = false
    }

    /// The number of blocks since the start.
    var count: Int { full.count }

    mutating func add(_ block: Block) {
        periodicities.pointer[full.count % BandLevel.capacity] = block.periodicity
        hums.pointer[full.count % BandLevel.capacity] = block.hum
        hasBegun = hasBegun || block.power > PauseDetector.beginning
        full.add(power: block.power, counts: hasBegun)
        high.add(power: block.highPower, counts: hasBegun)
    }

    /// The level in dB above which a block cannot be quiet or soft, so that its pitch is irrelevant.
    var interestingLevel: Float { max(gate(full), softGate) + 8 }

    /// The level above which a block is sound at once, in dB.
    var loudGate: Float { gate(full) + PauseDetector.step }

    func level(_ index: Int) -> Float { full.level(index) }

    /// Whether so little was measured that the floor may be the level of a word.
    var isYoung: Bool { full.noted < PauseDetector.youth }

    /// Returns whether the level of a block is within 3 dB of the floor.
    func isAtFloor(_ index: Int) -> Bool { full.level(index) <= clampedFloor + PauseDetector.settled }

    /// Returns the kind of a block.
    func kind(of index: Int) -> Kind {
        guard !hasPitch(index) else { return .sound }
        let (fullGate, highGate) = (gate(full), gate(high))
        let isQuiet =
            !full.isLoud(index, low: fullGate, high: fullGate + PauseDetector.step)
            && !high.isLoud(index, low: highGate, high: highGate + PauseDetector.step)
        if isQuiet { return .quiet }
        let highSoftGate = high.loudest + PauseDetector.soft.high
        let isSoft =
            isSpeech && !full.isLoud(index, low: softGate, high: softGate)
            && !high.isLoud(index, low: highSoftGate, high: highSoftGate)
        return isSoft ? .soft : .sound
    }

    /// Returns whether a section with this maximum level in dB is at most as loud as a breath.
    func isSoft(level: Float) -> Bool { isSpeech && level < softGate }

    /// Whether sound has risen from a floor far below it.
    var isSpeech: Bool { confirmedFloor != nil && hasRange }

    private var softGate: Float { full.loudest + PauseDetector.soft.full }

    /// Whether an unfinished quiet section is certainly a pause, because speech has already risen from this floor.
    var isAtKnownFloor: Bool {
        guard let confirmedFloor else { return false }
        return hasRange && abs(clampedFloor - confirmedFloor) <= PauseDetector.drift
    }

    /// Returns whether the quiet stretch that ends before block `index` is a pause.
    mutating func isPause(before index: Int) -> Bool {
        guard hasRange else { return false }
        for later in index..<max(index, full.count) where full.level(later) >= clampedFloor + PauseDetector.rise {
            confirmedFloor = clampedFloor
            return true
        }
        return isAtKnownFloor
    }

    private var hasRange: Bool { full.loudest - clampedFloor >= PauseDetector.range }

    /// The floor, or a level at the same distance below the gate if the gate does not follow the floor.
    private var clampedFloor: Float { max(full.floor, gate(full) - PauseDetector.margins.most) }

    private func gate(_ band: borrowing BandLevel) -> Float {
        let margins = PauseDetector.margins
        let margin = min(max(margins.share * (full.loudest - band.floor), margins.least), margins.most)
        let inaudible = max(full.loudest + PauseDetector.inaudible.relative, PauseDetector.inaudible.absolute)
        return max(band.floor + margin, inaudible)
    }

    private func hasPitch(_ index: Int) -> Bool {
        let audible = max(full.loudest + PauseDetector.pitched.relative, PauseDetector.pitched.absolute)
        guard full.level(index) > audible else { return false }
        let periodicity = mean(periodicities, around: index)
        guard periodicity > PauseDetector.pitch else { return false }
        guard full.floor < PauseDetector.loudestHum else { return true }
        // Just after a word, hum resembles only the sound that follows. Just before a word, it resembles only the
        // sound before.
        let hum = max(mean(hums, around: index), mean(hums, around: index + PauseDetector.humReach))
        return hum < PauseDetector.humShare * periodicity
    }

    /// Returns the mean of five blocks.
    ///
    /// An unknown block counts as 0.
    private func mean(_ values: borrowing AlignedFloatBuffer, around index: Int) -> Float {
        var sum: Float = 0
        for place in index - 2..<index + 3 where place >= 0 && place < full.count {
            sum += values.pointer[place % BandLevel.capacity]
        }
        return sum / 5
    }
}
