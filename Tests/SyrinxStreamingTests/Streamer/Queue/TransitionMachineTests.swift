import Testing

@testable import SyrinxStreaming

@Suite("Transition machine") struct TransitionMachineTests {
    private func machine(hasNext: Bool = true) -> TransitionMachine {
        var machine = TransitionMachine()
        _ = machine.nextChanged(hasNext: hasNext)
        return machine
    }

    @Test("The next input is opened ahead once, and joined when the current one has been decoded")
    func joins() {
        var machine = machine()
        #expect(machine.remaining(19, playbackRate: 1) == [.openNext])
        #expect(machine.remaining(19, playbackRate: 1).isEmpty)
        #expect(machine.prepared().isEmpty)
        #expect(machine.decoded() == [.join])
        // The next one is the current one now, and nothing is known of what comes behind it.
        #expect(machine.next == .none && !machine.isDecoded)
        #expect(machine.nextChanged(hasNext: true).isEmpty)
        #expect(machine.decoded() == [.openNext])
    }

    @Test("An input that opens later than the end is waited for")
    func waits() {
        var machine = machine()
        #expect(machine.decoded() == [.openNext])
        #expect(machine.isWaiting)
        #expect(machine.prepared() == [.join])
    }

    @Test("An input that is not there when the sound runs dry is not waited for any longer")
    func givesUpWaiting() {
        var machine = machine()
        _ = machine.decoded()
        #expect(machine.level(0.2) == [.end])
        #expect(machine.level(0.2).isEmpty)
        // It is opened in its turn.
        #expect(machine.prepared().isEmpty)
    }

    @Test("An input that is one too many is waited for as one that opens, and opened when it may be")
    func waitsForRoom() {
        var machine = TransitionMachine()
        _ = machine.nextChanged(hasNext: true, mayOpen: false)
        #expect(machine.remaining(1, playbackRate: 1).isEmpty)
        #expect(machine.decoded().isEmpty && machine.isWaiting)
        #expect(machine.nextChanged(hasNext: true) == [.openNext])
        _ = machine.nextChanged(hasNext: true, mayOpen: false)
        #expect(machine.level(0.2) == [.end])
    }

    @Test("The sound goes on in spite of a low level while something is being decoded")
    func doesNotEndEarly() {
        var machine = machine()
        #expect(machine.level(0.2).isEmpty)
        _ = machine.remaining(19, playbackRate: 1)
        #expect(machine.level(0.2).isEmpty)
    }

    @Test("Without a next input the sound ends")
    func endsWithTheLast() {
        var machine = machine(hasNext: false)
        #expect(machine.remaining(19, playbackRate: 1).isEmpty)
        #expect(machine.decoded() == [.end])
        // Too late to follow without an end between.
        #expect(machine.nextChanged(hasNext: true).isEmpty)
    }

    @Test("An input that cannot follow ends the sound, whether that is known before the end or after")
    func refusals() {
        var machine = machine()
        _ = machine.remaining(19, playbackRate: 1)
        #expect(machine.refused().isEmpty)
        #expect(machine.decoded() == [.end])
        machine = self.machine()
        _ = machine.decoded()
        #expect(machine.refused() == [.end])
        #expect(machine.refused().isEmpty)
    }

    @Test("After a seek the end is decided anew, and what has been opened ahead stays open")
    func seeks() {
        var machine = machine()
        _ = machine.remaining(19, playbackRate: 1)
        _ = machine.prepared()
        machine.restarted()
        #expect(machine.next == .ready && !machine.isDecoded)
        #expect(machine.decoded() == [.join])
        machine = self.machine(hasNext: false)
        #expect(machine.decoded() == [.end])
        machine.restarted()
        #expect(machine.decoded() == [.end])
    }

    @Test("Another next input is opened anew; none ends an end that waits")
    func changes() {
        var machine = machine()
        _ = machine.remaining(19, playbackRate: 1)
        #expect(machine.nextChanged(hasNext: true).isEmpty)
        #expect(machine.remaining(19, playbackRate: 1) == [.openNext])
        _ = machine.decoded()
        #expect(machine.nextChanged(hasNext: true) == [.openNext])
        #expect(machine.nextChanged(hasNext: false) == [.end])
    }

    @Test("The next input is opened 20 seconds before the end, at the playback rate", arguments: [0.5, 1, 3])
    func openingLead(rate: Double) {
        var machine = machine()
        let lead = TransitionMachine.openingLead * max(1, rate)
        #expect(machine.remaining(lead + 0.1, playbackRate: rate).isEmpty)
        #expect(machine.remaining(lead, playbackRate: rate) == [.openNext])
    }

    @Test("An input that opens late is waited for while a quarter of a second is decoded")
    func closingLead() {
        var machine = machine()
        _ = machine.decoded()
        #expect(machine.level(0.26).isEmpty)
        #expect(machine.level(0.24) == [.end])
    }
}
