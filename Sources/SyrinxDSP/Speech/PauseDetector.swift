/// Decides which blocks of 10 ms of a recording are pauses of speech.
///
/// A block is quiet if it lies near the noise floor of the recording and has no pitch, other than that of mains hum. That holds for all
/// frequencies above 100 Hz, and for those above 2.5 kHz alone, where weak consonants and breaths stand out.
///
/// A block that is not quiet and has no pitch either is soft if it lies far below the loudest level, in both bands: a breath, or the
/// decay of a word.
///
/// A quiet stretch is a pause only if the recording is much louder elsewhere. Besides, the floor has been met before, or what follows
/// rises out of it: a recording that is faded out has no floor. Blocks are decided 200 ms late.
struct PauseDetector: ~Copyable {
    /// The measures of a block: mean squares, and the correlations with itself one period earlier, 0…1.
    struct Block {
        var power: Float
        var highPower: Float
        /// That of the best period of a voice.
        var periodicity: Float
        /// The smaller one of those after one and after several periods of mains.
        var hum: Float
    }

    /// The kind of a block.
    enum Kind {
        /// A part of a word, or of anything else that is to stay as it is.
        case sound
        /// Far softer than words, and without a pitch.
        case soft
        /// At the noise floor.
        case quiet
    }

    /// Blocks that are known after the one that is decided.
    static var lookAhead: Int { 20 }

    // In dB.
    /// Above the floor: what counts as sound if it lasts, more of it the farther the loudest level is, by this share; and how much
    /// louder than that counts as sound at once.
    private static var margins: (least: Float, most: Float, share: Float) { (6, 9, 0.18) }
    private static var step: Float { 4 }
    /// Below the loudest level of all frequencies, and of the high ones alone: what is soft.
    private static var soft: (full: Float, high: Float) { (-26, -20) }
    /// Below the loudest level, and below full scale, nothing is heard.
    private static var inaudible: (relative: Float, absolute: Float) { (-55, -75) }
    /// Above it a quiet sound with a pitch is taken for music, and not for hum.
    private static var pitched: (relative: Float, absolute: Float) { (-52, -68) }
    /// The least distance of the loudest level from the floor.
    private static var range: Float { 20 }
    /// The rise out of a floor that confirms it, and by how much a confirmed floor may change.
    private static var rise: Float { 15 }
    private static var drift: Float { 4 }
    /// Above the floor: what has settled.
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
    /// Whether the silence before the recording's first sound is over: it tells nothing of the floor.
    private var hasBegun = false
    /// The floor that speech rose from last.
    private var confirmedFloor: Float?

    init() {}

    /// Forgets the signal, and keeps what is known of the recording.
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

    /// The level below which a block may be quiet or soft, in dB: above it nothing needs to be known of its pitch.
    var interestingLevel: Float { max(gate(full), softGate) + 8 }

    /// The level above which a block is sound at once, in dB.
    var loudGate: Float { gate(full) + PauseDetector.step }

    func level(_ index: Int) -> Float { full.level(index) }

    /// Whether so little is known that the floor may be that of a word.
    var isYoung: Bool { full.noted < PauseDetector.youth }

    /// Returns whether a block lies within 3 dB of the floor.
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

    /// Returns whether a stretch whose loudest block has this level, in dB, is no louder than a breath.
    func isSoft(level: Float) -> Bool { isSpeech && level < softGate }

    /// Whether something has risen out of a floor that lies far below it.
    var isSpeech: Bool { confirmedFloor != nil && hasRange }

    private var softGate: Float { full.loudest + PauseDetector.soft.full }

    /// Whether a quiet stretch that goes on is a pause already: the floor is one that speech has risen from.
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

    /// The floor, or what lies as far below the gate where the gate does not follow it.
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
        // Just after a word, hum resembles only the sound that follows. Just before a word, it resembles only the sound before.
        let hum = max(mean(hums, around: index), mean(hums, around: index + PauseDetector.humReach))
        return hum < PauseDetector.humShare * periodicity
    }

    /// Returns the mean of five blocks.
    ///
    /// A block that is not known counts as 0.
    private func mean(_ values: borrowing AlignedFloatBuffer, around index: Int) -> Float {
        var sum: Float = 0
        for place in index - 2..<index + 3 where place >= 0 && place < full.count {
            sum += values.pointer[place % BandLevel.capacity]
        }
        return sum / 5
    }
}
