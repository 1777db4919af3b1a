import Testing

@testable import SyrinxDesktopModel

@Suite struct WaveformInteractionTests {
    private func seekBar(_ seconds: Double = 100, width: Double = 1000) -> WaveformInteraction {
        var bar = WaveformInteraction(width: width)
        bar.viewport.setExtent(.known(seconds))
        return bar
    }

    private func seeks(_ actions: [WaveformInteraction.Action]) -> [SeekScheduler.Seek] {
        actions.compactMap { if case .seek(let seek) = $0 { seek } else { nil } }
    }

    @Test func `A click seeks to its time, once, when the button is released`() {
        var bar = seekBar()
        #expect(seeks(bar.handle(.pressed(x: 250, clicks: 1), now: 0)).isEmpty)
        #expect(seeks(bar.handle(.pointerMoved(x: 252), now: 0.1)).isEmpty)
        let made = seeks(bar.handle(.released(x: 252), now: 0.2))
        #expect(made == [SeekScheduler.Seek(id: 1, time: 25.2, isExact: true)])
        #expect(bar.position == 25.2)
    }

    @Test func `The playhead stays at the target of a seek until the player is there`() {
        var bar = seekBar()
        _ = bar.handle(.pressed(x: 500, clicks: 1), now: 0)
        let id = seeks(bar.handle(.released(x: 500), now: 0))[0].id
        _ = bar.setPosition(3)
        #expect(bar.position == 50)
        _ = bar.handle(.seekFinished(id: id), now: 1)
        #expect(bar.position == 50)
        _ = bar.setPosition(50.1)
        #expect(bar.position == 50.1)
    }

