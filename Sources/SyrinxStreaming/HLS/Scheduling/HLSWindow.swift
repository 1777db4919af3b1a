import SyrinxByteStream

/// The playable segments of one rendition with their times, updated from its playlist.
struct HLSWindow {
    /// A segment and its place in time.
    struct Entry: Equatable, Sendable {
        let segment: HLSMediaPlaylist.Segment
        /// The start time of the segment in seconds, as far as it is known.
        var start: Double
        /// The number of times that the playlist had begun anew before it.
        let epoch: Int
        /// The number of parts of the segment that were listed; 0 if unknown.
        var partCount = 0

        var end: Double { start + segment.duration }
        /// The clock of its timestamps.
        var clock: HLSClockID { HLSClockID(epoch: epoch, discontinuity: segment.discontinuity) }
    }

    /// The difference that a reload has made.
    enum Change: Equatable {
        /// There are no new segments.
        case none
        /// Segments have been added.
        case advanced
        /// The playlist has begun anew: its numbers went back.
        case restarted
    }

    private(set) var entries: [Entry]
    private(set) var playlist: HLSMediaPlaylist
    private(set) var epoch = 0
    /// The segments whose parts are not used, because a part was not available.
    var partless: Set<Int64> = []

    /// Seconds by which stated durations are off as a rule.
    static let rounding = 0.001

    /// Creates the window of a playlist that was loaded for the first time and starts at `start` seconds.
    init(_ playlist: HLSMediaPlaylist, start: Double = 0) {
        self.playlist = playlist
        entries = Self.placed(playlist.segments[...], from: start, epoch: 0)
    }

    static func placed(
        _ segments: ArraySlice<HLSMediaPlaylist.Segment>,
        from start: Double,
        epoch: Int
    ) -> [Entry] {
        var start = start
        return segments.map { segment in
            defer { start += segment.duration }
            return Entry(segment: segment, start: start, epoch: epoch, partCount: segment.parts.count)
        }
    }

    /// The start time of the first segment in seconds.
    var start: Double { entries.first?.start ?? 0 }
    /// Seconds at which the last segment ends.
    var end: Double { entries.last?.end ?? start }
    /// Whether segments may be added.
    var isLive: Bool { !playlist.isEnded }
    /// Whether segments may be removed.
    var slides: Bool { isLive && playlist.kind == nil }

    /// The maximum duration of segments: the stated target duration or, if that is invalid, the longest segment.
    var targetDuration: Double {
        if playlist.targetDuration > 0 { return playlist.targetDuration }
        return max(entries.reduce(0) { max($0, $1.segment.duration) }, 1)
    }

    // MARK: Reloading

    /// Replaces the playlist with a newer version.
    mutating func update(_ new: HLSMediaPlaylist) -> Change {
        let known = playlist
        let isAnew = begins(anew: new)
        if new.endSequence < known.endSequence, !isAnew {
            // An older version, as returned by caches.
            if new.isEnded { playlist.isEnded = true }
            return .none
        }
        let isSame = new.endSequence == known.endSequence
        // Of parts too.
        if isSame, !new.openParts.isEmpty, new.openParts.count < known.openParts.count { return .none }
        playlist = new
        let hasGrown = !isSame || new.openParts.count > known.openParts.count
        guard let first = new.segments.first?.sequence ?? entries.first?.segment.sequence else {
            return hasGrown ? .advanced : .none
        }
        if isAnew {
            epoch += 1
            partless = []
            entries = Self.placed(new.segments[...], from: end, epoch: epoch)
            return .restarted
        }
        let oldEnd = entries.last.map { $0.segment.sequence + 1 } ?? first
        if first > oldEnd {
            // The segments in between were never seen.
            let usual = new.segments.reduce(0) { $0 + $1.duration } / Double(max(new.segments.count, 1))
            let missed = Double(first.subtractingClamped(oldEnd)) * usual
            entries = Self.placed(new.segments[...], from: end + dated(new, missed), epoch: epoch)
            return .advanced
        }
        let begin = new.firstSequence
        let kept = entries.filter { $0.segment.sequence >= begin && $0.segment.sequence < first }
        let start = entries.first { $0.segment.sequence == first }?.start ?? end
        var added = Self.placed(new.segments[...], from: start, epoch: epoch)
        for index in added.indices {
            if let known = self.index(ofSequence: added[index].segment.sequence, epoch: epoch) {
                // Times that have been measured stay.
                added[index].start = entries[known].start
                if added[index].partCount == 0 { added[index].partCount = entries[known].partCount }
            } else if index > 0 {
                added[index].start = added[index - 1].end
            }
        }
        // A server that never drops segments would have them without end.
        entries = Array((kept + added).suffix(HLSMediaPlaylist.maximumSegments))
        if !partless.isEmpty { partless = partless.filter { $0 >= begin } }
        return hasGrown ? .advanced : .none
    }

