package import SyrinxMediaCodec

/// Finds the chapter that is being heard, and those before and after it.
///
/// Pure. The chapters may come in any order and may overlap: a chapter begins at its start and lasts until another begins.
package struct ChapterTracker: Equatable, Sendable {
    /// A time this close before a start counts as the start: a seek lands on a frame, and so up to half a frame early.
    private static let tolerance = 0.001
    /// Going back within this time after a chapter's start leads to the chapter before, as in mpv.
    private static let restartThreshold = 5.0

    /// The chapters, in the order of the file.
    package let chapters: [MediaChapter]
    /// The index of the chapter that was heard last.
    package private(set) var current: Int?

    /// A tracker for these chapters; those without a usable start are never found.
    package init(_ chapters: [MediaChapter] = []) { self.chapters = chapters }

    /// Takes note of the time that is being heard.
    /// - Returns: The index of the chapter, if it is another one than before.
    package mutating func move(to time: Double) -> Int? {
        let index = index(at: time)
        guard index != current else { return nil }
        current = index
        return index
    }

    /// The index of the chapter that holds `time`.
    package func index(at time: Double) -> Int? {
        latest { $0 <= time + Self.tolerance }
    }

    /// The index of the chapter that begins next after `time`.
    package func index(after time: Double) -> Int? {
        var found: Int?
        for (index, chapter) in chapters.enumerated() where chapter.start > time + Self.tolerance {
            if let best = found, chapters[best].start <= chapter.start { continue }
            found = index
        }
        return found
    }

    /// The index of the chapter that the key for going back leads to at `time`.
    ///
    /// The chapter that is being heard, or the one before if this one has only just begun.
    package func index(before time: Double) -> Int? {
        guard let here = index(at: time) else { return nil }
        let start = chapters[here].start
        if time - start > Self.restartThreshold { return here }
        return latest { $0 < start - Self.tolerance } ?? here
    }

    private func latest(where isPossible: (Double) -> Bool) -> Int? {
        var found: Int?
        for (index, chapter) in chapters.enumerated() where isPossible(chapter.start) {
            if let best = found, chapters[best].start > chapter.start { continue }
            found = index
        }
        return found
    }
}
