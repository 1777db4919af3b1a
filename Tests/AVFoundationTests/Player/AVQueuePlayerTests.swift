import Foundation
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import AVFoundation

@Suite struct AVQueuePlayerTests {
    private let files: PlayerFiles

    init() throws { files = try PlayerFiles() }

    /// Parts of noise, and the whole.
    private func cut(_ frames: [Int]) throws -> (whole: [Float], items: [AVPlayerItem]) {
        let noise = whiteNoise(frameCount: frames.reduce(0, +))
        var (start, items): (Int, [AVPlayerItem]) = (0, [])
        for (index, count) in frames.enumerated() {
            items.append(AVPlayerItem(url: try files.write("\(index).wav", Array(noise[start..<(start + count)]))))
            start += count
        }
        return (noise, items)
    }

    @Test("Items of a queue follow each other without a gap")
    func itemsFollowEachOtherOnTheNextSample() async throws {
        let (whole, items) = try cut([20_123, 13_001, 30_777])
        let rig = PlayerRig(items, waits: true)
        let events = EventList()
        let lists = items.enumerated().map { index, item in
            NotificationList(of: item, ["end \(index)": .AVPlayerItemDidPlayToEndTime], into: events)
        }
        let current = rig.player.observe(\.currentItem) { player, _ in
            events.add("current \(items.firstIndex { $0 === player.currentItem } ?? -1)")
        }
        rig.player.play()
        #expect(rig.crank { events.all.last == "current -1" })
        #expect(events.all == ["end 0", "current 1", "end 1", "current 2", "end 2", "current -1"])
        #expect(rig.sound.count == whole.count)
        #expect(residualDecibels(whole, rig.sound) < -80)
        #expect(rig.player.items().isEmpty)
        #expect(rig.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(items.allSatisfy { $0.player == nil })
        withExtendedLifetime((lists, current)) {}
    }

    @Test("An item that fails is skipped")
    func anItemThatFailsIsPassedOver() async throws {
        let (whole, parts) = try cut([30_000, 20_000])
        let missing = AVPlayerItem(url: URL(fileURLWithPath: files.scratch.file("missing.wav")))
        let rig = PlayerRig([parts[0], missing, parts[1]], waits: true)
        rig.player.play()
        #expect(rig.crank { rig.player.currentItem == nil })
        #expect(missing.status == .failed)
        #expect(rig.sound.count == whole.count)
        #expect(residualDecibels(whole, rig.sound) < -80)
    }

    @Test("A failed first item is skipped and a failed last item stays")
    func theFirstItemMayFailAndTheLastStaysWithItsError() async throws {
        let missing = (0..<2).map { AVPlayerItem(url: URL(fileURLWithPath: files.scratch.file("\($0).none"))) }
        let sine = AVPlayerItem(url: try files.sine(seconds: 0.3))
        let rig = PlayerRig([missing[0], sine, missing[1]])
        rig.player.play()
        #expect(rig.crank { missing[1].status == .failed && rig.player.rate == 0 })
        #expect(rig.player.currentItem === missing[1])
        #expect(abs(rig.sound.count - 13_230) < 256)
    }

