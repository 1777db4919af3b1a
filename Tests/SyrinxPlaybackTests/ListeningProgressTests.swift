import SyrinxPlayback
import Testing

@Suite("When the place in what plays is kept") struct ListeningProgressTests {
    private func progress(_ duration: Double? = 100) -> ListeningProgress {
        var progress = ListeningProgress(of: "a")
        progress.duration = duration
        return progress
    }

    @Test("A killed player loses at most five seconds of what was heard") func kill() {
        var progress = progress(4_000)
        var (kept, lost) = (0.0, 0.0)
        for step in 0..<3_600 {
            let time = Double(step) / 4
            if let position = progress.heard(time, at: 1_000 + time) { kept = position.position }
            lost = max(lost, time - kept)
        }
        #expect(lost < 3.5)
    }

    @Test("A pause, a seek and the end of listening are kept at once") func settled() {
        var progress = progress()
        #expect(progress.stood(at: 9) == nil && progress.left(at: 9) == nil)
        #expect(progress.heard(10, at: 50)?.position == 10)
        #expect(progress.heard(12, at: 52) == nil)
        #expect(progress.stood(at: 12.5)?.position == 12.5)
        #expect(progress.stood(at: 12.5) == nil)
        #expect(progress.moved(to: 60, at: 53)?.position == 60)
        #expect(progress.heard(.nan, at: 90) == nil && progress.heard(-1, at: 91) == nil)
        #expect(progress.left(at: 61)?.position == 61)
    }

    @Test("A place has the date at which it was heard, however late it is left") func date() {
        var progress = progress()
        _ = progress.heard(10, at: 50)
        _ = progress.heard(11, at: 51)
        // Paused until much later.
        #expect(progress.left(at: 11)?.date == 51)
    }

    @Test("What is left near its end, or ends, counts as heard once") func ends() {
        var progress = progress()
        _ = progress.heard(90, at: 1)
        #expect(progress.stood(at: 91)?.isFinished == false)
        #expect(progress.left(at: 91)?.isFinished == true)
        #expect(progress.ended(at: 2) == nil && progress.stood(at: 95) == nil)
        // Listening again begins anew.
        #expect(progress.heard(3, at: 3)?.isFinished == false)
        #expect(progress.ended(at: 4)?.isFinished == true)
        var skipped = self.progress()
        skipped.outro = 40
        _ = skipped.heard(58, at: 1)
        #expect(skipped.left(at: 58.5)?.isFinished == false)
        #expect(skipped.left(at: 60)?.isFinished == true)
        var short = self.progress(10)
        _ = short.heard(2, at: 1)
        #expect(short.left(at: 3)?.isFinished == false)
    }

    @Test("The end of a part that is repeated is not that of the item") func part() {
        var progress = progress(600)
        progress.repeatsPart = true
        _ = progress.heard(590, at: 1)
        #expect(progress.ended(at: 2) == nil)
        #expect(progress.left(at: 595)?.isFinished == false)
        progress.repeatsPart = false
        #expect(progress.left(at: 595)?.isFinished == true)
    }

    @Test("What begins again has not been heard yet") func again() {
        var progress = progress()
        _ = progress.heard(99, at: 10)
        #expect(progress.beganAgain(at: 11)?.position == 0)
        // The end that has been told, and leaving it before it is heard again.
        #expect(progress.ended(at: 12) == nil && progress.left(at: 0) == nil)
        // The start was stored less than the interval ago.
        #expect(progress.heard(1, at: 13) == nil)
        #expect(progress.left(at: 3)?.position == 3)
        #expect(progress.ended(at: 14)?.isFinished == true)
    }
}

@Suite("Intro and outro around seeks") struct ItemSkipsTests {
    @Test("A position from before a seek does not end the item at its outro") func stale() {
        var settings = PlaybackSettings()
        settings.outroDuration = 60
        var skips = ItemSkips(settings)
        skips.duration = 600
        #expect(skips.started(at: 0) == nil)
        skips.seeked(to: 100)
        let isOver = [545, 100.2, 539, 540.1].map { skips.reached($0) }
        #expect(isOver == [false, false, false, true])
    }
}
