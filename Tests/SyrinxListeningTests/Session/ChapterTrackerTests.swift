import SyrinxMediaCodec
import Testing

@testable import SyrinxListening

@Suite("Chapter tracker")
struct ChapterTrackerTests {
    private let chapters = [
        MediaChapter(start: 0, end: 10, title: "one"), MediaChapter(start: 10, end: 25, title: "two"),
        MediaChapter(start: 25, end: 60, title: nil),
    ]

    @Test("A chapter event comes when the chapter begins to be heard")
    func moving() {
        var tracker = ChapterTracker(chapters)
        #expect([0, 0.1, 9.99, 10, 10.1, 30, 3, 59].map { tracker.move(to: $0) } == [0, nil, nil, 1, nil, 2, 0, 2])
        // A seek to 10 s lands on a frame, which may lie a little before.
        #expect(tracker.move(to: 9.9996) == 1)
        #expect(tracker.current == 1)
    }

    @Test("Before the first chapter there is none")
    func late() {
        var tracker = ChapterTracker([MediaChapter(start: 5, end: 9, title: nil)])
        #expect(tracker.move(to: 1) == nil)
        #expect(tracker.index(before: 1) == nil)
        #expect(tracker.index(after: 1) == 0)
        #expect(tracker.move(to: 20) == 0)
    }

    @Test("The keys lead to the next chapter, to the start of this one, and soon after that to the one before")
    func neighbours() {
        let tracker = ChapterTracker(chapters)
        #expect([0, 9.9, 10, 24, 25, 99].map { tracker.index(after: $0) } == [1, 1, 2, 2, nil, nil])
        #expect([0, 9, 12, 16, 26, 31].map { tracker.index(before: $0) } == [0, 0, 0, 1, 1, 2])
    }

    @Test("Chapters may come in any order, overlap, and begin nowhere")
    func disorder() {
        let tracker = ChapterTracker([
            MediaChapter(start: 25, end: 60, title: nil), MediaChapter(start: .nan, end: 1, title: nil),
            MediaChapter(start: 0, end: 90, title: nil), MediaChapter(start: 10, end: 20, title: nil),
            MediaChapter(start: .infinity, end: 0, title: nil), MediaChapter(start: -5, end: 0, title: nil),
        ])
        #expect([0, 12, 30].map { tracker.index(at: $0) } == [2, 3, 0])
        #expect([0, 12].map { tracker.index(after: $0) } == [3, 0])
        #expect(tracker.index(before: 12) == 2)
        #expect(ChapterTracker().index(at: 3) == nil)
    }
}