    @Test("The queue can be edited during playback")
    func theListCanBeEditedWhileItPlays() async throws {
        let (whole, items) = try cut([20_000, 15_000, 10_000, 25_000])
        let rig = PlayerRig([items[0], items[1]], waits: true)
        rig.player.play()
        #expect(rig.crank { rig.sound.count > 5_000 })
        #expect(rig.player.canInsert(items[0], after: nil) == false)
        #expect(rig.player.canInsert(items[3], after: items[2]) == false)
        rig.player.insert(items[3], after: items[0])
        rig.player.remove(items[1])
        rig.player.insert(items[2], after: items[0])
        #expect(
            rig.player.items().map(ObjectIdentifier.init) == [items[0], items[2], items[3]].map(ObjectIdentifier.init)
        )
        #expect(items[1].player == nil)
        #expect(rig.crank { rig.player.currentItem === items[2] })
        #expect(rig.crank { rig.player.currentItem == nil })
        // What had been decoded to follow is heard until its turn is reported.
        let tail = Array(whole[35_000...])
        #expect(residualDecibels(tail, Array(rig.sound.suffix(tail.count))) < -80)
    }

    @Test("Advancing or removing the current item continues with the next")
    func advancingAndRemovingTheCurrentItemGoOnWithTheNext() async throws {
        let items = try (0..<3).map { AVPlayerItem(url: try files.sine("\($0).wav", seconds: 2, frequency: 441)) }
        let rig = PlayerRig(items, waits: true)
        rig.player.play()
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        rig.player.advanceToNextItem()
        #expect(rig.player.currentItem === items[1])
        #expect(rig.crank { items[1].status == .readyToPlay && rig.player.timeControlStatus == .playing })
        rig.player.remove(items[1])
        #expect(rig.player.currentItem === items[2])
        #expect(rig.crank { items[2].status == .readyToPlay && rig.player.timeControlStatus == .playing })
        rig.player.removeAllItems()
        #expect(rig.player.currentItem == nil)
        #expect(rig.player.currentTime() == .zero)
    }

    @Test("Queued items start where they were seeked to")
    func itemsStartWhereTheyWereSoughtTo() async throws {
        let noise = whiteNoise(frameCount: 30_000)
        let item = AVPlayerItem(url: try files.write("noise.wav", noise))
        #expect(await item.seek(to: CMTime(value: 10_000, timescale: 44_100)))
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 0.3)), item], waits: true)
        rig.player.play()
        #expect(rig.crank { rig.player.currentItem == nil })
        let expected = Array(noise[10_000...])
        #expect(residualDecibels(expected, Array(rig.sound.suffix(expected.count))) < -80)
    }

    @Test("A looper repeats a range without a gap")
    func aLooperRepeatsAPartWithoutAGap() async throws {
        let noise = whiteNoise(frameCount: 44_100)
        let player = PlayerRig([], waits: true)
        player.player.actionAtItemEnd = .advance
        let looper = AVPlayerLooper(
            player: player.player,
            templateItem: AVPlayerItem(url: try files.write("noise.wav", noise)),
            timeRange: CMTimeRange(
                start: CMTime(value: 4_410, timescale: 44_100),
                duration: CMTime(value: 8_820, timescale: 44_100)
            )
        )
        #expect(looper.status == .unknown)
        player.player.play()
        #expect(player.crank { looper.loopCount >= 12 })
        #expect(looper.status == .ready)
        looper.disableLooping()
        #expect(player.crank { player.player.items().isEmpty })
        #expect(looper.status == .cancelled)
        let part = Array(noise[4_410..<13_230])
        let expected = (0..<8).flatMap { _ in part }
        #expect(residualDecibels(expected, Array(player.sound.prefix(expected.count))) < -80)
    }
}

@Suite struct PlayerStateTests {
    private func state(_ action: AVPlayer.ActionAtItemEnd, _ count: Int) -> PlayerState {
        var state = PlayerState(actionAtItemEnd: action)
        state.items = (0..<count).map { _ in AVPlayerItem(url: URL(fileURLWithPath: "/nowhere")) }
        (state.rate, state.streamStatus) = (1, .playing)
        return state
    }

    @Test("The end of an item depends on the action")
    func theEndOfAnItemDependsOnTheAction() {
        for (action, rate) in [(AVPlayer.ActionAtItemEnd.pause, Float(0)), (.none, 1)] {
            var state = state(action, 2)
            let conclusion = state.conclude(failed: false, nextInStream: nil)
            #expect(conclusion == .stay)
            #expect(state.rate == rate)
            #expect(state.isAtEnd)
            #expect(state.items.count == 2)
        }
    }

    @Test("A queue follows when the streamer starts the next item")
    func aQueueFollowsTheStreamerWhereThatPlaysTheNextItem() {
        var following = state(.advance, 2)
        let next = following.items[1].streamID
        let follows = following.conclude(failed: false, nextInStream: next)
        #expect(follows == .follow)
        #expect(following.timeControlStatus == .playing)
        var opening = state(.advance, 2)
        let opens = opening.conclude(failed: false, nextInStream: next)
        #expect(opens == .open)
        #expect(opening.items.count == 1)
    }

    @Test("A failed last item stays in the queue")
    func theLastItemThatFailsStays() {
        var state = state(.advance, 1)
        let conclusion = state.conclude(failed: true, nextInStream: nil)
        #expect(conclusion == .stay)
        #expect(state.items.count == 1)
        #expect(state.rate == 0)
        #expect(!state.isAtEnd)
    }

    @Test("Rates are clamped to their range")
    func ratesAreBroughtIntoTheirRange() {
        let rates: [Float] = [0, -1, .nan, 0.001, 1, 64, .infinity].map(PlayerState.clamped)
        #expect(rates == [0, 0, 0, 1 / 32, 1, 32, 32])
    }

    @Test("The reason for waiting is correct")
    func theReasonForWaitingTellsTheTruth() {
        var state = state(.pause, 1)
        #expect(state.reasonForWaiting == nil)
        state.streamStatus = .buffering
        #expect(state.reasonForWaiting == .toMinimizeStalls)
        state.streamStatus = .opening
        #expect(state.reasonForWaiting == .evaluatingBufferingRate)
        state.items = []
        #expect(state.reasonForWaiting == .noItemToPlay)
        state.rate = 0
        #expect(state.reasonForWaiting == nil)
        #expect(state.timeControlStatus == .paused)
    }
}
