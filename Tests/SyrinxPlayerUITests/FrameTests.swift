import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Frames of the full screen")
struct FrameTests {
    /// Draws the same with the last frame and without it.
    private func expectSame(_ kept: inout PlayerScreen, _ whole: inout PlayerScreen, _ view: PlayerView, _ rows: Int) {
        whole.frames.isStale = true
        let columns = rows * 3
        let one = kept.draw(view, columns: columns, rows: rows)
        let other = whole.draw(view, columns: columns, rows: rows)
        #expect(one.text == other.text)
        for row in 0..<rows {
            for column in 0..<columns where one.style(column: column, row: row) != other.style(column: column, row: row)
            {
                Issue.record("style at \(column), \(row) on \(kept.page)")
                return
            }
        }
    }

    @Test("A frame that is kept where nothing has changed looks as one that is drawn whole")
    func kept() {
        var random = SplitMix(state: 7)
        var kept = PlayerScreen(pictures: .halfBlocks)
        var whole = kept
        var view = SampleView.make()
        let keys = "12345678?/x`tcbljk \u{1B}".map { $0 }
        var rows = 24
        for step in 0..<1_500 {
            view.now += 1.0 / 30
            switch random.next(24) {
            case 0: view.state.time = Double(random.next(2_412))
            case 1: view.sound.rate = Double(1 + random.next(3)) / 2
            case 2: view.sound.levels = random.next(2) == 0 ? [] : [-20, -Float(random.next(60))]
            case 3: view.state.received = [0...Double(random.next(100)) / 100]
            case 4: view.state.kind = random.next(2) == 0 ? .playing : .paused
            case 5: view.sound.sleep = .time(Double(random.next(4_000)) / 3)
            case 6: view.state.peaks[random.next(1_000)] = Float(random.next(100)) / 100
            case 7: view.currentChapter = random.next(5)
            case 8: rows = [24, 10, 30][random.next(3)]
            case 9:
                let text = "Message \(step)"
                kept.show(text, kind: .warning, at: view.now)
                whole.show(text, kind: .warning, at: view.now)
            case 10, 11:
                let key = keys[random.next(keys.count)]
                let press = key == "\u{1B}" ? KeyPress(.escape) : KeyPress(.character(key))
                let (one, other) = (kept.handle(.key(press), in: view), whole.handle(.key(press), in: view))
                #expect(one == other)
            case 12:
                let event = TerminalEvent.mouse(.press(0), column: random.next(rows * 3), row: random.next(rows))
                let (one, other) = (kept.handle(event, in: view), whole.handle(event, in: view))
                #expect(one == other)
            case 13: view.state.duration = random.next(4) == 0 ? nil : 2_412
            case 14: view.queue.append(QueueEntry(title: "Entry \(step)"))
            case 15: view.state.timeSaved = Double(step) / 7
            default:
                view.state.time += 1.0 / 30
                view.sound.levels = [-20 + Float(random.next(12)), -20 + Float(random.next(12))]
            }
            expectSame(&kept, &whole, view, rows)
        }
    }

    @Test("Meters of kept frames rise and fall, with their numbers, as those that are drawn whole")
    func levels() {
        var kept = PlayerScreen()
        var whole = kept
        var view = SampleView.make()
        for step in 0..<400 {
            view.now += 1.0 / 30
            // A peak every four seconds: it is held, and falls.
            let isLoud = step % 120 < 3
            view.sound.levels = [isLoud ? -Float(step % 17) : -.infinity, -40 + Float(step) / 10]
            expectSame(&kept, &whole, view, 24)
        }
    }

    @Test("What is written for kept frames gives the screen of a frame that is written whole")
    func painted() {
        var screen = PlayerScreen()
        var view = SampleView.make()
        var painter = GridPainter(depth: .trueColor)
        _ = painter.frame(screen.draw(view, columns: 80, rows: 24))
        var quiet = 0
        for step in 1...60 {
            view.now += 1.0 / 30
            view.state.time += 1.0 / 30
            view.sound.levels = [-20 + Float(step % 7), -30]
            let bytes = painter.frame(screen.draw(view, columns: 80, rows: 24))
            // The meters, and the clock once a second: no more than a few cells.
            if bytes.count < 300 { quiet += 1 }
        }
        #expect(quiet >= 56)
        // Once nothing changes, nothing is written.
        let still = painter.frame(screen.draw(view, columns: 80, rows: 24))
        #expect(still.isEmpty)
    }

