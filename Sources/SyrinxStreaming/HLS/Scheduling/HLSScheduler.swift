import SyrinxByteStream

/// Decides when playlists are loaded, and which segments are fetched and played in which order.
///
/// A pure value; times are seconds of a monotonic clock.
struct HLSScheduler {
    /// The next thing to be done.
    enum Step: Equatable {
        /// Load the playlist of a rendition.
        case load(level: Int, query: HLSReloadQuery = HLSReloadQuery())
        /// Request resources that will be needed next and are not published yet.
        case prefetch([HLSMediaPlaylist.Hint])
        /// Fetch a segment, which follows on those planned before.
        case fetch(HLSPlan)
        /// Ask again after the next event, or at that time.
        case wait(until: Double)
        /// No segment follows.
        case end
        /// Nothing more can be played.
        case fail(ErrorCode)
    }

    /// The position at which playback continues.
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
    /// Segments that could not be fetched, and why.
    private var missing: [MissingSegment: SyrinxError] = [:]
    /// The gaps and lost segments between the last segment that could be had and the end.
    private(set) var holeAtEnd = HLSHole()
    /// Segments in a row that could not be fetched.
    private var failureCount = 0
    /// Whether a segment could be played so far.
    private var hasPlayed = false
    /// The reason why a segment could not be fetched.
    private var segmentFailure: SyrinxError?
    /// Whether a new rendition starts with the segment that was played last, so that its decoder output is correct at
    /// the switch.
    private var beginsEarlier = false
    /// The error that ends the presentation.
    private(set) var failure: SyrinxError?
    /// The hints that were requested.
    private var prefetched: [HLSMediaPlaylist.Hint] = []

    private struct MissingSegment: Hashable {
        let level: Int
        let clock: HLSClockID
        let sequence: Int64

        init(_ entry: HLSWindow.Entry, _ level: Int) {
            (self.level, clock, sequence) = (level, entry.clock, entry.segment.sequence)
        }
    }

    /// The number of consecutive missing segments after which the presentation counts as gone.
    private static let patience = 3
    /// The multiple of a rendition's bit rate above which a part was complete when it was sent.
    private static let shareOfHaste = 3.0
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

    /// Returns the next step at the time `now`.
    /// - Parameters:
    ///   - hasRoom: Whether another segment may be fetched.
    ///   - ahead: The seconds of planned segments that were not played.
    ///   - isFetching: Whether only the pending fetch of the last planned segment prevents another one.
    mutating func next(at now: Double, hasRoom: Bool, ahead: Double, isFetching: Bool = false) -> Step {
        if let failure { return .fail(failure.code) }
        guard levels.indices.contains(level) else { return .end }
        guard let window else { return loadFirst(at: now, hasRoom: hasRoom, ahead: ahead) }
        // While paused, new segments can wait. A pending part does not delay: the next one is being created meanwhile.
        let isWaiting = !hasRoom && isFetching && window.usesParts
        guard hasRoom || isWaiting else { return .wait(until: .infinity) }
        if window.isLive, !levels[level].isLoading, !levels[level].isLost {
            if levels[level].reloadAt <= now { return load(level, at: now) }
            if isWaiting { return .wait(until: levels[level].reloadAt) }
        }
        guard hasRoom else { return .wait(until: .infinity) }
        if case .after = cursor, let step = adapt(at: now, ahead: ahead) { return step }
        return plan(at: now)
    }

    private mutating func load(_ wanted: Int, at now: Double) -> Step {
        levels[wanted].isLoading = true
        var query = levels[wanted].query(at: now)
        if wanted != level, let report = report(of: wanted) {
            // Otherwise, a cache might return a version that is older than the known one.
            query.sequence = report.sequence
            query.part = report.part
        }
        return .load(level: wanted, query: query)
    }

    /// Returns the state of another rendition, as reported by the current one.
    private func report(of other: Int) -> HLSMediaPlaylist.Report? {
        guard let playlist = window?.playlist, playlist.canBlockReload else { return nil }
        return playlist.reports.first { $0.url == levels[other].level.playlist.url }
    }

    private mutating func loadFirst(at now: Double, hasRoom: Bool, ahead: Double) -> Step {
        if levels[level].isLoading { return .wait(until: .infinity) }
        guard levels[level].isLost else {
            let reloadAt = levels[level].reloadAt
            return reloadAt <= now ? load(level, at: now) : .wait(until: reloadAt)
        }
        guard let other = usable(at: now) else {
            failure = levels[level].failure
            return .fail(failure?.code ?? .empty)
        }
        level = other
        return next(at: now, hasRoom: hasRoom, ahead: ahead)
    }

