import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct EngineTests {
    @Test("A held graph fades out and goes on with the very next sample")
    func aHeldGraphStandsStillToTheSample() throws {
        let rig = try OfflineRig()
        let samples = sine(441, 60_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([samples, samples]))
        try rig.engine.start()
        player.play()
        let before = try rig.render(4_410)
        rig.engine.hold()
        let held = try rig.render(5_000, block: 64)
        #expect(rig.engine.isHeld)
        rig.engine.release(fades: true, dropsUnheard: false)
        let after = try rig.render(10_000, block: 77)
        let fade = 220
        #expect(before[0] == Array(samples[..<4_410]))
        #expect(held[0][fade...].allSatisfy { $0 == 0 })
        let expected = Array(samples[(4_410 + 2 * fade)..<(14_410 + fade)])
        #expect(Array(after[0][fade...]) == expected)
        let joined = before[0] + held[0] + after[0]
        #expect(zip(joined, joined.dropFirst()).map { abs($0 - $1) }.max()! < 0.04)
    }

    @Test("A change under the fade lets no stale sample through")
    func aChangeUnderTheFadeLetsNothingStaleThrough() throws {
        let rig = try OfflineRig()
        let old = sine(441, 60_000)
        let new = [Float](repeating: 0.25, count: 9_000)
        let player = AVAudioPlayerNode()
        let timePitch = AVAudioUnitTimePitch()
        timePitch.rate = 1.5
        rig.engine.attach(player)
        rig.engine.attach(timePitch)
        rig.engine.connect(player, to: timePitch, format: rig.format)
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([old, old]))
        try rig.engine.start()
        player.play()
        _ = try rig.render(8_192)
        #expect(abs(timePitch.inputPosition - 12_288) < 1)
        rig.engine.holdForChange()
        player.stop()
        timePitch.reset()
        timePitch.rate = 1
        player.scheduleBuffer(buffer([new, new]))
        player.play()
        rig.engine.release(fades: true, dropsUnheard: false)
        let output = try rig.render(4_000)
        #expect(output[0][440...].allSatisfy { abs($0 - 0.25) < 1e-6 })
        let rising = output[0][222..<440]
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 < $1 && $1 <= 0.25 })
        #expect(timePitch.inputPosition > 3_000)
    }

    @Test("A mixer sums its inputs and converts their sample rates")
    func mixerAddsUpAndConvertsTheRate() throws {
        let rig = try OfflineRig(sampleRate: 48_000)
        for (rate, frequency) in [(44_100.0, 1_000.0), (48_000, 3_000)] {
            let player = AVAudioPlayerNode()
            rig.engine.attach(player)
            let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)!
            rig.engine.connect(player, to: rig.engine.mainMixerNode, format: format)
            let tone = sine(frequency, 48_000, sampleRate: rate)
            player.scheduleBuffer(buffer([tone, tone], sampleRate: rate))
            player.play()
        }
        try rig.engine.start()
        let output = try rig.render(20_000)
        let slice = output[0][4_000..<20_000]
        #expect(abs(amplitude(of: 1_000, in: slice, sampleRate: 48_000) - 0.5) < 0.001)
        #expect(abs(amplitude(of: 3_000, in: slice, sampleRate: 48_000) - 0.5) < 0.001)
    }

    @Test("A volume change is ramped, and volume 1 is bit-exact")
    func volumeIsRampedAndOneIsBitExact() throws {
        let rig = try OfflineRig()
        let ones = [Float](repeating: 1, count: 20_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([ones, ones]))
        try rig.engine.start()
        player.play()
        _ = try rig.render(1_000)
        rig.engine.mainMixerNode.outputVolume = 0
        let falling = try rig.render(1_000, block: 100)
        #expect(zip(falling[0], falling[0].dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.003 })
        #expect(falling[0][441...].allSatisfy { $0 == 0 })
        rig.engine.mainMixerNode.outputVolume = 1
        _ = try rig.render(1_000)
        #expect(try rig.render(100)[0] == [Float](repeating: 1, count: 100))
    }

    @Test("A source node gives the samples of its render block")
    func sourceNodeGivesWhatItsBlockMakes() throws {
        let rig = try OfflineRig()
        let source = AVAudioSourceNode { _, time, count, list in
            // By index: unoptimised, the iterators of ranges and collections take locks.
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            var channel = 0
            while channel < buffers.count {
                let samples = buffers[channel].mData!.assumingMemoryBound(to: Float.self)
                var frame = 0
                while frame < Int(count) {
                    samples[frame] = Float(time.pointee.mSampleTime) + Float(frame)
                    frame += 1
                }
                channel += 1
            }
            return noErr
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        #expect(try rig.render(3_000, block: 7)[1] == (0..<3_000).map(Float.init))
    }

    @Test("A time-pitch unit gives the expected length and pitch")
    func timePitchHasItsLengthAndItsTones() throws {
        let rig = try OfflineRig()
        let tone = sine(1_000, 88_200)
        let player = AVAudioPlayerNode()
        let timePitch = AVAudioUnitTimePitch()
        timePitch.rate = 2
        timePitch.pitch = 1_200
        rig.engine.attach(player)
        rig.engine.attach(timePitch)
        rig.engine.connect(player, to: timePitch, format: rig.format)
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleStreamed(buffer([tone, tone]), isLast: true)
        try rig.engine.start()
        player.play()
        let output = try rig.render(50_000)
        #expect(rig.engine.hasOutputEnded)
        #expect(abs(rig.engine.outputFrames.content - 44_100) <= 1)
        #expect(amplitude(of: 2_000, in: output[0][10_000..<30_000]) > 0.45)
        #expect(amplitude(of: 1_000, in: output[0][10_000..<30_000]) < 0.005)
        #expect(output[0][44_102...].allSatisfy { $0 == 0 })
    }

    @Test("Wrong use of offline rendering throws a typed error")
    func wrongUseIsATypedError() throws {
        let engine = AVAudioEngine()
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100)!
        #expect(throws: AVAudioEngineError.self) { try engine.renderOffline(10, to: buffer) }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        #expect(throws: AVAudioEngineError.self) { try engine.renderOffline(10, to: buffer) }
        try engine.start()
        #expect(throws: AVAudioEngineError.self) { try engine.renderOffline(65, to: buffer) }
        #expect(throws: AVAudioEngineError.self) {
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        }
    }

    @Test("A graph that cannot be rendered is silent until it is mended")
    func aGraphThatCannotBeRenderedIsSilent() throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        let timePitch = AVAudioUnitTimePitch()
        rig.engine.attach(player)
        rig.engine.attach(timePitch)
        rig.engine.connect(player, to: timePitch, format: rig.format)
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([noise(50_000), noise(50_000)]))
        try rig.engine.start()
        player.play()
        _ = try rig.render(1_024)
        // Only a mixer converts: stereo cannot come out of the unit as mono.
        let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 0, format: mono)
        #expect(try rig.render(1_024)[0].allSatisfy { $0 == 0 })
        rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 0, format: rig.format)
        #expect(try rig.render(1_024)[0].contains { $0 != 0 })
    }

    @Test("The graph may change while it renders without touching other sounds")
    func theGraphMayChangeWhileItRenders() throws {
        let rig = try OfflineRig()
        let steady = noise(400_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([steady, steady]))
        try rig.engine.start()
        player.play()
        var output: [Float] = []
        for round in 0..<500 {
            let other = AVAudioPlayerNode()
            rig.engine.attach(other)
            rig.engine.connect(other, to: rig.engine.mainMixerNode, format: rig.format)
            output += try rig.render(64)[0]
            if round % 2 == 0 { rig.engine.disconnectNodeOutput(other) }
            rig.engine.detach(other)
        }
        #expect(output == Array(steady[..<output.count]))
    }
}
