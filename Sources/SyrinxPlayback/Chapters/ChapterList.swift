/// The chapters of one recording, merged from all sources.
///
/// Sources may report chapters late and repeatedly, for example while a recording is streamed. Each report updates the
/// merged list.
///
/// The times come from the source with the most visible chapters; among equals, from the first in the order of
/// ``ChapterSource``. Titles, links and pictures that it lacks come from chapters of other sources that start within
/// ``mergeTolerance``.
///
/// ```swift
/// var list = ChapterList(duration: 1_800)
/// list.set([Chapter(start: 0, title: "Welcome"), Chapter(start: 95, title: "News")], from: .file)
/// print(list.chapter(at: position)?.title ?? "")
/// if let next = list.next(after: position) { print("next:", next.title ?? "", "at", next.start, "s") }
/// ```
public struct ChapterList: Sendable, Equatable {
    /// The maximum difference of start times, in seconds, at which chapters of two sources are merged: 1.
    public static let mergeTolerance = 1.0
    /// The maximum difference of start times, in seconds, at which chapters of one source are merged: 0.05.
    public static let duplicateTolerance = 0.05
    /// The maximum number of chapters from one source: 10,000.
    public static let maximumCount = 10_000
    /// The latest start time in seconds, about 31 years; later chapters are ignored.
    public static let maximumTime = 1e9

    /// The merged visible chapters, sorted by start; each has an end, except the last one while the duration is
    /// unknown.
    public private(set) var chapters: [Chapter] = []
    /// The merged hidden markers, sorted by start.
    public private(set) var markers: [Chapter] = []
    /// The duration of the recording in seconds; `nil` while it is unknown.
    public var duration: Double? {
        didSet { if duration != oldValue { merge() } }
    }
    private var lists: [ChapterSource: [Chapter]] = [:]

    /// Creates an empty list.
    public init(duration: Double? = nil) { self.duration = duration }

    /// Replaces the chapters of one source; an empty sequence removes them.
    ///
    /// Chapters whose start is negative, not finite or beyond ``maximumTime`` are ignored.
    /// - Returns: Whether the merged list has changed.
    @discardableResult public mutating func set(_ reported: [Chapter], from source: ChapterSource) -> Bool {
        let before = (chapters, markers)
        lists[source] =
            Self.cleaned(reported.lazy.filter { !$0.isHidden }) + Self.cleaned(reported.lazy.filter(\.isHidden))
        merge()
        return chapters != before.0 || markers != before.1
    }

    // MARK: Navigation

    /// Returns the index of the chapter at a time; `nil` before the first chapter, in a gap, and for NaN.
    public func index(at time: Double) -> Int? { Self.index(at: time, in: chapters) }

    /// Returns the chapter at a time; `nil` if there is none.
    public func chapter(at time: Double) -> Chapter? { index(at: time).map { chapters[$0] } }

    /// Returns the marker at a time, whose picture and link take precedence over those of the chapter.
    public func marker(at time: Double) -> Chapter? { Self.index(at: time, in: markers).map { markers[$0] } }

    /// Returns the first chapter that starts after a time; `nil` if there is none.
    public func next(after time: Double) -> Chapter? { chapters.first { $0.start > time } }

    /// Returns the target of a “previous chapter” command: the current chapter, or the one before if the current one
    /// just began.
    ///
    /// - Parameters:
    ///   - time: The playback position, in seconds.
    ///   - grace: The time in seconds after a chapter's start in which the previous chapter is returned (default: 3).
    public func previous(before time: Double, grace: Double = 3) -> Chapter? {
        let limit = time - max(grace, 0)
        return chapters.last { $0.start <= limit } ?? chapters.first.flatMap { $0.start < time ? $0 : nil }
    }

    private static func index(at time: Double, in chapters: [Chapter]) -> Int? {
        var low = 0
        var high = chapters.count
        while low < high {
            let middle = (low + high) / 2
            if chapters[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0, chapters[low - 1].end.map({ time < $0 }) ?? true else { return nil }
        return low - 1
    }

    // MARK: Merging

    /// Returns the valid chapters in order, merging those that start together.
    private static func cleaned(_ reported: some Sequence<Chapter>) -> [Chapter] {
        var result: [Chapter] = []
        let usable = reported.lazy.filter { (0...maximumTime).contains($0.start) }.prefix(maximumCount)
        // Sorting by index too preserves the source's order of chapters that start together.
        for (_, chapter) in usable.enumerated().sorted(by: {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }) {
            if let last = result.last, chapter.start - last.start <= duplicateTolerance {
                result[result.count - 1].fill(from: chapter)
            } else {
                result.append(chapter)
            }
        }
        return result
    }

    private mutating func merge() {
        let shown = ChapterSource.allCases.map { lists[$0, default: []].filter { !$0.isHidden } }
        let most = shown.map(\.count).max()
        let winner = shown.firstIndex { $0.count == most } ?? 0
        var merged = shown[winner]
        for (index, others) in shown.enumerated() where index != winner { Self.fill(&merged, from: others) }
        chapters = bounded(merged, by: [])
        let hidden = ChapterSource.allCases.map { lists[$0, default: []].filter(\.isHidden) }
        markers = bounded(hidden.first { !$0.isEmpty } ?? [], by: chapters)
    }

    /// Returns the chapters within the recording, each ending at the next start of a chapter or of one of `others` at
    /// the latest.
    private func bounded(_ chapters: [Chapter], by others: [Chapter]) -> [Chapter] {
        let limit = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? .infinity
        var result = Array(chapters.prefix { $0.start < limit })
        var other = 0
        for index in result.indices {
            let start = result[index].start
            while other < others.count, others[other].start <= start { other += 1 }
            let next = index + 1 < result.count ? result[index + 1].start : limit
            let border = min(next, other < others.count ? others[other].start : limit)
            let end = min(result[index].end.flatMap { $0 > start ? $0 : nil } ?? border, border)
            result[index].end = end.isFinite ? end : nil
        }
        return result
    }

    /// Fills missing fields of each chapter from the nearest one of `others` within the tolerance; both must be sorted.
    private static func fill(_ chapters: inout [Chapter], from others: [Chapter]) {
        guard !others.isEmpty else { return }
        var nearest = 0
        for index in chapters.indices {
            let start = chapters[index].start
            while nearest + 1 < others.count,
                abs(others[nearest + 1].start - start) <= abs(others[nearest].start - start)
            {
                nearest += 1
            }
            if abs(others[nearest].start - start) <= mergeTolerance { chapters[index].fill(from: others[nearest]) }
        }
    }
}
