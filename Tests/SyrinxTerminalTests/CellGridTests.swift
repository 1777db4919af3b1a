import Testing

@testable import SyrinxTerminal

@Suite("Grid of cells")
struct CellGridTests {
    @Test("Text that does not fit ends in an ellipsis, also where a wide character would be halved")
    func cutting() {
        var grid = CellGrid(columns: 6, rows: 4)
        grid.draw("abcdef", column: 0, row: 0)
        grid.draw("abcdefg", column: 0, row: 1)
        grid.draw("日本語文", column: 0, row: 2)
        grid.draw("日本", column: 3, row: 3)
        #expect(grid.text == "abcdef\nabcde…\n日本…\n   日…")
    }

    @Test("A character over one half of a wide one blanks the other")
    func halves() {
        var grid = CellGrid(columns: 4, rows: 2)
        grid.draw("日本", column: 0, row: 0)
        grid.draw("日本", column: 0, row: 1)
        grid.draw("x", column: 1, row: 0)
        grid.draw("語", column: 1, row: 1)
        #expect(grid.text == " x本\n 語")
    }

    @Test("Control characters and those that change the direction of text are not drawn")
    func cleaning() {
        var grid = CellGrid(columns: 20, rows: 1)
        grid.draw("a\u{1B}[31m\u{202E}b\u{9B}c\r\nd", column: 0, row: 0)
        #expect(grid.text == "a [31mb c d")
    }

    @Test("A cluster takes at most two columns, and keeps at most 16 scalars")
    func clusters() {
        var grid = CellGrid(columns: 8, rows: 1)
        let family = grid.draw("👨\u{200D}👩\u{200D}👧", column: 0, row: 0)
        #expect(family == 2 && grid.character(column: 0, row: 0) == "👨")
        let marks = grid.draw("e" + String(repeating: "\u{301}", count: 100), column: 2, row: 0)
        #expect(marks == 3 && grid.character(column: 2, row: 0)?.unicodeScalars.count == 16)
        let flag = grid.draw("🇩🇪", column: 3, row: 0)
        #expect(flag == 5 && grid.character(column: 3, row: 0) == "🇩🇪" && grid.character(column: 4, row: 0) == "")
    }

    @Test("Drawing outside of the grid, and grids of senseless sizes, do nothing")
    func bounds() {
        var grid = CellGrid(columns: 3, rows: 1)
        grid.draw("x", column: 3, row: 0)
        grid.draw("x", column: -1, row: 0)
        grid.draw("x", column: 0, row: 1)
        grid.draw("x", column: 0, row: 0, width: 0)
        grid.put("x", column: 9, row: 9, style: Style())
        grid.fill(CellArea(column: -5, row: -5, columns: 2, rows: 2), style: Style())
        #expect(grid.text == "")
        #expect(CellGrid(columns: -1, rows: .max).rows == CellGrid.maximumSide)
    }
}

@Suite("Painter of a grid")
struct GridPainterTests {
    private static let begin = "\u{1B}[?2026h"
    private static let end = "\u{1B}[?2026l"

    private func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix(Self.begin) ? String(text.dropFirst(8).dropLast(8)) : text
    }

    @Test("A frame writes only the cells that have changed")
    func difference() {
        var painter = GridPainter(depth: .none)
        var grid = CellGrid(columns: 12, rows: 2)
        grid.draw("time 0:01", column: 0, row: 1)
        let first = text(painter.frame(grid))
        #expect(first == "\u{1B}[0m\u{1B}[2J\u{1B}[2;1Htime\u{1B}[C0:01")
        let none = painter.frame(grid)
        #expect(none.isEmpty)
        grid.draw("2", column: 8, row: 1)
        let second = text(painter.frame(grid))
        #expect(second == "\u{1B}[2;9H\u{1B}[0m2")
        painter.invalidate()
        let whole = text(painter.frame(grid))
        #expect(whole.contains("time"))
    }

    @Test("A wide character in place of two narrow ones is drawn, and the other way round")
    func wide() {
        var painter = GridPainter(depth: .none)
        var grid = CellGrid(columns: 3, rows: 1)
        grid.draw("abc", column: 0, row: 0)
        _ = painter.frame(grid)
        grid.draw("日", column: 0, row: 0)
        let wide = text(painter.frame(grid))
        #expect(wide == "\u{1B}[1;1H\u{1B}[0m日")
        grid.draw("ab", column: 0, row: 0)
        let narrow = text(painter.frame(grid))
        #expect(narrow == "\u{1B}[1;1H\u{1B}[0mab")
    }

    @Test(
        "Colours are reduced to those of the terminal",
        arguments: [
            (ColorDepth.trueColor, "\u{1B}[0;1;38;2;255;0;0;44m"), (.indexed, "\u{1B}[0;1;38;5;196;44m"),
            (.sixteen, "\u{1B}[0;1;91;44m"), (.none, "\u{1B}[0;1m"),
        ]
    )
    func colors(depth: ColorDepth, sequence: String) {
        let style = Style(foreground: .rgb(255, 0, 0), background: .indexed(4), attributes: .bold)
        var bytes: [UInt8] = []
        style.appendSequence(to: &bytes, after: nil, depth: depth)
        #expect(text(bytes) == sequence)
        var same: [UInt8] = []
        style.appendSequence(to: &same, after: style, depth: depth)
        #expect(same.isEmpty)
        var other = style
        other.foreground = .standard
        var change: [UInt8] = []
        other.appendSequence(to: &change, after: style, depth: depth)
        #expect(text(change) == (depth == .none ? "" : "\u{1B}[39m"))
    }

    @Test(
        "The environment gives the depth of colours",
        arguments: [
            (["TERM": "xterm-256color"], ColorDepth.indexed),
            (["TERM": "xterm", "COLORTERM": "truecolor"], .trueColor),
            (["TERM": "linux", "NO_COLOR": ""], .sixteen), (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "dumb"], .none), ([:], .none),
        ]
    )
    func depth(environment: [String: String], depth: ColorDepth) {
        #expect(ColorDepth(environment: environment) == depth)
    }

    @Test("A meter that moves on a large screen costs few bytes")
    func cost() {
        var painter = GridPainter(depth: .trueColor)
        var grid = CellGrid(columns: 200, rows: 60)
        for row in 0..<60 { grid.draw(String(repeating: "日本 text ", count: 20), column: 0, row: row) }
        _ = painter.frame(grid)
        grid.put("▌", column: 100, row: 59, style: Style())
        let bytes = painter.frame(grid)
        #expect(bytes.count < 48)
    }
}
