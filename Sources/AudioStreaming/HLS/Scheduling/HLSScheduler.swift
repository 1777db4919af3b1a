import ByteStream

/// Decides which playlists are loaded when, and which segments are fetched and played one after the other.
///
/// Pure: time comes in as seconds of any clock that does not go back.
struct HLSScheduler {
    /// The next thing to be done.
    enum Step: Equatable {
        /// Load the playlist of a rendition; `sequence` is the first segment that is not known, where the server may be asked for it.
        case load(level: Int, sequence: Int64?)
        /// Fetch a segment, which follows on those planned before.
        case fetch(HLSPlan)
        /// Ask again after something has happened, or at that time.
        case wait(until: Double)
        /// No segment follows.
        case end
        /// Nothing more can be played.
        case fail(ErrorCode)
    }

    /// The place where playing goes on.
    private enum Cursor: Equatable {
        case usualStart
        case time(Double)
        case after(HLSPlan)
    }

    private(set) var levels: [HLSLevelState]
    /// The rendition that segments are fetched of.
    private(set) var level: Int
    private let adapts: Bool
    private(set) var bandwidth = HLSBandwidth()
    private var cursor = Cursor.usualStart
    private var lastID = 0
    /// Segments that could not be fetched.
    private var missing: Set<MissingSegment> = []
    /// Segments in a row that could not be fetched.
    private var failureCount = 0
    /// Whether a segment could be played so far.
    private var hasPlayed = false
    /// The reason why a segment could not be fetched.
    private var segmentFailure: StreamingError?
    /// Whether another rendition begins with the segment that was played last, so that its decoder is right where it goes on.
    private var beginsEarlier = false
    /// The reason why nothing more can be played.
    private(set) var failure: StreamingError?

    private struct MissingSegment: Hashable {
        let level: Int
        let clock: HLSClockID
        let sequence: Int64
    }

    /// Segments in a row that may be missing before the presentation counts as gone.
    private static let patience = 3
    /// Seconds for which a rendition that failed is not used again.
    private static let avoidance = 30.0

    init(_ selection: HLSSelection) {
        levels = selection.levels.map(HLSLevelState.init)
        level = selection.start
        adapts = selection.adapts
    }

    /// The segments of the rendition that is played.
    var window: HLSWindow? { levels.indices.contains(level) ? levels[level].window : nil }

    // MARK: Deciding

    /// Returns what is to be done at `now`.
    /// - Parameters:
    ///   - hasRoom: Whether another segment may be fetched.
    ///   - ahead: Seconds of segments that are planned and have not been played.
    mutating func next(at now: Double, hasRoom: Bool, ahead: Double) -> Step {
        if let failure { return .fail(failure.code) }
        guard levels.indices.contains(level) else { return .end }
        guard let window else { return loadFirst(at: now, hasRoom: hasRoom, ahead: ahead) }
        // While nothing is played, what is added can wait.
        guard hasRoom else { return .wait(until: .infinity) }
        if window.isLive, !levels[level].isLoading, !levels[level].isLost, levels[level].reloadAt <= now {
            return load(level)
        }
        if case .after = cursor, let step = adapt(at: now, ahead: ahead) { return step }
        return plan(at: now)
    }

    private mutating func load(_ level: Int) -> Step {
        levels[level].isLoading = true
        let window = levels[level].window
        return .load(
            level: level,
            sequence: window?.playlist.canBlockReload == true ? window?.playlist.endSequence : nil
        )
    }

    private mutating func loadFirst(at now: Double, hasRoom: Bool, ahead: Double) -> Step {
        if levels[level].isLoading { return .wait(until: .infinity) }
        guard levels[level].isLost else { return load(level) }
        guard let other = usable(at: now) else {
            failure = levels[level].failure
            return .fail(failure?.code ?? .empty)
        }
        level = other
        return next(at: now, hasRoom: hasRoom, ahead: ahead)
    }

    /// Returns the rendition to use in place of the current one: the next lower one, or else the next higher one.
    private func usable(at now: Double) -> Int? {
        let others = levels.indices.filter { $0 != level && levels[$0].avoidedUntil <= now }
        return others.last { $0 < level } ?? others.first
    }

