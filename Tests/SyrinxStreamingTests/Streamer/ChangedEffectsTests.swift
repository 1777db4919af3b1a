import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Effects that change during playback") struct ChangedEffectsTests {
    /// An effect that changes the sound of a chirp, and has no latency.
    private func quiet() -> AVAudioUnitEQ {
        let unit = AVAudioUnitEQ(numberOfBands: 1)
        unit.globalGain = -20
        return unit
    }

    private func peak(_ samples: ArraySlice<Float>) -> Float { samples.map(abs).max() ?? 0 }

    @Test("An effect is heard when it is added, and no more when it is removed, without a gap")
    func addedAndRemoved() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 20)
        let source = try Inputs.decoded(path)[0]
        let rig = Rig()
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.playedFrameCount > 20_000 })
        let (first, second) = (quiet(), quiet())
        rig.streamer.effects = [first]
        rig.crank(frames: 20_480)
        #expect(peak(rig.output.suffix(4_096)) < 0.11 * peak(source[...]))
        #expect(peak(rig.output.suffix(4_096)) > 0)
        rig.streamer.effects = [first, second]
        rig.crank(frames: 20_480)
        #expect(peak(rig.output.suffix(4_096)) < 0.011 * peak(source[...]))
        // The order changes, and nothing else.
        rig.streamer.effects = [second, first]
        rig.crank(frames: 20_480)
        #expect(peak(rig.output.suffix(4_096)) < 0.011 * peak(source[...]))
        rig.streamer.effects = [second]
        rig.streamer.effects = []
        rig.crank(frames: 20_480)
        // All frames of the input came once: the last are those that the decoder gives for their place.
        let heard = Array(rig.output.suffix(2_048))
        let end = Int(rig.streamer.playedFrameCount)
        #expect(Array(source[(end - 2_048)..<end]) == heard)
        #expect(first.engine == nil && second.engine == nil)
    }

    @Test("Effects that are set before an input, or in a pause, are those of what is heard then")
    func silent() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 20)
        let source = try Inputs.decoded(path)[0]
        let rig = Rig()
        let first = quiet()
        rig.streamer.effects = [first]
        rig.streamer.effects = []
        rig.streamer.effects = [first]
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.playedFrameCount > 20_000 })
        #expect(peak(rig.output.suffix(4_096)) < 0.11 * peak(source[...]))
        rig.streamer.pause()
        rig.crank(frames: 4_096)
        rig.streamer.effects = []
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.playedFrameCount > 60_000 })
        #expect(peak(rig.output.suffix(4_096)) > 0.5 * peak(source[...]))
    }
}