    /// Returns a replacement for the current rendition: the next lower one, otherwise the next higher one.
    private func usable(at now: Double) -> Int? {
        let others = levels.indices.filter { $0 != level && levels[$0].avoidedUntil <= now }
        return others.last { $0 < level } ?? others.first
    }

    private mutating func plan(at now: Double) -> Step {
        guard let window else { return .end }
        guard let (first, joint) = place(in: window) else {
            holeAtEnd = HLSHole()
            return atEnd(of: window)
        }
        var entry = first
        var silence = 0.0
        var hole = HLSHole()
        while true {
            let duration = min(entry.segment.duration, window.playlist.longestGap)
            if let error = missing[MissingSegment(entry, level)] {
                hole.losses.append(HLSLoss(segment: entry.segment, error: error))
            } else if entry.segment.isGap {
                hole.gap += duration
            } else {
                break
            }
            silence += duration
            guard let next = window.entry(after: entry) else {
                holeAtEnd = hole
                return atEnd(of: window)
            }
            entry = next
        }
        lastID += 1
        // A live presentation continues with the segments that still exist.
        let isJump = entry != first && window.isLive && joint != .first
        let plan = HLSPlan(
            id: lastID,
            level: level,
            entry: entry,
            joint: isJump ? .jump : silence > 0 && joint == .continuous ? .discontinuity : joint,
            silence: window.isLive ? 0 : silence,
            hole: hole
        )
        cursor = .after(plan)
        beginsEarlier = false
        return .fetch(plan)
    }

    private mutating func atEnd(of window: HLSWindow) -> Step {
        // The first segments must exist, in a live presentation too; no others are planned then.
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
        // Not where the parts of the segment that is being made cannot be had.
        let hints =
            window.usesParts && !window.partless.contains(window.playlist.endSequence) ? window.playlist.hints : []
        if !hints.isEmpty, hints != prefetched {
            prefetched = hints
            return .prefetch(hints)
        }
        return .wait(until: levels[level].isLoading ? .infinity : levels[level].reloadAt)
    }

    /// Returns the next segment and its relation to the last one; `nil` if it does not exist yet.
    private func place(in window: HLSWindow) -> (HLSWindow.Entry, HLSPlan.Joint)? {
        switch cursor {
        case .usualStart: return window.startingEntry.map { ($0, .first) }
        case .time(let time): return window.index(at: time).map { (window.entries[$0], .first) }
        case .after(let last) where last.level != level:
            let time = beginsEarlier ? last.entry.start : last.entry.end
            return window.entry(beginningNear: time, overlaps: successor(of: last) != nil).map { ($0, .switched) }
        case .after(let last):
            if let next = window.entry(after: last.entry) { return (next, joint(next, after: last)) }
            guard let first = window.entries.first else { return nil }
            if first.epoch != last.entry.epoch { return window.startingEntry.map { ($0, .jump) } }
            let next = last.segment.part == nil ? last.segment.sequence.addingClamped(1) : last.segment.sequence
            guard first.segment.sequence > next else { return nil }
            if window.usesParts { return window.startingEntry.map { ($0, .jump) } }
            // The segment is gone; the first one of the window will be gone soon.
            let time = min(window.liveEdge, window.start + window.targetDuration)
            return window.index(at: time).map { (window.entries[$0], .jump) }
        }
    }

    private func joint(_ entry: HLSWindow.Entry, after last: HLSPlan) -> HLSPlan.Joint {
        if entry.clock != last.entry.clock { return .discontinuity }
        if entry.segment.part == nil, entry.segment.sequence == last.segment.sequence { return .resumed }
        return entry.segment.initialization == last.segment.initialization ? .continuous : .initialized
    }

    // MARK: The rate

    /// Goes over to a rendition that suits the line.
    /// - Returns: The load of its playlist, if that is needed first.
    private mutating func adapt(at now: Double, ahead: Double) -> Step? {
        guard adapts, let rate = bandwidth.bitsPerSecond else { return nil }
        var choice = HLSRateChoice(levels: levels.map(\.level.bandwidth), current: level)
        // So near to the end no more than a few parts are ever in hand.
        if let window, window.usesParts { choice.secondsToGoUp = window.partTarget }
        let wanted = choice.level(bitsPerSecond: rate, ahead: ahead) { levels[$0].avoidedUntil <= now }
        guard wanted != level else { return nil }
        let isFresh = levels[wanted].window.map { !$0.isLive || levels[wanted].freshUntil > now } ?? false
        if isFresh {
            level = wanted
            return nil
        }
        // A useless response is not requested again at once.
        let waits = levels[wanted].window == nil && levels[wanted].reloadAt > now
        return levels[wanted].isLoading || waits ? nil : load(wanted, at: now)
    }

    // MARK: Events

