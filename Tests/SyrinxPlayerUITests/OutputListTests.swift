import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Outputs in the full screen")
struct OutputListTests {
    private func press(_ screen: inout PlayerScreen, _ name: String, in view: PlayerView) throws -> [PlayerAction] {
        screen.handle(.key(try #require(KeyPress(name: name))), in: view)
    }

    private func view() -> PlayerView {
        var view = SampleView.make()
        view.outputs = OutputsView(
            entries: [
                OutputEntry(name: "auto", title: "Default", detail: "Speakers"),
                OutputEntry(name: "pulse:speakers", title: "Speakers", detail: "pulse:speakers"),
                OutputEntry(name: "pulse:evil", title: "Head\u{1B}[31mphones", detail: "pulse:evil"),
            ],
            current: "pulse:speakers"
        )
        return view
    }

    @Test("A key lists the outputs with the one that plays, and Enter chooses the selected one")
    func choice() throws {
        var screen = PlayerScreen()
        let view = view()
        #expect(try press(&screen, "O", in: view) == [.listOutputs])
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect(text.contains("► Speakers") && text.contains("Default") && text.contains("pulse:evil"))
        #expect(!text.contains("\u{1B}"))
        // The selection begins at the output that plays.
        #expect(try press(&screen, "down", in: view).isEmpty)
        #expect(try press(&screen, "down", in: view).isEmpty)
        #expect(try press(&screen, "enter", in: view) == [.command(.output("pulse:evil"))])
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("pulse:evil"))
        _ = try press(&screen, "O", in: view)
        _ = try press(&screen, "home", in: view)
        #expect(try press(&screen, "enter", in: view) == [.command(.output("auto"))])
    }

    @Test("Another key closes the list and changes nothing, and a list that has become shorter is no harm")
    func closing() throws {
        var screen = PlayerScreen()
        let view = view()
        _ = try press(&screen, "O", in: view)
        #expect(try press(&screen, "escape", in: view).isEmpty)
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("► Speakers"))
        _ = try press(&screen, "O", in: view)
        _ = try press(&screen, "end", in: view)
        #expect(try press(&screen, "enter", in: PlayerView()).isEmpty)
        for (columns, rows) in [(1, 1), (10, 3), (40, 10), (200, 60)] {
            _ = try press(&screen, "O", in: view)
            _ = screen.draw(view, columns: columns, rows: rows)
            _ = try press(&screen, "escape", in: view)
        }
    }
}
