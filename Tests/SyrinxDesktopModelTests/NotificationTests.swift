import Testing

@testable import SyrinxDesktopModel

@Suite struct NotificationTests {
    @Test func `An active window tells the desktop nothing`() {
        var state = NotificationState()
        #expect(state.handle(.active(true)).isEmpty)
        #expect(state.handle(.advanced(title: "Salt", detail: "Ann")).isEmpty)
        #expect(state.handle(.downloaded(title: "Salt")).isEmpty)
    }

    @Test func `The next recording replaces the one before, and is withdrawn when the window becomes active`() {
        var state = NotificationState()
        _ = state.handle(.active(true))
        _ = state.handle(.active(false))
        #expect(
            state.handle(.advanced(title: "Salt", detail: "Ann")) == [.send(.nextItem, title: "Salt", body: "Ann")]
        )
        #expect(state.handle(.advanced(title: "Tide", detail: "")) == [.send(.nextItem, title: "Tide", body: "")])
        #expect(state.handle(.active(true)) == [.withdraw(.nextItem)])
        #expect(state.handle(.active(true)).isEmpty, "what is withdrawn is not withdrawn again")
    }

    @Test func `Downloads are counted in one notification, and counted anew after the window was active`() {
        var state = NotificationState()
        #expect(
            state.handle(.downloaded(title: "A")) == [.send(.downloads, title: "Episode downloaded", body: "A")]
        )
        for title in ["B", "C", "D", "E"] { _ = state.handle(.downloaded(title: title)) }
        let sixth = state.handle(.downloaded(title: "F"))
        #expect(sixth == [.send(.downloads, title: "6 episodes downloaded", body: "A\nB\nC\nD\nand 2 more")])
        #expect(state.handle(.active(true)) == [.withdraw(.downloads)])
        _ = state.handle(.active(false))
        #expect(
            state.handle(.downloaded(title: "G")) == [.send(.downloads, title: "Episode downloaded", body: "G")]
        )
    }

    @Test func `The end of playing withdraws the next recording but not the downloads, closing withdraws all`() {
        var state = NotificationState()
        _ = state.handle(.advanced(title: "Salt", detail: ""))
        _ = state.handle(.downloaded(title: "A"))
        #expect(state.handle(.stopped) == [.withdraw(.nextItem)])
        #expect(state.handle(.closed) == [.withdraw(.downloads)])
        #expect(state.handle(.downloaded(title: "B")).isEmpty, "a window that is closed tells nothing")
    }

    @Test func `Long titles are cut off, and a recording without a title is not told`() {
        var state = NotificationState()
        #expect(state.handle(.advanced(title: "", detail: "Ann")).isEmpty)
        let actions = state.handle(.advanced(title: String(repeating: "ä", count: 5000), detail: ""))
        guard case .send(_, let title, _)? = actions.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(title.count == NotificationState.maximumLength && title.hasSuffix("…"))
    }

    @Test func `Sound keeps the computer awake, pictures keep the screen lit, and a pause ends both`() {
        var inhibition = SleepInhibition()
        #expect(inhibition.update(wantsPlayback: false, showsPictures: true) == nil)
        #expect(inhibition.update(wantsPlayback: true, showsPictures: false) == .sleep)
        #expect(inhibition.update(wantsPlayback: true, showsPictures: false) == nil)
        #expect(inhibition.update(wantsPlayback: true, showsPictures: true) == .sleepAndIdle)
        #expect(inhibition.update(wantsPlayback: false, showsPictures: true) == .some(.none))
        #expect(inhibition.level == .none)
    }
}