    /// Processes a playlist that was requested at `began`.
    /// - Returns: The change of the window.
    mutating func loaded(_ playlist: HLSMediaPlaylist, level: Int, began: Double) -> HLSWindow.Change {
        let start = levels[level].window == nil ? start(of: playlist) : 0
        let change = levels[level].loaded(playlist, start: start, began: began)
        // The names of hints may be used again.
        if change == .restarted { prefetched = [] }
        return change
    }

    /// Returns the start time of the first segment of another rendition.
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

    /// Records that a playlist could not be loaded.
    mutating func playlistFailed(_ error: SyrinxError, level failed: Int, at now: Double) {
        levels[failed].failed(error, at: now)
        guard failed == level, levels[failed].isLost, let other = usable(at: now) else { return }
        level = other
    }

    /// Notes that a segment of `bytes` took `seconds` to arrive.
    mutating func arrived(bytes: Int64, seconds: Double) { bandwidth.note(bytes: bytes, seconds: seconds) }

    /// Notes that a part of `bytes` took `seconds` from its first byte on to arrive, while it was being made perhaps.
    mutating func arrivedEarly(bytes: Int64, seconds: Double) {
        let rate = Double(bytes) * 8 / max(seconds, 0.001)
        // A server may send a segment while it is created; its rate then does not reflect the bandwidth.
        guard rate > Self.shareOfHaste * Double(levels[level].level.bandwidth) else { return }
        arrived(bytes: bytes, seconds: seconds)
    }

    /// Notes that a segment could be played.
    mutating func played(_ plan: HLSPlan? = nil) {
        failureCount = 0
        hasPlayed = true
        guard let plan, plan.segment.part != nil, levels[plan.level].window?.partless.isEmpty == false else { return }
        levels[plan.level].window?.partPlayed(of: plan.segment.sequence)
    }

    /// Notes that a segment could not be fetched; it and the segments after it are planned again.
    /// - Parameter previous: The segment that was planned before it.
    mutating func segmentFailed(_ plan: HLSPlan, after previous: HLSPlan?, _ error: SyrinxError, at now: Double) {
        segmentFailure = error
        if plan.segment.part != nil {
            cursor = previous.map(Cursor.after) ?? (plan.joint == .first ? .usualStart : .after(plan))
            level = plan.level
            // The segment itself contains the part and is available slightly later.
            levels[level].window?.partFailed(of: plan.segment.sequence)
            return
        }
        cursor = previous.map(Cursor.after) ?? (plan.joint == .first ? cursorAt(plan) : .after(plan))
        failureCount += 1
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
        if missing.count > 1_000 { missing = [:] }
        missing[MissingSegment(plan.entry, plan.level)] = error
    }

    /// Returns the position of a plan: in the first of the missing segments before it, if there are any.
    private func cursorAt(_ plan: HLSPlan) -> Cursor {
        let first = plan.hole.losses.first?.segment ?? plan.segment
        let missing = plan.hole.losses.reduce(plan.hole.gap) { $0 + $1.segment.duration }
        return .time(plan.entry.start - missing + first.duration / 2)
    }

    /// Seeks to a time; all planned segments are dropped.
    mutating func seek(to time: Double) {
        cursor = .time(time)
        beginsEarlier = false
        failureCount = 0
    }

    // MARK: Times

    /// Records the actual start time of a segment.
    /// - Parameter movesAll: Whether all times shift with it, as when a live presentation was left and resumed.
    mutating func found(_ plan: HLSPlan, at time: Double, movesAll: Bool) {
        guard let window = levels[plan.level].window,
            let known = window.start(of: plan.segment, epoch: plan.entry.epoch)
        else { return }
        let shift = time - known
        guard shift != 0 else { return }
        if movesAll {
            for level in levels.indices { levels[level].window?.move(by: shift) }
        } else if let index = window.index(ofSequence: plan.segment.sequence, epoch: plan.entry.epoch) {
            levels[plan.level].window?.moveStart(at: index, to: window.entries[index].start + shift)
        }
    }

    /// Returns the segment after `plan` in the same rendition, if it is known and continues the same byte stream.
    func successor(of plan: HLSPlan) -> HLSWindow.Entry? {
        guard let next = levels[plan.level].window?.entry(after: plan.entry), joint(next, after: plan) == .continuous
        else { return nil }
        return next
    }

    /// The segment before `plan` in the same rendition.
    func predecessor(of plan: HLSPlan) -> HLSWindow.Entry? {
        guard let window = levels[plan.level].window,
            let index = window.index(ofSequence: plan.segment.sequence.subtractingClamped(1), epoch: plan.entry.epoch)
        else { return nil }
        return window.entries[index]
    }
}
