import Testing

@testable import SyrinxTerminal

@Suite("Parts of a screen")
struct WidgetTests {
    @Test("A list of 5,000 entries shows the selected one, and scrolls as little as it must")
    func list() {
        var list = ListWindow()
        list.resize(count: 5_000, height: 10)
        list.move(by: 9)
        #expect(list.visible == 0..<10)
        list.move(by: 1)
        #expect(list.visible == 1..<11 && list.selection == 10)
        list.move(by: -9)
        #expect(list.visible == 1..<11)
        list.move(by: .max)
        #expect(list.visible == 4_990..<5_000 && list.selection == 4_999)
        #expect(list.thumb(rows: 10) == 9..<10)
        list.resize(count: 5_000, height: 20)
        #expect(list.visible == 4_980..<5_000)
        list.center(100)
        #expect(list.visible == 90..<110 && list.selection == 100)
        list.resize(count: 3, height: 20)
        #expect(list.visible == 0..<3 && list.selection == 2 && list.thumb(rows: 10) == nil)
        list.resize(count: 0, height: 0)
        #expect(list.visible.isEmpty && list.selection == 0)
    }

    @Test("A bar with a style for the playhead shows it in each row, also at both ends")
    func playhead() {
        let styles = SeekBar.Styles(
            played: Style(attributes: .bold),
            received: Style(),
            missing: Style(attributes: .dim),
            mark: Style(),
            playhead: Style(attributes: .reversed)
        )
        for (position, place) in [(0.0, 0), (0.5, 5), (1, 9)] {
            var grid = CellGrid(columns: 10, rows: 3)
            let bar = SeekBar(peaks: [Float](repeating: 1, count: 10), received: [0...1], position: position)
            bar.draw(into: &grid, area: grid.area, styles: styles)
            for row in 0..<3 {
                let heads = (0..<10).filter { grid.style(column: $0, row: row)?.attributes == .reversed }
                #expect(heads == [place])
            }
        }
    }

    @Test("A meter rises at once, falls slowly, and holds its peak")
    func meter() {
        func text(_ meter: LevelMeter, _ columns: Int) -> String {
            var grid = CellGrid(columns: columns, rows: 1)
            let style = Style()
            let styles = LevelMeter.Styles(low: style, high: style, peak: style, empty: style)
            meter.draw(into: &grid, column: 0, row: 0, columns: columns, styles: styles)
            return grid.text
        }
        var meter = LevelMeter()
        meter.update(decibels: -30, elapsed: 0.03)
        #expect(text(meter, 8) == "████▏╌╌╌")
        meter.update(decibels: -.infinity, elapsed: 0.85)
        #expect(abs(meter.level + 40) < 0.001 && meter.peak == -30)
        #expect(text(meter, 8) == "██▋╌▏╌╌╌")
        meter.update(decibels: .nan, elapsed: 1)
        #expect(meter.peak < -30 && meter.peak >= meter.level)
        meter.update(decibels: 40, elapsed: .nan)
        #expect(text(meter, 4) == "████")
    }

    private static let styles = SeekBar.Styles(
        played: Style(attributes: .bold),
        received: Style(),
        missing: Style(attributes: .dim),
        mark: Style()
    )

    @Test("A seek bar shows peaks, and lines where none are known")
    func seekBar() {
        let bar = SeekBar(peaks: [0, 0.25, 0.5, 1, .nan, -1, -1, -1], received: [0...0.75], position: 0.25)
        var grid = CellGrid(columns: 8, rows: 2)
        bar.draw(into: &grid, area: grid.area, styles: Self.styles)
        #expect(grid.text == "   █\n▁▄██──╌╌")
        #expect(grid.style(column: 1, row: 1) == Self.styles.played)
        #expect(grid.style(column: 2, row: 1) == Self.styles.received)
        #expect(grid.style(column: 7, row: 1) == Self.styles.missing)
        // A narrow bar shows the greatest peak of each column.
        var narrow = CellGrid(columns: 2, rows: 1)
        bar.draw(into: &narrow, area: narrow.area, styles: Self.styles)
        #expect(narrow.text == "█╌")
        #expect(SeekBar.fraction(column: 79, columns: 80) == 1 && SeekBar.fraction(column: 4, columns: 1) == 0)
        #expect(SeekBar.column(at: 1, columns: 80) == 79 && SeekBar.column(at: .nan, columns: 80) == nil)
    }

    @Test("A tall seek bar is mirrored at its middle")
    func tallSeekBar() {
        var grid = CellGrid(columns: 3, rows: 4)
        let bar = SeekBar(peaks: [1, 0.5, 0], received: [-5 ... .infinity, 0...1], position: .nan)
        bar.draw(into: &grid, area: grid.area, styles: Self.styles)
        #expect(grid.text == "█\n██▁\n█▀\n▀")
    }

    @Test("A field takes the keys of a shell's line")
    func field() {
        var field = TextField("feed one\u{1B}\ntwo")
        #expect(field.text == "feed one  two")
        func press(_ code: KeyCode, _ modifiers: KeyModifiers = []) -> Bool { field.handle(KeyPress(code, modifiers)) }
        #expect(press(.character("w"), .control))
        #expect(field.text == "feed one  ")
        #expect(press(.home) && press(.delete) && press(.right) && press(.backspace))
        #expect(field.text == "fed one  ".replacing("fe", with: "e") && field.cursor == 0)
        #expect(press(.character("é")) && press(.end) && press(.character("k"), .control) && !press(.up))
        #expect(field.text == "éed one  ")
        var grid = CellGrid(columns: 6, rows: 1)
        field.draw(into: &grid, column: 0, row: 0, width: 5, style: Style())
        #expect(grid.cursor?.column == 4 && grid.text == "ne")
        field.insert(String(repeating: "x", count: 10_000))
        #expect(field.text.count == TextField.maximumLength)
    }
}
