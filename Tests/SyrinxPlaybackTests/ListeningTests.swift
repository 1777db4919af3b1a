import Foundation
import SyrinxByteStream
import SyrinxPlayback
import Testing

@Suite("Listening") struct ListeningTests {
    @Test("The step back grows with the pause from none to its maximum") func resume() {
        let rule = ResumeRule()
        #expect(rule.step(afterPause: 4.9) == 0)
        #expect(rule.step(afterPause: .nan) == 0)
        #expect(abs(rule.step(afterPause: 60) - 1.3) < 0.05)
        #expect(abs(rule.step(afterPause: 3_600) - 9.1) < 0.1)
        #expect(rule.step(afterPause: 86_400) == 20)
        #expect(rule.step(afterPause: .infinity) == 20)
        let steps = stride(from: 0.0, to: 100_000, by: 7).map(rule.step)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(rule.position(resuming: 100, afterPause: 90_000) == 80)
        #expect(rule.position(resuming: 100, afterPause: 90_000, floor: 90) == 90)
        #expect(rule.position(resuming: 10, afterPause: 90_000) == 0)
        #expect(rule.position(resuming: 5, afterPause: 90_000, floor: 90) == 5)
        #expect(rule.position(resuming: .nan, afterPause: 1, floor: .nan) == 0)
    }

    @Test(
        "A long item that has been heard in part is resumed by itself",
        arguments: [
            (14.0, 600.0, false, false), (15, 600, false, true), (585, 600, false, true), (586, 600, false, false),
            (100, 599, false, false), (100, nil, false, false), (100, 600, true, false),
        ] as [(Double, Double?, Bool, Bool)]
    )
    func resumes(position: Double, duration: Double?, isFinished: Bool, isExpected: Bool) {
        let stored = StoredPosition(
            item: "a",
            position: position,
            duration: duration,
            isFinished: isFinished,
            date: 1
        )
        #expect(ResumeRule().resumes(stored) == isExpected)
    }

    @Test("Bookmarks are ordered, apart, and survive coding") func bookmarks() throws {
        var list = BookmarkList()
        list.add(at: 20)
        list.add(at: 10, title: "Ten")
        #expect(list.add(at: 20.5, title: "Twenty") == 1)
        #expect(list.add(at: .nan) == nil)
        #expect(list.bookmarks == [Bookmark(position: 10, title: "Ten"), Bookmark(position: 20, title: "Twenty")])
        #expect(list.next(after: 10)?.position == 20)
        #expect(list.previous(before: 20.5)?.position == 10)
        #expect(try JSONDecoder().decode(BookmarkList.self, from: JSONEncoder().encode(list)) == list)
        let none = list.remove(at: 9)
        #expect(none == nil)
        let first = list.remove(at: 0)
        #expect(first?.title == "Ten")
        list.add(at: 30, title: "Thirty")
        list.rename(at: 0, to: "First")
        list.rename(at: 7, to: "None")
        #expect(list.bookmarks.map(\.title) == ["First", "Thirty"])
        list.rename(at: 0, to: "")
        list.rename(at: 1, to: String(repeating: "t", count: 500))
        #expect(list.bookmarks[0].title == nil)
        #expect(list.bookmarks[1].title?.count == BookmarkList.maximumTitleLength)
        let full = BookmarkList((0..<2_000).map { Bookmark(position: Double($0)) })
        #expect(full.bookmarks.count == BookmarkList.maximumCount)
    }

    @Test("The sleep timer fades, and pauses after the time of listening") func sleep() {
        var timer = SleepTimer(fadeDuration: 10)
        #expect(timer.start(.time(20)) == [])
        #expect(timer.advance(by: 5, isPlaying: false) == [])
        #expect(timer.advance(by: 100, isPlaying: true) == [])
        #expect(timer.advance(by: 5, isPlaying: true) == [])
        #expect(timer.remaining == 15)
        #expect(timer.activity() == [])
        #expect(timer.advance(by: 10, isPlaying: true) == [.setFade(0.5)])
        #expect(timer.advance(by: 10, isPlaying: true) == [.pause, .setFade(1)])
        #expect(timer.goal == nil)
        _ = timer.resumed(afterPause: 60)
        #expect(timer.goal == .time(20))
    }