    @Test("Meters that are drawn alone leave the screen as a whole frame would")
    func metersAlone() throws {
        var alone = PlayerScreen()
        var whole = alone
        var view = SampleView.make()
        var painter = GridPainter(depth: .trueColor)
        var wholePainter = painter
        for step in 0..<400 {
            view.now += 1.0 / 30
            view.sound.levels = [step % 120 < 3 ? -Float(step % 17) : -.infinity, -40 + Float(step) / 10]
            let expected = whole.draw(view, columns: 80, rows: 24)
            let expectedBytes = wholePainter.frame(expected)
            guard step > 0 else {
                _ = painter.frame(alone.draw(view, columns: 80, rows: 24))
                continue
            }
            let drawn = alone.drawMeters(view.sound.levels, at: view.now)
            let frame = try #require(drawn)
            #expect(frame.grid.text == expected.text)
            let bytes = painter.frame(frame.grid, rows: frame.rows)
            #expect(bytes == expectedBytes)
        }
        // The next whole frame goes on from there.
        view.state.time += 60
        let (one, other) = (alone.draw(view, columns: 80, rows: 24), whole.draw(view, columns: 80, rows: 24))
        #expect(one.text == other.text)
    }

    @Test("Meters are not drawn alone where more has changed, or something lies over them")
    func metersWithOthers() {
        let view = SampleView.make()
        func drawn(_ change: (inout PlayerScreen) -> Void = { _ in }) -> PlayerScreen {
            var screen = PlayerScreen()
            _ = screen.draw(view, columns: 80, rows: 24)
            change(&screen)
            return screen
        }
        func drawsAlone(_ screen: PlayerScreen, _ levels: [Float] = [-20, -20]) -> Bool {
            var screen = screen
            return screen.drawMeters(levels, at: view.now) != nil
        }
        #expect(drawsAlone(drawn()))
        #expect(drawsAlone(drawn(), []))
        #expect(!drawsAlone(PlayerScreen()))
        #expect(!drawsAlone(drawn(), [-20]))
        #expect(!drawsAlone(drawn { $0.show("A message", at: view.now) }))
        #expect(!drawsAlone(drawn { _ = $0.handle(.key(KeyPress(.character("x"))), in: view) }))
        for key in ["?", "2"] as [Character] {
            let screen = drawn {
                _ = $0.handle(.key(KeyPress(.character(key))), in: view)
                _ = $0.draw(view, columns: 80, rows: 24)
            }
            #expect(!drawsAlone(screen), "after \(key)")
        }
    }

    @Test("Only meters and messages have the screen drawn again by itself")
    func timing() {
        var screen = PlayerScreen()
        let view = SampleView.make()
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(screen.showsMeters)
        _ = screen.handle(.key(KeyPress(.character("2"))), in: view)
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(!screen.showsMeters)
        #expect(screen.timeToChange(at: view.now) == nil)
    }

    @Test("A drag on the seek bar ends where a window opens, another page or another item comes")
    func drags() {
        let view = SampleView.make()
        for end in ["?", "`", "2", ""] {
            var screen = PlayerScreen()
            _ = screen.draw(view, columns: 80, rows: 24)
            _ = screen.handle(.mouse(.press(0), column: 2, row: 16), in: view)
            _ = screen.handle(.mouse(.drag(0), column: 70, row: 16), in: view)
            #expect(screen.draggedTime != nil)
            if let key = end.first {
                _ = screen.handle(.key(KeyPress(.character(key))), in: view)
            } else {
                screen.endDrag()
            }
            #expect(screen.draggedTime == nil)
            let released = screen.handle(.mouse(.release(0), column: 70, row: 16), in: view)
            #expect(released.isEmpty)
        }
    }
}

/// A generator of numbers that gives the same ones in each run.
private struct SplitMix {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
