import Testing

@testable import SyrinxDesktopModel

@Suite struct WindowListTests {
    /// A list of windows with the numbers 1 and 2, of which 2 is active.
    private func two() -> WindowList {
        var list = WindowList()
        _ = list.open()
        _ = list.open()
        return list
    }

    @Test func `Files go to the window that was active last`() {
        var list = WindowList()
        #expect(list.target == nil)
        #expect(list.open().number == 1)
        #expect(list.open().number == 2)
        #expect(list.target == 2, "a new window counts as active before it has the keyboard")
        _ = list.handle(.activated(1))
        _ = list.handle(.sound(2, .playing))
        #expect(list.target == 1, "also while another one plays")
        _ = list.handle(.closed(1))
        #expect(list.target == 2)
        #expect(list.open().number == 3, "a number is not used again")
        #expect(list.numbers == [2, 3])
    }

    @Test func `Media keys are for the window that began to play last`() {
        var list = two()
        #expect(list.handle(.sound(1, .playing)) == [.speak(1)])
        #expect(list.handle(.sound(1, .playing)).isEmpty)
        #expect(list.handle(.sound(2, .playing)) == [.speak(2), .pause(1)])
        #expect(
            list.handle(.activated(1)) == [.speak(1)],
            "an active window that plays takes them over"
        )
        #expect(list.handle(.activated(2)) == [.speak(2)])
    }

    @Test func `One window sounds at a time`() {
        var list = two()
        _ = list.open()
        _ = list.handle(.sound(1, .playing))
        _ = list.handle(.sound(3, .paused))
        #expect(list.handle(.sound(2, .playing)) == [.speak(2), .pause(1)])
        #expect(list.handle(.sound(1, .paused)).isEmpty)
        #expect(list.handle(.sound(2, .playing)).isEmpty, "it plays on")
        #expect(list.handle(.sound(1, .playing)) == [.speak(1), .pause(2)])
    }

    @Test func `A pause by a media key leaves the keys where they are`() {
        var list = two()
        _ = list.handle(.sound(1, .playing))
        _ = list.handle(.sound(2, .playing))
        #expect(list.handle(.sound(2, .paused)).isEmpty)
        #expect(list.speaker == 2)
        #expect(list.handle(.activated(2)).isEmpty)
        #expect(list.handle(.activated(1)) == [.speak(1)])
        #expect(list.handle(.sound(1, .paused)).isEmpty)
        #expect(
            list.handle(.activated(2)).isEmpty,
            "a paused window does not take them by becoming active"
        )
    }

    @Test func `A window with nothing to go on with gives media keys to another`() {
        var list = two()
        _ = list.handle(.sound(1, .paused))
        _ = list.handle(.sound(2, .playing))
        let third = list.open().number
        _ = list.handle(.sound(third, .playing))
        #expect(
            list.handle(.sound(third, .none)) == [.speak(2)],
            "one that plays comes before one that is paused"
        )
        #expect(list.handle(.closed(2)) == [.speak(1)])
        #expect(
            list.handle(.sound(1, .none)) == [.speak(third)],
            "with nothing anywhere, the one that was heard last"
        )
        #expect(list.handle(.activated(1)).isEmpty)
    }

    @Test func `The first window has the media keys before anything is open`() {
        var list = WindowList()
        #expect(list.open().actions == [.speak(1)])
        #expect(list.open().actions == [.speak(2)])
        #expect(list.handle(.activated(1)) == [.speak(1)])
    }

    @Test func `The app ends with its last window, and closes all to end`() {
        var list = two()
        _ = list.handle(.activated(1))
        #expect(
            list.handle(.quit(endsDownloads: true)) == [.ask(1)],
            "the active window asks before any closes"
        )
        #expect(
            list.handle(.quit(endsDownloads: false)) == [.close(2), .close(1)],
            "the settings of the active one are kept last"
        )
        #expect(!list.handle(.closed(1)).contains(.end))
        #expect(list.handle(.closed(1)).isEmpty, "it is closed once")
        #expect(list.handle(.closed(2)) == [.end])
        #expect(list.speaker == nil && list.target == nil)
        #expect(list.handle(.quit(endsDownloads: false)) == [.end])
        #expect(list.handle(.quit(endsDownloads: true)) == [.end], "no window is there to ask")
    }

    @Test func `An event of a window that is closed changes nothing`() {
        var list = two()
        _ = list.handle(.closed(1))
        let before = list
        for event in [WindowList.Event.activated(1), .sound(1, .playing), .closed(1)] {
            #expect(list.handle(event).isEmpty)
        }
        #expect(
            list.speaker == before.speaker && list.target == before.target
                && list.numbers == before.numbers
        )
    }
}
