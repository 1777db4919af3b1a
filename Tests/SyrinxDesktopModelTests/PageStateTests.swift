import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming
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

    private func facts(_ page: PageState.Page, item: Int = 1, wants: Bool = true, lacks: Bool = false)
        -> PageState.Event
    {
        .player(.init(page: page, item: item, name: "one.mp3", wantsPlayback: wants, lacksOutput: lacks))
    }

    private func playing() -> PageState {
        var state = PageState()
        _ = state.handle(facts(.loading))
        _ = state.handle(facts(.player(.playing)))
        return state
    }

    @Test func `A window goes from nothing by loading to the player`() {
        var state = PageState()
        #expect(state.page == .empty && state.texts?.button == "Open…")
        #expect(state.handle(facts(.loading)) == [.update])
        #expect(state.page == .loading && state.texts?.detail == "one.mp3")
        #expect(state.handle(facts(.player(.stalled))) == [.update])
        #expect(state.showsPause)
        #expect(state.handle(facts(.player(.playing))) == [.update])
        #expect(state.page == .player(.playing) && state.texts == nil)
        #expect(state.handle(facts(.player(.playing))).isEmpty, "nothing has changed")
    }

    @Test func `Between two items without a gap the player stays, and another opening shows the wait`() {
        var state = playing()
        #expect(state.handle(facts(.loading)).isEmpty)
        #expect(state.page == .player(.playing))
        #expect(state.handle(facts(.loading, item: 2)) == [.update])
        #expect(state.page == .loading)
    }

    @Test func `After closing nothing counts`() {
        var state = playing()
        #expect(state.handle(.closeRequested) == [.closeWindow])
        #expect(state.handle(facts(.player(.paused), wants: false)).isEmpty)
        #expect(state.handle(.closeRequested).isEmpty)
    }

    @Test func `The network is told truthfully`() {
        var state = playing()
        _ = state.handle(.network(.buffering(0.257)))
        #expect(state.networkText == "Buffering… 25 %")
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 2)))
        #expect(state.networkText == "The connection failed. Trying again in 4 s.")
        _ = state.handle(.network(.buffering(.nan)))
        #expect(state.networkText == "Buffering…")
        _ = state.handle(facts(.player(.stalled)))
        _ = state.handle(facts(.player(.playing)))
        #expect(state.networkText == nil)
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 2)))
        _ = state.handle(facts(.loading, item: 2))
        #expect(state.networkText == nil, "the connection was another item's")
    }

    @Test func `An output that is missing is waited for`() {
        var state = playing()
        #expect(state.handle(facts(.player(.stalled), lacks: true)) == [.update])
        #expect(state.waitingText == "Waiting for a sound output…" && state.showsPause)
        #expect(state.handle(facts(.player(.paused), wants: false)) == [.update])
        #expect(state.waitingText == nil && !state.showsPause)
    }

    @Test func `A connection that gives something again is no longer said to fail, though the sound never stopped`() {
        var state = playing()
        #expect(state.handle(.arrived(bytes: 500)).isEmpty)
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 1)))
        #expect(state.handle(.arrived(bytes: 500)).isEmpty, "nothing new has come")
        #expect(state.network == .retrying(seconds: 4, attempt: 1))
        #expect(state.handle(.arrived(bytes: 501)) == [.update])
        #expect(state.network == .idle)
        _ = state.handle(facts(.player(.stalled)))
        _ = state.handle(.network(.retrying(seconds: 4, attempt: 1)))
        _ = state.handle(.arrived(bytes: 502))
        #expect(state.network == .buffering(nil))
    }

    @Test func `An error names the cause and what to do`() {
        var state = playing()
        let failure = PageState.Failure(code: "http.status", message: "The server answered 404.")
        #expect(state.handle(facts(.error(failure), wants: false)) == [.update])
        #expect(state.texts?.detail == "The server answered 404. Check the address, or try again later.")
        #expect(!state.showsPause && state.texts?.button == "Try Again")
        for code in ["network.lost", "media.damaged", "file.missing", "device.none", "", "strange"] {
            _ = state.handle(facts(.error(.init(code: code, message: "Because.")), wants: false))
            #expect(state.texts?.detail.hasPrefix("Because.") == true)
        }
    }

    @Test func `Opening clears the messages of before`() {
        var state = playing()
        #expect(state.handle(.warning("One.")) == [.updateToast])
        #expect(state.handle(.opening) == [.updateToast])
        #expect(state.toasts.shown == nil && state.handle(.opening).isEmpty)
    }

    @Test func `The page follows from the session`() throws {
        func input(_ path: String) throws -> ListeningInput { try #require(ListeningInput(argument: path)) }
        var session = ListeningSession(inputs: [], lifetime: .window)
        func page() -> PageState.Page { PageState.PlayerFacts(session).page }
        #expect(page() == .empty)
        _ = session.handle(.request(.add([try input("/a.mp3")], .replacing(at: 0, isChosen: false))), at: 0)
        #expect(page() == .loading && PageState.PlayerFacts(session).wantsPlayback)
        _ = session.handle(.streaming(.status(.opening, time: 0), of: session.openingCount), at: 0)
        let error = SyrinxError(.fileNotFound, "The file is missing.", name: "/a.mp3")
        _ = session.handle(.streaming(.failed(error), of: session.openingCount), at: 0)
        _ = session.handle(.streaming(.status(.failed, time: 0), of: session.openingCount), at: 0)
        #expect(page() == .error(.init(code: "file.notFound", message: "The file is missing.")))
        #expect(!PageState.PlayerFacts(session).wantsPlayback)
        _ = session.handle(.request(.command(.stop)), at: 1)
        #expect(page() == .empty)
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
        _ = page.handle(facts(.loading))
        #expect(page.page == .loading && page.headerTitle == "one.mp3")
        var failed = page
        _ = failed.handle(facts(.error(.init(code: "media.corrupt", message: "It is damaged.")), wants: false))
        #expect(failed.headerTitle == "one.mp3")
        _ = page.handle(facts(.player(.playing)))
        #expect(page.headerTitle.isEmpty)
    }
}
