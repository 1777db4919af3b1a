/// The chapters of one recording, merged from all sources that have reported any.
///
/// Sources may report late and again, as they do while a recording is streamed. The merged list is computed anew each time.
///
/// The source with the most chapters, hidden ones not counted, gives the times; among equals, the first in the order of
/// ``ChapterSource``. Titles, links and pictures that it lacks come from chapters of other sources that start within
/// ``mergeTolerance``.
public struct ChapterList: Sendable, Equatable {
    /// The difference of starts, in seconds, up to which chapters of two sources are the same: 1.
    public static let mergeTolerance = 1.0
    /// The difference of starts, in seconds, up to which chapters of one source are the same: 0.05.
    public static let duplicateTolerance = 0.05
    /// The number of chapters that are taken from one source: 10,000.
    public static let maximumCount = 10_000
    /// The latest start in seconds, about 31 years: later ones are left out.
    public static let maximumTime = 1e9

    /// The merged chapters by start, without hidden ones; each has an end unless it is the last and the duration is not known.
    public private(set) var chapters: [Chapter] = []
    /// The merged markers by start: the hidden chapters, each within a chapter or in a gap.
    public private(set) var markers: [Chapter] = []
    /// The length of the recording in seconds; `nil` while it is not known.
    public var duration: Double? {
        didSet { if duration != oldValue { merge() } }
    }
    private var lists: [ChapterSource: [Chapter]] = [:]

    /// An empty list.
    public init(duration: Double? = nil) { self.duration = duration }

    /// Replaces the chapters of one source; none removes them.
    ///
    /// Chapters whose start is negative, not finite or beyond ``maximumTime`` are left out.
    /// - Returns: Whether the merged list has changed.
    @discardableResult public mutating func set(_ reported: [Chapter], from source: ChapterSource) -> Bool {
        let before = (chapters, markers)
        lists[source] =
            Self.cleaned(reported.lazy.filter { !$0.isHidden }) + Self.cleaned(reported.lazy.filter(\.isHidden))
        merge()
        return chapters != before.0 || markers != before.1
    }

    // MARK: Moving

    /// The index of the chapter that holds this time; `nil` before the first one, in a gap and for what is not a number.
    public func index(at time: Double) -> Int? { Self.index(at: time, in: chapters) }

    /// The chapter that holds this time.
    public func chapter(at time: Double) -> Chapter? { index(at: time).map { chapters[$0] } }

    /// The marker that holds this time, whose picture and link go before those of the chapter.
    public func marker(at time: Double) -> Chapter? { Self.index(at: time, in: markers).map { markers[$0] } }

    /// The next chapter that starts after this time.
    public func next(after time: Double) -> Chapter? { chapters.first { $0.start > time } }

    /// The chapter to which “previous” leads: the present one, or the one before if it began just now.
    ///
    /// - Parameters:
    ///   - time: The time that is heard, in seconds.
    ///   - grace: Seconds after a start in which the chapter before is meant. Default: 3.
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

    /// The usable chapters in order, those that start together as one.
    private static func cleaned(_ reported: some Sequence<Chapter>) -> [Chapter] {
        var result: [Chapter] = []
        let usable = reported.lazy.filter { (0...maximumTime).contains($0.start) }.prefix(maximumCount)
        // Sorted by index too: the order of chapters that start together is then that of the source.
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

    /// The chapters before the end of the recording, each with its end: at most the start of the next one, or of one of `others`.
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

    /// Fills each chapter from the nearest one of `others`, if it is near enough; both are in order.
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
