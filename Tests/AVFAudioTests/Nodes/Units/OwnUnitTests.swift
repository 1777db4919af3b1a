import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

/// A unit of the program's own, as `AVAudioUnitEffect` tells to write one: delays by some frames and makes half as loud.
final class DelayUnit: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: a constant.
    let frames: Int

    init(frames: Int) {
        self.frames = frames
        super.init()
    }

    override var latency: TimeInterval { Double(frames) / 44_100 }
    override var tailTime: TimeInterval { Double(frames) / 44_100 }

    override func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
        Kernel(frames: frames, channels: Int(format.channelCount))
    }

    private final class Kernel: AVAudioUnitKernel {
        private let frames: Int
        private let line: UnsafeMutablePointer<Float>
        private let channels: Int
        private var position = 0

        init(frames: Int, channels: Int) {
            self.frames = frames
            self.channels = channels
            line = .allocate(capacity: frames * channels)
            line.initialize(repeating: 0, count: frames * channels)
        }

        deinit { line.deallocate() }

        override func process(
            _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
            into output: UnsafePointer<UnsafeMutablePointer<Float>>,
            frameCount: Int
        ) {
            for frame in 0..<frameCount {
                for channel in 0..<channels {
                    let place = line + (channel * frames + position)
                    output[channel][frame] = place.pointee / 2
                    place.pointee = input[channel][frame]
                }
                position = (position + 1) % frames
            }
        }

        override func reset() {
            for index in 0..<frames * channels { line[index] = 0 }
            position = 0
        }
    }
}

@Suite struct OwnUnitTests {
    private func rig(_ samples: [Float], isLast: Bool = false) throws -> (OfflineRig, AVAudioPlayerNode, DelayUnit) {
        let rig = try OfflineRig()
        let (player, unit) = (AVAudioPlayerNode(), DelayUnit(frames: 100))
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleStreamed(buffer([samples, samples]), isLast: isLast)
        try rig.engine.start()
        player.play()
        return (rig, player, unit)
    }

    @Test("A custom unit processes the sound", arguments: [1, 7, 512, 4_096]) func aUnitOfOnesOwnIsHeard(block: Int)
        throws
    {
        let samples = noise(3_000)
        let (rig, _, unit) = try rig(samples)
        let output = try rig.render(3_100, block: block)
        #expect(output[1] == Array(repeating: 0, count: 100) + samples.map { $0 / 2 })
        #expect(unit.latency == 100.0 / 44_100)
        #expect(unit.audioComponentDescription.componentType == kAudioUnitType_Effect)
        #expect(unit.name == "DelayUnit")
    }

    @Test("A unit's tail is rendered before the end of the output")
    func theTailSoundsBeforeTheEnd() throws {
        let (rig, _, _) = try rig(noise(3_000), isLast: true)
        _ = try rig.render(4_000)
        #expect(rig.engine.hasOutputEnded)
        #expect(rig.engine.outputFrames.content == 3_100)
    }

    @Test("Bypassing a unit fades to its input and back")
    func bypassFadesToTheInputAndBack() throws {
        let (rig, _, unit) = try rig([Float](repeating: 1, count: 50_000))
        #expect(try rig.render(1_000)[0][999] == 0.5)
        unit.bypass = true
        let out = try rig.render(1_000)[0]
        #expect(zip(out, out.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 < 0.005 })
        #expect(out[220...].allSatisfy { $0 == 1 })
        unit.bypass = false
        // It begins afresh: its line is empty.
        let back = try rig.render(1_000)[0]
        #expect(back[99] < 0.6 && back[300] == 0.5)
    }

    @Test("A unit that was reset renders as a new one does")
    func resetEqualsFresh() throws {
        let (rig, player, unit) = try rig([Float](repeating: 1, count: 50_000))
        _ = try rig.render(1_000)
        player.stop()
        _ = try rig.render(300)
        unit.reset()
        let samples = noise(500)
        player.scheduleBuffer(buffer([samples, samples]))
        player.play()
        #expect(try rig.render(600)[0] == Array(repeating: 0, count: 100) + samples.map { $0 / 2 })
    }

    @Test("A custom unit renders without allocating")
    func aUnitAllocatesNothing() throws {
        let (rig, _, unit) = try rig(noise(50_000))
        let crank = try #require(rig.engine.renderCrank())
        for change in [{}, { unit.bypass = true }, { unit.bypass = false }, { unit.reset() }] {
            change()
            for frames in [1, 7, 480, 4_096] { #expect(allocations { crank(frames) } == 0) }
        }
    }

    @Test("A unit is created from its component description")
    func unitsAreFoundByDescription() async throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_FormatConverter
        description.componentSubType = kAudioUnitSubType_Varispeed
        description.componentManufacturer = kAudioUnitManufacturer_Apple
        let varispeed = try await AVAudioUnit.instantiate(with: description)
        #expect(varispeed is AVAudioUnitVarispeed)
        #expect(varispeed.audioComponentDescription.componentSubType == kAudioUnitSubType_Varispeed)
        description.componentSubType = kAudioUnitSubType_AUiPodTimeOther
        #expect(AVAudioUnitTimePitch(audioComponentDescription: description).rate == 1)
        description.componentSubType = 1
        let caught = Mutex<(any Error)?>(nil)
        AVAudioUnit.instantiate(with: description, options: .loadOutOfProcess) { unit, error in
            #expect(unit == nil)
            caught.withLock { $0 = error }
        }
        let error = try #require(caught.withLock { $0 } as? AVAudioEngineError)
        #expect(error.code == .unknownUnit && error.message.contains("\"aufc\""))
    }
}
