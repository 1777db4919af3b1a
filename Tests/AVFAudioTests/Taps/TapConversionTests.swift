import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Taps that ask for another format than their node gives, and nodes that are tapped and lead nowhere.
@Suite struct TapConversionTests {
    private typealias Catch = TapTests.Catch

    /// A player of `samples` in front of the main mixer, which gives 48 kHz stereo.
    private func playing(_ samples: [[Float]]) throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig(sampleRate: 48_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer(samples, sampleRate: 48_000), completionHandler: nil)
        return (rig, player)
    }

    @Test(
        "A tap of 16 kHz mono on a mixer of 48 kHz stereo, connected or not, has the sound at its time",
        arguments: [true, false]
    )
    func aMixerIsTappedAtTheRateOfARecogniser(isConnected: Bool) throws {
        let tone = sine(1_000, 96_000, sampleRate: 48_000)
        // Left is the tone, right is nothing: mono is their mean.
        let (rig, player) = try playing([tone, [Float](repeating: 0, count: 96_000)])
        let mixer = AVAudioMixerNode()
        rig.engine.attach(mixer)
        rig.engine.connect(player, to: mixer, format: rig.format)
        if isConnected { rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: rig.format) }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        let caught = Catch()
        mixer.installTap(onBus: 0, bufferSize: 1_600, format: format) { buffer, when in
            #expect(buffer.format == format)
            caught.add(buffer, when)
        }
        #expect(mixer.outputFormat(forBus: 0).sampleRate == (isConnected ? 48_000 : 16_000))
        try rig.engine.start()
        player.play()
        _ = try rig.render(96_000, block: 480)
        rig.engine.stop()
        let samples = caught.samples
        #expect(caught.starts == caught.all.indices.map { Int64($0 * 1_600) })
        #expect(caught.all.allSatisfy { $0.time.sampleRate == 16_000 && $0.time.isSampleTimeValid })
        #expect(caught.lengths.dropLast().allSatisfy { $0 == 1_600 })
        // An unconnected mixer runs ahead by what the change of rate looks ahead.
        #expect(samples.count >= 32_000 && samples.count < 32_400)
        // No delay: frame n is the moment n / 16000.
        let same = sine(1_000, 32_000, sampleRate: 16_000, amplitude: 0.25)
        let worst = (200..<31_800).map { abs(samples[$0] - same[$0]) }.max() ?? 1
        #expect(worst < 0.001)
    }

    @Test("Samples do not depend on how rendering is cut, and what a flush leaves is whole")
    func conversionDoesNotDependOnTheBlocks() throws {
        func tapped(_ block: Int, _ size: AVAudioFrameCount) throws -> [Float] {
            let (rig, player) = try playing([noise(20_000), noise(20_000, channel: 1)])
            let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
            let caught = Catch()
            rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: size, format: format) { caught.add($0, $1) }
            try rig.engine.start()
            player.play()
            _ = try rig.render(20_000, block: block)
            rig.engine.stop()
            return caught.samples
        }
        let whole = try tapped(512, 1_000)
        #expect(whole.count == 18_375)
        #expect(try tapped(1, 64) == whole)
        #expect(try tapped(4_096, 30_000) == whole)
        #expect(try tapped(333, 4_099) == whole)
    }

    @Test("Channels alone, and other samples, are converted exactly")
    func channelsAndSamplesAreConverted() throws {
        let left = (0..<5_000).map { Float(Int16(truncatingIfNeeded: $0 * 7)) / 32_768 }
        let (rig, player) = try playing([left, left.map { -$0 }])
        let shorts = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true)
        )
        let wide = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6))
        let words = Mutex<[Int16]>([])
        let right = Mutex<[Float]>([])
        player.addTap(bufferSize: 500, format: shorts) { buffer, _ in
            guard let data = buffer.int16ChannelData else { return }
            let new = UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength) * 2)
            words.withLock { $0 += new }
        }
        player.addTap(bufferSize: 500, format: wide) { buffer, _ in
            guard let data = buffer.floatChannelData else { return }
            right.withLock { $0 += UnsafeBufferPointer(start: data[1], count: Int(buffer.frameLength)) }
        }
        try rig.engine.start()
        player.play()
        _ = try rig.render(5_000, block: 480)
        rig.engine.stop()
        let expected = left.flatMap { [Int16($0 * 32_768), Int16(clamping: Int(-$0 * 32_768))] }
        #expect(words.withLock { $0 } == expected)
        #expect(right.withLock { $0 } == left.map { -$0 })
    }

    @Test("Input after a gap or a restart begins at its own time")
    func aGapBeginsAnew() throws {
        let engine = AVAudioEngine()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        device.latency = 1
        engine.outputDevice = device
        let source = AVAudioSourceNode { _, _, count, list in
            let samples = list.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(count) { samples[frame] = 0.5 }
            return 0
        }
        engine.attach(source)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.connect(source, to: engine.mainMixerNode, format: mono)
        let half = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        let (caught, isHeld, mayGoOn) = (Catch(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let tap = source.addTap(bufferSize: 1_000, format: half) { buffer, when in
            isHeld.signal()
            mayGoOn.wait()
            caught.add(buffer, when)
            mayGoOn.signal()
        }
        try engine.start()
        for _ in 0..<20 { _ = device.render(frameCount: 480) }
        isHeld.wait()
        // Four seconds, of which the ring holds one and a bit; the block stands still.
        for _ in 0..<380 { _ = device.render(frameCount: 480) }
        #expect(tap.missedFrameCount > 48_000)
        mayGoOn.signal()
        // All but what a buffer waits for: there is room again.
        #expect(waitUntil { caught.samples.count * 2 + Int(tap.missedFrameCount) > 188_000 })
        for _ in 0..<20 { _ = device.render(frameCount: 480) }
        engine.stop()
        let missed = Int(tap.missedFrameCount)
        #expect(waitUntil { abs(caught.samples.count * 2 + missed - 201_600) <= 4 })
        // Without a gap each buffer begins where the one before it ended.
        let breaks = zip(caught.all, caught.all.dropFirst()).filter { first, second in
            first.time.sampleTime + Int64(first.samples.count) != second.time.sampleTime
        }
        #expect(breaks.count == 1)
        #expect(caught.all.allSatisfy { $0.time.isHostTimeValid })
        for piece in caught.all {
            // The device's clock says that frame n is heard at 1 + n / 48000.
            let host = Double(piece.time.hostTime) / 1e9 - 1
            #expect(abs(host - Double(piece.time.sampleTime) / 24_000) < 1.1 / 24_000)
        }
        let before = caught.all.count
        try engine.start()
        for _ in 0..<10 { _ = device.render(frameCount: 480) }
        engine.stop()
        #expect(waitUntil { caught.all.dropFirst(before).flatMap(\.samples).count == 2_400 })
        #expect(caught.all[before].time.sampleTime == 0)
        tap.remove()
    }

    @Test("A player's tap at another rate tells the player's time")
    func thePlayersTimeIsKept() throws {
        let samples = noise(20_000)
        let (rig, player) = try playing([samples, samples])
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 2))
        let caught = Catch()
        player.installTap(onBus: 0, bufferSize: 400, format: format) { caught.add($0, $1) }
        try rig.engine.start()
        _ = try rig.render(4_800)
        player.play()
        _ = try rig.render(12_000)
        let time = try #require(caught.all.first { $0.time.sampleTime >= 3_200 }?.time)
        // 3200 frames of 16 kHz are 9600 of 48 kHz, and it began at 4800.
        #expect(player.playerTime(forNodeTime: time)?.sampleTime == time.sampleTime * 3 - 4_800)
    }

    @Test("A tapped node that leads nowhere is rendered while the engine runs, and its players play")
    func aTappedNodeThatLeadsNowhereIsRendered() async throws {
        let rig = try OfflineRig()
        let samples = noise(6_000)
        let (player, delay, other) = (AVAudioPlayerNode(), AVAudioUnitTimePitch(), AVAudioMixerNode())
        for node in [player, delay, other] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(player, to: delay, format: rig.format)
        rig.engine.connect(delay, to: other, format: rig.format)
        let (first, last) = (Catch(), Catch())
        // The first leads to the last, which leads nowhere: each is rendered once.
        player.installTap(onBus: 0, bufferSize: 500, format: nil) { first.add($0, $1) }
        other.installTap(onBus: 0, bufferSize: 500, format: nil) { last.add($0, $1) }
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        player.scheduleBuffer(buffer([samples, samples])) { continuation.yield() }
        try rig.engine.start()
        player.play()
        #expect(try rig.render(8_000, block: 500)[0].allSatisfy { $0 == 0 })
        var iterator = ended.makeAsyncIterator()
        await iterator.next()
        #expect(first.samples == samples + [Float](repeating: 0, count: 2_000))
        #expect(last.samples == first.samples)
        #expect(first.starts == (0..<16).map { $0 * 500 })
        // Without its tap it is not rendered.
        other.removeTap(onBus: 0)
        player.removeTap(onBus: 0)
        let time = player.lastRenderTime?.sampleTime
        _ = try rig.render(1_000)
        #expect(player.lastRenderTime?.sampleTime == time)
    }

    @Test("A player that leads nowhere takes the format of its tap, and a node beside it is rendered once")
    func whatLeadsNowhereAtAnotherRate() throws {
        let rig = try OfflineRig(sampleRate: 48_000)
        let samples = noise(30_000)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1))
        let (player, shared) = (AVAudioPlayerNode(), AVAudioMixerNode())
        for node in [player, shared] as [AVAudioNode] { rig.engine.attach(node) }
        let (alone, heard) = (Catch(), Catch())
        player.installTap(onBus: 0, bufferSize: 500, format: format) { alone.add($0, $1) }
        #expect(player.outputFormat(forBus: 0) == format)
        player.scheduleBuffer(buffer([samples], sampleRate: 22_050), completionHandler: nil)
        try rig.engine.start()
        player.play()
        _ = try rig.render(24_000)
        // Half a second of it, bit for bit; what it is ahead by is the look-ahead that makes it run.
        #expect(alone.samples.count >= 11_000 && alone.samples.count < 11_600)
        #expect(alone.samples == Array(samples[..<alone.samples.count]))
        player.removeTap(onBus: 0)

        // A source that leads to the output, and to a tapped mixer at a rate of its own.
        let source = ConnectionTests.counter(rig)
        rig.engine.attach(source)
        let points = [AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 5), .init(node: shared, bus: 0)]
        rig.engine.connect(source, to: points, fromBus: 0, format: rig.format)
        shared.installTap(onBus: 0, bufferSize: 500, format: format) { heard.add($0, $1) }
        #expect(try rig.render(10_000)[0] == (0..<10_000).map(Float.init))
        #expect(heard.samples.count > 4_000)
        // A ramp stays one: each frame is 48000 / 22050 on from the one before.
        let steps = zip(heard.samples, heard.samples.dropFirst()).dropFirst(200).map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0 - 48_000 / 22_050) < 0.02 })
    }

    @Test("With auto shutdown a device does not rest while something is recorded that leads nowhere")
    func aRecordedDeadEndKeepsTheDeviceAwake() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 8_000, channelCount: 1))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        engine.isAutoShutdownEnabled = true
        let mixer = AVAudioMixerNode()
        engine.attach(mixer)
        let caught = Catch()
        mixer.installTap(onBus: 0, bufferSize: 800, format: nil) { caught.add($0, $1) }
        try engine.start()
        for block in 0..<100 {
            _ = device.render(frameCount: 800)
            // A handler that comes too late misses frames.
            guard waitUntil({ caught.samples.count >= (block - 4) * 800 }) else { break }
        }
        #expect(engine.outputNode.lastRenderTime?.sampleTime == 80_000)
        engine.stop()
        #expect(waitUntil { caught.samples.count == 80_000 })
    }
}
