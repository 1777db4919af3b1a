import SyrinxByteStream

/// The parts in which segments are published before they are complete (draft-pantos-hls-rfc8216bis, 3.1 and 6.3).
extension HLSWindow {
    /// Segments in a row whose parts cannot be had, after which no parts are played any more.
    private static let patience = 3
    /// The shortest and the longest part that is counted with, in seconds.
    private static let targets = (shortest: 0.05, longest: 60.0)

    /// Whether parts are played where a segment is not complete.
    var usesParts: Bool { isLive && hasParts }

    /// Whether parts can be used.
    ///
    /// This requires a server that blocks requests until there is a change: other servers would have to be polled
    /// constantly.
    private var hasParts: Bool {
        guard playlist.canBlockReload, playlist.partTarget != nil, partless.count < Self.patience else {
            return false
        }
        return !playlist.openParts.isEmpty || playlist.segments.last.map { !$0.parts.isEmpty } ?? false
    }

    /// An upper bound of the parts' durations, in seconds.
    var partTarget: Double { min(max(playlist.partTarget ?? 1, Self.targets.shortest), Self.targets.longest) }

    /// The distance in seconds to keep from the end of the last part: as stated, but at least two parts; three parts if
    /// not stated.
    var partHoldBack: Double { max(playlist.partHoldBack ?? 3 * partTarget, 2 * partTarget) }

    /// Seconds at which the last part ends.
    var partsEnd: Double { usesParts ? playlist.openParts.reduce(end) { $0 + $1.duration } : end }

    /// The parts of a segment that can be played, in order; none if they cannot.
    func parts(of sequence: Int64) -> [Entry] {
        guard hasParts, !partless.contains(sequence) else { return [] }
        if sequence == playlist.endSequence { return Self.placed(playlist.openParts[...], from: end, epoch: epoch) }
        guard let index = index(ofSequence: sequence, epoch: epoch) else { return [] }
        return Self.placed(entries[index].segment.parts[...], from: entries[index].start, epoch: epoch)
    }

    /// A segment that is complete.
    private func whole(_ sequence: Int64) -> Entry? { index(ofSequence: sequence, epoch: epoch).map { entries[$0] } }

    /// Returns the segment or part to play after another; `nil` if it is not published yet, or is gone.
    ///
    /// Complete segments are played as a whole, unless playback is already within one. If the remaining parts are not
    /// available, the complete segment is returned later, although some of it was already played.
    func entry(after last: Entry) -> Entry? {
        guard last.epoch == epoch else { return nil }
        let sequence = last.segment.sequence
        if let part = last.segment.part {
            let parts = parts(of: sequence)
            if part + 1 < parts.count { return parts[part + 1] }
            if part + 1 != parts.count {
                guard let whole = whole(sequence), Self.ends(whole, with: last) else { return whole(sequence) }
            }
            guard sequence < playlist.endSequence else { return nil }
        }
        let next = sequence.addingClamped(1)
        return whole(next) ?? parts(of: next).first
    }

    /// Returns whether a part is the last one of its segment, whose parts may no longer be listed.
    private static func ends(_ whole: Entry, with last: Entry) -> Bool {
        guard let part = last.segment.part else { return false }
        if whole.partCount > 0 { return part.addingClamped(1) >= whole.partCount }
        return last.segment.offset + last.segment.duration >= whole.segment.duration - 10 * rounding
    }

    /// The segment or part with which playback starts by default.
    var startingEntry: Entry? {
        let time = usualStart
        guard usesParts else { return index(at: time).map { entries[$0] } }
        // Considers the last independently decodable ones; rounding may shift the end of a part slightly.
        let beginning = index(at: time).map { entries[$0] }
        let numbers = [beginning?.segment.sequence, playlist.endSequence].compactMap(\.self)
        let pieces = numbers.flatMap { parts(of: $0) }
        let latest = pieces.last { entry in
            entry.segment.isIndependent && !entry.segment.isGap && entry.start <= time + Self.rounding
        }
        return latest ?? beginning ?? parts(of: playlist.endSequence).first
    }

    /// The seconds of audio that a new rendition's decoder receives before the switch.
    private static let preroll = 0.2

    /// Returns the segment or part of another rendition at which to switch when the playback position reaches `time`;
    /// `nil` if none exists yet.
    ///
    /// - Parameters:
    ///   - time: The end in seconds of the last played segment or part of the old rendition.
    ///   - overlaps: Whether more of the old rendition can be played until the new decoder's output is correct. If not,
    ///     an entry before `time` is selected, because the first packet after a decoder's start is wrong.
    func entry(beginningNear time: Double, overlaps: Bool) -> Entry? {
        let near = index(beginningNear: time)
        let whole = near < entries.count ? entries[near] : nil
        guard usesParts else { return whole }
        guard partsEnd - time > partTarget / 2 else { return nil }
        let recent = entries.suffix(4)
        let numbers = recent.map(\.segment.sequence) + [playlist.endSequence]
        let pieces = (recent + numbers.flatMap { parts(of: $0) })
            .filter { $0.segment.isIndependent && !$0.segment.isGap && $0.start <= time + partTarget / 2 }
        // Segments first: of a segment and its first part, the segment.
        func latest(until end: Double) -> Entry? {
            pieces.filter { $0.start <= end }.reduce(nil) { best, entry in
                guard let best, entry.start <= best.start + Self.rounding else { return entry }
                return best
            }
        }
        let early = latest(until: time - Self.preroll)
        if let early, early.start >= time - Self.preroll - 2 * partTarget { return early }
        if let early, !overlaps { return early }
        return latest(until: time + partTarget / 2) ?? early ?? whole
    }

    /// Returns the start time in seconds of a segment or part, as far as it is known.
    func start(of segment: HLSMediaPlaylist.Segment, epoch: Int) -> Double? {
        guard epoch == self.epoch else { return nil }
        guard let part = segment.part else { return whole(segment.sequence)?.start }
        let parts = parts(of: segment.sequence)
        return part < parts.count ? parts[part].start : nil
    }

    /// Records that a part could not be loaded: no further parts of its segment play.
    mutating func partFailed(of sequence: Int64) { partless.insert(sequence) }

    /// Records that a part was playable.
    mutating func partPlayed(of sequence: Int64) { partless = partless.filter { $0 >= sequence } }
}
