import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Files are read ahead and played to the sample.
@Suite struct PlayerFileTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    private func file(_ name: String, _ channels: [[Float]], sampleRate: Double = 44_100) throws -> AVAudioFile {
        let url = folder.url(name)
        try write(channels, to: url, sampleRate: sampleRate)
        return try AVAudioFile(forReading: url)
    }

    private func rig(_ sampleRate: Double = 44_100) throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig(sampleRate: sampleRate)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return (rig, player)
    }

    @Test("Files, segments and buffers follow each other without a gap", arguments: [64, 480, 4_096])
    func filesSegmentsAndBuffersFollowOneAnother(_ block: Int) throws {
        // Longer than what is read ahead.
        let left = noise(90_000)
        let right = noise(90_000, channel: 1)
        let file = try file("a.wav", [left, right])
        file.framePosition = 1_234
        let (rig, player) = try rig()
        let between = noise(777, channel: 2)
        player.scheduleSegment(file, startingFrame: 5_000, frameCount: 3_000, at: nil)
        player.scheduleBuffer(buffer([between, between]))
        player.scheduleFile(file, at: nil)
        // Past the end there is nothing.
        player.scheduleSegment(file, startingFrame: 89_990, frameCount: 500, at: nil)
        player.scheduleSegment(file, startingFrame: 100_000, frameCount: 500, at: nil)
        player.scheduleBuffer(buffer([between, between]))
        player.play()
        let output = try rig.render(96_000, block: block)
        let expected: [Float] = left[5_000..<8_000] + between + left + left[89_990...] + between
        #expect(Array(output[0][..<expected.count]) == expected)
        #expect(output[0][expected.count...].allSatisfy { $0 == 0 })
        #expect(Array(output[1][3_777..<93_777]) == right)
        #expect(file.framePosition == 1_234)
        #expect(player.frameNow == 96_000)
        #expect(player.starvedFrames == Int64(96_000 - expected.count))
    }

    @Test("A file that is read as whole numbers in one row plays as it is")
    func anInterleavedFilePlays() throws {
        let samples = noise(20_000)
        let url = folder.url("a.wav")
        try write([samples, samples], to: url, sampleRate: 44_100)
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        let (rig, player) = try rig()
        player.scheduleFile(file, at: nil)
        player.play()
        let output = try rig.render(20_000, block: 480)
        for channel in 0...1 { #expect(zip(output[channel], samples).allSatisfy { abs($0 - $1) < 1e-4 }) }
    }

    @Test("Many short segments play without a gap")
    func manyShortSegmentsAreGapless() throws {
        let samples = noise(50_000)
        let file = try file("a.wav", [samples, samples])
        let (rig, player) = try rig()
        var expected: [Float] = []
        for index in 0..<300 {
            let start = index * 7_919 % 49_000
            let count = 1 + index * 31 % 900
            player.scheduleSegment(
                file,
                startingFrame: AVAudioFramePosition(start),
                frameCount: AVAudioFrameCount(count),
                at: nil
            )
            expected += samples[start..<min(start + count, 50_000)]
        }
        player.play()
        #expect(try rig.render(expected.count, block: 4_096)[0] == expected)
    }

    @Test("Stopping and scheduling the rest of a file seeks in it")
    func seekingIsToStopAndScheduleTheRest() throws {
        let samples = noise(60_000)
        let file = try file("a.wav", [samples, samples])
        let (rig, player) = try rig()
        player.scheduleFile(file, at: nil)
        player.play()
        var position = 0
        for target in [30_000, 100, 59_000, 0, 44_100] {
            let output = try rig.render(700)
            #expect(output[0] == Array(samples[position..<(position + 700)]))
            player.stop()
            player.scheduleSegment(
                file,
                startingFrame: AVAudioFramePosition(target),
                frameCount: AVAudioFrameCount(60_000 - target),
                at: nil
            )
            player.play()
            position = target
        }
        _ = try rig.render(10)
        #expect(player.frameNow == 10)
    }

    @Test("A file of another sample rate is converted to the player's rate")
    func aFileOfAnotherRateIsBroughtToThePlayers() throws {
        // 1 s of 1 kHz at 48 kHz is 1 s of 1 kHz at 44.1 kHz.
        let tone = sine(1_000, 48_000, sampleRate: 48_000)
        let file = try file("a.wav", [tone, tone], sampleRate: 48_000)
        let (rig, player) = try rig()
        let mark = [Float](repeating: 1, count: 10)
        player.scheduleFile(file, at: nil)
        player.scheduleBuffer(buffer([mark, mark]))
        player.play()
        let output = try rig.render(45_000)[0]
        #expect(abs(amplitude(of: 1_000, in: output[2_000..<42_000]) - 0.5) < 0.001)
        // The same tone, sample by sample: the change of rate neither delays nor loses anything.
        let same = sine(1_000, 44_100)
        let worst = (500..<43_500).map { abs(output[$0] - same[$0]) }.max() ?? 1
        #expect(worst < 0.001)
        #expect(Array(output[44_100..<44_110]) == mark)
        #expect(output[44_110] == 0)
    }

    @Test("A mono file plays on both channels")
    func monoFilesSoundOnBothSides() throws {
        let samples = noise(5_000)
        let file = try file("a.wav", [samples])
        let (rig, player) = try rig()
        player.scheduleFile(file, at: nil)
        player.play()
        let output = try rig.render(5_000)
        #expect(output[0] == samples)
        #expect(output[1] == samples)
    }

    @Test("An offline render waits for a file that is read more slowly")
    func aRenderThatIsFasterThanTheReadingWaits() throws {
        // At rate 32 one block takes more than is read ahead in one go.
        let samples = sine(100, 400_000)
        let file = try file("a.wav", [samples, samples])
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        let speed = AVAudioUnitTimePitch()
        speed.rate = 32
        rig.engine.attach(player)
        rig.engine.attach(speed)
        rig.engine.connect(player, to: speed, format: rig.format)
        rig.engine.connect(speed, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.scheduleFile(file, at: nil)
        player.play()
        _ = try rig.render(8_192, block: 4_096)
        #expect(player.starvedFrames == 0)
    }

    @Test("A file completes when it has been read, rendered or heard, by its callback type")
    func completionsOfFilesComeWhenTheyAreThrough() async throws {
        let samples = noise(6_000)
        let file = try file("a.wav", [samples, samples])
        let (rig, player) = try rig()
        let calls = Mutex<[Int]>([])
        player.scheduleFile(file, at: nil) { calls.withLock { $0.append(0) } }
        player.prepare(withFrameCount: 6_000)
        async let segment = player.scheduleSegment(
            file,
            startingFrame: 10,
            frameCount: 100,
            at: nil,
            completionCallbackType: .dataRendered
        )
        player.play()
        _ = try rig.render(5_999)
        #expect(calls.withLock { $0 } == [])
        let rendering = Task {
            while !Task.isCancelled {
                _ = try rig.render(64, block: 64)
                await Task.yield()
            }
        }
        #expect(await segment == .dataRendered)
        #expect(calls.withLock { $0 } == [0])
        async let whole: Void = player.scheduleFile(file, at: nil)
        async let part: Void = player.scheduleSegment(file, startingFrame: 0, frameCount: 9, at: nil)
        async let typed = player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack)
        _ = await (whole, part)
        #expect(await typed == .dataPlayedBack)
        rendering.cancel()
        _ = try? await rendering.value
        // Dropped before a frame of it was read.
        player.stop()
        await withCheckedContinuation { done in
            player.scheduleFile(file, at: nil) { done.resume() }
            player.stop()
        }
    }

    @Test("play() returns at once, whatever the file does")
    func playDoesNotWaitForTheFile() throws {
        let samples = noise(30_000)
        let (closed, file) = (try file("a.wav", [samples, samples]), try file("b.wav", [samples, samples]))
        closed.close()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
        // The reading thread stands still in what it calls when a file cannot be read.
        let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        player.fileFailureHandler = { _, _ in
            isHeld.signal()
            mayGoOn.wait()
        }
        try engine.start()
        player.scheduleFile(closed, at: nil, completionHandler: {})
        player.scheduleFile(file, at: nil, completionHandler: {})
        isHeld.wait()
        let isPrompt = isPrompt {
            for _ in 0..<40 {
                player.play()
                player.pause()
            }
            player.play()
        }
        #expect(isPrompt)
        #expect(player.isPlaying)
        // The start is put off: the time of the player stands, and nothing of the file will be missing.
        #expect(device.render(frameCount: 4_000)[0].allSatisfy { $0 == 0 })
        #expect(player.frameNow == 0)
        mayGoOn.signal()
        player.prepare(withFrameCount: 4_096)
        #expect(device.render(frameCount: 4_000)[0] == Array(samples[..<4_000]))
        #expect(player.frameNow == 4_000)
        #expect(player.starvedFrames == 0)
        engine.stop()
    }

    @Test("A start at a given time is on time, and what has not been read by then follows late")
    func aTimedStartDoesNotWaitForTheFile() throws {
        let samples = noise(30_000)
        let (closed, file) = (try file("a.wav", [samples, samples]), try file("b.wav", [samples, samples]))
        closed.close()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
        let mayGoOn = DispatchSemaphore(value: 0)
        player.fileFailureHandler = { _, _ in mayGoOn.wait() }
        try engine.start()
        player.scheduleFile(closed, at: nil, completionHandler: {})
        player.scheduleFile(file, at: nil, completionHandler: {})
        player.play(at: AVAudioTime(sampleTime: 100, atRate: 44_100))
        _ = device.render(frameCount: 1_000)
        #expect(player.frameNow == 900)
        mayGoOn.signal()
        player.prepare(withFrameCount: 4_096)
        #expect(device.render(frameCount: 1_000)[0] == Array(samples[..<1_000]))
        engine.stop()
    }

    @Test("A file that cannot be read is reported and skipped")
    func aFileThatCannotBeReadEndsAndIsReported() async throws {
        let samples = noise(3_000)
        let file = try file("a.wav", [samples, samples])
        file.close()
        let (rig, player) = try rig()
        let (failures, continuation) = AsyncStream.makeStream(of: String.self)
        player.fileFailureHandler = { _, error in continuation.yield((error as? AVAudioFileError)?.code.rawValue ?? "")
        }
        let after = noise(100)
        player.scheduleFile(file, at: nil) {}
        player.scheduleBuffer(buffer([after, after])) {}
        player.play()
        #expect(try rig.render(100)[0] == after)
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next() == "usage.finished")
    }
}
