import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The times that are reported around pauses, seeks and stops, mostly on a device that keeps its frames to itself for so long that
/// none of it is heard.
@Suite struct ToldTimeTests {
    private func rig(_ scratch: ScratchDirectory, rate: Float = 1, latency: Double = 10_000) throws -> Rig {
        let path = try Inputs.make("in.flac", in: scratch, seconds: 20)
        let rig = Rig()
        rig.device.latency = latency
        rig.streamer.rate = rate
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        return rig
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Plays for a while.
    private func play(_ rig: Rig) {
        #expect(rig.crank { rig.streamer.status == .playing && rig.streamer.playedFrameCount > 10_000 })
    }

    /// All that was told until the streamer was stopped, which this does.
    private func told(_ events: AsyncStream<StreamingEvent>, _ rig: Rig) async -> [StreamingEvent] {
        rig.streamer.stop()
        var told: [StreamingEvent] = []
        for await event in events {
            told.append(event)
            if case .status(.stopped, _) = event { break }
        }
        return told
    }

    /// Returns the last time reported before the status `status` was reported for the last time.
    private func times(_ told: [StreamingEvent], ofLast status: PlaybackStatus) -> (before: Double?, then: Double?) {
        let times = told.compactMap { event -> (status: PlaybackStatus?, time: Double)? in
            switch event {
            case .status(let status, let time): (status, time)
            case .position(let time): (nil, time)
            default: nil
            }
        }
        guard let index = times.lastIndex(where: { $0.status == status }) else { return (nil, nil) }
        return (times[..<index].last?.time, times[index].time)
    }

    /// Frames that a device has been given are heard after the request to pause, and then the fade.
    @Test("A pause reports the time at which the sound stops", arguments: [1, 2] as [Float])
    func aPauseTellsWhereTheSoundWillStand(rate: Float) async throws {
        let scratch = try ScratchDirectory()
        let rig = try rig(scratch, rate: rate)
        let events = rig.streamer.events
        play(rig)
        rig.streamer.pause()
        _ = rig.device.render(frameCount: 512)
        let stands = rig.streamer.playedFrameCount / 44_100
        #expect(stands > 0.2)
        rig.streamer.play()
        let told = await told(events, rig)
        let paused = try #require(times(told, ofLast: .paused).then)
        #expect(abs(paused - stands) < 1.5 / 44_100)
        let resumed = try #require(times(told, ofLast: .buffering).then)
        #expect(abs(resumed - paused) < 1.5 / 44_100)
    }

    /// The frames of a render that is under way at the request to pause cannot be included in its time.
    @Test("A pause reports the final position once the output stands still")
    func whatWasBeingRenderedAtAPauseIsToldOnceItStands() async throws {
        let scratch = try ScratchDirectory()
        let rig = try rig(scratch)
        let asksForPause = Flag()
        let source = AVAudioSourceNode { [weak streamer = rig.streamer] isSilence, _, _, _ in
            isSilence.pointee = true
            if asksForPause.isSet.exchange(false, ordering: .relaxed) { streamer?.pause() }
            return 0
        }
        let events = rig.streamer.events
        play(rig)
        // Before the streamer's own sound in each render.
        let (engine, mixer) = (rig.streamer.engine, rig.streamer.engine.mainMixerNode)
        engine.attach(source)
        engine.connect(rig.streamer.timePitchNode, to: mixer, fromBus: 0, toBus: 1, format: rig.streamer.readFormat)
        engine.connect(source, to: mixer, fromBus: 0, toBus: 0, format: rig.streamer.readFormat)
        asksForPause.isSet.store(true, ordering: .relaxed)
        #expect(rig.crank { rig.streamer.status == .paused })
        _ = rig.device.render(frameCount: 512)
        #expect(waitUntil { rig.streamer.controller.progress.timeline.pausedTime == nil })
        let stands = rig.streamer.playedFrameCount / 44_100
        rig.streamer.play()
        let told = await told(events, rig)
        let last = try #require(times(told, ofLast: .buffering).before)
        #expect(abs(last - stands) < 1.5 / 44_100)
    }

    /// On a device that is heard at once: the position that was told last is up to a tenth of a second old.
    @Test("A stop reports the time that has been heard")
    func aStopTellsWhatHasBeenHeard() async throws {
        let scratch = try ScratchDirectory()
        let rig = try rig(scratch, rate: 2, latency: 0)
        let events = rig.streamer.events
        play(rig)
        _ = rig.device.render(frameCount: 512)
        let heard = rig.streamer.playedFrameCount / 44_100
        let told = times(await told(events, rig), ofLast: .stopped)
        #expect(heard > 0.2)
        #expect(abs(try #require(told.then) - heard) < 1.5 / 44_100)
    }

    /// No status changes then that would tell it.
    @Test("A seek while nothing plays reports its time", arguments: [PlaybackStatus.paused, .buffering])
    func aSeekInSilenceIsTold(status: PlaybackStatus) async throws {
        let scratch = try ScratchDirectory()
        let rig = try rig(scratch)
        let events = rig.streamer.events
        play(rig)
        if status == .paused { rig.streamer.pause() } else { try rig.streamer.seek(to: 3) }
        #expect(rig.streamer.status == status)
        try rig.streamer.seek(to: 12.5)
        #expect(rig.streamer.currentTime == 12.5)
        if status == .paused { rig.streamer.play() }
        let told = times(await told(events, rig), ofLast: status == .paused ? .buffering : .stopped)
        #expect(told.before == 12.5)
        #expect(told.then == 12.5)
    }

    /// The input is unlike itself at every other time, and the limiter leaves it as it is but for the delay.
    @Test("The position is that of the sound that comes out of an effect that looks ahead", arguments: [false, true])
    func theDelayOfEffectsIsTakenOff(bypass: Bool) throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 20)
        let source = try Inputs.decoded(path)[0]
        let rig = Rig()
        let limiter = AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect,
                componentSubType: kAudioUnitSubType_PeakLimiter,
                componentManufacturer: kAudioUnitManufacturer_Apple,
                componentFlags: 0,
                componentFlagsMask: 0
            )
        )
        limiter.bypass = bypass
        rig.streamer.effects = [limiter]
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.playedFrameCount > 60_000 })
        let told = try #require(rig.streamer.currentTime)
        #expect(limiter.latency > 0.012)
        let heard = Array(rig.output.suffix(2_048))
        let nearest = Int(told * 44_100) - heard.count
        let first = try #require(
            (nearest - 4_000...nearest + 4_000).first {
                source[$0] == heard[0] && Array(source[$0..<$0 + 2_048]) == heard
            }
        )
        #expect(abs(Double(first + heard.count) / 44_100 - told) < 0.001, "\(told)")
    }
}
