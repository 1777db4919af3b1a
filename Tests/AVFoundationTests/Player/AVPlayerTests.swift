import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

@Suite struct AVPlayerTests {
    private let files: PlayerFiles

    init() throws { files = try PlayerFiles() }

    @Test("A rate set before the item is ready takes effect when it is")
    func aRateIsKeptUntilTheItemIsReadyAndThenPlays() async throws {
        let item = AVPlayerItem(url: try files.sine())
        let rig = PlayerRig([item])
        #expect(item.duration.isIndefinite)
        #expect(rig.player.timeControlStatus == .paused)
        #expect(rig.player.reasonForWaitingToPlay == nil)
        rig.player.play()
        #expect(rig.player.rate == 1)
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        #expect(item.status == .readyToPlay)
        #expect(rig.player.status == .readyToPlay)
        #expect(item.duration == CMTime(value: 44_100, timescale: 44_100))
        #expect(item.isPlaybackLikelyToKeepUp)
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(abs(cents(from: 441, to: toneFrequency(rig.sound, sampleRate: 44_100))) < 1)
        #expect(abs(rig.sound.count - 44_100) < 256)
    }

    @Test("The end of an item is reported before the rate changes")
    func anItemThatEndsIsReportedBeforeTheRateChanges() async throws {
        let item = AVPlayerItem(url: try files.sine(seconds: 0.5))
        let rig = PlayerRig([item])
        let list = NotificationList(of: item, ["end": .AVPlayerItemDidPlayToEndTime])
        let rates = NotificationList(
            of: rig.player,
            ["rate": AVPlayer.rateDidChangeNotification],
            into: list.events
        )
        rig.player.play()
        #expect(rig.crank { list.events.count(of: "rate") == 2 })
        #expect(rates.events.all == ["rate", "end", "rate"])
        #expect(rig.player.rate == 0)
        #expect(abs(rig.player.currentTime().seconds - 0.5) < 1e-3)
        #expect(item.currentTime() == rig.player.currentTime())

        // There is nothing to play before a seek.
        rig.player.play()
        #expect(rig.player.rate == 0)
        rig.player.seek(to: .zero) { _ in }
        #expect(rig.player.currentTime() == .zero)
        rig.player.play()
        #expect(rig.crank { list.events.count(of: "end") == 2 })
    }

