import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Channels, volumes and ramps at a mixer.
@Suite struct MixingTests {
    private static let root = Float(0.5).squareRoot()

    /// Returns the value of each channel of `target` for a constant in each channel of `source`.
    private func mixed(_ source: [Float], _ tag: AudioChannelLayoutTag, to target: AudioChannelLayoutTag) throws
        -> [Float]
    {
        let format = AVAudioFormat(
            standardFormatWithSampleRate: 48_000,
            channelLayout: try #require(AVAudioChannelLayout(layoutTag: target))
        )
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        let input = AVAudioFormat(
            standardFormatWithSampleRate: 48_000,
            channelLayout: try #require(AVAudioChannelLayout(layoutTag: tag))
        )
        let node = AVAudioSourceNode(format: input) { _, _, count, list in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for channel in 0..<buffers.count {
                guard let samples = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(count) { samples[frame] = source[channel] }
            }
            return 0
        }
        engine.attach(node)
        // A mixer of the target's layout, so that it is the mixer that converts.
        engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
        engine.connect(node, to: engine.mainMixerNode, format: input)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        _ = try engine.renderOffline(64, to: buffer)
        let channels = try #require(buffer.floatChannelData)
        return (0..<Int(format.channelCount)).map { channels[$0][63] }
    }

    @Test("Surround is mixed down by the coefficients of ITU-R BS.775")
    func surroundIsFoldedByTheRecommendation() throws {
        let root = Self.root
        // L R C LFE Ls Rs
        let surround: [Float] = [1, 2, 4, 8, 16, 32]
        let stereo = try mixed(surround, kAudioChannelLayoutTag_MPEG_5_1_A, to: kAudioChannelLayoutTag_Stereo)
        #expect(abs(stereo[0] - (1 + 4 * root + 16 * root)) < 1e-5)
        #expect(abs(stereo[1] - (2 + 4 * root + 32 * root)) < 1e-5)
        let mono = try mixed(surround, kAudioChannelLayoutTag_MPEG_5_1_A, to: kAudioChannelLayoutTag_Mono)
        #expect(abs(mono[0] - ((1 + 2) * root + 4 + (16 + 32) / 2)) < 1e-5)
        let quad = try mixed(surround, kAudioChannelLayoutTag_MPEG_5_1_A, to: kAudioChannelLayoutTag_Quadraphonic)
        #expect(abs(quad[0] - (1 + 4 * root)) < 1e-5)
        #expect(quad[2...] == [16, 32])
    }

