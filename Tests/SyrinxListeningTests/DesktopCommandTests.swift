import MediaPlayer
import Testing

@testable import SyrinxListening

@Suite("Commands of the session bus") struct DesktopCommandTests {
    @Test("Media keys and panels are commands of the table, within their bounds")
    func commands() {
        #expect(ListeningCommand(.playPause) == .toggle)
        #expect(ListeningCommand(.next) == .next(isWeak: true))
        #expect(ListeningCommand(.skip(by: -10)) == .seek(.by(-10)))
        #expect(ListeningCommand(.skip(by: .nan)) == .seek(.by(0)))
        #expect(ListeningCommand(.skip(by: -.infinity)) == .seek(.by(-ClockTime.limit)))
        #expect(ListeningCommand(.seek(to: -3)) == .seek(.to(0)))
        #expect(ListeningCommand(.volume(0.25)) == .volume(.to(0.25)))
        for command in [DesktopPlayerCommand.raise, .quit, .open("a"), .shuffle(true), .loop(.track)] {
            #expect(ListeningCommand(command) == nil)
        }
    }

    @Test("A command that the queue, the chapters or the effects have no place for is refused with a reason")
    func refusals() {
        var status = RemoteStatus()
        (status.count, status.chapters, status.effects) = (3, 2, 0)
        #expect(status.reason(against: .goTo(2)) == nil)
        #expect(status.reason(against: .goTo(3)) == "there is no input at position 4: the queue has 3")
        #expect(status.reason(against: .chapter(2))?.hasPrefix("there is no chapter 3") == true)
        #expect(status.reason(against: .effect(0, [:]))?.hasPrefix("there is no effect 1") == true)
        #expect(status.reason(against: .equalizer("loud"))?.contains("flat") == true)
        #expect(status.reason(against: .equalizer("flat")) == nil)
    }
}
