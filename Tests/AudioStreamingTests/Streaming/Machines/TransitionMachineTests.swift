import Testing

@testable import AudioStreaming

@Suite("Transition machine") struct TransitionMachineTests {
    private func machine(hasNext: Bool = true) -> TransitionMachine {
        var machine = TransitionMachine()
        _ = machine.nextChanged(hasNext: hasNext)
        return machine
    }

    @Test("The next input is opened ahead once, and joined when the current one has been decoded")
    func joins() {
        var machine = machine()
        #expect(machine.approachesEnd() == [.openNext])
        #expect(machine.approachesEnd().isEmpty)
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
        #expect(machine.runsDry() == [.end])
        #expect(machine.runsDry().isEmpty)
        // It is opened in its turn.
        #expect(machine.prepared().isEmpty)
    }

    @Test("The sound goes on in spite of a low level while something is being decoded")
    func doesNotEndEarly() {
        var machine = machine()
        #expect(machine.runsDry().isEmpty)
        _ = machine.approachesEnd()
        #expect(machine.runsDry().isEmpty)
    }

    @Test("Without a next input the sound ends")
    func endsWithTheLast() {
        var machine = machine(hasNext: false)
        #expect(machine.approachesEnd().isEmpty)
        #expect(machine.decoded() == [.end])
        // Too late to follow without an end between.
        #expect(machine.nextChanged(hasNext: true).isEmpty)
    }

    @Test("An input that cannot follow ends the sound, whether that is known before the end or after")
    func refusals() {
        var machine = machine()
        _ = machine.approachesEnd()
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
        _ = machine.approachesEnd()
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
        _ = machine.approachesEnd()
        #expect(machine.nextChanged(hasNext: true).isEmpty)
        #expect(machine.approachesEnd() == [.openNext])
        _ = machine.decoded()
        #expect(machine.nextChanged(hasNext: true) == [.openNext])
        #expect(machine.nextChanged(hasNext: false) == [.end])
    }
}
