import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The ends of the graph: sources, sinks, the input node; and varispeed between them.
@Suite struct EndsTests {
    @Test("A source node may give interleaved integer samples")
    func aSourceMayGiveAnySamples() throws {
        let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
        let rig = try OfflineRig()
        let source = AVAudioSourceNode(format: format) { isSilence, time, count, list in
            guard time.pointee.mSampleTime < 2_000 else {
                isSilence.pointee = true
                return 0
            }
            let data = list.pointee.mBuffers
            let isStereo = data.mDataByteSize == count * 4 && data.mNumberChannels == 2
            let samples = list.pointee.mBuffers.mData!.assumingMemoryBound(to: Int16.self)
            for frame in 0..<Int(count) {
                samples[frame * 2] = Int16(time.pointee.mSampleTime) + Int16(frame)
                samples[frame * 2 + 1] = isStereo ? -1 : 0
            }
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let output = try rig.render(3_000, block: 500)
        let ramp = (0..<2_000).map { Float($0) / 32_768 }
        #expect(output[0] == ramp + [Float](repeating: 0, count: 1_000))
        #expect(output[1][..<2_000].allSatisfy { $0 == -1 / 32_768 })
    }

    @Test("A source node is converted to the format of its connection")
    func aSourceIsConvertedToItsConnection() throws {
        let rig = try OfflineRig(sampleRate: 48_000)
        let mono = AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1)!
        let source = AVAudioSourceNode(format: mono) { _, time, count, list in
            let samples = list.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(count) {
                let place = time.pointee.mSampleTime + Double(frame)
                samples[frame] = Float(sin(2 * .pi * 1_000 * place / 24_000)) / 2
            }
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let output = try rig.render(20_000)
        for channel in 0..<2 {
            #expect(abs(amplitude(of: 1_000, in: output[channel][2_000...], sampleRate: 48_000) - 0.5) < 0.001)
        }
    }

    @Test("A sink node gets every frame at its own sample rate", arguments: [44_100.0, 22_050])
    func aSinkTakesEveryFrameAtItsOwnRate(rate: Double) throws {
        let rig = try OfflineRig()
        let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1)!
        // Plain memory, which one thread at a time uses: the block runs where nothing may allocate or lock.
        let taken = UnsafeMutableBufferPointer<Float>.allocate(capacity: 20_000)
        let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: 2)
        counts.initialize(repeating: 0)
        defer {
            taken.deallocate()
            counts.deallocate()
        }
        let sink = AVAudioSinkNode { time, count, list in
            let samples = list.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)
            if Int(time.pointee.mSampleTime) != counts[0] { counts[1] += 1 }
            for frame in 0..<Int(count) { taken[counts[0] + frame] = samples[frame] }
            counts[0] += Int(count)
            return 0
        }
        let player = AVAudioPlayerNode()
        rig.engine.attach(sink)
        rig.engine.attach(player)
        rig.engine.connect(player, to: sink, format: format)
        let samples = noise(10_000)
        player.scheduleBuffer(buffer([samples], sampleRate: rate))
        try rig.engine.start()
        player.play()
        #expect(try rig.render(8_000)[0].allSatisfy { $0 == 0 })
        let got = Array(taken[..<counts[0]])
        let expected = Int(8_000 * rate / 44_100)
        #expect(got.count >= expected && got.count < expected + 300 && counts[1] == 0)
        #expect(got == Array(samples[..<got.count]))
    }

    @Test("The input device runs while its node is connected")
    func theInputDeviceIsHeardWhileItIsNeeded() throws {
        let engine = AVAudioEngine()
        let (device, input) = (ManualOutput(), ManualInput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1)))
        engine.outputDevice = device
        engine.inputDevice = input
        #expect(engine.inputNode.outputFormat(forBus: 0).channelCount == 1)
        _ = engine.mainMixerNode
        try engine.start()
        #expect(!input.isRunning)
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        #expect(input.isRunning)
        let samples = noise(20_000)
        // A margin of 20 ms is gathered before the first frame is given.
        #expect(device.render(frameCount: 480)[0].allSatisfy { $0 == 0 })
        input.feed([Array(samples[..<2_000])])
        var heard: [Float] = []
        var fed = 2_000
        while fed < 20_000 {
            heard += device.render(frameCount: 480)[0]
            input.feed([Array(samples[fed..<min(20_000, fed + 480)])])
            fed += 480
        }
        #expect(heard == Array(samples[..<heard.count]))
        engine.disconnectNodeOutput(engine.inputNode)
        #expect(!input.isRunning)
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        engine.stop()
        #expect(!input.isRunning)
    }

    @Test("A tap on the input node opens the input device")
    func aTapAloneOpensTheInput() throws {
        let engine = AVAudioEngine()
        let (device, input) = (ManualOutput(), ManualInput())
        engine.outputDevice = device
        engine.inputDevice = input
        let caught = Mutex<[Float]>([])
        engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
            let samples = UnsafeBufferPointer(start: buffer.floatChannelData![0], count: Int(buffer.frameLength))
            caught.withLock { $0 += samples }
        }
        try engine.start()
        #expect(input.isRunning)
        let samples = noise(4_800)
        input.feed([samples, samples])
        for _ in 0..<5 { #expect(device.render(frameCount: 480)[0].allSatisfy { $0 == 0 }) }
        #expect(waitUntil { caught.withLock { $0.count } == 2_400 })
        #expect(caught.withLock { $0 } == Array(samples[..<2_400]))
        engine.inputNode.removeTap(onBus: 0)
        #expect(!input.isRunning)
        engine.stop()
    }

    @Test("Varispeed moves the pitch with the rate")
    func varispeedMovesThePitchWithTheRate() throws {
        let rig = try OfflineRig()
        let (player, varispeed) = (AVAudioPlayerNode(), AVAudioUnitVarispeed())
        rig.engine.attach(player)
        rig.engine.attach(varispeed)
        rig.engine.connect(player, to: varispeed, format: rig.format)
        rig.engine.connect(varispeed, to: rig.engine.mainMixerNode, format: rig.format)
        let tone = sine(1_000, 200_000)
        player.scheduleStreamed(buffer([tone, tone]), isLast: true)
        try rig.engine.start()
        player.play()
        #expect(try rig.render(10_000)[0] == Array(tone[..<10_000]))
        varispeed.rate = 1.5
        let faster = try rig.render(40_000)[0]
        #expect(abs(cents(from: 1_500, to: toneFrequency(Array(faster[1_000...]), sampleRate: 44_100))) < 0.1)
        // No step where the rate changes: a sine of 1.5 kHz rises by 0.107 a sample.
        #expect(zip(faster, faster.dropFirst()).allSatisfy { abs($1 - $0) < 0.108 })
        varispeed.rate = 0.25
        let slower = try rig.render(40_000)[0]
        #expect(abs(cents(from: 250, to: toneFrequency(Array(slower[1_000...]), sampleRate: 44_100))) < 0.1)
        varispeed.bypass = true
        _ = try rig.render(130_000)
        // 10 000 at 1, 40 000 at 1.5, 40 000 at 0.25, and the other 120 000 at 1.
        #expect(abs(rig.engine.outputFrames.content - 210_000) <= 1)
        #expect(rig.engine.hasOutputEnded)
        #expect(AVAudioUnitVarispeed().rate == 1)
        varispeed.rate = 9
        #expect(varispeed.rate == 4)
    }
}
