import Testing

@testable import SyrinxDesktopModel

@Suite struct SeekUndoTests {
    @Test func `A seek can be undone`() {
        var undo = SeekUndo()
        #expect(undo.position == nil)
        undo.sought(from: 10)
        undo.sought(from: 20)
        #expect(undo.position == 20)
        undo.clear()
        #expect(undo.position == nil)
    }

    @Test func `A drag counts as one seek`() {
        var interaction = WaveformInteraction(width: 100)
        _ = interaction.handle(.itemChanged(.known(100)), now: 0)
        _ = interaction.setPosition(5)
        var undo = SeekUndo()
        var player = 5.0
        func take(_ actions: [WaveformInteraction.Action]) {
            for action in actions {
                switch action {
                case .seek(let seek):
                    undo.sought(from: player)
                    player = seek.time
                case .beginScrubbing: undo.dragged(true, at: player)
                case .endScrubbing: undo.dragged(false, at: player)
                default: break
                }
            }
        }
        take(interaction.handle(.pressed(x: 50, clicks: 1), now: 1))
        for x in stride(from: 55.0, through: 80, by: 5) { take(interaction.handle(.pointerMoved(x: x), now: x)) }
        take(interaction.handle(.released(x: 80), now: 100))
        #expect(player > 70)
        #expect(undo.position == 5)
        undo.sought(from: player)
        #expect(undo.position == player, "after the drag a seek counts again")
    }
}
