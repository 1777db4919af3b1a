#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The current loudness of speech: of its last 15 seconds without pauses.
///
/// The input is the K-weighted energy of each 10 ms. Blocks of 400 ms, every 100 ms, pass the two gates of ITU-R
/// BS.1770: −70 LUFS, and 10 LU below the mean of the kept blocks. A block 15 LU below the loudness is a pause and
/// does not change the loudness. The measurement restarts after half a second that is 10 LU louder, or after three
/// seconds of speech-like sound that are 15 LU quieter.
///
/// The effect of compressor and limiter is tracked separately over about 1.2 s, so that it is known soon after a
/// change of the gain. `note` neither allocates nor locks.
struct SpeechLevel: ~Copyable {
    /// Steps in a second.
    static let stepsPerSecond = 100
    private static let windowSteps = 40
    private static let blockSteps = 10
    private static let partSteps = 5
    /// The blocks that are kept: 15 s of speech.
    private static let capacity = 150
    /// The number of blocks by which a rise of the loudness is detected: 3 s.
    private static let recentBlocks = 30
    /// −70 LUFS.
    private static let floor = 1.172_5e-7
    /// The steps after which the first block of speech counts that has begun.
    private static let firstSteps = 20
    /// Decibels by which the levels of neighbouring parts of 50 ms differ in the mean: noise and tones stay below,
    /// speech is above.
    private static let leastVariation = 1.2

    private let steps: UnsafeMutablePointer<Double>
    private let blocks: UnsafeMutablePointer<Double>
    private var stepPlace = 0
    /// The number of steps in the window since the sound began.
    private var heldSteps = 0
    private var blockStep = 0
    private var blockPlace = 0
    private var blockCount = 0
    private var partStep = 0
    private var partEnergy = 0.0
    private var partLevel = -70.0
    private var variation = 0.0
    private var louderBlocks = 0
    private var quieterBlocks = 0
    private var mean = 0.0
    /// The energy of speech before and after the dynamics, with exponentially decreasing weight of older steps.
    private var (plain, treated) = (0.0, 0.0)
    private var (plainBlock, treatedBlock) = (0.0, 0.0)

    /// The duration in seconds of speech in the measurement since its last restart.
    private(set) var evidence = 0.0
    /// Whether the last 100 ms were no pause.
    private(set) var isActive = false

    init() {
        steps = .allocate(capacity: Self.windowSteps)
        steps.initialize(repeating: 0, count: Self.windowSteps)
        blocks = .allocate(capacity: Self.capacity)
        blocks.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        steps.deallocate()
        blocks.deallocate()
    }

    /// The loudness of the input in LUFS, or `nil` before there is one.
    var loudness: Double? { mean > 0 ? -0.691 + 10 * log10(mean) : nil }

    /// The decibels by which the dynamics change the loudness.
    var change: Double { plain > 0 && treated > 0 ? 10 * log10(treated / plain) : 0 }

    /// Whether the sound varies as speech and music do, and a steady noise does not.
    var isVarying: Bool { variation > Self.leastVariation }

    /// Clears the measurement.
    mutating func reset() {
        (stepPlace, heldSteps, blockStep, blockPlace, blockCount) = (0, 0, 0, 0, 0)
        (partStep, partEnergy, partLevel, variation) = (0, 0, -70, 0)
        (louderBlocks, quieterBlocks, mean, evidence, isActive) = (0, 0, 0, 0, false)
        (plain, treated, plainBlock, treatedBlock) = (0, 0, 0, 0)
    }

    /// Reduces the recorded duration of speech, so that the following sound has more weight.
    mutating func limitEvidence(to seconds: Double) { if evidence > seconds { evidence = seconds } }

    /// Adds the energy of the next 10 ms: the mean square of the weighted samples, over all channels.
    ///
    /// - Parameter output: The energy after the dynamics, without the preceding gain.
    mutating func note(_ energy: Double, output: Double) {
        let energy = energy < .infinity ? energy : 0
        plainBlock += energy
        treatedBlock += output < .infinity ? output : 0
        steps[stepPlace] = energy
        stepPlace = stepPlace + 1 == Self.windowSteps ? 0 : stepPlace + 1
        if heldSteps > 0 || energy > Self.floor { heldSteps = min(heldSteps + 1, Self.windowSteps) }
        partEnergy += energy
        partStep += 1
        if partStep == Self.partSteps { closePart() }
        blockStep += 1
        if blockStep == Self.blockSteps { closeBlock() }
    }

    private mutating func closePart() {
        let mean = partEnergy / Double(Self.partSteps)
        let level = mean > Self.floor ? 10 * log10(mean) : -70.0
        // One step, from silence to noise, is no variation.
        variation += 0.08 * (min(abs(level - partLevel), 10) - variation)
        (partLevel, partEnergy, partStep) = (level, 0, 0)
    }

    private mutating func closeBlock() {
        blockStep = 0
        let now = sum(Self.blockSteps) / Double(Self.blockSteps)
        isActive = now > Self.floor && now > mean * 0.1
        if isActive {
            let kept = evidence < 3 ? 0.8 : 0.92
            plain = plain * kept + plainBlock
            treated = treated * kept + treatedBlock
        }
        (plainBlock, treatedBlock) = (0, 0)
        guard heldSteps >= Self.firstSteps else { return }
        let block = sum(heldSteps) / Double(heldSteps)
        guard block > Self.floor else {
            if blockCount == 0 { heldSteps = 0 }
            return
        }
        judge(block)
    }

