import Terminal
import Testing

@testable import PlayerUI

@Suite("Full-screen player")
struct PlayerScreenTests {
    @Test("Keys of mpv have their effects")
    func playbackKeys() {
        var screen = PlayerScreen()
        let view = PlayerView()
        let keys: [(KeyPress, PlayerAction)] = [
            (KeyPress(.character(" ")), .togglePause), (KeyPress(.left), .skip(-5)), (KeyPress(.up), .skip(60)),
            (KeyPress(.right, .shift), .skip(1)), (KeyPress(.pageUp), .nextChapter),
            (KeyPress(.character("9")), .addVolume(-0.05)),
            (KeyPress(.character("L")), .cycleLoop), (KeyPress(.character("l")), .cycleABLoop),
            (KeyPress(.character("q")), .quit),
            (KeyPress(.home), .seek(0)), (KeyPress(.backspace), .setRate(1)), (KeyPress(.enter), .nextItem),
        ]
        for (key, action) in keys {
            let actions = screen.handle(.key(key), in: view)
            #expect(actions == [action])
        }
    }

    @Test("Every size of a terminal gives a frame of that size", arguments: Page.allCases)
    func sizes(page: Page) {
        var screen = PlayerScreen()
        _ = screen.handle(.key(KeyPress(.character(Character("\(page.rawValue + 1)")))), in: PlayerView())
        for (columns, rows) in [(0, 0), (1, 1), (2, 3), (20, 4), (40, 10), (80, 24), (200, 60)] {
            let grid = screen.draw(PlayerView(), columns: columns, rows: rows)
            #expect(grid.columns == columns && grid.rows == rows)
        }
        #expect(screen.page == page)
    }
}
