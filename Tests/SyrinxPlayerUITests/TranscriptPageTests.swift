import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Transcript page")
struct TranscriptPageTests {
    private func view() -> PlayerView {
        var view = SampleView.make(at: 0)
        view.transcript.lines = (0..<100).map { TranscriptLine(start: Double($0) * 10 + 5, text: "Line \($0)") }
        return view
    }

    private func press(_ screen: inout PlayerScreen, _ name: String, in view: PlayerView) throws -> [PlayerAction] {
        screen.handle(.key(try #require(KeyPress(name: name))), in: view)
    }

    @Test("The page scrolls with the sound, until the listener moves, and again on the key for it")
    func following() throws {
        var screen = PlayerScreen()
        var view = view()
        _ = try press(&screen, "8", in: view)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("Line 3"))
        view.state.time = 705
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect(text.contains("Transcript, following") && text.contains("Line 70") && !text.contains("Line 3\n"))
        #expect(screen.pages[.transcript].list.selectedEntry == 70)
        _ = try press(&screen, "home", in: view)
        view.state.time = 725
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("Line 72"))
        let sought = try press(&screen, "enter", in: view)
        #expect(sought == [.command(.seek(.to(5)))])
        view.state.time = 5
        _ = screen.draw(view, columns: 80, rows: 24)
        view.state.time = 505
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("Line 50"))
        _ = try press(&screen, "up", in: view)
        _ = try press(&screen, "c", in: view)
        #expect(screen.pages[.transcript].list.selectedEntry == 50)
    }

    @Test("Long passages are divided between words, or within a long one, and all their rows are those of the passage")
    func wrapping() throws {
        let words = Array(repeating: "word", count: 40).joined(separator: " ")
        let read = TranscriptView(
            lines: [
                TranscriptLine(start: 1, speaker: "Ann", text: words), TranscriptLine(start: 9, text: "short"),
                TranscriptLine(start: 12, text: String(repeating: "x", count: 90)),
            ]
        )
        let rows = read.wrapped(columns: 60).lines
        #expect(rows.allSatisfy { $0.text.count <= 45 })
        #expect(rows.filter { $0.start == 1 }.map(\.text).joined(separator: " ") == "Ann: " + words)
        #expect(
            rows.map(\.isContinued) == [false] + Array(repeating: true, count: rows.count - 4) + [false, false, true]
        )
        var view = view()
        view.transcript = read.wrapped(columns: 60)
        view.state.time = 5
        #expect(view.currentPassage == 0)
        #expect((0..<rows.count).map { view.isHeard(row: $0, passage: 0) } == rows.map { $0.start == 1 })
        view.state.time = 10
        #expect(view.currentPassage == rows.count - 3)
        view.state.time = 0
        #expect(view.currentPassage == nil)
    }

    @Test("A transcript without times is shown, and seeks to nothing")
    func untimed() throws {
        var screen = PlayerScreen()
        var view = view()
        view.transcript = TranscriptView(lines: [TranscriptLine(start: nil, text: "La la")])
        _ = try press(&screen, "8", in: view)
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect(text.contains("La la") && !text.contains("following"))
        let actions = try press(&screen, "enter", in: view)
        #expect(actions.isEmpty)
        view.transcript = TranscriptView(isLoading: true)
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("being looked for"))
        view.transcript = TranscriptView(failure: "The server does not answer.")
        #expect(screen.draw(view, columns: 80, rows: 24).text.contains("The server does not answer."))
    }
}
