import AVFAudio
import Foundation
import SyrinxDevice
import Testing

/// When things begin, and on which clock.
@Suite struct PlayerTimingTests {
    private func rig(_ sampleRate: Double = 44_100) throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig(sampleRate: sampleRate)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return (rig, player)
    }

    private func ones(_ count: Int, sampleRate: Double = 44_100) -> AVAudioPCMBuffer {
        buffer([[Float]](repeating: [Float](repeating: 1, count: count), count: 2), sampleRate: sampleRate)
    }

    /// Returns the places where the samples change, with the new values.
    private func edges(_ samples: [Float]) -> [Int] {
        samples.indices.filter { samples[$0] != ($0 == 0 ? 0 : samples[$0 - 1]) }
    }

    @Test("A buffer starts at its frame of the player's time", arguments: [1, 64, 480, 1_000])
    func buffersBeginAtTheirFrameOfThePlayersTime(_ block: Int) throws {
        let (rig, player) = try rig()
        _ = try rig.render(777)
        player.play()
        player.scheduleBuffer(ones(100), at: AVAudioTime(sampleTime: 500, atRate: 44_100))
        // At another rate: 0.05 s.
        player.scheduleBuffer(ones(50), at: AVAudioTime(sampleTime: 2_400, atRate: 48_000))
        // Past, when its turn comes: at once.
        player.scheduleBuffer(ones(10), at: AVAudioTime(sampleTime: 3, atRate: 44_100))
        #expect(try edges(rig.render(3_000, block: block)[0]) == [500, 600, 2_205, 2_265])
    }

    @Test("A player starts at the given frame of the node's time", arguments: [1, 64, 480, 1_000])
    func aStartIsAtItsFrameOfTheNodesTime(_ block: Int) throws {
        let (rig, player) = try rig()
        _ = try rig.render(1_000)
        player.scheduleBuffer(ones(100))
        let now = try #require(player.lastRenderTime)
        #expect(now.sampleTime == 1_000)
        player.play(at: AVAudioTime(sampleTime: now.sampleTime + 333, atRate: 44_100))
        #expect(player.isPlaying)
        #expect(try edges(rig.render(300, block: 300)[0]) == [])
        // It runs towards its start.
        #expect(player.frameNow == -33)
        #expect(try edges(rig.render(300, block: block)[0]) == [33, 133])
        #expect(player.frameNow == 267)
        #expect(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 44_100))?.sampleTime == 1_333)
        // The same moments at another rate.
        #expect(player.playerTime(forNodeTime: AVAudioTime(sampleTime: 2_666, atRate: 88_200))?.sampleTime == 0)
    }

    @Test("A start time in the past starts the player at once")
    func aStartThatIsPastIsNow() throws {
        let (rig, player) = try rig()
        _ = try rig.render(1_000)
        player.scheduleBuffer(ones(100))
        player.play(at: AVAudioTime(sampleTime: 5, atRate: 44_100))
        #expect(try edges(rig.render(300)[0]) == [0, 100])
    }

    @Test("Host times apply on a device that keeps time")
    func hostTimesCountWhereADeviceKeepsTime() throws {
        let device = ManualOutput()
        // Its clock: frame n is heard at 1 s + n/48000 s.
        device.latency = 1
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(ones(48, sampleRate: 48_000))
        player.scheduleBuffer(ones(24, sampleRate: 48_000), at: AVAudioTime(hostTime: 1_010_000_000))
        try engine.start()
        player.play(at: AVAudioTime(hostTime: 1_005_000_000))
        var output = device.render(frameCount: 100)[0]
        while output.count < 1_000 { output += device.render(frameCount: 100)[0] }
        #expect(edges(output) == [240, 288, 480, 504])
        let node = try #require(player.lastRenderTime)
        #expect(node.isHostTimeValid)
        let time = try #require(player.playerTime(forNodeTime: node))
        #expect(time.hostTime == node.hostTime)
        #expect(time.sampleTime == 760)
        let start = try #require(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 48_000)))
        #expect(start.sampleTime == 240)
        #expect(start.isHostTimeValid)
        engine.stop()
    }

    @Test("Right after the start the last render time has the host time of the first frame")
    func hostTimeBeforeTheFirstRender() throws {
        let device = ManualOutput()
        device.latency = 1
        let engine = AVAudioEngine()
        engine.outputDevice = device
        defer { engine.stop() }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        let before = try #require(player.lastRenderTime)
        #expect(before.isHostTimeValid && before.hostTime == 1_000_000_000 && before.sampleTime == 0)
        _ = device.render(frameCount: 480)
        let after = try #require(player.lastRenderTime)
        #expect(after.hostTime == 1_010_000_000 && after.sampleTime == 480)
    }

    @Test("Host times have no effect in manual rendering")
    func hostTimesCountForNothingInManualRendering() throws {
        let (rig, player) = try rig()
        player.scheduleBuffer(ones(100), at: AVAudioTime(hostTime: .max))
        player.play(at: AVAudioTime(hostTime: .max))
        #expect(try edges(rig.render(300)[0]) == [0, 100])
    }

    @Test("Before a start at a host time the player's time is negative, and runs towards it")
    func aStartAtAHostTimeIsRunTowards() throws {
        let rig = DeviceRig(sampleRate: 48_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(ones(100, sampleRate: 48_000))
        try rig.engine.start()
        // The device's clock: frame n is heard at n/48000 s.
        _ = try rig.render(480)
        player.play(at: AVAudioTime(hostTime: 30_000_000))
        #expect(try edges(rig.render(480)[0]) == [])
        #expect(player.frameNow == -480)
        #expect(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 48_000))?.sampleTime == 1_440)
        #expect(try edges(rig.render(960, block: 100)[0]) == [480, 580])
        #expect(player.frameNow == 480)
    }

    private func playingOnADevice() throws -> (DeviceRig, AVAudioPlayerNode) {
        let rig = DeviceRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.play()
        return (rig, player)
    }

    @Test("A sound in place of an equal one is as loud as that all the time", arguments: [64, 480, 1_000])
    func aReplacementIsNoLouder(_ block: Int) throws {
        func level(_ replace: (AVAudioPlayerNode, AVAudioPCMBuffer) -> Void) throws -> ClosedRange<Float> {
            let (rig, player) = try playingOnADevice()
            let sound = buffer([[Float]](repeating: [Float](repeating: 0.8, count: 20_000), count: 2))
            player.scheduleBuffer(sound)
            _ = try rig.render(1_000)
            replace(player, sound)
            let output = try rig.render(2_000, block: block)[0]
            return (output.min() ?? 0)...(output.max() ?? 1)
        }
        let interrupted = try level { $0.scheduleBuffer($1, at: nil, options: .interrupts) }
        #expect(interrupted.lowerBound > 0.799_99 && interrupted.upperBound < 0.800_01)
        let stopped = try level { player, sound in
            player.stop()
            player.scheduleBuffer(sound)
            player.play()
        }
        #expect(stopped.lowerBound > 0.799_99 && stopped.upperBound < 0.800_01)
        // Once more before the fade of the first is over.
        let twice = try level { player, sound in
            player.scheduleBuffer(sound, at: nil, options: .interrupts)
            let soon = AVAudioTime(sampleTime: 1_100, atRate: 44_100)
            player.scheduleBuffer(sound, at: soon, options: .interrupts)
        }
        #expect(twice.upperBound < 0.800_01)
    }

    @Test(
        "A sound that begins in the middle of a fade has the rest of the gain, and one after it begins at its full level"
    )
    func aLateReplacementIsNoLouder() throws {
        for (gap, first) in [(100, 0.8 * Float(101) / 220), (300, 0.8)] {
            let (rig, player) = try playingOnADevice()
            let sound = buffer([[Float]](repeating: [Float](repeating: 0.8, count: 20_000), count: 2))
            player.scheduleBuffer(sound)
            _ = try rig.render(1_000)
            player.stop()
            let fading = try rig.render(gap)[0]
            player.scheduleBuffer(sound)
            player.play()
            let output = try fading + rig.render(1_000)[0]
            let rest = gap < 220 ? 0.8 * Float(219 - gap) / 220 : 0
            #expect(abs(output[gap] - first - rest) < 1e-5)
            #expect((output.max() ?? 1) < 0.800_01)
        }
    }

    @Test("On a device what interrupts begins at its very frame, and takes the gain of what it cuts off")
    func whatInterruptsBeginsAtItsVeryFrame() throws {
        let (rig, player) = try playingOnADevice()
        let old = sine(441, 20_000)
        player.scheduleBuffer(buffer([old, old]))
        _ = try rig.render(1_000)
        let new = noise(5_000)
        player.scheduleBuffer(buffer([new, new]), at: nil, options: .interrupts)
        let late = noise(1_000, channel: 2)
        let when = AVAudioTime(sampleTime: 3_000, atRate: 44_100)
        player.scheduleBuffer(buffer([late, late]), at: when, options: .interrupts)
        let output = try rig.render(3_000, block: 480)[0]
        let fade = 220
        // The old sound fades under the new one, along a straight line.
        let worst = (0..<fade).map { frame in
            let share = Float(fade - 1 - frame) / Float(fade)
            return abs(output[frame] - new[frame] * (1 - share) - old[1_000 + frame] * share)
        }.max()
        #expect(try #require(worst) < 1e-6)
        #expect(Array(output[fade..<2_000]) == Array(new[fade..<2_000]))
        #expect(abs(output[2_000] - late[0] / 220 - new[2_000] * 219 / 220) < 1e-6)
        #expect(Array(output[(2_000 + fade)...]) == Array(late[fade...]))
    }

    @Test("A player that has not started has no player time")
    func timeIsNilWhereThereIsNone() throws {
        let (rig, player) = try rig()
        let some = AVAudioTime(sampleTime: 0, atRate: 44_100)
        #expect(player.playerTime(forNodeTime: some) == nil)
        #expect(player.nodeTime(forPlayerTime: some) == nil)
        player.play()
        _ = try rig.render(100)
        #expect(player.frameNow == 100)
        player.pause()
        #expect(player.playerTime(forNodeTime: some) == nil)
        rig.engine.stop()
        #expect(player.lastRenderTime == nil)
    }
}