    private mutating func plan(at now: Double) -> Step {
        guard let window else { return .end }
        guard let (index, joint) = place(in: window) else { return atEnd(of: window) }
        var place = index
        var silence = 0.0
        while place < window.entries.count, isMissing(window.entries[place]) {
            silence += window.entries[place].segment.duration
            place += 1
        }
        guard place < window.entries.count else { return atEnd(of: window) }
        let entry = window.entries[place]
        lastID += 1
        // A live presentation goes on where it is.
        let isJump = place > index && window.isLive && joint != .first
        let plan = HLSPlan(
            id: lastID,
            level: level,
            entry: entry,
            joint: isJump ? .jump : silence > 0 && joint == .continuous ? .discontinuity : joint,
            silence: window.isLive ? 0 : silence
        )
        cursor = .after(plan)
        beginsEarlier = false
        return .fetch(plan)
    }

    private func isMissing(_ entry: HLSWindow.Entry) -> Bool {
        entry.segment.isGap
            || missing.contains(
                MissingSegment(level: level, clock: entry.clock, sequence: entry.segment.sequence)
            )
    }

    private mutating func atEnd(of window: HLSWindow) -> Step {
        // Of a live presentation too, the first segments have to be there; none is planned then.
        if case .time = cursor, !hasPlayed, let segmentFailure {
            failure = segmentFailure
            return .fail(segmentFailure.code)
        }
        guard window.isLive else { return .end }
        if levels[level].isLost {
            // What there was has been played.
            failure = levels[level].failure
            return .fail(failure?.code ?? .empty)
        }
        return .wait(until: levels[level].isLoading ? .infinity : levels[level].reloadAt)
    }

    /// Returns the place of the next segment and its relation to the last one; `nil` if there is none yet.
    private func place(in window: HLSWindow) -> (Int, HLSPlan.Joint)? {
        switch cursor {
        case .usualStart: return window.index(at: window.usualStart).map { ($0, .first) }
        case .time(let time): return window.index(at: time).map { ($0, .first) }
        case .after(let last) where last.level != level:
            let near = window.index(beginningNear: beginsEarlier ? last.entry.start : last.entry.end)
            return near < window.entries.count ? (near, .switched) : nil
        case .after(let last):
            let next = last.segment.sequence.addingClamped(1)
            if let index = window.index(ofSequence: next, epoch: last.entry.epoch) {
                return (index, joint(window.entries[index], after: last))
            }
            guard let first = window.entries.first else { return nil }
            if first.epoch != last.entry.epoch { return window.index(at: window.usualStart).map { ($0, .jump) } }
            guard first.segment.sequence > next else { return nil }
            // It has gone; what comes first will be gone soon.
            let time = min(window.liveEdge, window.start + window.targetDuration)
            return window.index(at: time).map { ($0, .jump) }
        }
    }

    private func joint(_ entry: HLSWindow.Entry, after last: HLSPlan) -> HLSPlan.Joint {
        if entry.clock != last.entry.clock { return .discontinuity }
        return entry.segment.initialization == last.segment.initialization ? .continuous : .initialized
    }

    // MARK: The rate

    /// Goes over to a rendition that suits the line.
    /// - Returns: The load of its playlist, if that is needed first.
    private mutating func adapt(at now: Double, ahead: Double) -> Step? {
        guard adapts, let rate = bandwidth.bitsPerSecond else { return nil }
        let wanted = HLSRateChoice(levels: levels.map(\.level.bandwidth), current: level)
            .level(bitsPerSecond: rate, ahead: ahead) { levels[$0].avoidedUntil <= now }
        guard wanted != level else { return nil }
        let isFresh = levels[wanted].window.map { !$0.isLive || levels[wanted].reloadAt > now } ?? false
        if isFresh {
            level = wanted
            return nil
        }
        return levels[wanted].isLoading ? nil : load(wanted)
    }

    // MARK: Events

    /// Takes a playlist that a request brought which was made at `began`.
    /// - Returns: Whether it has news.
    mutating func loaded(_ playlist: HLSMediaPlaylist, level: Int, began: Double) -> HLSWindow.Change {
        let start = levels[level].window == nil ? start(of: playlist) : 0
        return levels[level].loaded(playlist, start: start, began: began)
    }