    @Test("Only a timer that has paused starts again, after a short pause, and once") func again() {
        func paused() -> SleepTimer {
            var timer = SleepTimer(fadeDuration: 0)
            _ = timer.start(.endOfItem)
            _ = timer.itemEnded()
            return timer
        }
        var timer = paused()
        _ = timer.resumed(afterPause: 301)
        _ = timer.resumed(afterPause: 60)
        #expect(timer.goal == nil)
        timer = paused()
        _ = timer.cancel()
        _ = timer.resumed(afterPause: 60)
        #expect(timer.goal == nil)
        timer = paused()
        _ = timer.resumed(afterPause: 300)
        #expect(timer.goal == .endOfItem)
        _ = timer.cancel()
        _ = timer.resumed(afterPause: 1)
        #expect(timer.goal == nil)
    }

    @Test(
        "A time that is no time turns the timer off, and unknown ends leave the volume",
        arguments: [0, -1, .nan, .infinity]
    )
    func badTime(seconds: Double) {
        var timer = SleepTimer()
        _ = timer.start(.time(seconds))
        #expect(timer.goal == nil)
        _ = timer.start(.endOfChapter)
        #expect(timer.advance(by: 1, isPlaying: true, chapterRemaining: 5) == [.setFade(0.5)])
        #expect(timer.advance(by: 1, isPlaying: true, chapterRemaining: .nan) == [.setFade(1)])
        #expect(timer.remaining == nil)
    }

    @Test("Activity during the fade restores the volume and extends the timer") func activity() {
        var timer = SleepTimer(fadeDuration: 10, extensionDuration: 60)
        _ = timer.start(.endOfChapter)
        #expect(timer.advance(by: 1, isPlaying: true, chapterRemaining: 5, itemRemaining: 500) == [.setFade(0.5)])
        #expect(timer.activity() == [.setFade(1)])
        #expect(timer.chapterEnded() == [])
        #expect(timer.remaining == 60)
        _ = timer.start(.endOfItem)
        #expect(timer.chapterEnded() == [])
        #expect(timer.itemEnded() == [.pause, .setFade(1)])
    }

