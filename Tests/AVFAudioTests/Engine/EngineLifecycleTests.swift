import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The state of an engine after starting, stopping and resetting.
@Suite struct EngineLifecycleTests {
    private func playing(_ samples: [Float], on rig: some TestRig) throws -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([samples, samples]))
        try rig.engine.start()
        player.play()
        return player
    }

    /// Whether RealtimeSanitizer watches the render thread: a stop that is asked for there is what it is there to report.
    private static let isWatched = dlsym(nil, "__rtsan_realtime_enter") != nil

    // MARK: Stop

    @Test("After stop() and start() a player waits for play() and continues where it was")
    func playersStandStillAfterAStop() throws {
        let samples = noise(20_000)
        let rig = try OfflineRig()
        let player = try playing(samples, on: rig)
        #expect(try rig.render(1_000)[0] == Array(samples[..<1_000]))
        rig.engine.stop()
        #expect(!player.isPlaying)
        try rig.engine.start()
        #expect(!player.isPlaying)
        #expect(try rig.render(1_000)[0].allSatisfy { $0 == 0 })
        player.play()
        #expect(try rig.render(1_000)[0] == Array(samples[1_000..<2_000]))
    }

    @Test("A player that was told to play before the first start plays from the start on")
    func playBeforeStart() throws {
        let samples = noise(2_000)
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([samples, samples]), completionHandler: nil)
        player.play()
        try rig.engine.start()
        #expect(try rig.render(1_000)[0] == Array(samples[..<1_000]))
    }

    /// Runs `work` on a thread of its own, so that a test of what hangs ends.
    private func isOver(_ work: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            work()
            done.signal()
        }
        return done.wait(timeout: .now() + promptly) == .success
    }

    private final class Owner: Sendable {
        let engine: Mutex<AVAudioEngine?>

        init(_ engine: sending AVAudioEngine) { self.engine = Mutex(engine) }
    }

    /// The action of an input block.
    private final class Trigger: Sendable {
        let work = Mutex<(@Sendable () -> Void)?>(nil)

        func pull() { work.withLock { $0 }?() }
    }

    private func supplied(_ mode: AVAudioEngineManualRenderingMode, _ trigger: Trigger) throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: 512)
        let input = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        input.frameLength = 512
        for frame in 0..<512 { input.floatChannelData?[0][frame] = 0.5 }
        nonisolated(unsafe) let list = input.audioBufferList
        engine.inputNode.setManualRenderingInputPCMFormat(format) { _ in
            trigger.pull()
            return withExtendedLifetime(input) { list }
        }
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        return engine
    }

    @Test(
        "An input block may stop the engine: the render ends as it would have, and is the last",
        .enabled(if: !Self.isWatched)
    )
    func aBlockStopsTheEngineThatRendersIt() throws {
        let trigger = Trigger()
        let engine = try supplied(.offline, trigger)
        let output = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
        for _ in 0..<20 {
            try engine.start()
            #expect(try engine.renderOffline(100, to: output) == .success)
            trigger.work.withLock { $0 = { engine.stop() } }
            let isOver = isOver {
                let status = try? engine.renderOffline(512, to: output)
                #expect(status == .success)
            }
            try #require(isOver)
            #expect((0..<512).allSatisfy { output.floatChannelData?[0][$0] == 0.5 })
            #expect(!engine.isRunning)
            #expect(throws: AVAudioEngineError.self) { try engine.renderOffline(512, to: output) }
            trigger.work.withLock { $0 = nil }
        }
        engine.stop()
    }

    @Test(
        "An input block may stop the engine of a manual rendering block, while others stop it too",
        .enabled(if: !Self.isWatched)
    )
    func aBlockStopsTheEngineInRealTime() throws {
        let trigger = Trigger()
        let engine = try supplied(.realtime, trigger)
        let output = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
        output.frameLength = 512
        let render = engine.manualRenderingBlock
        trigger.work.withLock { $0 = { engine.stop() } }
        for _ in 0..<20 {
            try engine.start()
            nonisolated(unsafe) let (block, list) = (render, output.mutableAudioBufferList)
            let isOver = isOver {
                #expect(block(512, list, nil) == .success)
                var failure: OSStatus = 0
                #expect(block(512, list, &failure) == .error)
                #expect(failure == AVAudioEngineManualRenderingError.notRunning.rawValue)
            }
            engine.stop()
            try #require(isOver)
        }
        #expect(!engine.isRunning)
        // The block holds the engine, which holds the block.
        trigger.work.withLock { $0 = nil }
    }

    @Test("The last owner of an engine may let it go in a block that the engine calls", .enabled(if: !Self.isWatched))
    func aBlockLetsTheEngineGo() throws {
        let trigger = Trigger()
        let owner = Owner(try supplied(.realtime, trigger))
        weak let watched = owner.engine.withLock { $0 }
        let render = try #require(owner.engine.withLock { $0?.manualRenderingBlock })
        let format = try #require(owner.engine.withLock { $0?.manualRenderingFormat })
        let output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        output.frameLength = 512
        try owner.engine.withLock { try $0?.start() }
        trigger.work.withLock { $0 = { owner.engine.withLock { $0 = nil } } }
        nonisolated(unsafe) let (block, list) = (render, output.mutableAudioBufferList)
        let isOver = isOver { #expect(block(512, list, nil) == .success) }
        try #require(isOver)
        #expect((0..<512).allSatisfy { output.floatChannelData?[0][$0] == 0.5 })
        #expect(watched == nil)
        #expect(block(512, list, nil) == .error)
    }

    @Test("A source on a device's thread may stop the engine", .enabled(if: !Self.isWatched))
    func aSourceStopsTheEngineOfItsDevice() throws {
        let engine = AVAudioEngine()
        engine.outputDevice = NullOutput()
        let calls = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
        calls.initialize(to: Atomic(0))
        defer {
            calls.deinitialize(count: 1)
            calls.deallocate()
        }
        nonisolated(unsafe) let count = calls
        let source = AVAudioSourceNode { [weak engine] isSilence, _, _, _ in
            isSilence.pointee = true
            if count.pointee.add(1, ordering: .sequentiallyConsistent).oldValue % 3 == 2 { engine?.stop() }
            return 0
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
        for round in 1...3 {
            try engine.start()
            #expect(waitUntil { calls.pointee.load(ordering: .sequentiallyConsistent) >= 3 * round })
            #expect(waitUntil { !engine.isRunning })
        }
        engine.stop()
    }

    @Test(
        "Two threads that render one engine never run the graph at once; one gets silence"
    )
    func oneRendererAtATime() throws {
        let rig = try OfflineRig(channels: 1)
        let state = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 2)
        for index in 0..<2 { (state + index).initialize(to: Atomic(0)) }
        defer { state.deallocate() }
        nonisolated(unsafe) let (inside, overlaps) = (state, state + 1)
        let source = AVAudioSourceNode { _, _, _, _ in
            if inside.pointee.add(1, ordering: .sequentiallyConsistent).oldValue > 0 {
                overlaps.pointee.add(1, ordering: .sequentiallyConsistent)
            }
            // Long enough for another thread to come along; no call, since this runs where none may be made.
            var turns = 0
            while turns < 20_000 { turns += 1 }
            inside.pointee.subtract(1, ordering: .sequentiallyConsistent)
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            nonisolated(unsafe) let crank = try #require(rig.engine.renderCrank())
            Thread.detachNewThread {
                for _ in 0..<400 { crank(16) }
                done.signal()
            }
        }
        for _ in 0..<2 { done.wait() }
        #expect(overlaps.pointee.load(ordering: .sequentiallyConsistent) == 0)
    }

    // MARK: Reset

    @Test("reset() takes the manual timeline back to 0, for nodes and taps too, and drops what is scheduled")
    func resetBeginsTheTimelineAnew() throws {
        let rig = try OfflineRig()
        let player = try playing(noise(9_000), on: rig)
        let times = Mutex<[Double]>([])
        times.withLock { $0.reserveCapacity(64) }
        let source = AVAudioSourceNode { isSilence, time, _, _ in
            isSilence.pointee = true
            times.withLock { $0.append(time.pointee.mSampleTime) }
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        let tapped = Mutex<[Int64]>([])
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 500, format: nil) { _, when in
            tapped.withLock { $0.append(when.sampleTime) }
        }
        _ = try rig.render(2_000, block: 500)
        #expect(rig.engine.manualRenderingSampleTime == 2_000)
        rig.engine.reset()
        #expect(rig.engine.manualRenderingSampleTime == 0)
        #expect(rig.engine.outputNode.lastRenderTime?.sampleTime == 0)
        #expect(player.lastRenderTime?.sampleTime == 0)
        #expect(try rig.render(1_000, block: 500)[0].allSatisfy { $0 == 0 })
        #expect(rig.engine.manualRenderingSampleTime == 1_000)
        #expect(player.lastRenderTime?.sampleTime == 1_000)
        #expect(times.withLock { $0 } == [0, 500, 1_000, 1_500, 0, 500])
        #expect(tapped.withLock { $0 } == [0, 500, 1_000, 1_500, 0, 500])
    }

    @Test("Outside of manual rendering its format is one of 0 Hz and 0 channels")
    func manualFormatsAreInvalidOutsideOfIt() throws {
        let engine = AVAudioEngine()
        func isInvalid() -> Bool {
            engine.manualRenderingFormat.sampleRate == 0 && engine.manualRenderingFormat.channelCount == 0
        }
        #expect(isInvalid())
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        #expect(engine.manualRenderingFormat == format)
        engine.disableManualRenderingMode()
        #expect(isInvalid())
        #expect(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 10) == nil)
    }
}
