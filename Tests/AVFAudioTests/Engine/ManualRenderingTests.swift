import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

/// Rendering by hand: its modes, its input, its statuses and its errors.
@Suite struct ManualRenderingTests {
    private let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!

    private func engine(_ mode: AVAudioEngineManualRenderingMode = .realtime) throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: 512)
        return engine
    }

    @Test("The manual rendering block renders into any buffer list")
    func theBlockRendersIntoAnyBuffers() throws {
        let rig = try engine()
        let source = AVAudioSourceNode(format: format) { _, time, count, list in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for channel in 0..<buffers.count {
                let samples = buffers[channel].mData!.assumingMemoryBound(to: Float.self)
                for frame in 0..<Int(count) {
                    samples[frame] = Float(time.pointee.mSampleTime) + Float(frame + channel)
                }
            }
            return 0
        }
        rig.attach(source)
        rig.connect(source, to: rig.mainMixerNode, format: format)
        let block = rig.manualRenderingBlock
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)!
        buffer.frameLength = 100
        var failure: OSStatus = 0
        #expect(block(100, buffer.mutableAudioBufferList, &failure) == .error)
        #expect(failure == AVAudioEngineManualRenderingError.notRunning.rawValue)
        try rig.start()
        #expect(block(100, buffer.mutableAudioBufferList, &failure) == .success && failure == 0)
        #expect(buffer.floatChannelData![1][99] == 100)
        #expect(rig.manualRenderingSampleTime == 100)
        // Buffers without memory are given the engine's.
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { list.unsafeMutablePointer.deallocate() }
        for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
        #expect(block(50, list.unsafeMutablePointer, nil) == .success)
        #expect(list[0].mDataByteSize == 200)
        #expect(list[0].mData!.assumingMemoryBound(to: Float.self)[49] == 149)
        // Too small, too many.
        for index in 0..<2 { list[index].mDataByteSize = 100 * 4 }
        #expect(block(101, list.unsafeMutablePointer, &failure) == .error && failure == -50)
        #expect(block(513, buffer.mutableAudioBufferList, &failure) == .error && failure == -10_874)
        #expect(throws: AVAudioEngineError.self) { try rig.renderOffline(10, to: buffer) }
        rig.stop()
        #expect(block(1, buffer.mutableAudioBufferList, &failure) == .error)
    }

    @Test("The manual rendering block allocates no memory")
    func theBlockAllocatesNothing() throws {
        let rig = try engine()
        let player = AVAudioPlayerNode()
        rig.attach(player)
        rig.connect(player, to: rig.mainMixerNode, format: format)
        rig.connect(rig.inputNode, to: rig.mainMixerNode, format: nil)
        let short = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
        let input = AVAudioPCMBuffer(pcmFormat: short, frameCapacity: 512)!
        input.frameLength = 512
        nonisolated(unsafe) let list = input.audioBufferList
        #expect(rig.inputNode.setManualRenderingInputPCMFormat(short) { _ in list })
        try rig.start()
        let block = rig.manualRenderingBlock
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)!
        buffer.frameLength = 512
        let output = buffer.mutableAudioBufferList
        for frames in [1, 7, 512] as [AVAudioFrameCount] {
            #expect(allocations { _ = block(frames, output, nil) } == 0)
        }
    }

    @Test("The input block of manual rendering feeds the input node")
    func theInputBlockIsHeard() throws {
        let rig = try engine(.offline)
        let mono = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)!
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)!
        let input = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 512)!
        // With room beforehand: the block runs where nothing may allocate.
        var asked: [AVAudioFrameCount] = []
        asked.reserveCapacity(16)
        var isEmpty = false
        let accepted = rig.inputNode.setManualRenderingInputPCMFormat(mono) { count in
            asked.append(count)
            if isEmpty { return nil }
            input.frameLength = min(count, 300)
            for frame in 0..<Int(input.frameLength) { input.int16ChannelData![0][frame] = Int16(frame + 1) }
            return UnsafePointer(input.audioBufferList)
        }
        #expect(accepted)
        #expect(rig.inputNode.outputFormat(forBus: 0).channelCount == 1)
        rig.connect(rig.inputNode, to: rig.mainMixerNode, format: nil)
        try rig.start()
        #expect(try rig.renderOffline(256, to: buffer) == .success)
        #expect((0..<256).allSatisfy { buffer.floatChannelData![1][$0] == Float($0 + 1) / 32_768 })
        #expect(try rig.renderOffline(512, to: buffer) == .insufficientDataFromInputNode)
        #expect(buffer.floatChannelData![0][299] == 300 / 32_768 && buffer.floatChannelData![0][300] == 0)
        isEmpty = true
        #expect(try rig.renderOffline(100, to: buffer) == .insufficientDataFromInputNode)
        #expect((0..<100).allSatisfy { buffer.floatChannelData![0][$0] == 0 })
        #expect(asked == [256, 512, 100])
        #expect(!rig.inputNode.setManualRenderingInputPCMFormat(mono) { _ in nil })
        rig.disableManualRenderingMode()
        #expect(!rig.inputNode.setManualRenderingInputPCMFormat(mono) { _ in nil })
    }

    @Test("Manual rendering converts to integer samples")
    func otherSampleTypesAreRendered() throws {
        let short = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: short, maximumFrameCount: 64)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(buffer([[0.5, -0.25, 2], [-0.5, 0.125, -2]]))
        try engine.start()
        player.play()
        let output = try #require(AVAudioPCMBuffer(pcmFormat: short, frameCapacity: 64))
        #expect(try engine.renderOffline(3, to: output) == .success)
        let samples = (0..<6).map { output.int16ChannelData![0][$0] }
        #expect(samples == [16_384, -16_384, -8_192, 4_096, 32_767, -32_768])
    }

    @Test("Errors of manual rendering have Apple's numbers")
    func errorsHaveApplesNumbers() throws {
        let rig = try engine(.offline)
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)!
        func code(_ body: () throws -> Void) -> Int {
            do {
                try body()
                return 0
            } catch {
                return (error as NSError).code
            }
        }
        #expect(code { _ = try rig.renderOffline(1, to: buffer) } == -80_802)
        try rig.start()
        #expect(code { try rig.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1) } == -80_801)
        rig.disableManualRenderingMode()
        #expect(code { _ = try rig.renderOffline(1, to: buffer) } == -80_800)
    }

    @Test("Two offline renders of one graph are identical bit for bit")
    func twoRendersAreTheSameBitForBit() throws {
        func render() throws -> [[Float]] {
            let rig = try OfflineRig(sampleRate: 48_000)
            let player = AVAudioPlayerNode()
            let (varispeed, timePitch) = (AVAudioUnitVarispeed(), AVAudioUnitTimePitch())
            varispeed.rate = 1.3
            timePitch.rate = 0.8
            for node in [player, varispeed, timePitch] as [AVAudioNode] { rig.engine.attach(node) }
            let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)
            rig.engine.connect(player, to: varispeed, format: format)
            rig.engine.connect(varispeed, to: timePitch, format: format)
            rig.engine.connect(timePitch, to: rig.engine.mainMixerNode, format: format)
            player.scheduleBuffer(buffer([noise(60_000), noise(60_000, channel: 1)]))
            player.pan = 0.3
            try rig.engine.start()
            player.play()
            return try rig.render(30_000)
        }
        let first = try render()
        #expect(try render() == first)
        #expect(levelDecibels(first[0]) > -30)
    }
}
