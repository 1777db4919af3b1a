import Foundation
import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

/// Styles, which the text of a screen does not show, and long texts.
@Suite("Looks of the full screen")
struct LookTests {
    private func press(_ screen: inout PlayerScreen, _ names: String..., in view: PlayerView) throws {
        for name in names { _ = screen.handle(.key(try #require(KeyPress(name: name))), in: view) }
    }

    @Test(
        "With few colours the open tab, the selection and the playhead are in reverse video",
        arguments: [.none, .sixteen] as [ColorDepth]
    )
    func reversed(depth: ColorDepth) throws {
        var screen = PlayerScreen(theme: Theme(depth: depth), depth: depth)
        let view = SampleView.make()
        let playing = screen.draw(view, columns: 80, rows: 24)
        #expect(playing.style(column: 2, row: 0)?.attributes.contains(.reversed) == true)
        #expect(playing.style(column: 10, row: 0)?.attributes.contains(.reversed) == false)
        // 12:34 of 40:12 on 76 columns.
        let heads = (0..<80).filter { playing.style(column: $0, row: 16)?.attributes.contains(.reversed) == true }
        #expect(heads == [2 + 76 * 754 / 2_412])
        try press(&screen, "2", in: view)
        let queue = screen.draw(view, columns: 80, rows: 24)
        #expect((0..<80).allSatisfy { queue.style(column: $0, row: 4)?.attributes.contains(.reversed) == true })
    }

    @Test("The bar of the selection spans the row, but for a scroll bar")
    func bar() throws {
        var screen = PlayerScreen()
        let theme = Theme()
        for (length, end) in [(12, 80), (100, 79)] {
            let view = SampleView.make(queueLength: length)
            try press(&screen, "1", "2", "home", in: view)
            let grid = screen.draw(view, columns: 80, rows: 24)
            let bar = (0..<80).filter { grid.style(column: $0, row: 3)?.background == theme[.selection] }
            #expect(bar == Array(0..<end))
        }
    }

    @Test("A standard theme gives what is played, received and missing three looks, on light and dark, in any depth")
    func themes() {
        for depth in [ColorDepth.none, .sixteen, .indexed, .trueColor] {
            for isLight in [false, true] {
                let bar = Styles(Theme(depth: depth, isLight: isLight), depth: depth).seekBar
                func look(_ style: Style) -> [UInt8] {
                    var grid = CellGrid(columns: 1, rows: 1)
                    grid.draw("x", column: 0, row: 0, style: style)
                    var painter = GridPainter(depth: depth)
                    return painter.frame(grid)
                }
                #expect(Set([bar.played, bar.received, bar.missing].map(look)).count == 3, "\(depth) \(isLight)")
            }
        }
    }

    @Test("A theme is changed while the screen is shown")
    func change() {
        var screen = PlayerScreen()
        let view = SampleView.make()
        let dark = screen.draw(view, columns: 80, rows: 24)
        screen.theme = Theme(isLight: true)
        let light = screen.draw(view, columns: 80, rows: 24)
        #expect(dark.text == light.text)
        #expect(light.style(column: 2, row: 0)?.foreground == Theme(isLight: true)[.accent])
    }

    @Test("Long titles have the columns that short second texts leave")
    func titles() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        let title = "A title of an episode that has fifty columns, here"
        for index in view.queue.indices {
            view.queue[index].title = title
            view.queue[index].detail = "FF"
        }
        try press(&screen, "2", in: view)
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect(text.components(separatedBy: title).count == 12)
        // The row that has failed tells why, at the cost of its own title.
        #expect(text.contains("A title of an episode") && text.contains("The server does not answer.  failed"))
        for entry in view.queue.indices { view.queue[entry].detail = String(repeating: "D", count: 90) }
        let both = screen.draw(view, columns: 80, rows: 24).text
        #expect(both.contains("A title of an episode that") && both.contains("DDDDDDDDDD"))
    }

    @Test("Messages are divided into rows, in their window and above the footer")
    func messages() throws {
        var screen = PlayerScreen()
        let view = SampleView.make()
        let words = (0..<40).map { "word\($0)" }
        screen.show(words.joined(separator: " "), kind: .error, at: 0)
        let above = screen.draw(view, columns: 120, rows: 40).text
        #expect(words.allSatisfy(above.contains))
        try press(&screen, "`", in: view)
        for columns in [40, 80, 200] {
            let window = screen.draw(view, columns: columns, rows: 30).text
            #expect(words.allSatisfy(window.contains), "\(columns)")
        }
    }

    @Test("The help shows all keys and meanings, at any width", arguments: PlayerPage.allCases)
    func help(page: PlayerPage) throws {
        var screen = PlayerScreen()
        let view = SampleView.make()
        try press(&screen, String(page.rawValue + 1), "?", in: view)
        for columns in [40, 60, 80, 100, 200] {
            let lines = screen.draw(view, columns: columns, rows: 300).text.split(separator: "\n")
            let text = lines.filter { $0.contains("│") }.joined(separator: "\n")
            #expect(!text.contains("…"), "\(columns)")
            #expect(text.contains("Shift-PgUp"))
        }
    }

    @Test("A long chain of effects goes on in the next row")
    func effects() {
        var screen = PlayerScreen()
        var view = SampleView.make()
        view.effects = (0..<9).map { EffectView(name: "effect number \($0)", parameters: []) }
        let text = screen.draw(view, columns: 80, rows: 24).text
        #expect((0..<9).allSatisfy { text.contains("number") && text.contains("\($0) →") || $0 == 8 })
        #expect(text.contains("number 8") && !text.contains("…"))
    }

    @Test("A bookmark is a tick above the waveform at once")
    func bookmarks() {
        var screen = PlayerScreen()
        var view = SampleView.make()
        view.bookmarks = []
        view.chapters = []
        (view.state.loopStart, view.state.loopEnd) = (nil, nil)
        #expect(!screen.draw(view, columns: 80, rows: 24).text.contains("◆"))
        view.bookmarks = [BookmarkEntry(id: 1, title: "Here", time: 1_206)]
        let lines = screen.draw(view, columns: 80, rows: 24).text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.contains(String(repeating: " ", count: 2 + 38) + "◆"))
    }

    @Test("Going up selects the folder that was left, and another folder starts at its top")
    func folders() throws {
        var screen = PlayerScreen()
        var view = SampleView.make()
        try press(&screen, "6", "end", in: view)
        #expect(screen.pages[.files].list.selectedEntry == 2)
        view.files = FolderView(
            path: "/home/listener",
            entries: ["A", "B", "Music", "Z"].map { .init(name: $0, isFolder: true) }
        )
        view.files.origin = 2
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(screen.pages[.files].list.selectedEntry == 2)
        try press(&screen, "up", in: view)
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(screen.pages[.files].list.selectedEntry == 1)
        view.files = FolderView(path: "/home/listener/B", entries: [.init(name: "a.mp3", isFolder: false)])
        _ = screen.draw(view, columns: 80, rows: 24)
        #expect(screen.pages[.files].list.selectedEntry == 0)
    }

    @Test("Pages have one name at every width, and none is cut", arguments: [40, 76, 80, 98, 100, 200])
    func names(columns: Int) {
        var screen = PlayerScreen()
        let header = screen.draw(SampleView.make(), columns: columns, rows: 24).text.prefix { $0 != "\n" }
        for page in PlayerPage.allCases where columns >= 76 || page == .playing { #expect(header.contains(page.title)) }
    }

    @Test("A very wide screen has the queue beside a waveform of many rows, and a small one keeps its texts")
    func wide() {
        var screen = PlayerScreen()
        let view = SampleView.make(queueLength: 100)
        let lines = screen.draw(view, columns: 200, rows: 50).text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count { $0.contains("█") } >= 12)
        #expect(lines.count { $0.contains("Episode ") } >= 35)
        let small = screen.draw(view, columns: 40, rows: 12).text
        #expect(
            small.contains("The harbour at night") && small.contains("► playing") && small.contains("−27:38 / 40:12")
        )
    }
}