    /// 5.1 with a tone of 0.5 in one channel, in the order L R C LFE Ls Rs.
    private static func tone(in channel: Int) throws -> AVAudioPCMBuffer {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 20_000))
        buffer.frameLength = 20_000
        let samples = sine(441, 20_000)
        buffer.floatChannelData?[channel].update(from: samples, count: samples.count)
        return buffer
    }

    /// The levels of a tone of 441 Hz left and right, in dB of 0.5.
    private static func decibels(_ output: [[Float]]) -> [Double] {
        output.map { max(20 * log10(amplitude(of: 441, in: $0[2_000..<12_000]) / 0.5), -120) }
    }

    /// The levels of the tones of `tone(in:)` on a stereo output by ITU-R BS.775, in dB.
    private static let folded: [(channel: Int, left: Double, right: Double)] = [
        (0, 0, -120), (1, -120, 0), (2, -3.01, -3.01), (3, -120, -120), (4, -3.01, -120), (5, -120, -3.01),
    ]

    private static func isFolded(_ output: [[Float]], _ place: (channel: Int, left: Double, right: Double)) -> Bool {
        let heard = decibels(output)
        return abs(heard[0] - place.left) < 0.05 && abs(heard[1] - place.right) < 0.05
    }

    @Test(
        "A stereo output has the center and the surrounds of 5.1",
        arguments: folded.indices,
        ["its own", "stereo", "nil"]
    )
    func stereoOutputsLoseNoChannel(_ index: Int, _ connection: String) throws {
        let place = Self.folded[index]
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        let sound = try Self.tone(in: place.channel)
        rig.engine.attach(player)
        let format = ["its own": sound.format, "stereo": rig.format][connection]
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: format)
        player.scheduleBuffer(sound)
        try rig.engine.start()
        player.play()
        #expect(Self.isFolded(try rig.render(15_000), place))
    }

    @Test(
        "A stereo output has the center and the surrounds of a file of 5.1, whatever the player's rate",
        arguments: folded.indices,
        [44_100.0, 48_000]
    )
    func filesLoseNoChannel(_ index: Int, _ sampleRate: Double) throws {
        let place = Self.folded[index]
        let folder = try ScratchDirectory()
        let sound = try Self.tone(in: place.channel)
        var settings = sound.format.settings
        settings[AVLinearPCMIsNonInterleaved] = false
        let writer = try AVAudioFile(forWriting: folder.url("a.caf"), settings: settings)
        try writer.write(from: sound)
        writer.close()
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: format)
        player.scheduleFile(try AVAudioFile(forReading: folder.url("a.caf")), at: nil)
        try rig.engine.start()
        player.play()
        #expect(Self.isFolded(try rig.render(15_000), place))
        // A player of files makes its connection by itself.
        let other = try OfflineRig()
        let file = try AVAudioPlayer(contentsOf: folder.url("a.caf"), engine: other.engine)
        #expect(file.numberOfChannels == 6 && file.play())
        #expect(Self.isFolded(try other.render(15_000), place))
    }

    /// Devices take channels in the order of WAVE (`DeviceFormat`); behind the speakers' names, in that of the source.
    @Test(
        "A device gets channels in the order of WAVE",
        arguments: [
            // L R C LFE Ls Rs, to L R C LFE Rls Rrs of a device, which says nothing finer than that they are behind.
            (kAudioChannelLayoutTag_MPEG_5_1_A, [1, 2, 3, 4, 5, 6]),
            // C L R Ls Rs LFE
            (kAudioChannelLayoutTag_MPEG_5_1_D, [2, 3, 1, 6, 4, 5]),
            // L R C LFE Ls Rs Cs, to L R C LFE Cs Ls Rs
            (kAudioChannelLayoutTag_MPEG_6_1_A, [1, 2, 3, 4, 7, 5, 6]),
            (kAudioChannelLayoutTag_WAVE_6_1, [1, 2, 3, 4, 5, 6, 7]),
            // L R C LFE Ls Rs Rls Rrs, to L R C LFE Rls Rrs Ls Rs
            (kAudioChannelLayoutTag_MPEG_7_1_C, [1, 2, 3, 4, 7, 8, 5, 6]),
            (kAudioChannelLayoutTag_WAVE_7_1, [1, 2, 3, 4, 5, 6, 7, 8]),
        ]
    )
    func aDeviceGetsTheOrderOfWAVE(_ tag: AudioChannelLayoutTag, _ expected: [Float]) throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: expected.count))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        let constants = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        constants.frameLength = 64
        for channel in expected.indices {
            constants.floatChannelData?[channel].update(repeating: Float(channel + 1), count: 64)
        }
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(constants)
        try engine.start()
        player.play()
        #expect(device.render(frameCount: 64).map { $0[63] } == expected)
        engine.stop()
    }

    @Test("Fewer channels go to the outputs of their positions")
    func lessIsPutWhereItBelongs() throws {
        let six = kAudioChannelLayoutTag_MPEG_5_1_A
        #expect(try mixed([1, 2], kAudioChannelLayoutTag_Stereo, to: six) == [1, 2, 0, 0, 0, 0])
        #expect(try mixed([3], kAudioChannelLayoutTag_Mono, to: six) == [0, 0, 3, 0, 0, 0])
        #expect(try mixed([3], kAudioChannelLayoutTag_Mono, to: kAudioChannelLayoutTag_Stereo) == [3, 3])
        #expect(try mixed([1, 3], kAudioChannelLayoutTag_Stereo, to: kAudioChannelLayoutTag_Mono) == [2])
        #expect(try mixed([1, 2, 4, 8, 16, 32], six, to: six) == [1, 2, 4, 8, 16, 32])
        // Another order of the same loudspeakers: L R Ls Rs C LFE.
        #expect(try mixed([1, 2, 4, 8, 16, 32], six, to: kAudioChannelLayoutTag_MPEG_5_1_B) == [1, 2, 16, 32, 4, 8])
        let discrete = kAudioChannelLayoutTag_DiscreteInOrder
        #expect(try mixed([1, 2, 3], discrete | 3, to: discrete | 5) == [1, 2, 3, 0, 0])
    }

    /// An engine that plays a constant 1 in stereo.
    private func ones() throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let loop = [Float](repeating: 1, count: 1_000)
        player.scheduleBuffer(buffer([loop, loop]), at: nil, options: .loops)
        try rig.engine.start()
        player.play()
        return (rig, player)
    }

    @Test("A volume ramp takes exactly the requested number of frames", arguments: [1, 100, 4_096])
    func aRampTakesTheFramesThatTheCallerSays(block: Int) throws {
        let (rig, player) = try ones()
        #expect(try rig.render(10)[0].allSatisfy { $0 == 1 })
        player.rampVolume(to: 0, over: 1_000)
        let falling = try rig.render(1_200, block: block)[0]
        for frame in 0..<1_000 { #expect(abs(falling[frame] - (1 - Float(frame + 1) / 1_000)) < 1e-5) }
        #expect(falling[999...].allSatisfy { $0 == 0 })
        // A jump: one frame.
        player.rampVolume(to: 1, over: 1)
        #expect(try rig.render(10, block: block)[0].allSatisfy { $0 == 1 })
        rig.engine.mainMixerNode.rampOutputVolume(to: 0.5, over: 100)
        let whole = try rig.render(150, block: block)[1]
        for frame in 0..<100 { #expect(abs(whole[frame] - (1 - Float(frame + 1) / 200)) < 1e-5) }
        #expect(whole[99...].allSatisfy { $0 == 0.5 })
    }

    @Test("Panning attenuates the opposite channel only")
    func panTurnsDownTheOtherSide() throws {
        let (rig, player) = try ones()
        _ = try rig.render(10)
        player.rampPan(to: 1, over: 500)
        let moving = try rig.render(600)
        #expect(moving[1].allSatisfy { $0 == 1 })
        for frame in 0..<500 { #expect(abs(moving[0][frame] - (1 - Float(frame + 1) / 500)) < 1e-5) }
        player.pan = -0.5
        _ = try rig.render(441)
        let left = try rig.render(10)
        #expect(left[0].allSatisfy { $0 == 1 } && left[1].allSatisfy { $0 == 0.5 })
    }

    @Test("A volume change takes effect within one block")
    func aChangeIsHeardWithinOneBlock() throws {
        let (rig, player) = try ones()
        _ = try rig.render(64, block: 64)
        player.volume = 0.5
        let after = try rig.render(64, block: 64)[0]
        #expect(after[0] < 1 && after[63] < after[0])
        player.volume = 1
        rig.engine.mainMixerNode.outputVolume = 0
        let down = try rig.render(1_000)[0]
        // 10 ms are 441 frames.
        #expect(down[440...].allSatisfy { $0 == 0 } && down[300] > 0)
    }

    @Test("A mixer sums 1000 inputs")
    func aThousandInputsAddUp() throws {
        let rig = try OfflineRig()
        for index in 0..<1_000 {
            let player = AVAudioPlayerNode()
            rig.engine.attach(player)
            rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
            let samples = [Float](repeating: index % 2 == 0 ? 2 : -1, count: 50)
            player.scheduleBuffer(buffer([samples, samples]))
            player.play()
        }
        try rig.engine.start()
        let output = try rig.render(100)
        #expect(output[0] == Array(repeating: 500, count: 50) + Array(repeating: 0, count: 50))
    }
}
