import AVFAudio
import Foundation
import Testing

/// Volume and pan of a player are reached in a straight line over 10 ms.
@Suite struct PlayerMixingTests {
    @Test("Volume and pan changes are ramped over 10 ms", arguments: [1, 7, 64, 480, 4_096])
    func volumeAndPanAreRampedOverTenMilliseconds(_ block: Int) throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let ones = [Float](repeating: 1, count: 50_000)
        player.scheduleBuffer(buffer([ones, ones]))
        try rig.engine.start()
        player.play()
        _ = try rig.render(1_000)
        player.volume = 0.25
        let falling = try rig.render(1_000, block: block)
        let ramp = 441
        for channel in falling {
            for frame in 0..<1_000 {
                let share = Float(min(frame + 1, ramp)) / Float(ramp)
                #expect(abs(channel[frame] - (1 - 0.75 * share)) < 1e-6)
            }
        }
        player.pan = 1
        let panned = try rig.render(1_000, block: block)
        for frame in 0..<1_000 {
            let share = Float(min(frame + 1, ramp)) / Float(ramp)
            #expect(abs(panned[0][frame] - 0.25 * (1 - share)) < 1e-6)
            #expect(panned[1][frame] == 0.25)
        }
    }

    @Test("Volume and pan are clamped, and NaN is ignored")
    func valuesOutsideAreClampedAndNoNumberIsTaken() {
        let player = AVAudioPlayerNode()
        #expect(player.volume == 1)
        #expect(player.pan == 0)
        player.pan = -3
        #expect(player.pan == -1)
        player.pan = .nan
        #expect(player.pan == 0)
        player.volume = -1
        #expect(player.volume == 0)
        player.volume = .infinity
        #expect(player.volume == 0)
    }
}
