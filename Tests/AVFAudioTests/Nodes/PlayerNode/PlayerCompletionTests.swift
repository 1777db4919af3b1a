import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import Testing

/// Every completion is called once, in order, with its type, and not before its time.
@Suite struct PlayerCompletionTests {
    /// A record of calls, with a way to wait for them.
    private final class Calls: Sendable {
        private let list = Mutex<[String]>([])
        let stream: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(of: String.self) }

        func note(_ call: String) {
            list.withLock { $0.append(call) }
            continuation.yield(call)
        }

        var all: [String] { list.withLock { $0 } }

        /// The first `count` calls.
        func first(_ count: Int) async -> [String] {
            var iterator = stream.makeAsyncIterator()
            var calls: [String] = []
            while calls.count < count, let call = await iterator.next() { calls.append(call) }
            return calls
        }
    }

    private func rig() throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return (rig, player)
    }

    private func silence(_ frames: Int) -> AVAudioPCMBuffer {
        buffer([[Float]](repeating: [Float](repeating: 0, count: frames), count: 2))
    }

    /// After everything that is on the engine's callback queue by now.
    private func settle(_ player: AVAudioPlayerNode) async {
        await withCheckedContinuation { done in
            let other = AVAudioPlayerNode()
            other.scheduleBuffer(silence(1)) { done.resume() }
            other.stop()
        }
    }

    @Test("Each completion type calls its handler at its moment and in order")
    func eachTypeIsToldToItsHandlerInOrder() async throws {
        let (rig, player) = try rig()
        let calls = Calls()
        let types: [AVAudioPlayerNodeCompletionCallbackType] = [.dataConsumed, .dataRendered, .dataPlayedBack]
        for index in 0..<9 {
            player.scheduleBuffer(silence(100), completionCallbackType: types[index % 3]) { type in
                calls.note("\(index) \(type.rawValue)")
            }
        }
        player.play()
        _ = try rig.render(99, block: 99)
        await settle(player)
        #expect(calls.all == [])
        _ = try rig.render(1, block: 1)
        #expect(await calls.first(1) == ["0 0"])
        _ = try rig.render(800)
        #expect(await calls.first(8) == (1..<9).map { "\($0) \($0 % 3)" })
        await settle(player)
        #expect(calls.all.count == 9)
    }

    @Test("A dropped buffer completes once, with its callback type")
    func whatIsDroppedCompletesOnceWithItsType() async throws {
        let (rig, player) = try rig()
        let calls = Calls()
        let types: [AVAudioPlayerNodeCompletionCallbackType] = [.dataPlayedBack, .dataConsumed, .dataRendered]
        for index in 0..<6 {
            player.scheduleBuffer(
                silence(100),
                at: nil,
                options: index == 1 ? .loops : [],
                completionCallbackType: types[index % 3]
            ) { calls.note("\(index) \($0.rawValue)") }
        }
        player.play()
        _ = try rig.render(350)
        #expect(await calls.first(1) == ["0 2"])
        player.stop()
        #expect(await calls.first(5) == ["1 0", "2 1", "3 2", "4 0", "5 1"])
        player.stop()
        _ = try rig.render(1_000)
        await settle(player)
        #expect(calls.all.count == 6)
    }

    @Test("An interrupted buffer completes when the player leaves it")
    func whatIsInterruptedCompletesWhenItIsLeft() async throws {
        let (rig, player) = try rig()
        let calls = Calls()
        player.scheduleBuffer(silence(1_000), at: nil, options: .loops) { calls.note("loop") }
        player.scheduleBuffer(silence(1_000)) { calls.note("waiting") }
        player.play()
        _ = try rig.render(2_500)
        await settle(player)
        #expect(calls.all == [])
        player.scheduleBuffer(silence(100), at: nil, options: .interruptsAtLoop) { calls.note("at loop") }
        _ = try rig.render(499, block: 499)
        await settle(player)
        #expect(calls.all == [])
        _ = try rig.render(1, block: 1)
        #expect(await calls.first(2) == ["loop", "waiting"])
        player.scheduleBuffer(silence(100), at: nil, options: .interrupts) { calls.note("now") }
        _ = try rig.render(1, block: 1)
        #expect(await calls.first(1) == ["at loop"])
        _ = try rig.render(200)
        #expect(await calls.first(1) == ["now"])
    }

    @Test("A player that is released completes its buffers")
    func aPlayerThatGoesCompletesWhatItHas() async throws {
        let calls = Calls()
        do {
            let player = AVAudioPlayerNode()
            for index in 0..<3 { player.scheduleBuffer(silence(10)) { calls.note("\(index)") } }
        }
        #expect(await calls.first(3) == ["0", "1", "2"])
    }

    @Test("The dataPlayedBack callback comes when the device has played the buffer")
    func heardIsWhenTheDeviceHasPlayedIt() async throws {
        let device = ManualOutput()
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        engine.connect(player, to: engine.mainMixerNode, format: format)
        let calls = Calls()
        let sound = [[Float]](repeating: [Float](repeating: 0, count: 480), count: 2)
        player.scheduleBuffer(buffer(sound, sampleRate: 48_000), completionCallbackType: .dataRendered) { _ in
            calls.note("rendered")
        }
        let heard = AsyncStream.makeStream(of: UInt64.self)
        player.scheduleBuffer(buffer(sound, sampleRate: 48_000), completionCallbackType: .dataPlayedBack) { _ in
            heard.continuation.yield(monotonicNanoseconds())
        }
        player.scheduleBuffer(buffer(sound, sampleRate: 48_000), completionCallbackType: .dataPlayedBack) { _ in
            calls.note("stopped")
        }
        try engine.start()
        player.play()
        // The device's clock begins at 0: with this latency its first frame is heard 300 ms from now.
        let origin = monotonicNanoseconds() + 300_000_000
        device.latency = Double(origin) / 1e9
        _ = device.render(frameCount: 960)
        #expect(await calls.first(1) == ["rendered"])
        var iterator = heard.stream.makeAsyncIterator()
        // 960 frames of 48 kHz are 20 ms; a microsecond for the rounding of the latency.
        #expect(try #require(await iterator.next()) >= origin + 20_000_000 - 1_000)
        // Rendered, and far from being heard.
        device.latency += 1_000
        _ = device.render(frameCount: 480)
        await settle(player)
        #expect(calls.all == ["rendered"])
        player.stop()
        #expect(await calls.first(1) == ["stopped"])
        engine.stop()
    }

    @Test("The async variants return at the same moment as the callbacks")
    func asyncVariantsReturnThen() async throws {
        let (rig, player) = try rig()
        let buffers = (0..<4).map { _ in silence(100) }
        player.play()
        async let plain: Void = player.scheduleBuffer(buffers[0])
        async let rendered = player.scheduleBuffer(buffers[1], completionCallbackType: .dataRendered)
        async let late: Void = player.scheduleBuffer(buffers[2], at: AVAudioTime(sampleTime: 300, atRate: 44_100))
        async let played = player.scheduleBuffer(
            buffers[3],
            at: nil,
            options: [],
            completionCallbackType: .dataPlayedBack
        )
        let rendering = Task {
            while !Task.isCancelled {
                _ = try rig.render(64, block: 64)
                await Task.yield()
            }
        }
        await plain
        await late
        #expect(await rendered == .dataRendered)
        #expect(await played == .dataPlayedBack)
        rendering.cancel()
        _ = try? await rendering.value
    }
}
