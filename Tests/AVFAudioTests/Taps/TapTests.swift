import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The buffers of taps: complete, in order, with their times.
@Suite struct TapTests {
    final class Catch: Sendable {
        private let pieces = Mutex<[(samples: [Float], time: AVAudioTime)]>([])

        func add(_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) {
            guard let data = buffer.floatChannelData else { return }
            let samples = Array(UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)))
            pieces.withLock { $0.append((samples, when)) }
        }

        /// Copied while the lock is held: the memory of an array is written again once no other reference is left, which is known by a
        /// count of references, which ThreadSanitizer does not see.
        var all: [(samples: [Float], time: AVAudioTime)] { pieces.withLock { $0.map { $0 } } }
        var samples: [Float] { all.flatMap(\.samples) }
        var lengths: [Int] { all.map(\.samples.count) }
        var starts: [Int64] { all.map(\.time.sampleTime) }
    }

    private func counting() throws -> (OfflineRig, AVAudioSourceNode) {
        let rig = try OfflineRig()
        let source = ConnectionTests.counter(rig)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        return (rig, source)
    }

    @Test("A tap gets every frame in order with its sample time", arguments: [1, 100, 512, 4_096])
    func everyFrameComesInOrderWithItsTime(block: Int) throws {
        let (rig, source) = try counting()
        let (small, large, last) = (Catch(), Catch(), Catch())
        source.installTap(onBus: 0, bufferSize: 64, format: rig.format) { small.add($0, $1) }
        source.addTap(bufferSize: 5_000) { large.add($0, $1) }
        rig.engine.outputNode.addTap(bufferSize: 1_000) { last.add($0, $1) }
        rig.engine.mainMixerNode.outputVolume = 0.5
        try rig.engine.start()
        _ = try rig.render(9_984, block: block)
        let expected = (0..<9_984).map(Float.init)
        #expect(small.samples == expected)
        #expect(small.lengths == Array(repeating: 64, count: 156))
        #expect(small.starts == (0..<156).map { $0 * 64 })
        #expect(small.all.allSatisfy { $0.time.sampleRate == 44_100 })
        #expect(large.samples == Array(expected[..<5_000]))
        #expect(last.samples == expected[..<9_000].map { $0 / 2 })
        rig.engine.stop()
        #expect(large.samples == expected && large.lengths == [5_000, 4_984])
        #expect(last.samples.count == 9_984)
    }

    @Test("Taps are installed and removed while the engine renders")
    func aTapMayComeAndGoWhileItRenders() throws {
        let (rig, source) = try counting()
        try rig.engine.start()
        _ = try rig.render(1_000)
        let caught = Catch()
        source.installTap(onBus: 0, bufferSize: 100, format: nil) { caught.add($0, $1) }
        let other = source.addTap(bufferSize: 100) { _, _ in }
        _ = try rig.render(1_000)
        other.remove()
        #expect(try rig.render(1_000)[0] == (2_000..<3_000).map(Float.init))
        source.removeTap(onBus: 0)
        _ = try rig.render(1_000)
        #expect(caught.samples == (1_000..<3_000).map(Float.init))
        #expect(caught.starts.first == 1_000)
        source.installTap(onBus: 0, bufferSize: 100, format: nil) { caught.add($0, $1) }
        _ = try rig.render(100)
        #expect(caught.starts.last == 4_000)
    }

    @Test("A tap behind a rate change counts frames at its own rate")
    func aTapBehindARateChangeCountsItsOwnFrames() throws {
        let rig = try OfflineRig(sampleRate: 48_000)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: format)
        let samples = noise(20_000)
        player.scheduleBuffer(buffer([samples], sampleRate: 24_000))
        let caught = Catch()
        player.installTap(onBus: 0, bufferSize: 256, format: format) { caught.add($0, $1) }
        try rig.engine.start()
        player.play()
        _ = try rig.render(20_000)
        #expect(caught.samples.count > 9_900 && caught.samples == Array(samples[..<caught.samples.count]))
        #expect(caught.starts == caught.all.indices.map { Int64($0 * 256) })
        // The player's time of a buffer is where in the sound it was.
        let time = try #require(caught.all.dropFirst(10).first?.time)
        #expect(player.playerTime(forNodeTime: time)?.sampleTime == 2_560)
    }

    @Test("A slow tap does not delay rendering and reports the frames it missed")
    func aSlowTapHoldsNothingUpAndSaysWhatItMissed() throws {
        let engine = AVAudioEngine()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 8_000, channelCount: 1))
        engine.outputDevice = device
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 1))
        let rig = try OfflineRig(sampleRate: 8_000, channels: 1)
        let source = ConnectionTests.counter(rig)
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: format)
        let (caught, mayGoOn) = (Catch(), DispatchSemaphore(value: 0))
        let tap = source.addTap(bufferSize: 64) { buffer, when in
            mayGoOn.wait()
            caught.add(buffer, when)
            mayGoOn.signal()
        }
        try engine.start()
        // Ten seconds, of which the ring holds two and a bit; the block stands still.
        var heard: [Float] = []
        for _ in 0..<800 { heard += device.render(frameCount: 100)[0] }
        #expect(heard == (0..<80_000).map(Float.init))
        let missed = Int(tap.missedFrameCount)
        #expect(missed > 40_000 && missed < 80_000)
        mayGoOn.signal()
        #expect(waitUntil { caught.samples.count + missed >= 80_000 - 64 })
        // What came is a beginning without a gap, at its time.
        #expect(caught.starts.first == 0)
        #expect(zip(caught.all, caught.all.dropFirst()).allSatisfy { $1.samples[0] == Float($1.time.sampleTime) })
        _ = device.render(frameCount: 1_000)
        engine.stop()
        #expect(waitUntil { caught.samples.count + missed == 81_000 })
        #expect(caught.samples.last == 80_999)
        #expect(caught.starts.contains { $0 == 80_000 })
        tap.remove()
    }

    @Test("A tap's buffers carry the host time at which they are heard")
    func buffersHaveTheTimeOfHearing() throws {
        let engine = AVAudioEngine()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 2))
        device.latency = 0.5
        engine.outputDevice = device
        let caught = Catch()
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: nil) { caught.add($0, $1) }
        try engine.start()
        for _ in 0..<20 { _ = device.render(frameCount: 480) }
        #expect(waitUntil { caught.all.count == 20 })
        for (index, piece) in caught.all.enumerated() {
            #expect(piece.time.isHostTimeValid)
            let expected = 500_000_000 + UInt64(index) * 10_000_000
            #expect(max(piece.time.hostTime, expected) - min(piece.time.hostTime, expected) < 10)
        }
        engine.stop()
    }
}
