import Testing

@testable import SyrinxDesktopModel

@Suite struct PageStateTests {
    @Test func `A value takes the place of the one before`() {
        var queue = ToastQueue()
        _ = queue.add("One.")
        #expect(queue.add("1.25×", of: "Speed") && queue.shown?.text == "Speed: 1.25×")
        #expect(queue.add("1.5×", of: "Speed") && queue.shown?.text == "Speed: 1.5×")
        #expect(queue.waiting.map(\.text) == ["One."], "what was shown comes again")
        #expect(queue.shown?.seconds == 5)
        #expect(Toast(id: 1, text: String(repeating: "word ", count: 30)).seconds == 10)
    }

    private func playing() -> PageState {
        var state = PageState()
        _ = state.handle(.opened(name: "one.mp3", plays: true))
        _ = state.handle(.ready(item: 1))
        _ = state.handle(.playback(.playing, item: 1))
        return state
    }

    @Test func `A window goes from nothing by loading to the player`() {
        var state = PageState()
        #expect(state.page == .empty && state.texts?.button == "Open…")
        #expect(state.handle(.opened(name: "one.mp3", plays: true)) == [.open(item: 1, plays: true), .update])
        #expect(state.page == .loading && state.texts?.detail == "one.mp3")
        #expect(state.handle(.ready(item: 1)) == [.play, .update])
        #expect(state.page == .player(.stalled) && state.showsPause)
        #expect(state.handle(.playback(.playing, item: 1)) == [.update])
        #expect(state.page == .player(.playing) && state.texts == nil)
    }

