import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Notes in the full screen")
struct NotesPageTests {
    private func press(_ screen: inout PlayerScreen, _ name: String, in view: PlayerView) throws -> [PlayerAction] {
        screen.handle(.key(try #require(KeyPress(name: name))), in: view)
    }

    @Test("A key shows the notes of an episode, whose times can be followed, and Escape goes back")
    func notes() throws {
        var screen = PlayerScreen()
        var view = SampleView.make(at: 0)
        let show = try #require(view.podcasts.shows.first)
        _ = try press(&screen, "7", in: view)
        #expect(try press(&screen, "i", in: view) == [.readNotes(.show(show.id))])
        view.notes = NotesView(title: "About it", lines: [.init(text: "A description")])
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("A description"))
        _ = try press(&screen, "escape", in: view)
        _ = try press(&screen, "enter", in: view)
        let episode = try #require(view.podcasts.episodes.first)
        #expect(try press(&screen, "i", in: view) == [.readNotes(.episode(episode.id))])
        view.notes = NotesView(
            title: "An episode",
            episode: episode.id,
            lines: [
                .init(text: String(repeating: "word ", count: 30)),
                .init(text: "1:05 The Bar", time: 65, beginsParagraph: true),
            ]
        )
        .wrapped(columns: 80)
        #expect(view.notes.lines.map(\.text.count).max() ?? 0 <= 75)
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect(text.contains("An episode") && text.contains("1:05 The Bar"))
        #expect(try press(&screen, "enter", in: view).isEmpty)
        _ = try press(&screen, "end", in: view)
        #expect(try press(&screen, "enter", in: view) == [.playEpisodeAt(episode.id, 65)])
        _ = try press(&screen, "escape", in: view)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains(episode.title))
    }

    @Test("On other pages the key shows the notes of what plays, and a failure is said")
    func playing() throws {
        var screen = PlayerScreen()
        var view = SampleView.make(at: 0)
        #expect(try press(&screen, "i", in: view) == [.readNotes(.playing)])
        view.notes = NotesView(failure: "No episode plays.")
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("No episode plays."))
    }
}
