internal import SyrinxByteStream

/// Decides which part of a recording is analyzed next while its bytes arrive in any order, as after seeks in a stream.
///
/// The plan tracks the analyzed frames. It maps bytes to frames by linear interpolation between the positions that
/// reads have shown. Frames are those of the recording. A value; use it on one thread at a time.
package struct ArrivalPlan: Sendable {
    /// The next step.
    package enum Step: Sendable, Equatable {
        /// Analyze from this frame, the start of a block, up to `limit(from:)` or to the first missing byte.
        case analyze(from: Int64)
        /// Wait, because everything that has arrived is analyzed.
        case wait
        /// Finish, because the whole recording is analyzed.
        case finish
    }

    private struct Place: Sendable {
        var frame: Int64
        var byte: Int64
    }

    /// Failed attempts to read a run of bytes.
    private struct Failure: Sendable {
        var count: Int
        /// The end of the run at the time of the last attempt.
        var end: Int64
        /// The last focus at which reading was tried.
        var focus: Int64?
    }

    private struct Candidate {
        var start: Int64
        var end: Int64
        /// The run of bytes, or the frame that is continued: attempts are counted for each.
        var key: Key
        var run: Range<Int64>
        /// The focus, if reading is tried there.
        var focus: Int64?
    }

    private enum Key: Hashable {
        case run(Int64)
        case frame(Int64)
    }

    /// The minimum number of arrived bytes that justify a seek.
    private static let leastByteCount: Int64 = 4096
    /// The minimum number of bytes by which a run has to grow before another attempt.
    private static let leastGrowth: Int64 = 16_384
    /// The fractions of a run at which reading is tried in turn.
    private static let shares = [0.0, 0.0625, 0.125, 0.25, 0.5, 0.75]
    /// The maximum number of stored positions and failures.
    private static let maximumCount = 256
    /// The number of decoding errors after which the analysis gives up.
    private static let maximumDamage = 32

    /// The number of frames of the recording, possibly an estimate.
    package private(set) var frameCount: Int64
    private let byteCount: Int64
    private let blockLength: Int64
    private var known = RangeSet<Int64>()
    private var places: [Place]
    private var failures: [Key: Failure] = [:]
    private var last: Candidate?
    private var damage = 0
    private var hasEnd = false

    /// Creates a plan for a recording that is not analyzed yet.
    /// - Parameters:
    ///   - frameCount: The number of frames of the recording, possibly an estimate; at least 1.
    ///   - byteCount: The size of the file in bytes; at least 1.
    ///   - blockLength: The number of frames in a block of the waveform; at least 1.
    package init(frameCount: Int64, byteCount: Int64, blockLength: Int) {
        self.frameCount = max(frameCount, 1)
        self.byteCount = max(byteCount, 1)
        self.blockLength = Int64(max(blockLength, 1))
        places = [Place(frame: 0, byte: 0)]
    }

    /// The analyzed frames, as ascending disjoint ranges.
    package var knownRanges: [Range<Int64>] { Array(known.ranges) }

    // MARK: Input

    /// Sets a better estimate of the length; has no effect once the end has been read.
    /// - Parameter frameCount: The number of frames of the recording.
    package mutating func setFrameCount(_ frameCount: Int64) {
        if !hasEnd, frameCount > 0 { self.frameCount = frameCount }
    }

    /// Marks frames as analyzed.
    /// - Parameter frames: The frames: whole blocks, except at the end of the recording.
    package mutating func note(_ frames: Range<Int64>) {
        guard !frames.isEmpty else { return }
        known.insert(contentsOf: frames)
    }

    /// Notes the byte offset of a frame.
    /// - Parameters:
    ///   - frame: The frame.
    ///   - byte: The approximate offset of its packet.
    package mutating func notePlace(frame: Int64, byte: Int64) {
        guard frame > 0, (1..<byteCount).contains(byte) else { return }
        // Earlier positions that contradict this one are less accurate.
        places.removeAll { $0.frame > 0 && ($0.frame - frame).signum() != ($0.byte - byte).signum() }
        places.removeAll { $0.frame == frame }
        let index = places.firstIndex { $0.frame > frame } ?? places.count
        places.insert(Place(frame: frame, byte: byte), at: index)
        if places.count > Self.maximumCount { places.remove(at: index > 1 ? 1 : places.count - 1) }
    }

    /// Notes that the last step failed because bytes have not arrived.
    package mutating func noteFailure() {
        guard let last else { return }
        if failures.count > Self.maximumCount { failures.removeAll() }
        let count = (failures[last.key]?.count ?? 0) + 1
        let isAtFocus = last.focus != nil
        failures[last.key] = Failure(
            count: isAtFocus ? count - 1 : min(count, 1000),
            end: last.run.upperBound,
            focus: last.focus ?? failures[last.key]?.focus
        )
    }

    /// Notes that frames cannot be decoded, and skips them.
    /// - Parameters:
    ///   - frame: The first undecodable frame.
    ///   - length: The number of frames to skip.
    package mutating func noteDamage(at frame: Int64, length: Int64) {
        damage += 1
        guard damage < Self.maximumDamage else { return note(0..<max(frameCount, 1)) }
        let start = frame / blockLength * blockLength
        let end = start.addingClamped(max(length, blockLength)) / blockLength * blockLength
        note(start..<max(end, start.addingClamped(blockLength)))
    }

    /// Notes the end of the recording.
    /// - Parameter frame: The frame after the last one.
    package mutating func noteEnd(at frame: Int64) {
        frameCount = max(frame, 0)
        hasEnd = true
    }

    // MARK: Steps

    /// Returns the frame at which an analysis that starts at `frame` reaches an analyzed range.
    /// - Parameter frame: The first frame.
    /// - Returns: The start of the next analyzed range, or `Int64.max`.
    package func limit(from frame: Int64) -> Int64 {
        known.ranges.first { $0.lowerBound >= frame }?.lowerBound ?? .max
    }

    /// Chooses the next step: the run that contains the focus, or follows it, comes first.
    /// - Parameters:
    ///   - held: The byte ranges that have arrived, ascending and disjoint.
    ///   - focus: The frame at the playback position.
    package mutating func next(held: [Range<Int64>], focus: Int64) -> Step {
        let missing = RangeSet(0..<max(frameCount, 0)).subtracting(known)
        guard !missing.isEmpty else { return .finish }
        let candidates = held.prefix(1024).flatMap { self.candidates(in: $0, missing, focus) }
        last = candidates.min { distance(of: $0, from: focus) < distance(of: $1, from: focus) }
        return last.map { .analyze(from: $0.start) } ?? .wait
    }

    private func distance(of candidate: Candidate, from focus: Int64) -> Int64 {
        if focus < candidate.start { return candidate.start.subtractingClamped(focus) }
        if focus < candidate.end { return 0 }
        // Runs before the focus are heard later than runs after it.
        return frameCount.addingClamped(focus.subtractingClamped(candidate.end))
    }

    private func candidates(in run: Range<Int64>, _ missing: RangeSet<Int64>, _ focus: Int64) -> [Candidate] {
        let first = run.lowerBound <= 0 ? 0 : frame(atByte: run.lowerBound)
        let end = run.upperBound >= byteCount ? Int64.max : frame(atByte: run.upperBound)
        return missing.ranges.compactMap { gap in
            guard gap.lowerBound < end, gap.upperBound > first else { return nil }
            let stop = min(gap.upperBound, end)
            // Analyzed frames can be continued exactly; otherwise the position is an estimate.
            let isExact = gap.lowerBound >= first
            let key = isExact ? Key.frame(gap.lowerBound) : Key.run(run.lowerBound)
            let failure = failures[key]
            var start = gap.lowerBound
            var tried: Int64?
            if !isExact {
                let frames = max(first, gap.lowerBound)..<stop
                if frames.contains(focus), failure?.focus.map({ abs($0 - focus) > 64 * blockLength }) ?? true {
                    // The player has seeked to the focus, so the bytes there have arrived.
                    (start, tried) = (focus, focus)
                } else if let share = share(failure, run, limit: Self.shares.count) {
                    let length = Double(frames.upperBound - frames.lowerBound)
                    start = frames.lowerBound.addingClamped(Int64(clamped: length * share))
                } else {
                    return nil
                }
            } else if share(failure, run, limit: 1) == nil {
                return nil
            }
            let aligned = start.addingClamped(blockLength - 1) / blockLength * blockLength
            guard aligned < stop else { return nil }
            let rest = run.upperBound.subtractingClamped(max(byte(atFrame: aligned), run.lowerBound))
            guard rest >= Self.leastByteCount || run.upperBound >= byteCount else { return nil }
            return Candidate(start: aligned, end: stop, key: key, run: run, focus: tried)
        }
    }

    /// Returns the fraction of a run at which to try reading; `nil` after `limit` failures, until the run has grown.
    private func share(_ failure: Failure?, _ run: Range<Int64>, limit: Int) -> Double? {
        guard let failure, failure.count > 0 else { return 0 }
        if failure.count < limit { return Self.shares[failure.count] }
        let quarter = limit > 1 ? failure.end.subtractingClamped(run.lowerBound) / 4 : 0
        let hasGrown = run.upperBound >= failure.end.addingClamped(max(quarter, Self.leastGrowth))
        return hasGrown || run.upperBound >= byteCount && failure.end < byteCount ? 0 : nil
    }

    // MARK: Bytes and frames

    private func frame(atByte byte: Int64) -> Int64 {
        let (low, high) = neighbours { $0.byte <= byte }
        guard high.byte > low.byte else { return low.frame }
        let share = Double(byte - low.byte) / Double(high.byte - low.byte)
        return low.frame.addingClamped(Int64(clamped: share * Double(high.frame - low.frame)))
    }

    private func byte(atFrame frame: Int64) -> Int64 {
        let (low, high) = neighbours { $0.frame <= frame }
        guard high.frame > low.frame else { return low.byte }
        let share = Double(frame - low.frame) / Double(high.frame - low.frame)
        return low.byte.addingClamped(Int64(clamped: share * Double(high.byte - low.byte)))
    }

    private func neighbours(_ isBefore: (Place) -> Bool) -> (Place, Place) {
        let index = places.lastIndex(where: isBefore) ?? 0
        let end = Place(frame: max(frameCount, places[places.count - 1].frame), byte: byteCount)
        return (places[index], index + 1 < places.count ? places[index + 1] : end)
    }
}