    @Test("With the action none, the rate stays at the end")
    func theRateHoldsAtTheEndWithTheActionNone() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 0.3))])
        rig.player.actionAtItemEnd = .none
        rig.player.play()
        #expect(rig.crank { rig.player.currentTime().seconds > 0.299 })
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        #expect(rig.player.rate == 1)
        #expect(rig.crank { abs(rig.player.currentTime().seconds - 0.3) < 2e-3 })
        let before = rig.sound.count
        // Without another call of play().
        rig.player.seek(to: .zero) { _ in }
        #expect(rig.crank { rig.sound.count > before + 10_000 })
    }

    @Test("A seek is exact and the new time is readable at once")
    func aSeekIsExactAndReadsAtOnce() async throws {
        // Each moment is unlike every other.
        let noise = whiteNoise(frameCount: 88_200)
        let rig = PlayerRig([AVPlayerItem(url: try files.write("noise.wav", noise))])
        #expect(rig.crank { rig.player.currentItem?.status == .readyToPlay })
        rig.player.seek(to: CMTime(value: 61_234, timescale: 44_100), toleranceBefore: .zero, toleranceAfter: .zero) {
            _ in
        }
        #expect(rig.player.currentTime().seconds == CMTime(playerSeconds: 61_234 / 44_100.0).seconds)
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        let expected = Array(noise[61_234...])
        #expect(rig.sound.count == expected.count)
        #expect(residualDecibels(expected, rig.sound) < -80)
    }

    @Test("A new seek replaces a pending seek")
    func aSeekReplacesOneThatIsUnderWay() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 3))])
        let events = EventList()
        for time in [1.0, 2.0, 2.5] {
            rig.player.seek(to: CMTime(seconds: time, preferredTimescale: 1000)) { events.add("\(time) \($0)") }
        }
        #expect(rig.player.currentTime().seconds == 2.5)
        #expect(rig.crank { events.all.count == 3 })
        #expect(events.all == ["1.0 false", "2.0 false", "2.5 true"])
    }

    @Test("All kinds of seeks complete")
    func seeksOfEveryKindComplete() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 2))])
        for time in [CMTime.zero, .positiveInfinity, CMTime(value: 3, timescale: 2), .negativeInfinity] {
            #expect(await rig.player.seek(to: time))
        }
        #expect(await rig.player.seek(to: .invalid) == false)
        #expect(await rig.player.currentItem?.seek(to: CMTime(value: 1, timescale: 2)) == true)
        #expect(rig.player.currentTime().seconds == 0.5)
        rig.player.replaceCurrentItem(with: nil)
        #expect(await rig.player.seek(to: .zero) == false)
    }

    @Test("An item that cannot be opened fails and the player stays usable")
    func anItemThatCannotBeOpenedFailsAndThePlayerGoesOn() async throws {
        let missing = AVPlayerItem(url: URL(fileURLWithPath: files.scratch.file("missing.wav")))
        let rig = PlayerRig([missing])
        rig.player.play()
        #expect(rig.crank { missing.status == .failed })
        #expect((missing.error as? AVError)?.reason.rawValue == "file.notFound")
        #expect(rig.player.rate == 0)
        #expect(rig.player.status == .unknown)
        rig.player.play()
        #expect(rig.player.rate == 0)
        #expect(missing.errorLog()?.events.first?.errorDomain == "file.notFound")
        let sine = AVPlayerItem(url: try files.sine(seconds: 0.3))
        rig.player.replaceCurrentItem(with: sine)
        #expect(missing.player == nil)
        rig.player.play()
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
    }

    @Test("An item belongs to only one player")
    func anItemBelongsToOnePlayer() async throws {
        let item = AVPlayerItem(url: try files.sine())
        let first = PlayerRig([item])
        let second = PlayerRig([item])
        #expect(first.player.currentItem === item)
        #expect(second.player.currentItem == nil)
        first.player.replaceCurrentItem(with: nil)
        second.player.replaceCurrentItem(with: item)
        #expect(second.player.currentItem === item)
    }

    @Test("Playback ends at the forward end time")
    func playingEndsWhereTheItemSays() async throws {
        let item = AVPlayerItem(url: try files.sine(seconds: 2))
        item.forwardPlaybackEndTime = CMTime(value: 7, timescale: 10)
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(abs(rig.sound.count - Int(0.7 * 44_100)) < 256)
        #expect(abs(rig.player.currentTime().seconds - 0.7) < 1e-3)
        #expect(item.duration.seconds == 2)
    }

    @Test(
        "The time pitch algorithm determines the pitch",
        arguments: [(AVAudioTimePitchAlgorithm.varispeed, 661.5), (.timeDomain, 441), (.spectral, 441)]
    )
    func theAlgorithmDecidesAboutThePitch(_ algorithm: AVAudioTimePitchAlgorithm, _ frequency: Double) async throws {
        let item = AVPlayerItem(url: try files.sine(seconds: 1.5))
        item.audioTimePitchAlgorithm = algorithm
        let rig = PlayerRig([item])
        rig.player.rate = 1.5
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(abs(Double(rig.sound.count) / 44_100 - 1) < 0.02)
        let middle = Array(rig.sound[4_410..<39_690])
        #expect(abs(cents(from: frequency, to: toneFrequency(middle, sampleRate: 44_100))) < 5)
    }

    @Test("Volume and muting take effect")
    func volumeAndMutingAreHeard() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 3))])
        rig.player.volume = 0.1
        rig.player.play()
        #expect(rig.crank { rig.sound.count > 22_050 })
        #expect(abs(levelDecibels(Array(rig.sound[2_000..<20_000])) + 20 + 9.03) < 0.1)
        rig.player.isMuted = true
        let before = rig.output.count
        #expect(rig.crank { rig.output.count > before + 8_820 })
        #expect(rig.output.suffix(4_410).allSatisfy { $0 == 0 })
        #expect(rig.player.volume == 0.1)
    }

    @Test("A mix changes the volume over time")
    func aMixChangesTheVolumeOverTime() async throws {
        let item = AVPlayerItem(url: try files.sine(seconds: 2))
        let parameters = AVMutableAudioMixInputParameters()
        parameters.setVolumeRamp(
            fromStartVolume: 1,
            toEndVolume: 0,
            timeRange: CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 1))
        )
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        item.audioMix = mix
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { !rig.sound.isEmpty })
        rig.crank(seconds: 1.4)
        let first = try #require(rig.output.firstIndex { $0 != 0 })
        func level(_ seconds: Double) -> Double {
            let frame = first + Int(seconds * 44_100)
            return levelDecibels(Array(rig.output[(frame - 441)..<(frame + 441)]))
        }
        #expect(abs(level(0.3) + 9.03) < 0.1)
        // Steps of 20 ms, each a ramp of 10 ms, in a slope of 1 a second.
        #expect(abs(pow(10, (level(1.0) + 9.03) / 20) - 0.5) < 0.06)
        #expect(abs(pow(10, (level(1.25) + 9.03) / 20) - 0.25) < 0.06)
    }
}
