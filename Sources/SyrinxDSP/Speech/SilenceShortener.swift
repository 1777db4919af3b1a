/// Shortens the pauses of speech, and passes all other samples unchanged.
///
/// A `PauseDetector` finds the pauses, and `PauseLengths` determines their new lengths. Half of the new length remains
/// at each end, so that the sounds around a pause keep their onset and decay. The ends are joined by a crossfade of 20
/// ms at the most similar positions within 10 ms. A pause has one join, whatever its length, and at most about 3.5 s
/// of input are buffered. NaN samples pass unchanged.
///
/// Breaths and other soft sounds between words are shortened as in synchronized overlap-add: at most 10 ms are removed
/// at a time, with a crossfade.
///
/// Write input, then read until fewer frames are returned than requested. Nothing allocates after `init`. Use from one
/// thread at a time.
///
/// ```swift
/// let shortener = SilenceShortener(
///     sampleRate: 48_000, channelCount: 1, maximumFrameCount: 512, lengths: .medium)
/// shortener.write(input, frameCount: 512)
/// let frames = shortener.read(into: output, frameCount: 512)
/// ```
package final class SilenceShortener {
    /// A part of the input that is left out.
    package struct Cut: Equatable, Sendable {
        /// The frame of the output, counted since the start or the last `reset()`, from which on the input runs ahead:
        /// the middle of the fade.
        package var outputFrame: Int64
        /// The frames that are left out.
        package var frameCount: Int64

        package init(outputFrame: Int64, frameCount: Int64) {
            (self.outputFrame, self.frameCount) = (outputFrame, frameCount)
        }
    }

    /// The lengths of shortened pauses.
    ///
    /// You may change them at any time; pauses that have not ended use the new values.
    package var lengths: PauseLengths

    private let sampleRate: Double
    private let channelCount: Int
    private let blockLength: Int
    private let maximumFrameCount: Int
    /// The maximum number of buffered frames of a quiet section that may not be a pause.
    private let longestDoubt: Int
    /// Frames in the middle of a pause that are dropped at a time, at least.
    private let dropLength: Int
    private let stride: Int
    private let store: AlignedFloatBuffer
    private let joiner: PauseJoiner
    private let softJoiner: PauseJoiner
    @exclusivity(unchecked) private var analyzer: BlockAnalyzer
    @exclusivity(unchecked) private var detector = PauseDetector()

    // Frames are counted from the start of the output, without the removed ones. Frame `origin` is the first buffered
    // frame, at index `place` of each channel.
    private var origin: Int64 = 0
    private var place = 0
    private var count = 0
    /// The end of the frames that are readable; of those that are measured; and of those that are decided.
    private var readyEnd: Int64 = 0
    private var measuredEnd: Int64 = 0
    private var decidedEnd: Int64 = 0
    private var decidedBlocks = 0
    private var pause: Pause?
    /// The start of the current soft sound, including short pauses in it.
    private var softStart: Int64?
    /// Whether the soft sound is too long for a breath, so that it is kept.
    private var isSoftTooLong = false
    /// The number of consecutive blocks that could begin a pause, except that they are above the floor.
    private var unsettled = 0
    /// The end of the last word.
    private var soundEnd: Int64 = 0
    private var cuts: [Cut] = []

    /// A quiet section that has not ended.
    private struct Pause {
        var start: Int64
        /// Whether it follows a breath, and not a word.
        var isAfterSoft: Bool
        /// The level of its loudest block, in dB.
        var level = BandLevel.lowest
        /// The number of frames removed from its middle, and the frame after the removed ones.
        var dropped: Int64 = 0
        var dropPlace: Int64 = 0
    }

    /// Creates a shortener and allocates all its memory.
    /// - Parameters:
    ///   - sampleRate: The sample rate in Hz, at least 1,000.
    ///   - channelCount: The number of channels, at least 1.
    ///   - maximumFrameCount: The maximum number of frames per `write`.
    ///   - lengths: The lengths of shortened pauses.
    package init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int, lengths: PauseLengths) {
        precondition(sampleRate >= 1_000 && sampleRate <= 1e7, "The sample rate is out of range.")
        precondition(channelCount > 0 && maximumFrameCount > 0, "The counts must be more than zero.")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        self.lengths = lengths
        blockLength = Int((sampleRate / 100).rounded())
        longestDoubt = Int(sampleRate * 3)
        dropLength = Int(sampleRate / 10)
        joiner = PauseJoiner(sampleRate: sampleRate, fadeTime: 0.02, reachTime: 0.01)
        softJoiner = PauseJoiner(sampleRate: sampleRate, fadeTime: 0.007, reachTime: 0.002)
        analyzer = BlockAnalyzer(sampleRate: sampleRate, channelCount: channelCount, blockLength: blockLength)
        let held = longestDoubt + (PauseDetector.lookAhead + 4) * blockLength + 2 * joiner.fadeLength
        stride = 2 * held + 2 * maximumFrameCount
        store = AlignedFloatBuffer(count: stride * channelCount)
        cuts.reserveCapacity(2 * maximumFrameCount / blockLength + Int(200 * SilenceShortener.longestSoft) + 16)
    }

    /// Clears the signal, and keeps the level statistics of the recording.
    ///
    /// Use it for a seek.
    package func reset() {
        analyzer.reset()
        detector.reset()
        (origin, place, count) = (0, 0, 0)
        (readyEnd, measuredEnd, decidedEnd, decidedBlocks) = (0, 0, 0, 0)
        (pause, softStart, isSoftTooLong, unsettled, soundEnd) = (nil, nil, false, 0, 0)
        cuts.removeAll(keepingCapacity: true)
    }

    // MARK: Writing and reading

    /// Appends `frameCount` frames, at most `maximumFrameCount`.
    ///
    /// Read all readable frames before.
    package func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        precondition(frameCount <= maximumFrameCount, "More frames than were agreed on.")
        makeRoom(for: frameCount)
        precondition(place + count + frameCount <= stride, "What could be read has not been.")
        for channel in 0..<channelCount {
            copyFloats(channels[channel], to: base(channel) + count, count: frameCount)
        }
        count += frameCount
        while end - measuredEnd >= blockLength { measure(blockLength) }
    }

    /// Marks the end of the input.
    ///
    /// All frames can then be read, and a pause at the end is shortened.
    package func endInput() {
        if end > measuredEnd { measure(Int(end - measuredEnd)) }
        while decidedBlocks < detector.count { decide() }
        endPause(by: .sound)
        endSoft()
        readyEnd = end
    }

    /// The number of frames that can be read.
    package var readableFrameCount: Int { Int(readyEnd - origin) }

    /// The number of frames that have been written and cannot be read yet.
    package var pendingFrameCount: Int { Int(end - readyEnd) }

    /// Reads up to `frameCount` frames.
    /// - Returns: The number of frames read.
    package func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        let given = min(frameCount, readableFrameCount)
        for channel in 0..<channelCount { copyFloats(base(channel), to: channels[channel], count: given) }
        place += given
        count -= given
        origin += Int64(given)
        return given
    }

    /// Returns the next cut, in order; `nil` if there is none.
    ///
    /// A cut is available before its position can be read.
    package func takeCut() -> Cut? { cuts.isEmpty ? nil : cuts.removeFirst() }

    // MARK: Deciding

    private var end: Int64 { origin + Int64(count) }

    private func base(_ channel: Int) -> UnsafeMutablePointer<Float> { store.pointer + channel * stride + place }

    private func index(_ frame: Int64) -> Int { Int(frame - origin) }

    private func frames(_ seconds: Double) -> Int64 { Int64((seconds * sampleRate).rounded()) }

    private func measure(_ length: Int) {
        let first = base(0) + index(measuredEnd)
        let level = detector.interestingLevel
        detector.add(analyzer.measure(first, stride: stride, count: length, below: level))
        measuredEnd += Int64(length)
        if detector.count - decidedBlocks > PauseDetector.lookAhead { decide() }
    }

    /// Decides the next block.
    private func decide() {
        var kind = detector.kind(of: decidedBlocks)
        if kind == .quiet, pause == nil, !detector.isAtFloor(decidedBlocks), unsettled < Self.longestSettling {
            unsettled += 1
            kind = .soft
        } else {
            unsettled = 0
        }
        if pause != nil, kind != .quiet || isNoneSoFar { endPause(before: decidedBlocks, by: kind) }
        switch kind {
        case .sound:
            endSoft()
            isSoftTooLong = false
        case .soft:
            if !isSoftTooLong { softStart = softStart ?? decidedEnd }
        case .quiet:
            var quiet = pause ?? Pause(start: decidedEnd, isAfterSoft: decidedEnd - soundEnd >= frames(Self.farTime))
            quiet.level = max(quiet.level, detector.level(decidedBlocks))
            pause = quiet
        }
        decidedBlocks += 1
        decidedEnd = min(decidedEnd + Int64(blockLength), measuredEnd)
        if kind == .sound { soundEnd = decidedEnd }
        noteSoft()
        if let softStart {
            readyEnd = max(readyEnd, softStart)
        } else if pause != nil {
            dropMiddle()
            giveHead()
        } else {
            readyEnd = decidedEnd
        }
    }

    /// Whether the quiet section started above the floor found since, or was undecided for too long.
    private var isNoneSoFar: Bool {
        guard let pause else { return false }
        return pause.level > detector.loudGate || pause.dropped == 0 && length(of: pause) >= longestDoubt
    }

    private func length(of pause: Pause) -> Int64 { decidedEnd - pause.start + pause.dropped }

    /// Makes the part of the pause readable that remains whatever its final length.
    private func giveHead() {
        guard let pause else { return }
        let certain = lengths.certainRemainder(of: Double(length(of: pause)) / sampleRate)
        let fade = Int64(joiner.fadeLength)
        let limit = pause.dropped > 0 ? pause.dropPlace - fade : decidedEnd
        readyEnd = max(readyEnd, min(limit, pause.start + kept(certain, isBySoft: pause.isAfterSoft) - fade / 2))
    }

    /// Returns the number of frames to keep at one end of a pause with `remainder` seconds.
    private func kept(_ remainder: Double, isBySoft: Bool) -> Int64 {
        isBySoft ? min(frames(Self.softMargin), frames(remainder / 2)) : frames(remainder / 2)
    }

    /// Removes the part of a pause that never remains.
    private func dropMiddle() {
        // Once started, the removal continues, because in a long pause the detector forgets the level of the speech.
        guard var pause, pause.dropped > 0 || detector.isAtKnownFloor else { return }
        let half = frames(lengths.maximum / 2) + Int64(joiner.fadeLength / 2)
        // The position does not change, even if less should remain in the meantime.
        let first = pause.dropped > 0 ? pause.dropPlace : max(pause.start + half, readyEnd + Int64(joiner.fadeLength))
        let last = decidedEnd - half - Int64(joiner.reach)
        guard last - first >= Int64(dropLength), last - first > 0 else { return }
        pause.dropPlace = first
        pause.dropped += last - first
        remove(first..<last)
        self.pause = pause
    }

    /// Ends the quiet section at the decided position, and joins its ends if it is a pause.
    private func endPause(before block: Int? = nil, by kind: PauseDetector.Kind) {
        guard let pause else { return }
        self.pause = nil
        let isPause = detector.isPause(before: block ?? detector.count)
        guard pause.dropped > 0 || isPause && !isAboveFloor(pause) && isLong(pause) else {
            // A part of the soft sound around it.
            if softStart == nil, !isSoftTooLong, detector.isSoft(level: pause.level) {
                softStart = max(pause.start, readyEnd)
            }
            return
        }
        var rising = 0
        while rising < Self.longestSettling, !detector.isAtFloor(decidedBlocks - 1 - rising) { rising += 1 }
        join(pause, isBeforeSoft: kind == .soft && isSoftAhead(block), rise: Int64(rising * blockLength))
        if kind == .soft, !isSoftTooLong { softStart = readyEnd }
    }

    private func isLong(_ pause: Pause) -> Bool {
        length(of: pause) > frames(detector.isYoung ? max(lengths.minimum, Self.certainTime) : lengths.minimum)
    }

    /// Returns whether no word begins soon after block `index`.
    private func isSoftAhead(_ index: Int?) -> Bool {
        guard let index else { return false }
        let last = index + Int(Self.farTime * 100)
        return last < detector.count && (index..<last).allSatisfy { detector.kind(of: $0) != .sound }
    }

    private func isAboveFloor(_ pause: Pause) -> Bool { pause.level > detector.loudGate }

    private func join(_ pause: Pause, isBeforeSoft: Bool, rise: Int64) {
        let remainder = lengths.remainder(of: Double(length(of: pause) - rise) / sampleRate)
        let (head, tail) = (kept(remainder, isBySoft: pause.isAfterSoft), kept(remainder, isBySoft: isBeforeSoft))
        let fade = Int64(joiner.fadeLength)
        var first = max(readyEnd, pause.start + head - fade / 2)
        var earliest = first + fade
        if pause.dropped > 0 {
            first = min(first, pause.dropPlace - fade)
            earliest = pause.dropPlace
        }
        let last = decidedEnd - fade
        let wanted = decidedEnd - tail - rise - fade / 2
        let lower = max(wanted - Int64(joiner.reach), earliest)
        var upper = min(wanted + Int64(joiner.reach), last)
        // Removed frames have to be bridged, even if more should remain in the meantime.
        if pause.dropped > 0 { upper = max(upper, lower) }
        guard lower <= upper else { return }
        let planes = PauseJoiner.Planes(base: base(0), stride: stride, channelCount: channelCount)
        let match = joiner.bestMatch(of: index(first), in: index(lower)...index(upper), planes)
        joiner.fade(from: index(first), to: match.frame, correlation: match.correlation, planes)
        let second = origin + Int64(match.frame)
        cuts.append(Cut(outputFrame: first + fade / 2, frameCount: second - first + pause.dropped))
        remove(first..<second)
        readyEnd = first + fade
    }

    // MARK: Soft sound

    /// Blocks that a sound takes at most from the gate to the floor.
    private static let longestSettling = 5

    // In seconds.
    /// The minimum length in seconds of a pause while little of the recording is known.
    private static let certainTime = 0.2
    /// Soft sound between words is no breath if it is shorter, or longer.
    private static let shortestSoft = 0.15
    private static let longestSoft = 1.5
    /// The minimum distance of a far word, and the parts to keep beside a word and of a pause beside a breath, in
    /// seconds.
    private static let farTime = 0.1
    private static let wordMargin = 0.02
    private static let softMargin = 0.03
    /// The most that is left out at a time.
    private static let longestSkip = 0.01

    /// Ends the soft sound at a separate pause, and gives up sounds that are not breaths.
    private func noteSoft() {
        guard let start = softStart else { return }
        if let pause, isLong(pause) {
            let removed = squeeze(from: start, to: pause.start)
            self.pause?.start -= removed
            softStart = nil
        } else if decidedEnd - start > frames(Self.longestSoft) {
            softStart = nil
            isSoftTooLong = true
        }
    }

    /// Ends the soft sound before a word.
    private func endSoft() {
        guard let start = softStart else { return }
        softStart = nil
        _ = squeeze(from: start, to: decidedEnd - frames(Self.wordMargin))
    }

    /// Shortens soft sound: removes parts of at most 10 ms, at distances that follow from the rate.
    /// - Returns: The number of removed frames.
    private func squeeze(from start: Int64, to end: Int64) -> Int64 {
        let rate = lengths.softRate
        guard rate > 1, detector.isSpeech, end - start >= frames(Self.shortestSoft) else { return 0 }
        let fade = Int64(softJoiner.fadeLength)
        let skip = Int64(Self.longestSkip * sampleRate)
        let planes = PauseJoiner.Planes(base: base(0), stride: stride, channelCount: channelCount)
        var place = max(start, readyEnd, soundEnd + frames(Self.wordMargin))
        var removed: Int64 = 0
        while place + skip + fade <= end - removed {
            let (nearest, farthest) = (index(place + skip) - 2 * softJoiner.reach, index(place + skip))
            let match = softJoiner.bestMatch(of: index(place), in: nearest...farthest, planes)
            softJoiner.fade(from: index(place), to: match.frame, correlation: match.correlation, planes)
            let count = origin + Int64(match.frame) - place
            cuts.append(Cut(outputFrame: place + fade / 2, frameCount: count))
            remove(place..<place + count)
            removed += count
            place += max(fade, Int64((Double(count) / (rate - 1)).rounded()))
        }
        return removed
    }

    // MARK: Frames

    /// Removes decided frames from the buffer.
    private func remove(_ range: Range<Int64>) {
        let length = Int(range.upperBound - range.lowerBound)
        let rest = count - index(range.upperBound)
        for channel in 0..<channelCount {
            let target = base(channel) + index(range.lowerBound)
            // In forward order, because source and target may overlap.
            copyFloats(target + length, to: target, count: rest)
        }
        count -= length
        measuredEnd -= Int64(length)
        decidedEnd -= Int64(length)
    }

    private func makeRoom(for frameCount: Int) {
        guard place > 0, place + count + frameCount > stride else { return }
        for channel in 0..<channelCount {
            copyFloats(base(channel), to: store.pointer + channel * stride, count: count)
        }
        place = 0
    }
}