    @Test func `A drag seeks with one seek in flight, to the newest place, and exactly at its end`() {
        var bar = seekBar()
        _ = bar.handle(.pressed(x: 100, clicks: 1), now: 0)
        let first = bar.handle(.pointerMoved(x: 110), now: 1)
        #expect(first.first == .beginScrubbing)
        #expect(seeks(first).map(\.time) == [11])
        for x in 111...300 { #expect(seeks(bar.handle(.pointerMoved(x: Double(x)), now: 1.1)).isEmpty) }
        #expect(bar.position == 30 && bar.isScrubbing)
        let next = seeks(bar.handle(.seekFinished(id: 1), now: 1.2))
        #expect(next == [SeekScheduler.Seek(id: 2, time: 30, isExact: false)])
        let last = bar.handle(.released(x: 320), now: 1.3)
        #expect(seeks(last) == [SeekScheduler.Seek(id: 3, time: 32, isExact: true)])
        #expect(last.contains(.endScrubbing))
        #expect(bar.handle(.seekFinished(id: 2), now: 1.4).isEmpty)
        #expect(bar.position == 32 && !bar.isScrubbing)
    }

    @Test func `Seeks that end at once are not started more often than the interval allows`() {
        var bar = seekBar()
        _ = bar.handle(.pressed(x: 0, clicks: 1), now: 0)
        var started = 0
        var (ticking, now) = (false, 0.0)
        for frame in 0..<600 {
            now = Double(frame) / 60
            var actions = bar.handle(.pointerMoved(x: 100 + Double(frame)), now: now)
            if ticking { actions += bar.handle(.tick, now: now) }
            for action in actions {
                switch action {
                case .seek(let seek):
                    started += 1
                    actions += bar.handle(.seekFinished(id: seek.id), now: now)
                case .startTicks: ticking = true
                case .stopTicks: ticking = false
                default: break
                }
            }
        }
        #expect((100...251).contains(started))
    }

    @Test func `Escape takes a drag back to where it began`() {
        var bar = seekBar()
        _ = bar.setPosition(7)
        _ = bar.handle(.pressed(x: 100, clicks: 1), now: 0)
        _ = bar.handle(.pointerMoved(x: 800), now: 1)
        let actions = bar.handle(.cancelled, now: 2)
        #expect(seeks(actions).map(\.time) == [7] && actions.contains(.endScrubbing))
        #expect(seeks(bar.handle(.released(x: 800), now: 3)).isEmpty)
        #expect(bar.position == 7)
    }

    @Test func `A new recording ends a drag without a seek, also when the button is released later`() {
        var bar = seekBar()
        _ = bar.handle(.pressed(x: 100, clicks: 1), now: 0)
        _ = bar.handle(.pointerMoved(x: 800), now: 1)
        let actions = bar.handle(.itemChanged(.known(20)), now: 2)
        #expect(seeks(actions).isEmpty && actions.contains(.endScrubbing))
        #expect(bar.position == 0)
        #expect(seeks(bar.handle(.pointerMoved(x: 900), now: 2)).isEmpty)
        #expect(seeks(bar.handle(.released(x: 900), now: 3)).isEmpty)
        #expect(bar.handle(.seekFinished(id: 1), now: 3).isEmpty)
        #expect(bar.position == 0)
        _ = bar.handle(.pressed(x: 500, clicks: 1), now: 4)
        #expect(seeks(bar.handle(.released(x: 500), now: 4)).map(\.time) == [10])
    }

    @Test func `A drag at an edge scrolls a zoomed view, faster the further it is, until the end`() {
        var bar = seekBar(3600)
        _ = bar.handle(.zoom(60), now: 0)
        _ = bar.handle(.pressed(x: 500, clicks: 1), now: 0)
        #expect(!bar.handle(.pointerMoved(x: 900), now: 0).contains(.startTicks))
        #expect(bar.handle(.pointerMoved(x: 990), now: 0).contains(.startTicks))
        let before = bar.viewport.start
        _ = bar.handle(.tick, now: 0.1)
        let slow = bar.viewport.start - before
        _ = bar.handle(.pointerMoved(x: 1100), now: 0.1)
        let middle = bar.viewport.start
        _ = bar.handle(.tick, now: 0.2)
        let fast = bar.viewport.start - middle
        #expect(slow > 0 && fast > 2 * slow)
        #expect(abs(bar.position - bar.viewport.end) < 1e-9)
        var now = 0.2
        var stopped = false
        while now < 600, !stopped {
            now += 0.1
            stopped = bar.handle(.tick, now: now).contains(.stopTicks)
        }
        #expect(stopped && bar.viewport.end == 3600 && bar.position == 3600)
    }

    @Test func `A pause between ticks does not make the view leap`() {
        var bar = seekBar(36_000)
        _ = bar.handle(.zoom(600), now: 0)
        _ = bar.handle(.pressed(x: 500, clicks: 1), now: 0)
        _ = bar.handle(.pointerMoved(x: 1000), now: 0)
        let before = bar.viewport.start
        _ = bar.handle(.tick, now: 1000)
        #expect(bar.viewport.start - before < bar.viewport.length / 10)
    }

    @Test func `The wheel zooms around the pointer and scrolls with the modifier`() {
        var bar = seekBar()
        #expect(bar.handle(.wheel(dx: 0, dy: -1, x: 300, scrolls: false), now: 0) == [.redraw])
        #expect(abs(bar.viewport.length - 80) < 1e-9)
        #expect(abs(bar.viewport.time(atPixel: 300) - 30) < 1e-9)
        let start = bar.viewport.start
        _ = bar.handle(.wheel(dx: 0, dy: 1, x: 300, scrolls: true), now: 0)
        #expect(abs(bar.viewport.start - start - 6.4) < 1e-9)
        _ = bar.handle(.wheel(dx: 0, dy: 9, x: 300, scrolls: false), now: 0)
        #expect(bar.viewport.isWhole)
        #expect(bar.handle(.wheel(dx: 0, dy: 9, x: 300, scrolls: false), now: 0).isEmpty)
    }

    @Test func `A pinch zooms by the distance of the fingers and moves with them`() {
        var bar = seekBar()
        _ = bar.handle(.pinchBegan(x: 400), now: 0)
        _ = bar.handle(.pinchChanged(scale: 1.7, x: 420), now: 0)
        _ = bar.handle(.pinchChanged(scale: 4, x: 450), now: 0)
        #expect(abs(bar.viewport.length - 25) < 1e-9)
        #expect(abs(bar.viewport.time(atPixel: 450) - 40) < 1e-9)
        _ = bar.handle(.pinchChanged(scale: 1, x: 400), now: 0)
        #expect(bar.viewport.isWhole)
        _ = bar.handle(.pinchEnded, now: 0)
        _ = bar.handle(.pinchChanged(scale: 4, x: 450), now: 0)
        #expect(bar.viewport.isWhole)
    }

    @Test func `A double-click zooms in around the pointer, and the next one shows the whole again`() {
        var bar = seekBar()
        for isWhole in [false, true] {
            _ = bar.handle(.pressed(x: 600, clicks: 1), now: 0)
            #expect(seeks(bar.handle(.released(x: 600), now: 0)).count == 1)
            _ = bar.handle(.pressed(x: 600, clicks: 2), now: 0)
            #expect(seeks(bar.handle(.released(x: 600), now: 0)).isEmpty)
            #expect(bar.viewport.isWhole == isWhole)
        }
    }

    @Test func `Keys that follow each other add up while a seek is in flight`() {
        var bar = seekBar()
        _ = bar.setPosition(10)
        for count in 1...5 {
            let made = seeks(bar.handle(.step(5), now: 0))
            #expect(made.map(\.time) == [10 + 5 * Double(count)])
        }
        #expect(seeks(bar.handle(.step(-1000), now: 0)).map(\.time) == [0])
        #expect(seeks(bar.handle(.jump(1000), now: 0)).map(\.time) == [100])
        #expect(seeks(bar.handle(.jump(.nan), now: 0)).isEmpty)
    }

    @Test func `The time under the pointer is known while the pointer is there`() {
        var bar = seekBar()
        #expect(bar.hoverTime == nil)
        #expect(bar.handle(.pointerMoved(x: 333), now: 0) == [.redraw])
        #expect(bar.handle(.pointerMoved(x: 333), now: 0).isEmpty)
        #expect(bar.hoverTime == bar.viewport.time(atPixel: 333))
        #expect(bar.handle(.pointerLeft, now: 0) == [.redraw])
        #expect(bar.hoverTime == nil)
        #expect(bar.handle(.pointerLeft, now: 0).isEmpty)
    }

    @Test func `Nothing can be chosen before anything of the recording is known`() {
        var bar = WaveformInteraction(width: 1000)
        _ = bar.handle(.pressed(x: 500, clicks: 1), now: 0)
        _ = bar.handle(.pointerMoved(x: 600), now: 0)
        #expect(bar.handle(.released(x: 600), now: 0).isEmpty)
        #expect(bar.handle(.step(5), now: 0).isEmpty)
        #expect(bar.hoverTime == nil)
    }

    @Test func `A playhead that moves by less than a pixel is not drawn again, but its movements add up`() {
        var bar = seekBar(36_000)
        var drawn = 0
        for frame in 1...(60 * 60) where bar.setPosition(Double(frame) / 60) { drawn += 1 }
        #expect((6...7).contains(drawn))
        #expect(bar.setPosition(60) == false)
        #expect(bar.setPosition(.nan) == false)
    }

    @Test func `A playhead outside of a scrolled view is not drawn`() {
        var bar = seekBar(3600)
        _ = bar.handle(.zoom(60), now: 0)
        _ = bar.handle(.wheel(dx: 50, dy: 0, x: 0, scrolls: false), now: 0)
        _ = bar.setPosition(1)
        #expect(bar.setPosition(2) == false)
        #expect(bar.setPosition(3) == false)
    }

    @Test func `No order of events leads to a seek outside of the recording or to two seeks in flight`() {
        var chance = Chance(3)
        var bar = seekBar()
        var now = 0.0
        var running: Set<Int> = []
        for _ in 0..<50_000 {
            now += chance.double(0...0.05)
            let x =
                chance.int(0...30) == 0
                ? hostileNumbers[chance.int(0...hostileNumbers.count - 1)] : chance.double(-200...1200)
            let event: WaveformInteraction.Event
            switch chance.int(0...16) {
            case 0: event = .pressed(x: x, clicks: chance.int(0...3))
            case 1: event = .released(x: x)
            case 2: event = .cancelled
            case 3: event = .wheel(dx: chance.double(-3...3), dy: x, x: x, scrolls: chance.int(0...1) == 0)
            case 4: event = .pinchBegan(x: x)
            case 5: event = .pinchChanged(scale: x / 100, x: x)
            case 6: event = .pinchEnded
            case 7: event = .step(x)
            case 8: event = .zoom(x)
            case 9: event = .pointerLeft
            case 10: event = .itemChanged([.unknown, .known(abs(x)), .growing(x)][chance.int(0...2)])
            case 11, 12: event = running.randomElement(using: &chance).map { .seekFinished(id: $0) } ?? .tick
            case 13: event = .tick
            default: event = .pointerMoved(x: x)
            }
            if case .seekFinished(let id) = event { running.remove(id) }
            if case .itemChanged = event { running = [] }
            for case .seek(let seek) in bar.handle(event, now: now) {
                #expect(seek.time >= 0 && seek.time <= bar.viewport.lastTime)
                if seek.isExact { running = [] }
                #expect(running.isEmpty)
                running.insert(seek.id)
            }
            #expect(bar.position >= 0 && bar.position.isFinite)
        }
    }
}
