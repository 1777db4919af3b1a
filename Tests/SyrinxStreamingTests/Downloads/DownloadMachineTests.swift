import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("Download scheduling") struct DownloadMachineTests {
    private func machine(limit: Int = 2, _ names: String...) -> DownloadMachine {
        var machine = DownloadMachine(limit: limit, settleTime: 2)
        for name in names { _ = machine.add(download(name)) }
        return machine
    }

    private func download(_ id: String, _ state: Download.State = .queued) -> Download {
        Download(
            id: id,
            url: URL(fileURLWithPath: "/" + id),
            addedAt: Date(timeIntervalSince1970: 0),
            sha256: nil,
            state: state,
            receivedByteCount: 0
        )
    }

    private func states(_ machine: DownloadMachine) -> [Download.State] { machine.downloads.map(\.state) }

    /// In short: `start a`, `stop a`, `save a`, `a downloading`, `wait 2.0`.
    private func short(_ actions: [DownloadMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .start(let id, _): "start \(id)"
            case .stop(let id): "stop \(id)"
            case .save(let id): "save \(id)"
            case .erase(let id): "erase \(id)"
            case .release(let id): "release \(id)"
            case .tell(let download): "\(download.id) \(download.state)"
            case .tellRemoved(let id): "\(id) removed"
            case .wait(_, let seconds): "wait \(seconds)"
            }
        }
    }

    private func token(_ actions: [DownloadMachine.Action]) -> Int? {
        for case .wait(let token, _) in actions { return token }
        return nil
    }

    private let failure = SyrinxError(.unknown, "it failed", name: "a")

    @Test("Downloads run in order, no more than the limit at once")
    func noMoreThanTheLimitRunInTheirOrder() {
        var machine = machine("a", "b")
        #expect(states(machine) == [.downloading, .downloading])
        #expect(short(machine.add(download("c"))) == ["c queued"])
        #expect(short(machine.ended("a", run: 1, .whole)) == ["a completed", "save a", "c downloading", "start c"])
        #expect(machine.add(download("c")).isEmpty)
        #expect(machine.ended("a", run: 1, .whole).isEmpty)
    }

    @Test("A paused download lets the next one start")
    func aPauseGivesThePlaceToTheNext() {
        var machine = machine(limit: 1, "a", "b")
        #expect(short(machine.pause("a")) == ["stop a", "a paused", "save a", "b downloading", "start b"])
        // What the old run still tells is nobody's business.
        #expect(machine.progressed("a", run: 1, received: 9, length: 10).isEmpty)
        #expect(machine.ended("a", run: 1, .failed(failure)).isEmpty)
        #expect(short(machine.resume("a")) == ["a queued", "save a"])
        #expect(short(machine.ended("b", run: 1, .failed(failure))).suffix(2) == ["a downloading", "start a"])
        #expect(states(machine) == [.downloading, .failed])
        #expect(machine.download("b")?.error?.code == .unknown)
        #expect(short(machine.resume("b")) == ["b queued", "save b"])
        #expect(machine.download("b")?.error == nil)
    }

    @Test("Downloads stop while a stream needs the network")
    func streamsHaveTheRightOfWay() throws {
        var machine = machine("a", "b")
        _ = machine.add(download("c"))
        _ = machine.verifies("b", run: 1)
        #expect(short(machine.lineChanged(isTaken: true)) == ["stop a", "a givingWay"])
        #expect(machine.lineChanged(isTaken: true).isEmpty)
        // What is checked needs no line, and what comes after it does.
        #expect(short(machine.ended("b", run: 1, .whole)) == ["b completed", "save b"])
        #expect(short(machine.add(download("d"))) == ["d queued"])
        let first = try #require(token(machine.lineChanged(isTaken: false)))
        _ = machine.lineChanged(isTaken: true)
        #expect(machine.timerFired(first).isEmpty)
        let actions = machine.lineChanged(isTaken: false)
        #expect(short(actions) == ["wait 2.0"])
        let second = try #require(token(actions))
        #expect(short(machine.timerFired(second)) == ["a downloading", "start a", "c downloading", "start c"])
        #expect(machine.timerFired(second).isEmpty)
    }

    @Test("A resource that changes or breaks is fetched again three times")
    func whatChangesOrBreaksIsBegunAgainThreeTimes() {
        for outcome in [DownloadMachine.Outcome.changed(failure), .damaged] {
            var machine = machine("a")
            _ = machine.progressed("a", run: 1, received: 5, length: 10)
            for run in 0..<DownloadMachine.maximumRestarts {
                let told = short(machine.ended("a", run: 1 + 2 * run, outcome))
                #expect(told == ["a queued", "a downloading", "start a"])
            }
            let last = machine.ended("a", run: 1 + 2 * DownloadMachine.maximumRestarts, outcome)
            #expect(short(last) == ["a failed", "save a"])
        }
        var machine = machine("a")
        _ = machine.progressed("a", run: 1, received: 5, length: 10)
        _ = machine.ended("a", run: 1, .changed(failure))
        #expect(machine.download("a")?.receivedByteCount == 0)
        #expect(machine.download("a")?.length == nil)
    }

    @Test("A removed download is erased, a cancelled one is kept")
    func whatIsRemovedIsErasedAndWhatIsCancelledIsLeft() {
        var machine = machine(limit: 1, "a", "b", "c")
        #expect(
            short(machine.remove("a", erases: true)) == ["stop a", "erase a", "a removed", "b downloading", "start b"]
        )
        #expect(short(machine.remove("c", erases: false)) == ["release c", "c removed"])
        #expect(machine.remove("c", erases: false).isEmpty)
        #expect(machine.downloads.map(\.id) == ["b"])
    }

    @Test("A download waits for the network and resumes with it")
    func theNetworkComesAndGoes() {
        var machine = machine("a")
        #expect(short(machine.networkChanged("a", run: 1, isThere: false)) == ["a waitingForNetwork"])
        #expect(short(machine.networkChanged("a", run: 1, isThere: true)) == ["a downloading"])
    }

    @Test("The next run continues unfinished downloads")
    func theNextRunGoesOnWithWhatWasNotDone() {
        var machine = DownloadMachine(limit: 2, settleTime: 2)
        machine.restore([download("a", .completed), download("b", .paused), download("c"), download("d", .failed)])
        #expect(short(machine.begin()) == ["c downloading", "start c"])
        #expect(short(machine.close()) == ["stop c", "c queued"])
        #expect(machine.add(download("e")).count == 1)
    }
}
