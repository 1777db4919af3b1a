import AVFAudio
import Foundation
import Testing

@Suite struct PlayerNodeTests {
    private func playing(_ buffers: [AVAudioPCMBuffer]) throws -> (OfflineRig, AVAudioPlayerNode) {
        try playing(buffers, on: OfflineRig())
    }

    private func playing<Rig: TestRig>(_ buffers: [AVAudioPCMBuffer], on rig: Rig) throws -> (Rig, AVAudioPlayerNode) {
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        for buffer in buffers { player.scheduleBuffer(buffer) }
        try rig.engine.start()
        player.play()
        return (rig, player)
    }

    @Test("Scheduled buffers follow each other bit for bit")
    func buffersFollowOneAnotherBitForBit() throws {
        let left = noise(10_000)
        let right = noise(10_000, channel: 1)
        let pieces = [0..<3, 3..<4, 4..<4_100, 4_100..<10_000].map { range in
            buffer([Array(left[range]), Array(right[range])])
        }
        let (rig, _) = try playing(pieces)
        let output = try rig.render(12_000, block: 480)
        #expect(Array(output[0][..<10_000]) == left)
        #expect(Array(output[1][..<10_000]) == right)
        #expect(output[0][10_000...].allSatisfy { $0 == 0 })
    }

    @Test("A player's samples do not depend on the block size", arguments: [1, 7, 64, 480, 4096])
    func samplesDoNotDependOnTheBlock(_ block: Int) throws {
        func run(_ block: Int) throws -> [[Float]] {
            let (rig, player) = try playing([buffer([noise(9_000), noise(9_000, channel: 1)])])
            player.volume = 0.7
            player.pan = -0.3
            return try rig.render(9_500, block: block)
        }
        #expect(try run(block) == run(512))
    }

    @Test("On a device a pause fades, and loses nothing")
    func pauseFadesAndLosesNothing() throws {
        let left = sine(441, 40_000)
        let (rig, player) = try playing([buffer([left, left])], on: DeviceRig())
        let before = try rig.render(5_000)
        player.pause()
        let pause = try rig.render(3_000)
        player.play()
        let after = try rig.render(20_000)
        let fade = 220
        #expect(before[0] == Array(left[..<5_000]))
        #expect(pause[0][fade...].allSatisfy { $0 == 0 })
        // The fade out took 220 frames of the sound, the fade in another 220.
        let expected = Array(left[(5_000 + 2 * fade)..<(25_000 + fade)])
        #expect(Array(after[0][fade..<20_000]) == expected)
        let joined = before[0] + pause[0] + after[0]
        let steepest = zip(joined, joined.dropFirst()).map { abs($0 - $1) }.max()!
        // A sine of 441 Hz and 0.5 rises by 0.0314 a sample; a click would be a step of up to 0.5.
        #expect(steepest < 0.04)
    }

    @Test("In manual rendering a pause ends the sound with its last frame, and play() goes on with the next")
    func aManualPauseIsExact() throws {
        let samples = noise(20_000)
        let (rig, player) = try playing([buffer([samples, samples])])
        #expect(try rig.render(5_001, block: 480)[0] == Array(samples[..<5_001]))
        player.pause()
        #expect(try rig.render(1_000)[0].allSatisfy { $0 == 0 })
        player.play()
        #expect(try rig.render(5_000, block: 77)[0] == Array(samples[5_001..<10_001]))
    }

    @Test("In manual rendering nothing of a sound is left after stop()")
    func aManualStopIsExact() throws {
        let samples = noise(20_000)
        let (rig, player) = try playing([buffer([samples, samples])])
        _ = try rig.render(1_000)
        player.stop()
        #expect(try rig.render(1_000)[0].allSatisfy { $0 == 0 })
        let fresh = noise(3_000, channel: 5)
        player.scheduleBuffer(buffer([fresh, fresh]))
        player.play()
        #expect(try rig.render(500)[0] == Array(fresh[..<500]))
        let other = noise(1_000, channel: 6)
        player.scheduleBuffer(buffer([other, other]), at: nil, options: .interrupts)
        #expect(try rig.render(1_000)[0] == other)
    }

