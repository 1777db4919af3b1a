/// Decides which blocks of 10 ms of a recording are pauses of speech.
///
/// A block is quiet if it lies near the noise floor of the recording and has no pitch. That holds for all frequencies above 100 Hz,
/// and for those above 2.5 kHz alone, where weak consonants and breaths stand out.
///
/// A quiet stretch is a pause only if the recording is much louder elsewhere. Besides, the floor has been met before, or what follows
/// rises out of it: a recording that is faded out has no floor. Blocks are decided 200 ms late.
struct PauseDetector: ~Copyable {
    /// The measures of a block: mean squares, and the correlation with itself one period later, 0…1.
    struct Block {
        var power: Float
        var highPower: Float
        var periodicity: Float
    }

    /// Blocks that are known after the one that is decided.
    static var lookAhead: Int { 20 }

    // In dB.
    /// Above the floor: what counts as sound if it lasts, more of it the farther the loudest level is, by this share; and how much
    /// louder than that counts as sound at once.
    private static var margins: (least: Float, most: Float, share: Float) { (6, 9, 0.15) }
    private static var step: Float { 4 }
    /// Below the loudest level, and below full scale, nothing is heard.
    private static var inaudible: (relative: Float, absolute: Float) { (-55, -75) }
    /// Above it a quiet sound with a pitch is taken for music, and not for hum.
    private static var pitched: (relative: Float, absolute: Float) { (-52, -68) }
    /// The least distance of the loudest level from the floor.
    private static var range: Float { 20 }
    /// The rise out of a floor that confirms it, and by how much a confirmed floor may change.
    private static var rise: Float { 15 }
    private static var drift: Float { 4 }
    /// The mean periodicity of five blocks that makes a pitch.
    private static var pitch: Float { 0.5 }

    private var full = BandLevel()
    private var high = BandLevel()
    private let periodicities = AlignedFloatBuffer(count: BandLevel.capacity)
    /// The floor that speech rose from last.
    private var confirmedFloor: Float?

    init() {}

    /// Forgets the signal, and keeps what is known of the recording.
    mutating func reset() {
        full.reset()
        high.reset()
    }

    /// The number of blocks since the start.
    var count: Int { full.count }

    mutating func add(_ block: Block) {
        periodicities.pointer[full.count % BandLevel.capacity] = block.periodicity
        full.add(power: block.power)
        high.add(power: block.highPower)
    }

    /// The level below which a block may be quiet, in dB: above it nothing needs to be known of its pitch.
    var interestingLevel: Float { gate(full) + 2 * PauseDetector.step }

    /// The level above which a block is sound at once, in dB.
    var loudGate: Float { gate(full) + PauseDetector.step }

    func level(_ index: Int) -> Float { full.level(index) }

    /// Returns whether a block is quiet.
    func isQuiet(_ index: Int) -> Bool {
        let (fullGate, highGate) = (gate(full), gate(high))
        return !full.isLoud(index, low: fullGate, high: fullGate + PauseDetector.step)
            && !high.isLoud(index, low: highGate, high: highGate + PauseDetector.step)
            && !hasPitch(index)
    }

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
        var sum: Float = 0
        for place in max(0, index - 2)..<min(index + 3, full.count) {
            sum += periodicities.pointer[place % BandLevel.capacity]
        }
        return sum > 5 * PauseDetector.pitch
    }
}