    /// Adds a block, skips it as a pause, or restarts the measurement with it.
    private mutating func judge(_ block: Double) {
        guard blockCount > 0 else { return keep(block) }
        louderBlocks = block > mean * 10 ? louderBlocks + 1 : 0
        if block < mean * 0.031_6 {
            if isVarying { quieterBlocks += 1 }
            guard quieterBlocks == 30 else { return }
            beginAnew(evidence: 1)
        } else if louderBlocks == 5 {
            beginAnew(evidence: 0.2)
        }
        quieterBlocks = 0
        keep(block)
    }

    private mutating func beginAnew(evidence: Double) {
        (blockCount, blockPlace, louderBlocks) = (0, 0, 0)
        self.evidence = evidence
    }

    private mutating func keep(_ block: Double) {
        blocks[blockPlace] = block
        blockPlace = blockPlace + 1 == Self.capacity ? 0 : blockPlace + 1
        blockCount = min(blockCount + 1, Self.capacity)
        if isVarying { evidence += 0.1 }
        let all = meanEnergy(ofLast: blockCount, above: 0)
        let gate = all * 0.1
        let gated = meanEnergy(ofLast: blockCount, above: gate)
        // A rise by more than 3 LU is followed sooner.
        let recent = meanEnergy(ofLast: min(blockCount, Self.recentBlocks), above: gate)
        mean = max(gated, recent * 0.5)
    }

    private func meanEnergy(ofLast count: Int, above gate: Double) -> Double {
        var (sum, number, index) = (0.0, 0.0, 0)
        var place = blockPlace
        while index < count {
            place = place == 0 ? Self.capacity - 1 : place - 1
            if blocks[place] > gate {
                sum += blocks[place]
                number += 1
            }
            index &+= 1
        }
        return number > 0 ? sum / number : 0
    }

    /// Returns the sum of the energies of the last steps.
    private func sum(_ count: Int) -> Double {
        var (sum, index, place) = (0.0, 0, stepPlace)
        while index < count {
            place = place == 0 ? Self.windowSteps - 1 : place - 1
            sum += steps[place]
            index &+= 1
        }
        return sum
    }
}

/// The gain that brings speech to a target loudness.
///
/// The gain changes during speech and is constant in pauses. In the first second it changes by up to 60 dB per second.
/// Later the rate decreases, to 2 dB up or 3 dB down per second after about three seconds. Speech that is more than 3
/// dB too loud is attenuated by up to 40 dB per second. Speech that is more than 4 dB too quiet is raised by up to 10
/// dB per second. The gain rises only for speech-like sound, so that background noise keeps its level.
///
/// The gain is the difference between loudness and target, plus a make-up gain for the loss in the dynamics. The
/// make-up gain changes slowly, and only while the gain is close to its target. Otherwise a gain that is too large,
/// but reduced by the dynamics, would also reach the target and be kept.
struct SpeechGain {
    /// The least gain in dB.
    static let minimum = -40.0
    /// The make-up to begin with, in dB, and the largest.
    private static let (firstMakeUp, maximumMakeUp) = (2.0, 20.0)
    /// The maximum difference in dB between the gain and its target at which the make-up gain is measured.
    private static let nearby = 4.0

    /// The target loudness in LUFS.
    var target = -16.0
    /// The largest gain in dB.
    var maximum = 30.0
    private(set) var decibels = 0.0
    private var makeUp = firstMakeUp

    /// Sets the gain immediately, and clears the make-up gain.
    mutating func jump(to decibels: Double) {
        self.decibels = min(max(decibels, Self.minimum), maximum)
        makeUp = Self.firstMakeUp
    }

    /// Moves on by a step of the level.
    mutating func advance(_ level: borrowing SpeechLevel) {
        guard level.isActive, let loudness = level.loudness else { return }
        if abs(wanted(loudness) - decibels) < Self.nearby { followDynamics(level.change) }
        let error = wanted(loudness) - decibels
        if error > 0, !level.isVarying { return }
        let early = min(24 / max(level.evidence * level.evidence, 0.01), 60)
        let settled = error > 0 ? min(2 + 0.5 * max(error - 4, 0), 10) : min(3 + 4 * max(-error - 3, 0), 40)
        let limit = max(early, settled) / Double(SpeechLevel.stepsPerSecond)
        // The rest of the way is covered in a quarter of a second.
        decibels += min(max(error * 0.04, -limit), limit)
    }

    private func wanted(_ loudness: Double) -> Double {
        min(max(target - loudness + makeUp, Self.minimum), maximum)
    }

    /// Changes the make-up gain towards the loss in the dynamics, by up to 4 dB up or 3 dB down per second.
    private mutating func followDynamics(_ change: Double) {
        let steps = Double(SpeechLevel.stepsPerSecond)
        let step = min(max((-change - makeUp) * 0.04, -3 / steps), 4 / steps)
        makeUp = min(max(makeUp + step, 0), Self.maximumMakeUp)
    }
}