    /// Returns the time at which the first segment of another rendition begins.
    private func start(of playlist: HLSMediaPlaylist) -> Double {
        guard !playlist.isEnded, let window, let first = playlist.segments.first else { return 0 }
        let dated = window.entries.first { $0.segment.date != nil }
        var elapsed = 0.0
        for segment in playlist.segments {
            if let date = segment.date, let dated, let known = dated.segment.date {
                let start = dated.start + date - known - elapsed
                return abs(start) < HLSNumber.longest ? start : 0
            }
            elapsed += segment.duration
        }
        if let same = window.entries.first(where: { $0.segment.sequence == first.sequence }) { return same.start }
        // They end together.
        return window.end - elapsed
    }

    /// Takes note that a playlist could not be loaded.
    mutating func playlistFailed(_ error: StreamingError, level failed: Int, at now: Double) {
        levels[failed].failed(error, at: now)
        guard failed == level, levels[failed].isLost, let other = usable(at: now) else { return }
        level = other
    }

    /// Notes that a segment of `bytes` took `seconds` to arrive.
    mutating func arrived(bytes: Int64, seconds: Double) { bandwidth.note(bytes: bytes, seconds: seconds) }

    /// Notes that a segment could be played.
    mutating func played() {
        failureCount = 0
        hasPlayed = true
    }

    /// Takes note that a segment could not be fetched; what was planned from it on is planned anew.
    /// - Parameter previous: The segment that was planned before it.
    mutating func segmentFailed(_ plan: HLSPlan, after previous: HLSPlan?, _ error: StreamingError, at now: Double) {
        cursor = previous.map(Cursor.after) ?? (plan.joint == .first ? cursorAt(plan) : .after(plan))
        failureCount += 1
        segmentFailure = error
        if failureCount > max(Self.patience, levels.count) {
            failure = error
            return
        }
        levels[plan.level].avoidedUntil = max(levels[plan.level].avoidedUntil, now + Self.avoidance)
        level = plan.level
        if levels.count > 1, let other = usable(at: now) {
            level = other
            beginsEarlier = previous != nil
            return
        }
        if missing.count > 1_000 { missing = [] }
        missing.insert(
            MissingSegment(level: plan.level, clock: plan.entry.clock, sequence: plan.segment.sequence)
        )
    }

    private func cursorAt(_ plan: HLSPlan) -> Cursor { .time(plan.entry.start + plan.segment.duration / 2) }

    /// Goes to a time; what was planned is dropped.
    mutating func seek(to time: Double) {
        cursor = .time(time)
        beginsEarlier = false
        failureCount = 0
    }

    // MARK: Times

    /// Records the time at which a segment was found to begin.
    /// - Parameter movesAll: Whether all times move with it, as where a live presentation was left and taken up again.
    mutating func found(_ plan: HLSPlan, at time: Double, movesAll: Bool) {
        guard let index = levels[plan.level].window?.index(ofSequence: plan.segment.sequence, epoch: plan.entry.epoch),
            let entry = levels[plan.level].window?.entries[index]
        else { return }
        let shift = time - entry.start
        guard shift != 0 else { return }
        if movesAll {
            for level in levels.indices { levels[level].window?.move(by: shift) }
        } else {
            levels[plan.level].window?.moveStart(at: index, to: time)
        }
    }

    /// The segment after `plan` in the same rendition, if it is known and goes on in the same stream of bytes.
    func successor(of plan: HLSPlan) -> HLSWindow.Entry? {
        guard let window = levels[plan.level].window,
            let index = window.index(ofSequence: plan.segment.sequence.addingClamped(1), epoch: plan.entry.epoch),
            joint(window.entries[index], after: plan) == .continuous
        else { return nil }
        return window.entries[index]
    }

    /// The segment before `plan` in the same rendition.
    func predecessor(of plan: HLSPlan) -> HLSWindow.Entry? {
        guard let window = levels[plan.level].window,
            let index = window.index(ofSequence: plan.segment.sequence - 1, epoch: plan.entry.epoch)
        else { return nil }
        return window.entries[index]
    }
}
