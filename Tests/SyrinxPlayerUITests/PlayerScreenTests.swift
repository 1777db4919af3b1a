import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Full-screen player")
struct PlayerScreenTests {
    @Test("Keys of mpv have their effects")
    func playbackKeys() {
        var screen = PlayerScreen()
        let view = PlayerView()
        let keys: [(KeyPress, PlayerAction)] = [
            (KeyPress(.character(" ")), .command(.toggle)), (KeyPress(.left), .command(.skipBack)),
            (KeyPress(.up), .command(.seek(.by(60)))),
            (KeyPress(.right, .shift), .command(.seek(.by(1)))), (KeyPress(.pageUp), .command(.nextChapter)),
            (KeyPress(.character("9")), .command(.volume(.by(-0.05)))),
            (KeyPress(.character("L")), .command(.loop)), (KeyPress(.character("l")), .command(.cyclePart)),
            (KeyPress(.character("q")), .quit),
            (KeyPress(.home), .command(.seek(.to(0)))), (KeyPress(.backspace), .command(.rate(.to(1)))),
            (KeyPress(.enter), .command(.next(isWeak: true))),
        ]
        for (key, action) in keys {
            let actions = screen.handle(.key(key), in: view)
            #expect(actions == [action])
        }
    }

    @Test("Every size of a terminal gives a frame of that size", arguments: PlayerPage.allCases)
    func sizes(page: PlayerPage) {
        var screen = PlayerScreen()
        _ = screen.handle(.key(KeyPress(.character(Character("\(page.rawValue + 1)")))), in: PlayerView())
        for (columns, rows) in [(0, 0), (1, 1), (2, 3), (20, 4), (40, 10), (80, 24), (200, 60)] {
            let grid = screen.draw(PlayerView(), columns: columns, rows: rows)
            #expect(grid.columns == columns && grid.rows == rows)
        }
        #expect(screen.page == page)
    }

    private func key(_ name: String) throws -> TerminalEvent { .key(try #require(KeyPress(name: name))) }

    /// Presses keys one after another, and returns the wishes of the last.
    private func press(_ screen: inout PlayerScreen, _ names: String..., in view: PlayerView) throws -> [PlayerAction] {
        var actions: [PlayerAction] = []
        for name in names { actions = screen.handle(try key(name), in: view) }
        return actions
    }

    @Test("A page looks as it did", arguments: ScreenGoldens.all)
    func goldens(golden: ScreenGoldens.Golden) throws {
        var screen = PlayerScreen(pictures: .halfBlocks)
        let view = SampleView.make()
        for name in golden.keys { _ = screen.handle(try key(name), in: view) }
        let text = screen.draw(view, columns: golden.columns, rows: golden.rows).text
        #expect(text == golden.text)
    }

    @Test("Keys of the queue play, move and remove the selected entry")
    func queue() throws {
        var screen = PlayerScreen()
        let view = SampleView.make()
        let played = try press(&screen, "2", "enter", in: view)
        #expect(played == [.command(.goTo(1))])
        let moved = try press(&screen, "down", "J", in: view)
        #expect(moved == [.command(.move(from: 2, to: 3))])
        let removed = try press(&screen, "d", in: view)
        #expect(removed == [.command(.remove(3))])
        let top = try press(&screen, "home", "K", in: view)
        #expect(top.isEmpty)
        let question = try press(&screen, "C", "n", in: view)
        #expect(question.isEmpty)
        let cleared = try press(&screen, "C", "y", in: view)
        #expect(cleared == [.command(.clear)])
    }

    @Test(
        "A filter shows the entries that contain its text, whatever their case, and the places stay those of the list"
    )
    func filter() throws {
        var screen = PlayerScreen()
        var view = SampleView.make(queueLength: 100_000)
        let played = try press(&screen, "2", "/", "E", "space", "9", "9", "9", "9", "8", "enter", "enter", in: view)
        #expect(played == [.command(.goTo(99_997))])
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("1 of 100000  “E 99998”"))
        // An entry that comes in while the filter is there is found.
        view.queue.append(QueueEntry(title: "episode 99998 again"))
        let later = try press(&screen, "down", "enter", in: view)
        #expect(later == [.command(.goTo(100_000))])
        let all = try press(&screen, "escape", "enter", in: view)
        #expect(all == [.command(.goTo(100_000))])
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains(" of 100001"))
    }

