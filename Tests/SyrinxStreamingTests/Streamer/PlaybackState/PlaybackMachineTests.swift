import Testing

@testable import SyrinxStreaming

@Suite struct PlaybackMachineTests {
    private let start = PlaybackMachine.Action.startOutput(fades: false, dropsUnheard: false)
    private let goOn = PlaybackMachine.Action.startOutput(fades: true, dropsUnheard: false)
    private let startElsewhere = PlaybackMachine.Action.startOutput(fades: true, dropsUnheard: true)

    private func playing() -> PlaybackMachine {
        var machine = PlaybackMachine()
        _ = machine.open(andPlay: true)
        _ = machine.opened()
        _ = machine.level(1, isComplete: false, mayStarve: true)
        _ = machine.sounded()
        return machine
    }

    @Test("The status is playing only once samples reach the output")
    func playsOnlyWhenSamplesReachTheOutput() {
        var machine = PlaybackMachine()
        #expect(machine.open(andPlay: false) == [.announce(.opening)])
        #expect(machine.play() == [])
        #expect(machine.opened() == [.announce(.buffering)])
        #expect(machine.level(0.15, isComplete: false, mayStarve: true) == [])
        #expect(machine.level(0.17, isComplete: false, mayStarve: true) == [start])
        #expect(machine.status == .buffering)
        #expect(machine.sounded() == [.announce(.playing)])
    }

    @Test("A short input starts as soon as it is decoded")
    func aShortInputStartsAsSoonAsItIsWhole() {
        var machine = PlaybackMachine()
        _ = machine.open(andPlay: true)
        _ = machine.opened()
        #expect(machine.level(0.01, isComplete: true, mayStarve: true) == [start])
    }

    @Test("The output is held before it runs dry and resumes with a second in hand")
    func holdsBeforeItRunsDryAndGoesOnWithMoreInHand() {
        var machine = playing()
        #expect(machine.level(0.05, isComplete: false, mayStarve: true) == [])
        #expect(machine.level(0.03, isComplete: false, mayStarve: true) == [.holdOutput, .announce(.buffering)])
        #expect(machine.sounded() == [])
        #expect(machine.level(0.9, isComplete: false, mayStarve: true) == [])
        #expect(machine.level(1, isComplete: false, mayStarve: true) == [goOn])
        #expect(machine.sounded() == [.announce(.playing)])
    }

    @Test("An output that does not keep time is never held")
    func anOutputThatWaitsIsNotHeld() {
        var machine = playing()
        #expect(machine.level(0, isComplete: false, mayStarve: false) == [])
    }

    @Test("The output plays to the end of the input without being held")
    func theEndOfTheInputIsNoReasonToHold() {
        var machine = playing()
        #expect(machine.level(0.03, isComplete: true, mayStarve: true) == [])
        #expect(machine.outputEnded() == [.pauseOutput, .finish, .announce(.ended)])
        #expect(machine.play() == [.rewind, .announce(.buffering)])
    }

    @Test("A pause holds the output until playback resumes")
    func pauseAndResume() {
        var machine = playing()
        #expect(machine.pause() == [.pauseOutput, .announce(.paused)])
        #expect(machine.level(3, isComplete: false, mayStarve: true) == [])
        #expect(machine.play() == [.announce(.buffering)])
        #expect(machine.level(3, isComplete: false, mayStarve: true) == [goOn])
    }

    @Test("No output starts while it is changed, and afterwards playback continues if it was wanted")
    func aChangedOutputStartsAfterTheChange() {
        var machine = playing()
        machine.leaveOutput()
        #expect(machine.level(3, isComplete: false, mayStarve: true) == [])
        #expect(machine.sounded() == [])
        #expect(machine.changedOutput() == [.announce(.buffering)])
        #expect(machine.level(0.17, isComplete: false, mayStarve: true) == [goOn])
        #expect(machine.sounded() == [.announce(.playing)])
        _ = machine.pause()
        machine.leaveOutput()
        #expect(machine.changedOutput() == [])
        #expect(machine.status == .paused && !machine.awaitsOutput)
        // An output that was lost is not awaited any more.
        _ = machine.play()
        _ = machine.lostOutput()
        machine.leaveOutput()
        #expect(machine.changedOutput() == [])
        #expect(machine.level(1, isComplete: false, mayStarve: true) == [goOn])
    }

    @Test("A seek drops the decoded samples and starts again")
    func aSeekDropsAndStartsAgain() {
        var machine = playing()
        #expect(machine.seek() == [.dropDecoded, .announce(.buffering)])
        #expect(machine.level(0.3, isComplete: false, mayStarve: true) == [startElsewhere])
        _ = machine.sounded()
        _ = machine.pause()
        #expect(machine.seek() == [.dropDecoded])
        #expect(machine.status == .paused)
    }

    @Test("A seek before the input is open drops nothing")
    func aSeekBeforeTheInputIsOpenDropsNothing() {
        var machine = PlaybackMachine()
        _ = machine.open(andPlay: true)
        #expect(machine.seek() == [])
    }

    @Test("A failure is reported when the buffered sound has been heard")
    func aFailureIsFeltWhenWhatIsThereHasBeenHeard() {
        var machine = playing()
        #expect(machine.failed(hasSoundAhead: true) == [])
        #expect(machine.status == .playing)
        #expect(machine.outputEnded() == [.pauseOutput, .fail, .announce(.failed)])
        #expect(machine.play() == [.reopen])
    }

    @Test("A failure with nothing buffered is reported at once")
    func aFailureWithNothingAheadIsFeltAtOnce() {
        var machine = PlaybackMachine()
        _ = machine.open(andPlay: true)
        #expect(machine.failed(hasSoundAhead: false) == [.fail, .announce(.failed)])
    }

    @Test("The last status is reported once")
    func theLastWordIsSaidOnce() {
        var machine = playing()
        _ = machine.outputEnded()
        #expect(machine.stop() == [])
        machine = playing()
        #expect(machine.stop() == [.announce(.stopped)])
        #expect(machine.stop() == [])
    }

    @Test("A stalled output is reported as buffering")
    func anOutputThatStandsStillIsNotPlaying() {
        var machine = playing()
        #expect(machine.stalled() == [.announce(.buffering)])
        #expect(machine.sounded() == [.announce(.playing)])
    }

    @Test("An output that has gone is waited for, and starts with what has been decoded")
    func aLostOutputIsWaitedFor() {
        var machine = playing()
        #expect(machine.lostOutput() == [.searchOutput, .announce(.buffering)])
        #expect(machine.level(5, isComplete: false, mayStarve: true) == [])
        #expect(machine.play() == [])
        machine.foundOutput()
        #expect(
            machine.level(5, isComplete: false, mayStarve: true) == [.startOutput(fades: true, dropsUnheard: false)]
        )
    }

    @Test("Nothing waits for an output in a pause, after a stop, and for another input")
    func aPauseEndsTheWait() {
        var machine = playing()
        _ = machine.lostOutput()
        #expect(machine.pause() == [.pauseOutput, .announce(.paused)])
        #expect(!machine.awaitsOutput && machine.lostOutput() == [])
        _ = machine.play()
        #expect(machine.lostOutput() == [.searchOutput])
        _ = machine.stop()
        #expect(!machine.awaitsOutput)
        machine = playing()
        _ = machine.lostOutput()
        _ = machine.open(andPlay: true)
        #expect(!machine.awaitsOutput)
    }
}
