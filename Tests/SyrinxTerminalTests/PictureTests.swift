import Testing

@testable import SyrinxTerminal

@Suite("Pictures on a terminal")
struct PictureTests {
    /// A picture whose left half is red and whose right half is blue.
    private func picture(width: Int = 4, height: Int = 6, opacity: UInt8 = 255) throws -> Picture {
        var pixels: [UInt8] = []
        for _ in 0..<height {
            for column in 0..<width {
                pixels += column < width / 2 ? [255, 0, 0, opacity] : [0, 0, 255, opacity]
            }
        }
        return try #require(Picture(id: 3, width: width, height: height, pixels: pixels))
    }

    @Test("A picture whose bytes do not fit its size is refused")
    func refusal() {
        #expect(Picture(id: 1, width: 2, height: 2, pixels: Array(repeating: 0, count: 15)) == nil)
        #expect(Picture(id: 1, width: 0, height: 0, pixels: []) == nil)
        #expect(Picture(id: 1, width: .max, height: 2, pixels: []) == nil)
        #expect(Picture(id: 0, width: 1, height: 1, pixels: [0, 0, 0, 0]) == nil)
    }

    @Test("A picture fits into cells without being distorted")
    func fitting() throws {
        let square = try picture(width: 10, height: 10)
        #expect(square.fittedCells(columns: 80, rows: 10) == (20, 10))
        #expect(square.fittedCells(columns: 10, rows: 10) == (10, 5))
        #expect(square.fittedCells(columns: 0, rows: 10) == (0, 0))
        #expect(try picture(width: 4_000, height: 2).fittedCells(columns: 10, rows: 10) == (10, 1))
    }

    @Test("Half blocks have two pixels in a cell, and leave transparent ones to the terminal")
    func halfBlocks() throws {
        var grid = CellGrid(columns: 2, rows: 1)
        HalfBlockPicture(try picture(), columns: 2, rows: 1).draw(into: &grid, column: 0, row: 0)
        #expect(grid.text == "▀▀")
        #expect(grid.style(column: 0, row: 0) == Style(foreground: .rgb(255, 0, 0), background: .rgb(255, 0, 0)))
        #expect(grid.style(column: 1, row: 0)?.foreground == .rgb(0, 0, 255))
        var clear = CellGrid(columns: 2, rows: 1)
        HalfBlockPicture(try picture(opacity: 0), columns: 2, rows: 1).draw(into: &clear, column: 0, row: 0)
        #expect(clear.text == "")
    }

    @Test("Sixel has a palette, and runs of columns in bands of six rows")
    func sixel() throws {
        let text = String(decoding: SixelEncoder.encode(try picture(width: 8, height: 7)), as: UTF8.self)
        #expect(
            text == "\u{1B}P0;1;0q\"1;1;8;7#0;2;0;0;100#1;2;100;0;0#0!4?!4~$#1!4~-#0!4?!4@$#1!4@\u{1B}\\"
        )
        let clear = String(decoding: SixelEncoder.encode(try picture(opacity: 0)), as: UTF8.self)
        #expect(clear == "\u{1B}P0;1;0q\"1;1;4;6\u{1B}\\")
    }

    @Test("A picture of many colours is reduced to few, near the ones it had")
    func palette() throws {
        var pixels: [UInt8] = []
        for index in 0..<64 * 64 { pixels += [UInt8(index % 64 * 4), UInt8(index / 64 * 4), 128, 255] }
        let picture = try #require(Picture(id: 1, width: 64, height: 64, pixels: pixels))
        let palette = Palette(picture, count: 256)
        #expect(palette.colors.count == 256)
        let errors = (0..<64 * 64).map { index in
            let color = palette.colors[Int(palette.indices[index])]
            return abs(color.0 - index % 64 * 4) + abs(color.1 - index / 64 * 4)
        }
        #expect((errors.max() ?? 999) <= 32)
    }

    @Test("Kitty gets the data in pieces once, and each frame places it anew where it has moved")
    func kitty() throws {
        var pixels: [UInt8] = []
        for index in 0..<64 * 64 * 4 { pixels.append(UInt8(index % 251)) }
        let picture = try #require(Picture(id: 9, width: 64, height: 64, pixels: pixels))
        var painter = GridPainter(depth: .trueColor, pictures: .kitty)
        var grid = CellGrid(columns: 20, rows: 6)
        grid.place(picture, in: CellArea(column: 1, row: 1, columns: 8, rows: 4))
        let first = String(decoding: painter.frame(grid), as: UTF8.self)
        #expect(first.components(of: "\u{1B}_G") == 1 + 6 + 1)
        #expect(first.contains("a=t,t=d,f=32,q=2,i=9,s=64,v=64,m=1;") && first.contains("\u{1B}_Gm=0;"))
        #expect(first.contains("\u{1B}[2;2H") && first.contains("a=p,q=2,i=9,p=1,c=8,r=4,C=1"))
        let none = painter.frame(grid)
        #expect(none.isEmpty)
        let bare = CellGrid(columns: 20, rows: 6)
        let second = String(decoding: painter.frame(bare), as: UTF8.self)
        #expect(second.contains("a=d,d=a") && !second.contains("a=t"))
        let third = String(decoding: painter.frame(grid), as: UTF8.self)
        #expect(third.contains("a=p") && !third.contains("a=t"))
    }

    @Test("Base64 is that of RFC 4648", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")])
    func base64(text: String, encoded: String) {
        #expect(String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self) == encoded)
    }

    @Test(
        "The best way is chosen by environment and answers",
        arguments: [
            (["TERM": "xterm-kitty"], [], PictureProtocol.kitty),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], [], .kitty),
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], [], .halfBlocks),
            (
                ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
                [TerminalAnswer.kittyGraphics(isSupported: false)], .halfBlocks
            ),
            (["TERM": "xterm-256color"], [.attributes([62, 4, 22])], .sixel),
            (["TERM": "xterm-256color"], [.attributes([62, 22])], .halfBlocks),
            (
                ["TERM": "foot", "COLORTERM": "truecolor"], [.attributes([62, 4]), .kittyGraphics(isSupported: true)],
                .kitty
            ),
            (["TERM": "linux"], [], .none), (["TERM": "xterm-kitty", "NO_COLOR": "1"], [], .none),
        ] as [([String: String], [TerminalAnswer], PictureProtocol)]
    )
    func choice(environment: [String: String], answers: [TerminalAnswer], best: PictureProtocol) {
        #expect(PictureProtocol.best(environment: environment, answers: answers) == best)
    }
}

extension String {
    /// The number of places at which a text occurs.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