    @Test("A filter looks in title, performer, album and name for all words, without case and accents")
    func filteredTags() throws {
        var screen = PlayerScreen()
        var view = SampleView.make(queueLength: 0)
        view.queue = [
            QueueEntry(title: "Intro", detail: "Nobody · Shores", searched: "01.flac"),
            QueueEntry(title: "Brève Étude", detail: "Zoë Müller", searched: "02.flac"),
        ]
        for (query, place) in [("ETUDE", 1), ("muller", 1), ("01", 0), ("shores", 0), ("zoe breve", 1)] {
            let keys = query.map { $0 == " " ? "space" : String($0) }
            var actions: [PlayerAction] = []
            for key in ["2", "/"] + keys + ["enter", "enter"] { actions += try press(&screen, key, in: view) }
            #expect(actions == [.command(.goTo(place))], "\(query)")
            _ = try press(&screen, "escape", in: view)
        }
        #expect(screen.shownQueueEntries == [])
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(screen.shownQueueEntries == [0, 1])
        _ = try press(&screen, "1", in: view)
        #expect(screen.shownQueueEntries == [])
    }

    @Test("Effects are changed by steps, switched and reset")
    func effects() throws {
        var screen = PlayerScreen()
        let view = SampleView.make()
        let off = try press(&screen, "5", "enter", in: view)
        #expect(off == [.setEffectEnabled(effect: 0, false)])
        let reset = try press(&screen, "r", in: view)
        #expect(
            reset == [.setParameter(effect: 0, parameter: 0, 0), .setParameter(effect: 0, parameter: 2, 0)]
        )
        let choice = try press(&screen, "down", "right", in: view)
        #expect(choice == [.setParameter(effect: 0, parameter: 0, 2)])
        // A frequency goes by ratios: a hundredth of three decades.
        let frequency = try press(&screen, "down", "right", in: view)
        #expect(frequency == [.setParameter(effect: 0, parameter: 1, 1_070)])
        let gain = try press(&screen, "down", "shift+left", in: view)
        #expect(gain == [.setParameter(effect: 0, parameter: 2, 1.2)])
    }

    @Test("The mouse seeks when a drag on the seek bar ends, and turns pages")
    func mouse() {
        var screen = PlayerScreen()
        let view = SampleView.make()
        _ = screen.draw(view, columns: 80, rows: 24)
        let pressed = screen.handle(.mouse(.press(0), column: 2, row: 16), in: view)
        #expect(pressed.isEmpty)
        let dragged = screen.handle(.mouse(.drag(0), column: 77, row: 20), in: view)
        #expect(dragged.isEmpty)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("  40:12 "))
        let released = screen.handle(.mouse(.release(0), column: 77, row: 20), in: view)
        #expect(released == [.command(.seek(.to(2_412)))])
        let wheel = screen.handle(.mouse(.wheelUp, column: 3, row: 3), in: view)
        #expect(wheel == [.command(.volume(.by(0.02)))])
        _ = screen.handle(.mouse(.press(0), column: 12, row: 0), in: view)
        #expect(screen.page == .queue)
        _ = screen.draw(view, columns: 80, rows: 24)
        _ = screen.handle(.mouse(.wheelDown, column: 3, row: 5), in: view)
        let clicked = screen.handle(.mouse(.press(0), column: 3, row: 3), in: view)
        let again = screen.handle(.mouse(.press(0), column: 3, row: 3), in: view)
        #expect(clicked.isEmpty && again == [.command(.goTo(0))])
    }

    @Test("Podcasts are subscribed to, opened, and their episodes played and downloaded")
    func podcasts() throws {
        var screen = PlayerScreen()
        let view = SampleView.make()
        _ = try press(&screen, "7", "a", in: view)
        _ = screen.handle(.paste(" https://example.org/feed\n"), in: view)
        let subscribed = try press(&screen, "enter", in: view)
        #expect(subscribed == [.subscribe("https://example.org/feed")])
        let opened = try press(&screen, "enter", in: view)
        #expect(opened == [.openShow(7)])
        let download = try press(&screen, "down", "d", in: view)
        #expect(download == [.downloadEpisode(71)])
        let played = try press(&screen, "enter", in: view)
        #expect(played == [.playEpisode(71)])
        let mark = try press(&screen, "down", "x", in: view)
        #expect(mark == [.setEpisodePlayed(72, false)])
        let refreshed = try press(&screen, "h", "R", in: view)
        #expect(refreshed == [.refresh(nil)])
        let gone = try press(&screen, "down", "delete", "y", in: view)
        #expect(gone == [.unsubscribe(9)])
        let found = try press(&screen, "f", "t", "i", "d", "e", "enter", in: view)
        #expect(found == [.searchEpisodes("tide")])
    }

    @Test("Keys arrange a list of episodes, and mark many of them")
    func arrangement() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        view.podcasts.arrangement = EpisodeArrangement()
        let all = try press(&screen, "7", "A", in: view)
        #expect(all == [.markAllPlayed(show: 7)])
        let nothing = try press(&screen, "F", in: view)
        #expect(nothing.isEmpty, "the list of podcasts has no filter")
        _ = try press(&screen, "enter", "down", in: view)
        let older = try press(&screen, "X", in: view)
        #expect(older == [.markOlderPlayed(71)])
        let listed = try press(&screen, "A", in: view)
        #expect(listed == [.markAllPlayed(show: nil)])
        let undone = try press(&screen, "U", in: view)
        #expect(undone == [.undoMark])
        let new = try press(&screen, "F", in: view)
        #expect(new == [.arrangeEpisodes(EpisodeArrangement(filter: .new))])
        view.podcasts.arrangement = EpisodeArrangement(filter: .downloaded)
        let turned = try press(&screen, "O", in: view)
        #expect(turned == [.arrangeEpisodes(EpisodeArrangement(filter: .downloaded, isOldestFirst: true))])
        let first = try press(&screen, "F", in: view)
        #expect(first == [.arrangeEpisodes(EpisodeArrangement())])
        view.podcasts.arrangement?.isOldestFirst = true
        let title = screen.draw(view, columns: 80, rows: 24).text
        #expect(title.contains("Fern and Field, downloaded, oldest first"))
        let elsewhere = try press(&screen, "2", "U", in: view)
        #expect(elsewhere == [.undoQueueChange])
    }

    @Test("The new episodes of all podcasts are a list, and what a search finds is not arranged")
    func inbox() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        let opened = try press(&screen, "7", "n", in: view)
        #expect(opened == [.openInbox])
        (view.podcasts.openShow, view.podcasts.arrangement) = (nil, .inbox)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("New episodes"))
        view.podcasts.episodes = []
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("No episode is new."))
        view.podcasts.arrangement = nil
        for name in ["F", "O", "X", "A"] {
            var searching = screen
            let wishes = try press(&searching, name, in: view)
            #expect(wishes.isEmpty)
            #expect(searching.draw(view, columns: 120, rows: 24).text.contains("have no filter and no order"))
        }
        let back = try press(&screen, "h", "enter", in: view)
        #expect(back == [.openShow(7)])
    }

    @Test("Bookmarks are renamed, and listed of all recordings")
    func bookmarks() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        _ = try press(&screen, "4", "r", in: view)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("The bell"))
        let renamed = try press(&screen, "s", "enter", in: view)
        #expect(renamed == [.renameBookmark(4, "The bells")])
        let listed = try press(&screen, "a", in: view)
        #expect(listed == [.listBookmarks(ofAll: true)])
        view.allBookmarks = [
            BookmarkEntry(id: 1, title: "A", item: "One", time: 1),
            BookmarkEntry(id: 2, title: "B", item: "Two", time: 2),
        ]
        let went = try press(&screen, "down", "enter", in: view)
        #expect(went == [.goToBookmark(2)])
        let removed = try press(&screen, "d", in: view)
        #expect(removed == [.removeBookmark(2)])
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("Bookmarks of all recordings"))
        let back = try press(&screen, "a", in: view)
        #expect(back == [.listBookmarks(ofAll: false)])
        view.allBookmarks = []
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("No recording has a bookmark yet."))
    }

    @Test("Pasted text becomes something to open, and messages disappear")
    func messages() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        _ = screen.handle(.paste("https://example.org/a.mp3"), in: view)
        let opened = try press(&screen, "enter", in: view)
        #expect(opened == [.playInput("https://example.org/a.mp3")])
        screen.show("The \u{1B}]0;server\u{7} does not answer.", kind: .error, at: 0)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("Error: The  ]0;server  does not answer."))
        #expect(screen.timeToChange(at: 7) == 1.0 / 30)
        view.now = 9
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("Error"))
        _ = try press(&screen, "`", in: view)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("Error: The"))
    }

    @Test("Numbers without sense are drawn, on every page")
    func senselessNumbers() throws {
        var view = SampleView.make()
        for number in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            view.state.time = number
            view.state.duration = number
            view.state.loopStart = number
            view.state.timeSaved = number
            view.state.received = [(-Double.infinity)...Double.infinity]
            view.state.peaks = [.nan, .infinity, -1, 7]
            view.sound.rate = number
            view.sound.pitch = number
            view.sound.volume = number
            view.sound.sleep = .time(number)
            view.sound.levels = [.nan, .infinity]
            view.now = number
            view.currentIndex = .max
            view.currentChapter = -1
            view.chapters[1].start = number
            view.queue[1].duration = number
            view.bookmarks[0].time = number
            view.effects[0].parameters[1].value = number
            view.effects[0].parameters[0].value = number
            view.podcasts.episodes[0].position = number
            view.podcasts.episodes[0].duration = number
            view.podcasts.episodes[1].download = .running(number)
            view.transcript.lines[3].start = number
            for page in 1...8 {
                var screen = PlayerScreen(pictures: .halfBlocks)
                _ = try press(&screen, String(page), "enter", "c", "right", "end", "up", in: view)
                for (columns, rows) in [(20, 4), (40, 10), (80, 24), (200, 60)] {
                    #expect(screen.draw(view, columns: columns, rows: rows).rows == rows)
                }
            }
        }
    }

    @Test("Keys change mono, balance and the equalizer")
    func tone() throws {
        let view = SampleView.make()
        var screen = PlayerScreen()
        let wishes = try ["M", "(", ")", "E"].flatMap { try press(&screen, $0, in: view) }
        #expect(
            wishes == [
                .command(.mono(nil)), .command(.balance(.by(-0.1))), .command(.balance(.by(0.1))),
                .command(.equalizer(nil)),
            ]
        )
    }

    @Test("An effect without a switch is changed by its values, and a value of two choices by Enter")
    func unswitchable() throws {
        var view = SampleView.make()
        let parameters = [
            EffectView.Parameter(name: "mono", value: 0, range: 0...1, initial: 0, choices: ["off", "on"]),
            EffectView.Parameter(name: "balance", value: 0.5, range: -1...1, initial: 0),
        ]
        view.effects = [EffectView(name: "tone", isSwitchable: false, parameters: parameters)]
        view.sound.tone = ["mono"]
        var screen = PlayerScreen()
        let wishes = try [["5", "enter"], ["down", "enter"], ["down", "enter"], ["r"]].map { names in
            try names.flatMap { try press(&screen, $0, in: view) }
        }
        let isMono = PlayerAction.setParameter(effect: 0, parameter: 0, 1)
        let isCentred = PlayerAction.setParameter(effect: 0, parameter: 1, 0)
        #expect(wishes == [[], [isMono], [], [isCentred]])
        _ = try press(&screen, "1", in: view)
        let playing = screen.draw(view, columns: 80, rows: 24).text
        #expect(playing.contains("mono") && !playing.contains("Effects  tone"))
    }

    @Test("Keys add, remove and move an effect, and leave the tone at the end")
    func effectList() throws {
        var view = SampleView.make()
        let parameter = EffectView.Parameter(name: "gain", value: 0, range: -1...1, initial: 0)
        view.effects = [
            EffectView(name: "eq", parameters: [parameter, parameter]),
            EffectView(name: "reverb", parameters: [parameter]),
            EffectView(name: "tone", isSwitchable: false, parameters: [parameter]),
        ]
        var screen = PlayerScreen()
        // A row of the values stands for its effect.
        #expect(try press(&screen, "5", "down", "d", in: view) == [.command(.removeEffect(0))])
        #expect(try press(&screen, "K", in: view) == [])
        #expect(try press(&screen, "J", in: view) == [.command(.moveEffect(from: 0, to: 1))])
        view.effects.swapAt(0, 1)
        // The selection goes with the effect.
        #expect(try press(&screen, "J", in: view) == [])
        #expect(try press(&screen, "K", in: view) == [.command(.moveEffect(from: 1, to: 0))])
        #expect(try press(&screen, "end", "d", in: view) == [])
        #expect(try press(&screen, "a", in: view) == [])
        for letter in "eq:gain=3" {
            _ = screen.handle(try #require(KeyPress(name: String(letter)).map(TerminalEvent.key)), in: view)
        }
        #expect(try press(&screen, "enter", in: view) == [.command(.addEffect("eq:gain=3"))])
        #expect(try press(&screen, "f", in: view) == [.command(.forgetSettings)])
        view.sound.keptFor = "Dune"
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("settings kept for Dune"))
    }

    @Test("The sleep key goes through its times, and off again")
    func sleep() {
        var setting: SleepGoal?
        var steps: [SleepGoal?] = []
        for _ in 0..<7 {
            setting = SleepGoal.next(after: setting)
            steps.append(setting)
            if case .time(let left) = setting { setting = .time(left - 1) }
        }
        #expect(steps == [.time(900), .time(1_800), .time(2_700), .time(3_600), .endOfChapter, .endOfItem, nil])
    }
}