    /// Returns the seconds that were missed: according to the dates, otherwise estimated from the usual duration.
    private func dated(_ new: HLSMediaPlaylist, _ usual: Double) -> Double {
        guard let last = entries.last, let before = last.segment.date, let after = new.segments.first?.date else {
            return min(usual, HLSNumber.longest)
        }
        let passed = after - before - last.segment.duration
        return passed >= 0 && passed < HLSNumber.longest ? passed : min(usual, HLSNumber.longest)
    }

    /// Returns whether a playlist is not a later version of this one.
    private func begins(anew new: HLSMediaPlaylist) -> Bool {
        guard let first = entries.first, let newLast = new.segments.last, new.skippedCount == 0,
            new.endSequence < playlist.endSequence
        else { return false }
        if newLast.sequence < first.segment.sequence { return true }
        let same = entries.first { $0.segment.sequence == newLast.sequence }
        return same.map { $0.segment.resource.url.path != newLast.resource.url.path } ?? false
    }

    // MARK: Looking up

    /// The place of a segment by its number.
    func index(ofSequence sequence: Int64, epoch: Int) -> Int? {
        guard let first = entries.first else { return nil }
        let offset = sequence.subtractingClamped(first.segment.sequence)
        guard 0..<Int64(entries.count) ~= offset, entries[Int(offset)].segment.sequence == sequence,
            entries[Int(offset)].epoch == epoch
        else { return nil }
        return Int(offset)
    }

    /// Returns the index of the segment at `time`, or of the nearest one.
    func index(at time: Double) -> Int? {
        guard !entries.isEmpty else { return nil }
        return max((entries.firstIndex { $0.start > time } ?? entries.count) - 1, 0)
    }

    /// Returns the index of the segment whose start is nearest to `time`; the count if that is the end of the last one.
    func index(beginningNear time: Double) -> Int {
        let next = entries.firstIndex { $0.start >= time } ?? entries.count
        guard next > 0 else { return next }
        let start = next < entries.count ? entries[next].start : end
        return time - entries[next - 1].start < start - time ? next - 1 : next
    }

    /// The default start time of playback in seconds.
    var usualStart: Double {
        if let offset = playlist.startOffset {
            let time = offset < 0 ? partsEnd + offset : start + offset
            return min(max(time, start), isLive ? max(liveEdge, start) : max(end, start))
        }
        if usesParts { return liveEdge }
        guard isLive, let index = index(at: liveEdge) else { return start }
        return entries[index].start
    }

    /// The latest time from which a live presentation can be played without running dry: three target durations before its end,
    /// or as its server states (RFC 8216, 6.3.3); where parts are played, three of theirs.
    var liveEdge: Double {
        guard isLive else { return end }
        if usesParts { return max(partsEnd - partHoldBack, start) }
        let distance = max(playlist.holdBack ?? 0, 3 * targetDuration)
        return max(end - distance, start)
    }

    // MARK: Times

    /// Shifts the segments from `index` on, because the first of them was found to start at `time`.
    mutating func moveStart(at index: Int, to time: Double) {
        guard entries.indices.contains(index) else { return }
        let shift = time - entries[index].start
        // Playlists round durations.
        guard abs(shift) > Self.rounding else { return }
        for place in index..<entries.count { entries[place].start += shift }
    }

    /// Moves all segments in time.
    mutating func move(by seconds: Double) {
        for index in entries.indices { entries[index].start += seconds }
    }
}

/// The clock to which the timestamps of some segments refer.
struct HLSClockID: Hashable, Sendable {
    let epoch: Int
    let discontinuity: Int64
}