    @Test func `Another item stops the first, whose events no longer count`() {
        var state = playing()
        #expect(
            state.handle(.opened(name: "two.mp3", plays: true)) == [
                .remember, .stop, .open(item: 2, plays: true), .update,
            ]
        )
        #expect(state.handle(.ready(item: 1)).isEmpty)
        #expect(state.handle(.playback(.paused, item: 1)).isEmpty)
        #expect(state.handle(.network(.buffering(nil), item: 1)).isEmpty)
        #expect(state.handle(.failed(.init(code: "http.status", message: "Gone."), item: 1)).isEmpty)
        #expect(state.page == .loading && state.wantsPlayback)
    }

    @Test func `Space plays or pauses on every page`() {
        var state = PageState()
        #expect(state.handle(.togglePlayback) == [.showFileChooser])
        _ = state.handle(.opened(name: "one.mp3", plays: true))
        #expect(state.handle(.togglePlayback) == [.update])
        #expect(state.handle(.ready(item: 1)) == [.update])
        #expect(state.page == .player(.paused))
        #expect(state.handle(.togglePlayback) == [.play, .update])
        _ = state.handle(.playback(.stalled, item: 1))
        #expect(state.handle(.togglePlayback) == [.pause, .update])
        _ = state.handle(.playback(.ended, item: 1))
        #expect(state.handle(.togglePlayback) == [.playFromStart, .update])
        _ = state.handle(.failed(.init(code: "media.damaged", message: "It is damaged."), item: 1))
        #expect(state.handle(.togglePlayback).contains(.open(item: 2, plays: true)))
    }

    @Test func `Closing stops the sound before the window goes, and nothing counts after it`() {
        var state = playing()
        #expect(state.handle(.closeRequested) == [.stop, .remember, .closeWindow])
        #expect(state.handle(.togglePlayback).isEmpty)
        #expect(state.handle(.playback(.playing, item: 1)).isEmpty)
        #expect(state.handle(.closeRequested).isEmpty)
        var empty = PageState()
        #expect(empty.handle(.closeRequested) == [.stop, .closeWindow])
    }

    @Test func `The network is told truthfully`() {
        var state = playing()
        _ = state.handle(.network(.buffering(0.257), item: 1))
        #expect(state.networkText == "Buffering… 25 %")
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 2), item: 1))
        #expect(state.networkText == "The connection failed. Trying again in 4 s.")
        _ = state.handle(.network(.buffering(.nan), item: 1))
        #expect(state.networkText == "Buffering…")
        _ = state.handle(.playback(.stalled, item: 1))
        _ = state.handle(.playback(.playing, item: 1))
        #expect(state.networkText == nil)
    }

    @Test func `An output that is missing is waited for, and a pause ends the wait`() {
        var state = playing()
        #expect(state.handle(.output(isThere: true, item: 1)).isEmpty)
        #expect(state.handle(.output(isThere: false, item: 1)) == [.update])
        _ = state.handle(.playback(.stalled, item: 1))
        #expect(state.waitingText == "Waiting for a sound output…" && state.showsPause)
        #expect(state.handle(.togglePlayback) == [.pause, .update])
        _ = state.handle(.playback(.paused, item: 1))
        #expect(state.waitingText == nil && !state.showsPause)
        _ = state.handle(.output(isThere: false, item: 1))
        #expect(state.handle(.output(isThere: true, item: 1)) == [.update])
        #expect(state.waitingText == nil)
    }

    @Test func `A connection that gives something again is no longer said to fail, though the sound never stopped`() {
        var state = playing()
        #expect(state.handle(.arrived(bytes: 500, item: 1)).isEmpty)
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 1), item: 1))
        #expect(state.handle(.arrived(bytes: 500, item: 1)).isEmpty, "nothing new has come")
        #expect(state.handle(.arrived(bytes: 900, item: 0)).isEmpty, "it is of another item")
        #expect(state.network == .retrying(seconds: 4, attempt: 1))
        #expect(state.handle(.arrived(bytes: 501, item: 1)) == [.update])
        #expect(state.network == .idle)
        _ = state.handle(.playback(.stalled, item: 1))
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 1), item: 1))
        _ = state.handle(.arrived(bytes: 502, item: 1))
        #expect(state.network == .buffering(nil))
    }

    @Test func `An error names the cause and what to do, and can be tried again`() {
        var state = playing()
        let failure = PageState.Failure(code: "http.status", message: "The server answered 404.")
        #expect(state.handle(.failed(failure, item: 1)) == [.stop, .update])
        #expect(state.texts?.detail == "The server answered 404. Check the address, or try again later.")
        #expect(!state.wantsPlayback && state.texts?.button == "Try Again")
        #expect(state.handle(.retry) == [.open(item: 2, plays: true), .update])
        #expect(state.handle(.retry).isEmpty)
        for code in ["network.lost", "media.damaged", "file.missing", "device.none", "", "strange"] {
            _ = state.handle(.opened(name: "x", plays: false))
            _ = state.handle(.failed(.init(code: code, message: "Because."), item: state.item))
            #expect(state.texts?.detail.hasPrefix("Because.") == true)
        }
    }

    @Test func `A recording of a queue that is damaged is passed over, but not one that the network holds back`() {
        var state = PageState()
        let damaged = PageState.Failure(code: "media.damaged", message: "It is damaged.")
        #expect(!state.passesOver(damaged, wasOpened: false, hasNext: true))
        _ = state.handle(.opened(name: "a", plays: true))
        #expect(state.passesOver(damaged, wasOpened: false, hasNext: true))
        #expect(
            state.passesOver(.init(code: "file.missing", message: "It is missing."), wasOpened: false, hasNext: true)
        )
        #expect(!state.passesOver(damaged, wasOpened: false, hasNext: false))
        #expect(!state.passesOver(damaged, wasOpened: true, hasNext: true))
        #expect(!state.passesOver(.init(code: "network.lost", message: "Lost."), wasOpened: false, hasNext: true))
        _ = state.handle(.opened(name: "b", plays: false))
        #expect(!state.passesOver(damaged, wasOpened: false, hasNext: true))
    }

    @Test func `A closed item leaves an empty page`() {
        var state = playing()
        #expect(state.handle(.closedItem) == [.remember, .stop, .update])
        #expect(state.page == .empty && state.name.isEmpty)
        #expect(state.handle(.closedItem).isEmpty)
        #expect(state.handle(.playback(.playing, item: 1)).isEmpty)
    }

    @Test func `Messages come one after the other, and the same one is counted`() {
        var queue = ToastQueue()
        #expect(queue.add("A") == true)
        #expect(queue.add("B") == false)
        #expect(queue.add("A") == true)
        #expect(queue.shown?.title == "A (2×)")
        #expect(queue.add("B") == false)
        #expect(queue.dismiss(99) == false)
        #expect(queue.dismiss(queue.shown?.id ?? 0) == true)
        #expect(queue.shown?.title == "B (2×)")
        #expect(queue.add("") == false)
    }

    @Test func `Messages without end are bounded`() {
        var queue = ToastQueue()
        for number in 0..<1000 { queue.add("Message \(number)" + String(repeating: "x", count: number)) }
        #expect(queue.waiting.count == ToastQueue.maximumWaiting)
        #expect(queue.waiting.allSatisfy { $0.text.count <= ToastQueue.maximumLength })
        #expect(queue.waiting.last?.text.hasPrefix("Message 999") == true)
    }

    @Test func `The header names what is opened or has failed, and over the player nothing`() {
        var page = PageState()
        #expect(page.headerTitle == "Syrinx")
        _ = page.handle(.opened(name: "a.mp3", plays: true))
        #expect(page.page == .loading && page.headerTitle == "a.mp3")
        let failure = PageState.Failure(code: "media.corrupt", message: "It is damaged.")
        var failed = page
        _ = failed.handle(.failed(failure, item: page.item))
        #expect(failed.headerTitle == "a.mp3")
        _ = page.handle(.ready(item: page.item))
        #expect(page.headerTitle.isEmpty)
    }
}
