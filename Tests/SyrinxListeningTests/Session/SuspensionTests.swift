import Testing

@testable import SyrinxListening

@Suite("Suspension")
struct SuspensionTests {
    @Test(
        "What plays is paused before the process is stopped, and goes on after",
        arguments: [PlayState.playing, .buffering]
    )
    func playing(state: PlayState) {
        var suspension = Suspension()
        #expect(suspension.suspend(state, isBetween: false) == [.pause])
        #expect(suspension.suspend(state, isBetween: false).isEmpty)
        #expect(suspension.note(.playing).isEmpty)
        #expect(suspension.note(.paused) == [.confirmSuspension])
        #expect(suspension.note(.paused).isEmpty)
        #expect(suspension.resume() == [.play])
        #expect(suspension.resume().isEmpty)
    }

    @Test("A paused player stays paused", arguments: [PlayState.paused, .opening, .stopped])
    func silent(state: PlayState) {
        var suspension = Suspension()
        #expect(suspension.suspend(state, isBetween: false) == [.confirmSuspension])
        #expect(suspension.resume().isEmpty)
    }

    @Test("Between two inputs nothing is paused, and what ends meanwhile is not begun again")
    func ends() {
        var suspension = Suspension()
        #expect(suspension.suspend(.playing, isBetween: true) == [.confirmSuspension])
        #expect(suspension.resume().isEmpty)
        #expect(suspension.suspend(.playing, isBetween: false) == [.pause])
        #expect(suspension.note(.ended) == [.confirmSuspension])
        #expect(suspension.resume().isEmpty)
    }

    @Test("A process that went on before the pause was told plays on")
    func early() {
        var suspension = Suspension()
        _ = suspension.suspend(.playing, isBetween: false)
        #expect(suspension.resume() == [.play])
        #expect(suspension.note(.paused).isEmpty)
    }
}
