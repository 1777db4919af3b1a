import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Stations, playlists and marks on the screen")
struct SavedListTests {
    private func press(_ screen: inout PlayerScreen, _ names: String..., in view: PlayerView) throws -> [PlayerAction] {
        var actions: [PlayerAction] = []
        for name in names { actions = screen.handle(.key(try #require(KeyPress(name: name))), in: view) }
        return actions
    }

    private var saved: PlayerView {
        var view = PlayerView()
        view.saved = SavedView(entries: [
            .init(.station("http://a/", isFavorite: true), title: "A", detail: "http://a/"),
            .init(.station("http://b/", isFavorite: false), title: "B", detail: "http://b/"),
            .init(.playlist("evening"), title: "evening", detail: "2 entries"),
            .init(.title, title: "One", detail: "A"),
        ])
        return view
    }

    @Test("Enter opens a station or a playlist, and a title is only read")
    func opening() throws {
        var screen = PlayerScreen()
        #expect(try press(&screen, "B", in: saved) == [.listSaved])
        let text = screen.draw(saved, columns: 80, rows: 24).text
        for part in ["★ A", "≡ evening", "2 entries", "One"] { #expect(text.contains(part), "\(part)") }
        #expect(try press(&screen, "down", "enter", in: saved) == [.playInput("http://b/")])
        #expect(try press(&screen, "B", "down", "down", "enter", in: saved) == [.command(.openPlaylist("evening"))])
        #expect(try press(&screen, "B", "end", "enter", in: saved) == [])
        #expect(try press(&screen, "space", in: saved) == [.command(.toggle)], "the list is closed")
    }

    @Test("A playlist is renamed and deleted after a question, and a favorite removed")
    func changing() throws {
        var screen = PlayerScreen()
        _ = try press(&screen, "B", in: saved)
        _ = screen.draw(saved, columns: 80, rows: 24)
        #expect(try press(&screen, "d", "y", in: saved) == [.removeStation("http://a/")])
        _ = try press(&screen, "B", in: saved)
        _ = screen.draw(saved, columns: 80, rows: 24)
        #expect(try press(&screen, "down", "d", in: saved) == [], "it is no favorite")
        #expect(try press(&screen, "space", in: saved) == [.command(.toggle)])
        _ = try press(&screen, "B", in: saved)
        _ = screen.draw(saved, columns: 80, rows: 24)
        #expect(try press(&screen, "down", "down", "d", "n", in: saved) == [], "no is an answer")
        _ = try press(&screen, "B", in: saved)
        _ = screen.draw(saved, columns: 80, rows: 24)
        #expect(
            try press(&screen, "down", "down", "r", "x", "enter", in: saved)
                == [.renamePlaylist("evening", to: "eveningx")]
        )
    }

    @Test("The queue is saved under a name")
    func saving() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        #expect(try press(&screen, "2", "W", "m", "enter", in: view) == [.command(.savePlaylist("m"))])
        view.queue = []
        #expect(try press(&screen, "W", in: view) == [])
    }

    @Test("Marked files are appended together, and a file is played with those behind it")
    func files() throws {
        var screen = PlayerScreen()
        var view = PlayerView()
        view.files = FolderView(
            path: "/music",
            entries: [.init(name: "Album", isFolder: true)] + (1...5).map { .init(name: "\($0).flac", isFolder: false) }
        )
        view.queue = [QueueEntry(title: "a"), QueueEntry(title: "b")]
        _ = try press(&screen, "6", in: view)
        _ = screen.draw(view, columns: 80, rows: 24)
        // The second file, and those from the fourth to the sixth entry.
        #expect(try press(&screen, "down", "down", "m", "m", "down", "M", in: view) == [])
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("4 marked"))
        let wanted = [2, 3, 4, 5].map { PlayerAction.enqueueFile($0) }
        #expect(try press(&screen, "e", in: view) == wanted)
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("marked"))
        _ = try press(&screen, "home", "down", "down", "down", in: view)
        #expect(
            try press(&screen, "P", in: view)
                == [.enqueueFile(3), .enqueueFile(4), .enqueueFile(5), .command(.goTo(2))]
        )
        _ = try press(&screen, "m", in: view)
        view.files.path = "/other"
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("marked"), "marks are of a folder")
    }

    @Test("A mark is removed by the same key, and a range needs a start")
    func marks() {
        var marks = EntryMarks()
        marks.toggle(4, isRange: true, among: Array(0..<9))
        #expect(marks.entries == [4])
        marks.toggle(1, isRange: true, among: [0, 1, 3, 4, 8])
        #expect(marks.entries == [1, 3, 4], "hidden entries are not marked")
        marks.toggle(3, isRange: false, among: [])
        #expect(marks.sorted(below: 4) == [1])
    }
}
