import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

/// The render path of a player under an allocation counter: everything that can be asked of it between two blocks.
@Suite struct PlayerSafetyTests {
    @Test("No operation of a player allocates on the render thread")
    func nothingThatAPlayerDoesAllocates() throws {
        let folder = try ScratchDirectory()
        let tone = sine(500, 100_000)
        let sound = buffer([tone, tone])
        var settings = sound.format.settings
        settings[AVLinearPCMIsNonInterleaved] = false
        let url = folder.url("a.wav")
        let writing = try AVAudioFile(forWriting: url, settings: settings)
        try writing.write(from: sound)
        writing.close()
        let file = try AVAudioFile(forReading: url)

        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let crank = try #require(rig.engine.renderCrank())
        let short = buffer([noise(300), noise(300)])
        func at(_ frames: Int64) -> AVAudioTime {
            AVAudioTime(sampleTime: (player.frameNow ?? 0) + frames, atRate: 44_100)
        }
        func node(_ frames: Int64) -> AVAudioTime {
            AVAudioTime(sampleTime: (player.lastRenderTime?.sampleTime ?? 0) + frames, atRate: 44_100)
        }
        let changes: [(String, () -> Void)] = [
            ("nothing", {}),
            ("play with nothing", { player.play() }),
            ("buffer", { player.scheduleBuffer(short, completionHandler: nil) }),
            ("loop", { player.scheduleBuffer(short, at: nil, options: .loops, completionHandler: {}) }),
            ("at loop", { player.scheduleBuffer(sound, at: nil, options: .interruptsAtLoop, completionHandler: {}) }),
            ("interrupt", { player.scheduleBuffer(sound, at: nil, options: .interrupts, completionHandler: {}) }),
            (
                "interrupt later",
                { player.scheduleBuffer(sound, at: at(900), options: .interrupts, completionHandler: {}) }
            ),
            ("interrupt again", { player.scheduleBuffer(short, at: nil, options: .interrupts, completionHandler: {}) }),
            ("starve", {}),
            ("gap", { player.scheduleBuffer(sound, at: at(700), options: [], completionHandler: {}) }),
            ("pause", { player.pause() }),
            ("play later", { player.play(at: node(1_500)) }),
            (
                "volume and pan",
                {
                    player.volume = 0.5; player.pan = -0.5
                }
            ),
            ("stop in the middle", { player.stop() }),
            (
                "file",
                {
                    player.scheduleFile(file, at: nil, completionHandler: {})
                    player.scheduleSegment(file, startingFrame: 9, frameCount: 99, at: nil, completionHandler: {})
                    player.prepare(withFrameCount: 20_000)
                    player.play()
                }
            ),
            ("pause in a file", { player.pause() }),
            ("and on", { player.play() }),
            (
                "seek in a file",
                {
                    player.stop()
                    player.scheduleSegment(
                        file,
                        startingFrame: 50_000,
                        frameCount: 7_000,
                        at: nil,
                        completionHandler: {}
                    )
                    player.prepare(withFrameCount: 7_000)
                    player.play()
                }
            ),
            ("the end of a file", {}),
            ("stop at the end", { player.stop() }),
        ]
        for (name, change) in changes {
            change()
            for frames in [1, 7, 64, 480, 1_024, 4_096] {
                let count = allocations { crank(frames) }
                #expect(count == 0, "\(count) allocations after \(name), \(frames) frames")
            }
        }
    }
}
