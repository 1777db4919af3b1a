package import SyrinxMediaCodec

/// Finds the current chapter, and the chapters before and after it.
///
/// A value without side effects. Chapters may be unsorted and may overlap: a chapter lasts until another one starts.
package struct ChapterTracker: Equatable, Sendable {
    /// The maximum time in seconds before a start that counts as the start, because a seek may end half a frame early.
    private static let tolerance = 0.001
    /// The time in seconds after a chapter's start within which the back key goes to the previous chapter, as in mpv.
    private static let restartThreshold = 5.0

    /// The chapters, in the order of the file.
    package let chapters: [MediaChapter]
    /// The index of the current chapter.
    package private(set) var current: Int?

    /// Creates a tracker; chapters without a valid start are ignored.
    package init(_ chapters: [MediaChapter] = []) { self.chapters = chapters }

    /// Processes a playback position.
    /// - Returns: The index of the chapter, if it has changed.
    package mutating func move(to time: Double) -> Int? {
        let index = index(at: time)
        guard index != current else { return nil }
        current = index
        return index
    }

    /// Returns the index of the chapter at `time`.
    package func index(at time: Double) -> Int? {
        latest { $0 <= time + Self.tolerance }
    }

    /// Returns the index of the next chapter after `time`.
    package func index(after time: Double) -> Int? {
        var found: Int?
        for (index, chapter) in chapters.enumerated() where chapter.start > time + Self.tolerance {
            if let best = found, chapters[best].start <= chapter.start { continue }
            found = index
        }
        return found
    }

    /// Returns the index of the chapter to which the back key goes at `time`.
    ///
    /// That is the current chapter, or the previous one if the current chapter has just started.
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