    @Test("Any events leave the sleep timer's fade true to its actions", arguments: 0..<200) func randomSleep(seed: Int)
    {
        var generator = SplitMixGenerator(seed: UInt64(seed))
        var timer = SleepTimer()
        var heard = 1.0
        for _ in 0..<200 {
            let values: [Double] = [.nan, -1, 0, 0.3, 3, 9, 100]
            let value: Double = values.randomElement(using: &generator) ?? 0
            let goals: [SleepTimer.Goal] = [.time(value), .endOfChapter, .endOfItem]
            let actions: [SleepTimer.Action] =
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: timer.start(goals.randomElement(using: &generator) ?? .endOfItem)
                case 1: timer.activity()
                case 2: timer.chapterEnded()
                case 3: timer.resumed(afterPause: value)
                case 4 where value == 100: timer.cancel()
                default:
                    timer.advance(by: value, isPlaying: value != 0, chapterRemaining: value, itemRemaining: value * 2)
                }
            for case .setFade(let fade) in actions { heard = fade }
            #expect(heard == timer.fade)
            #expect((0...1).contains(heard))
            if timer.goal == nil { #expect(heard == 1) }
            if actions.contains(.pause) { #expect(timer.goal == nil) }
            #expect(timer.remaining?.isFinite ?? true)
        }
    }

    @Test("Intro and outro are passed over once, and not against the listener") func introAndOutro() {
        var skipping = Skipping(settings: PlaybackSettings(introDuration: 15, outroDuration: 20), duration: 100)
        #expect(skipping.started() == [.seek(15)])
        #expect(skipping.reached(85) == [])
        skipping.seeked(to: 15)
        #expect(skipping.reached(79.9) == [])
        #expect(skipping.reached(80) == [.finish])
        #expect(skipping.reached(81) == [])
        skipping.seeked(to: 70)
        #expect(skipping.reached(80) == [.finish])
        skipping.seeked(to: 90)
        #expect(skipping.reached(95) == [])
        #expect(skipping.started(at: 40) == [])
        #expect(skipping.started(at: 90) == [])
        #expect(skipping.reached(91) == [])
        skipping.duration = 18
        #expect(skipping.started() == [.seek(15)])
        skipping.duration = 34
        #expect(skipping.started() == [])
    }

    @Test("An item is opened behind its intro, if its length is known to leave enough") func startBehindIntro() {
        let skipping = Skipping(settings: PlaybackSettings(introDuration: 15))
        #expect(skipping.start(of: 100, from: 0) == 15 && skipping.start(of: 100, from: 14.9) == 15)
        #expect(skipping.start(of: 100, from: 15) == nil && skipping.start(of: 100, from: 40) == nil)
        #expect(skipping.start(of: 30, from: 0) == nil && skipping.start(of: 31, from: 0) == 15)
        #expect(skipping.start(of: nil, from: 0) == nil && skipping.start(of: .infinity, from: 0) == nil)
        #expect(Skipping().start(of: 100, from: 0) == nil)
    }

    @Test("Skips before the first seek is done add up") func skips() {
        var skipping = Skipping(duration: 100)
        _ = skipping.started(at: 20)
        #expect(skipping.forward() == [.seek(50)])
        #expect(skipping.forward() == [.seek(80)])
        #expect(skipping.back() == [.seek(70)])
        skipping.seeked(to: 70)
        #expect(skipping.forward() == [.finish])
        skipping.seeked(to: 3)
        #expect(skipping.back() == [.seek(0)])
    }

    @Test("The loop jumps at B, and leaves the listener free") func loop() {
        var loop = ABLoop()
        loop.mark(at: 20)
        #expect(!loop.isActive)
        loop.mark(at: 20.01)
        #expect(!loop.isActive)
        loop.mark(at: 10)
        #expect(loop.start == 10 && loop.end == 20)
        #expect(loop.reached(15) == nil)
        #expect(loop.reached(20.1) == 10)
        #expect(loop.reached(20.2) == nil)
        #expect(loop.reached(10) == nil)
        loop.seeked(to: 30)
        #expect(loop.reached(31) == nil)
        loop.seeked(to: 5)
        #expect(loop.reached(19) == nil)
        #expect(loop.reached(21) == 10)
        loop.mark(at: 1)
        #expect(!loop.isActive)
        // The end of the recording lies before B.
        loop.set(from: 50, to: 100)
        #expect(loop.ended() == nil)
        #expect(loop.reached(60) == nil)
        #expect(loop.ended() == 50)
        #expect(loop.ended() == nil)
        loop.clear()
        let isLongEnough = loop.set(from: 5, to: 5.01)
        #expect(!isLongEnough)
    }

    @Test("The settings without those of the sound keep the skips and the episodes that play automatically")
    func withoutSound() throws {
        var show = ShowSettings()
        (show.skipForward, show.skipBack, show.introDuration, show.outroDuration) = (15, 5, 12, 20)
        show.autoplay = .newer
        let rest = show
        (show.rate, show.volume, show.smartSpeed, show.voiceBoost) = (1.5, 0.5, 1, true)
        (show.isMono, show.balance, show.equalizer) = (true, 0.5, "bass")
        #expect(show.withoutSound == rest && rest.withoutSound == rest)
    }

    @Test("Settings of a show replace those of all, within their ranges") func settings() throws {
        let show = try JSONDecoder().decode(
            ShowSettings.self,
            from: Data(
                #"{"rate": 9, "smartSpeed": "much", "voiceBoost": true, "introDuration": 12, "targetLoudness": 1}"#.utf8
            )
        )
        let settings = show.applied(to: PlaybackSettings(smartSpeed: 0.5, skipBack: 15))
        #expect(settings.rate == 4)
        #expect(settings.smartSpeed == 0.5)
        #expect(settings.voiceBoost)
        #expect(settings.introDuration == 12 && settings.skipBack == 15)
        #expect(try JSONDecoder().decode(PlaybackSettings.self, from: JSONEncoder().encode(settings)) == settings)
        #expect(PlaybackSettings(rate: .nan, skipForward: .infinity).skipForward == 600)
        var changed = settings
        changed.rate = -1
        #expect(changed.rate == 0.25)
        for (text, autoplay) in [("newer", Autoplay.newer), ("off", .off), ("next", nil)] {
            let data = Data("{\"autoplay\": \"\(text)\"}".utf8)
            let kept = try JSONDecoder().decode(ShowSettings.self, from: data)
            #expect(kept.autoplay == autoplay && ShowSettings().replaced(by: kept).autoplay == autoplay)
            #expect(kept.replaced(by: ShowSettings()) == kept)
        }
    }
}
