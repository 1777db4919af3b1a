import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

/// A player lends the buffer that it plays to what only reads it, instead of copying it: nothing else may ever reach it.
@Suite struct PlayerLendingTests {
    /// Makes its channels thrice as loud where they lie.
    private final class TripleUnit: AVAudioUnitEffect, @unchecked Sendable {
        // Unchecked: it holds nothing.
        override func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
            Kernel(channelCount: Int(format.channelCount))
        }

        private final class Kernel: AVAudioUnitKernel {
            private let channelCount: Int

            init(channelCount: Int) { self.channelCount = channelCount }

            override func process(
                _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
                into output: UnsafePointer<UnsafeMutablePointer<Float>>,
                frameCount: Int
            ) {
                var channel = 0
                while channel < channelCount {
                    var frame = 0
                    while frame < frameCount {
                        // The input is written, too, as a unit may that works in place.
                        input[channel][frame] *= 3
                        output[channel][frame] = input[channel][frame]
                        frame += 1
                    }
                    channel += 1
                }
            }
        }
    }

    private let left = noise(4_000)
    private let right = noise(4_000, channel: 1)

    /// A player of `left` and `right`, which is attached and plays once the engine runs.
    private func player(in rig: OfflineRig, loops: Bool = true) -> (AVAudioPlayerNode, AVAudioPCMBuffer) {
        let (player, sound) = (AVAudioPlayerNode(), buffer([left, right]))
        rig.engine.attach(player)
        player.scheduleBuffer(sound, at: nil, options: loops ? .loops : [])
        return (player, sound)
    }

    private func expectUntouched(_ sound: AVAudioPCMBuffer, _ location: SourceLocation = #_sourceLocation) {
        #expect(samples(of: sound) == [left, right], sourceLocation: location)
    }

    private func samples(of sound: AVAudioPCMBuffer) -> [[Float]] {
        (0..<2).map {
            Array(UnsafeBufferPointer(start: sound.floatChannelData![$0], count: Int(sound.frameLength)))
        }
    }

    private func looped(_ samples: [Float], _ frames: Range<Int>, _ change: (Float) -> Float = { $0 }) -> [Float] {
        frames.map { change(samples[$0 % samples.count]) }
    }

    // MARK: What stands behind it

    /// In every block length: those that meet the seam of the loop are not lent, those beside it are.
    @Test("A looped buffer repeats sample for sample at every block length", arguments: [1, 7, 480, 1_000, 4_096])
    func aLoopIsTheBufferAgainAndAgain(_ block: Int) throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.play()
        let output = try rig.render(9_001, block: block)
        #expect(output == [looped(left, 0..<9_001), looped(right, 0..<9_001)])
        expectUntouched(sound)
    }

    /// Gains, the mixer's and those of an effect behind it, are the mixer's own samples'.
    @Test("Gains behind a player do not change its scheduled buffer")
    func gainsBehindThePlayerLeaveItsBufferAlone() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        let (mixer, unit) = (AVAudioMixerNode(), TripleUnit())
        for node in [mixer, unit] { rig.engine.attach(node) }
        rig.engine.connect(player, to: mixer, format: rig.format)
        rig.engine.connect(mixer, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        mixer.outputVolume = 0.5
        try rig.engine.start()
        player.play()
        _ = try rig.render(4_000)
        let output = try rig.render(8_000, block: 300)
        #expect(output == [looped(left, 0..<8_000) { $0 * 0.5 * 3 }, looped(right, 0..<8_000) { $0 * 0.5 * 3 }])
        expectUntouched(sound)
    }

    @Test("An effect right behind a player writes into a copy")
    func anEffectRightBehindItWritesIntoACopy() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        let unit = TripleUnit()
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.play()
        #expect(try rig.render(8_000)[1] == looped(right, 0..<8_000) { $0 * 3 })
        expectUntouched(sound)
    }

    @Test("A node that reuses a render slot writes into its own memory")
    func aNodeThatTakesTheFreedSlotWritesIntoItsOwnMemory() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 0, format: rig.format)
        // The mixer has added the player up before the next is rendered: into what the player's slot was.
        let source = AVAudioSourceNode(format: rig.format) { _, _, count, list in
            list.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self).update(repeating: 1, count: Int(count))
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 1, format: rig.format)
        try rig.engine.start()
        player.play()
        #expect(try rig.render(8_000)[0] == looped(left, 0..<8_000) { $0 + 1 })
        expectUntouched(sound)
    }

    // MARK: Several readers

    @Test("Two connection points of a player get the same samples")
    func twoConnectionPointsHearTheSame() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
        for mixer in [first, second] {
            rig.engine.attach(mixer)
            rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: rig.format)
        }
        let points = [first, second].map { AVAudioConnectionPoint(node: $0, bus: 0) }
        rig.engine.connect(player, to: points, fromBus: 0, format: rig.format)
        first.outputVolume = 0.5
        second.outputVolume = 0.25
        try rig.engine.start()
        player.play()
        _ = try rig.render(4_000)
        #expect(try rig.render(8_000)[1] == looped(right, 0..<8_000) { $0 * 0.5 + $0 * 0.25 })
        expectUntouched(sound)
    }

    @Test("An effect on one of two paths does not change the other path")
    func anEffectOnOneOfTwoWaysDoesNotReachTheOther() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        let unit = TripleUnit()
        rig.engine.attach(unit)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 1, format: rig.format)
        let points = [
            AVAudioConnectionPoint(node: unit, bus: 0), AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 0),
        ]
        rig.engine.connect(player, to: points, fromBus: 0, format: rig.format)
        try rig.engine.start()
        player.play()
        let output = try rig.render(8_000)[0]
        let expected = looped(left, 0..<8_000) { $0 + $0 * 3 }
        #expect(output == expected)
        expectUntouched(sound)
    }

    /// The tap reads what was lent, in full, whatever the mixer makes of it.
    @Test("A tap on a player gets its samples before the mixer's gain")
    func aTapOnThePlayerHearsItAsItIs() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let caught = Caught()
        player.installTap(onBus: 0, bufferSize: 500, format: nil) { buffer, _ in caught.add(buffer) }
        player.volume = 0
        try rig.engine.start()
        player.play()
        _ = try rig.render(8_000, block: 700)
        rig.engine.stop()
        #expect(caught.samples == looped(left, 0..<8_000))
        expectUntouched(sound)
    }

    private final class Caught: @unchecked Sendable {
        // Unchecked: written by the tap's queue alone, and read when the engine has stopped, which waits for it.
        private let lock = NSLock()
        private var list: [Float] = []
        var samples: [Float] { lock.withLock { list } }

        func add(_ buffer: AVAudioPCMBuffer) {
            lock.withLock {
                list += UnsafeBufferPointer(start: buffer.floatChannelData![0], count: Int(buffer.frameLength))
            }
        }
    }

    // MARK: Volume

    @Test("A player that was muted comes back at its current frame")
    func aSilentPlayerComesBackAtItsFrame() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.volume = 0
        try rig.engine.start()
        player.play()
        _ = try rig.render(1_000)
        #expect(try rig.render(3_000) == [[Float]](repeating: [Float](repeating: 0, count: 3_000), count: 2))
        player.volume = 1
        player.pan = -1
        // 10 ms, over which both move.
        _ = try rig.render(1_000)
        let panned = try rig.render(3_000)
        #expect(panned == [looped(left, 5_000..<8_000), [Float](repeating: 0, count: 3_000)])
        expectUntouched(sound)
    }

    // MARK: Afterwards

    /// A buffer that has been played belongs to the caller again: here it is filled with other samples between two renders.
    @Test("A buffer that has been played is not read again")
    func whatHasBeenPlayedIsNotReadAgain() throws {
        let rig = try OfflineRig()
        let (player, first) = player(in: rig, loops: false)
        let second = buffer([right, left])
        player.scheduleBuffer(second)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.play()
        #expect(try rig.render(4_000, block: 500) == [left, right])
        overwrite(first)
        #expect(try rig.render(4_000, block: 500) == [right, left])
        overwrite(second)
        #expect(try rig.render(600, block: 200)[0] == [Float](repeating: 0, count: 600))
    }

    /// After 5 ms, in which it fades, a stop leaves nothing; and what is scheduled then begins at its first frame.
    @Test("A stop releases the buffer")
    func aStopLetsGoOfTheBuffer() throws {
        let rig = try OfflineRig()
        let (player, sound) = player(in: rig)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.play()
        _ = try rig.render(1_000)
        player.stop()
        _ = try rig.render(300)
        overwrite(sound)
        #expect(try rig.render(1_000)[0] == [Float](repeating: 0, count: 1_000))
        player.scheduleBuffer(buffer([right, left]))
        player.play()
        #expect(try rig.render(4_000, block: 480) == [right, left])
    }

    @Test("Detaching a player leaves the other player playing")
    func aDetachedPlayerIsGoneAndTheOtherGoesOn() throws {
        let rig = try OfflineRig()
        let (gone, sound) = player(in: rig)
        let (other, kept) = player(in: rig)
        for node in [gone, other] { rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format) }
        try rig.engine.start()
        gone.play()
        other.play()
        #expect(try rig.render(1_000)[0] == looped(left, 0..<1_000) { $0 + $0 })
        rig.engine.detach(gone)
        overwrite(sound)
        #expect(try rig.render(8_000)[0] == looped(left, 1_000..<9_000))
        expectUntouched(kept)
    }

    private func overwrite(_ sound: AVAudioPCMBuffer) {
        for channel in 0..<2 {
            sound.floatChannelData![channel].update(repeating: 9, count: Int(sound.frameLength))
        }
    }
}
