import SyrinxMediaCodec
import SyrinxPlayback
import Testing

@testable import SyrinxListening

@Suite("Chapters of feeds, and the sleep timer") struct EpisodeFactsTests {
    @Test("Chapters of a feed are merged with those of the file, and without any these stay as they are")
    func feedChapters() {
        let own = [
            MediaChapter(start: 9, end: 3, title: "odd"), MediaChapter(start: 1, end: 2, title: nil),
        ]
        var feed: [ChapterSource: [Chapter]] = [:]
        #expect(feed.merged(with: own, duration: 10) == own)
        feed[.podcastDocument] = [
            Chapter(start: 0, title: "A"), Chapter(start: 2.5, title: "B"), Chapter(start: 5),
        ]
        let merged = feed.merged(with: own, duration: 10)
        #expect(merged.map(\.start) == [0, 2.5, 5] && merged.map(\.end) == [2.5, 5, 10])
        #expect(merged.map(\.title) == ["A", "B", nil])
    }

    @Test("The sleep timer takes a seek for no end of a chapter, and fades before it")
    func sleepWatch() {
        var item = CurrentItem()
        item.progress = PlaybackProgress(state: .playing, duration: 100)
        let chapters = [0, 40, 80].map { Chapter(start: $0) }
        item.takeChapters(EpisodeFacts(podcast: 1, chapters: [.podlove: chapters]))
        var watch = SleepWatch(.endOfChapter)
        func hear(_ time: Double, at now: Double) -> [SleepTimer.Action] {
            item.progress.time = time
            return watch.heard(item, rate: 2, at: now)
        }
        #expect(hear(0, at: 0) == [])
        // A seek into the next chapter.
        #expect(hear(50, at: 1) == [])
        #expect(hear(70, at: 11) == [.setFade(0.5)])
        #expect(watch.activity() == [.setFade(1)])
        watch = SleepWatch(.endOfChapter)
        #expect(hear(79.9, at: 0) == [])
        #expect(hear(80.3, at: 0.25) == [.pause, .setFade(1)])
        #expect(!watch.isOn)
    }
}
