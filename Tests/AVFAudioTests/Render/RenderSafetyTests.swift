import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

/// The render path under an allocation counter: every node, with every kind of change between blocks.
@Suite struct RenderSafetyTests {
    @Test("Rendering allocates no memory")
    func rendersAllocateNothing() throws {
        let rig = try OfflineRig(sampleRate: 48_000)
        let player = AVAudioPlayerNode()
        let timePitch = AVAudioUnitTimePitch()
        let second = AVAudioPlayerNode()
        for node in [player, timePitch, second] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(player, to: timePitch, format: rig.format)
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, format: rig.format)
        let other = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
        rig.engine.connect(second, to: rig.engine.mainMixerNode, format: other)
        let source = AVAudioSourceNode { _, _, count, list in
            list.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)[0] = Float(count)
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        let varispeed = AVAudioUnitVarispeed()
        rig.engine.attach(varispeed)
        let split = [
            AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 7),
            AVAudioConnectionPoint(node: varispeed, bus: 0),
        ]
        rig.engine.connect(source, to: split, fromBus: 0, format: rig.format)
        rig.engine.connect(varispeed, to: rig.engine.mainMixerNode, format: rig.format)
        source.addTap(bufferSize: 64) { _, _ in }
        rig.engine.mainMixerNode.addTap(bufferSize: 512) { _, _ in }
        let tone = sine(500, 200_000)
        player.scheduleBuffer(buffer([tone, tone], sampleRate: 48_000))
        second.scheduleBuffer(buffer([tone]), at: nil, options: .loops)
        try rig.engine.start()
        player.play()
        second.play()

        let crank = try #require(rig.engine.renderCrank())
        let changes: [() -> Void] = [
            {}, { timePitch.rate = 1.7 }, { timePitch.pitch = 300 }, { timePitch.rate = 32 }, { timePitch.rate = 0.04 },
            { timePitch.pitch = -2_400 },
            {
                timePitch.rate = 1; timePitch.pitch = 0
            }, { player.pause() },
            { player.play() }, { rig.engine.hold() }, { rig.engine.release(fades: true, dropsUnheard: false) },
            { player.volume = 0.3 },
            { rig.engine.mainMixerNode.outputVolume = 0.4 }, { second.stop() }, { player.stop() },
            {
                rig.engine.holdForChange(); timePitch.reset(); rig.engine.release(fades: false, dropsUnheard: false)
            },
            {
                player.scheduleStreamed(buffer([tone, tone], sampleRate: 48_000), isLast: true); player.play()
            },
            { timePitch.rate = 30 }, { varispeed.rate = 3.3 }, { varispeed.rate = 0.3 }, { varispeed.bypass = true },
            { varispeed.reset() }, { source.rampVolume(to: 0, over: 300) }, { source.pan = 0.4 },
            { rig.engine.mainMixerNode.rampOutputVolume(to: 1, over: 7) },
        ]
        for (index, change) in changes.enumerated() {
            change()
            for frames in [1, 7, 64, 480, 4096] {
                let count = allocations { crank(frames) }
                #expect(count == 0, "change \(index), \(frames) frames")
            }
        }
    }

    @Test("The allocation counter counts allocations", .enabled(if: !isRealtimeSanitized)) func theCounterCounts() {
        var kept: [Int] = []
        #expect(allocations { kept = (0..<100).map { $0 * 2 } } > 0)
        #expect(kept.count == 100)
    }
}