    @Test("stop() drops what is scheduled, and takes the player's time back to 0")
    func stopDropsWhatIsScheduledAndResetsTheTime() throws {
        let (rig, player) = try playing([buffer([noise(50_000), noise(50_000)])], on: DeviceRig())
        _ = try rig.render(1_024)
        #expect(player.playerTime(forNodeTime: player.lastRenderTime!)?.sampleTime == 1_024)
        player.stop()
        let silence = try rig.render(2_000)
        #expect(silence[0][220...].allSatisfy { $0 == 0 })
        let fresh = noise(3_000, channel: 5)
        player.scheduleBuffer(buffer([fresh, fresh]))
        player.play()
        let output = try rig.render(1_000)
        #expect(output[0] == Array(fresh[..<1_000]))
        #expect(player.playerTime(forNodeTime: player.lastRenderTime!)?.sampleTime == 1_000)
    }

    @Test("reset() drops what is scheduled, completes it, and takes the player's time back to 0")
    func resetUnschedules() async throws {
        let (rig, player) = try playing([])
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        for index in 0..<2 {
            player.scheduleBuffer(buffer([noise(5_000), noise(5_000)])) { continuation.yield(index) }
        }
        _ = try rig.render(1_000)
        player.reset()
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        #expect(await iterator.next() == 1)
        #expect(player.isPlaying)
        #expect(try rig.render(700)[0].allSatisfy { $0 == 0 })
        #expect(player.frameNow == 700)
        let fresh = noise(300, channel: 4)
        player.scheduleBuffer(buffer([fresh, fresh]), completionHandler: nil)
        #expect(try rig.render(300)[0] == fresh)
    }

    @Test("The player's time advances in silence past the last buffer")
    func timeGoesOnInSilencePastTheEnd() throws {
        let (rig, player) = try playing([buffer([noise(100), noise(100)])])
        _ = try rig.render(1_000)
        #expect(player.playerTime(forNodeTime: player.lastRenderTime!)?.sampleTime == 1_000)
        #expect(player.starvedFrames == 900)
    }

    @Test("A looping buffer repeats until another one interrupts it")
    func loopsUntilInterrupted() throws {
        let loop = noise(100)
        let (rig, player) = try playing([])
        player.scheduleBuffer(buffer([loop, loop]), at: nil, options: .loops)
        let twice = try rig.render(250)
        let expectedLoops: [Float] = loop + loop + loop[..<50]
        #expect(twice[0] == expectedLoops)
        let next = noise(50, channel: 3)
        player.scheduleBuffer(buffer([next, next]), at: nil, options: .interruptsAtLoop)
        let output = try rig.render(200)
        let expected: [Float] = Array(loop[50...]) + next
        #expect(Array(output[0][..<100]) == expected)
        #expect(output[0][100...].allSatisfy { $0 == 0 })
    }

    @Test("Completions are called once, also for dropped buffers")
    func completionsAreCalledOnceAlsoForWhatIsDropped() async throws {
        let (rig, player) = try playing([])
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        for index in 0..<3 {
            player.scheduleBuffer(buffer([noise(100), noise(100)])) { continuation.yield(index) }
        }
        _ = try rig.render(150)
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        player.stop()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
    }

    @Test("A mono player plays at full level on both channels")
    func monoGoesToBothChannelsWhole() throws {
        let mono = noise(1_000)
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: format)
        player.scheduleBuffer(buffer([mono]))
        try rig.engine.start()
        player.play()
        let output = try rig.render(1_000)
        #expect(output[0] == mono)
        #expect(output[1] == mono)
    }

    @Test("A buffer of another sample type is converted")
    func otherFormatsAreConverted() throws {
        let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
        let shorts = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4)!
        shorts.frameLength = 4
        for frame in 0..<4 {
            shorts.int16ChannelData![0][frame * 2] = Int16(frame * 1_000)
            shorts.int16ChannelData![1][frame * 2] = -32_768
        }
        let (rig, _) = try playing([shorts])
        let output = try rig.render(4)
        let expected: [Float] = (0..<4).map { Float($0 * 1_000) / 32_768 }
        #expect(output[0] == expected)
        #expect(output[1] == [-1, -1, -1, -1])
    }
}
