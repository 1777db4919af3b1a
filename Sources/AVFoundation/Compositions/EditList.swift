internal import CoreMedia

/// The consecutive edits of a composition track: each is a media range with a duration, or empty.
///
/// A pure value; times are those of the composition.
struct EditList<Media> {
    /// An edit of the track.
    struct Edit {
        /// The media; `nil` for an empty edit.
        var media: Media?
        /// The range of the media.
        var source: CMTimeRange
        /// The duration in the composition.
        var duration: CMTime

        /// Returns the part of this edit that starts at `offset` and lasts `length`.
        func part(from offset: CMTime, length: CMTime) -> Edit {
            guard media != nil else { return Edit(media: nil, source: .invalid, duration: length) }
            guard source.duration != duration else {
                let range = CMTimeRange(start: source.start + offset, duration: length)
                return Edit(media: media, source: range, duration: length)
            }
            let own = CMTimeRange(start: .zero, duration: duration)
            let start = CMTimeMapTimeFromRangeToRange(offset, fromRange: own, toRange: source)
            let span = CMTimeMapDurationFromRangeToRange(length, fromRange: own, toRange: source)
            return Edit(media: media, source: CMTimeRange(start: start, duration: span), duration: length)
        }
    }

    private(set) var edits: [Edit] = []

    /// The end of the last edit.
    var duration: CMTime { edits.reduce(.zero) { $0 + $1.duration } }

    /// The edits with their time ranges in the composition.
    var placed: [(edit: Edit, range: CMTimeRange)] {
        var start = CMTime.zero
        return edits.map { edit in
            defer { start = start + edit.duration }
            return (edit, CMTimeRange(start: start, duration: edit.duration))
        }
    }

    init() {}

    /// Creates a list from consecutive edits; edits without a duration are dropped.
    init(_ edits: [Edit]) {
        self.edits = edits.filter { $0.duration > .zero }
    }

    /// Inserts edits at `time` and moves later ones back; an empty edit fills the gap if `time` is after the end.
    mutating func insert(_ new: [Edit], at time: CMTime) {
        let end = duration
        if time > end { edits.append(Edit(media: nil, source: .invalid, duration: time - end)) }
        let all = CMTimeMaximum(end, time)
        let before = cut(CMTimeRange(start: .zero, end: time))
        let after = cut(CMTimeRange(start: time, end: all))
        edits = before + new.filter { $0.duration > .zero } + after
    }

    /// Removes a range; later edits move forward.
    mutating func remove(_ range: CMTimeRange) {
        let end = duration
        guard range.start < end else { return }
        let before = cut(CMTimeRange(start: .zero, end: CMTimeMaximum(range.start, .zero)))
        let last = CMTimeMinimum(range.end, end)
        edits = before + cut(CMTimeRange(start: last, end: end))
    }

    /// Stretches or compresses a range to `newDuration`.
    mutating func scale(_ range: CMTimeRange, to newDuration: CMTime) {
        let end = duration
        let range = range.intersection(CMTimeRange(start: .zero, duration: end))
        guard range.isValid, !range.isEmpty, newDuration > .zero else { return }
        let target = CMTimeRange(start: .zero, duration: newDuration)
        let middle = cut(range).map { edit in
            var edit = edit
            edit.duration = CMTimeMapDurationFromRangeToRange(edit.duration, fromRange: range, toRange: target)
            return edit
        }
        edits = cut(CMTimeRange(start: .zero, end: range.start)) + middle + cut(CMTimeRange(start: range.end, end: end))
    }

    /// Returns the edits within a range.
    func cut(_ range: CMTimeRange) -> [Edit] {
        guard range.isValid, !range.isEmpty else { return [] }
        return placed.compactMap { edit, place in
            let common = place.intersection(range)
            guard common.isValid, !common.isEmpty else { return nil }
            return common == place ? edit : edit.part(from: common.start - place.start, length: common.duration)
        }
    }
}
