import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Samplers") struct SamplerTests {
    /// An engine with a sampler.
    private struct SamplerRig {
        let rig: OfflineRig
        let sampler: AVAudioUnitSampler

        init(sampleRate: Double = 48_000, channels: AVAudioChannelCount = 2) throws {
            rig = try OfflineRig(sampleRate: sampleRate, channels: channels)
            sampler = AVAudioUnitSampler()
            rig.engine.attach(sampler)
            rig.engine.connect(sampler, to: rig.engine.mainMixerNode, format: rig.format)
        }

        /// Loads a bank of one sine, or of several programs.
        func load(_ programs: [(bank: Int, program: Int)] = [(0, 0)], all: Bool = false) throws {
            let url = try SoundFontBuilder.file(programs)
            defer { try? FileManager.default.removeItem(at: url) }
            if all { try sampler.loadSoundBank(at: url) } else { try sampler.loadInstrument(at: url) }
            try rig.engine.start()
        }

        func frequency(near guess: Double, count: Int = 48_000) throws -> Double {
            let sound = try rig.render(count)[0]
            return measuredFrequency(sound[4_000...], near: guess, sampleRate: rig.format.sampleRate)
        }
    }

    private func onset(_ samples: [Float]) -> Int? { samples.firstIndex { $0 != 0 } }

    // MARK: FluidSynth

    @Test(
        "A note of a sound bank has its pitch within a cent, at any sample rate",
        .enabled(if: SoundFontBuilder.hasSynthesizer),
        arguments: [44_100.0, 48_000, 96_000]
    )
    func pitchIsExact(_ sampleRate: Double) throws {
        let rig = try SamplerRig(sampleRate: sampleRate)
        try rig.load()
        rig.sampler.startNote(69, withVelocity: 100, onChannel: 0)
        let error = cents(try rig.frequency(near: SoundFontBuilder.frequency), from: SoundFontBuilder.frequency)
        #expect(abs(error) < 1, "\(error) cents")
        rig.sampler.globalTuning = 150
        let tuned = SoundFontBuilder.frequency * pow(2, 150.0 / 1_200)
        #expect(abs(cents(try rig.frequency(near: tuned), from: tuned)) < 1)
    }

    @Test("The pitch wheel bends a note, and its end silences it", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func bendsAndEnds() throws {
        let rig = try SamplerRig()
        try rig.load()
        rig.sampler.sendPitchBend(16_383, onChannel: 0)
        rig.sampler.startNote(69, withVelocity: 100, onChannel: 0)
        let bent = SoundFontBuilder.frequency * pow(2, 200.0 / 1_200)
        let error = cents(try rig.frequency(near: bent), from: bent)
        // FluidSynth bends by 198 cents of 200: it has the range as 2 of 128, and pitches in whole cents.
        #expect(abs(error) < 2.5, "\(error) cents")
        rig.sampler.stopNote(69, onChannel: 0)
        _ = try rig.rig.render(48_000)
        #expect(try rig.rig.render(1_000)[0].allSatisfy { abs($0) < 1e-4 })
    }

    @Test("What is rendered does not depend on the blocks", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func blocksDoNotMatter() throws {
        func rendered(_ block: Int) throws -> [[Float]] {
            let rig = try SamplerRig()
            try rig.load()
            let send = try #require(rig.sampler.auAudioUnit.scheduleMIDIEventBlock)
            for (time, bytes) in [
                (100, [0x90, 69, 100]), (1_001, [0x90, 72, 90]), (1_003, [0x80, 69, 0]), (5_000, [0xB0, 7, 30]),
                (9_999, [0x90, 40, 127]),
            ] as [(Int64, [UInt8])] {
                bytes.withUnsafeBufferPointer { send(time, 0, 3, $0.baseAddress!) }
            }
            return try rig.rig.render(20_000, block: block)
        }
        let reference = try rendered(4_096)
        #expect(reference[0].contains { abs($0) > 0.01 })
        for block in [1, 64, 517] { #expect(try rendered(block) == reference, "blocks of \(block)") }
    }

    @Test("A note begins with the next 64 frames at the latest", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func notesBeginOnAGrid() throws {
        var delays: [Int] = []
        for time in [640, 641, 660, 703] as [Int64] {
            let rig = try SamplerRig()
            try rig.load()
            let send = try #require(rig.sampler.auAudioUnit.scheduleMIDIEventBlock)
            [UInt8]([0x90, 69, 127]).withUnsafeBufferPointer { send(time, 0, 3, $0.baseAddress!) }
            let first = try #require(onset(try rig.rig.render(4_096, block: 100)[0]))
            delays.append(first - Int(time))
        }
        // The first sample of the sine is 0, so that the first that is not comes a frame or two later.
        #expect(delays.allSatisfy { (0...66).contains($0) }, "\(delays)")
        #expect((delays[1] - delays[0], delays[2] - delays[0], delays[3] - delays[0]) == (63, 44, 1))
    }

    @Test("Gain, pan and mono are as they are set", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func gainAndPan() throws {
        let rig = try SamplerRig()
        try rig.load()
        func levels() throws -> [Double] {
            rig.sampler.startNote(69, withVelocity: 127, onChannel: 0)
            _ = try rig.rig.render(10_000)
            return try rig.rig.render(10_000).map { amplitude(of: 441, in: $0[...], sampleRate: 48_000) }
        }
        let plain = try levels()
        #expect(abs(plain[0] - plain[1]) < plain[0] * 0.02 && plain[0] > 0.01)
        rig.sampler.reset()
        rig.sampler.overallGain = -6.0206
        rig.sampler.stereoPan = -100
        let changed = try levels()
        #expect(abs(changed[0] / plain[0] - 0.5) < 0.01 && changed[1] == 0)
        #expect(rig.sampler.stereoPan == -100)
        rig.sampler.overallGain = 99
        #expect(rig.sampler.overallGain == 12)
    }

    @Test("Programs are found, and missing ones are an error", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func findsPrograms() throws {
        let rig = try SamplerRig()
        let url = try SoundFontBuilder.file([(0, 5), (3, 5), (128, 0)])
        defer { try? FileManager.default.removeItem(at: url) }
        let melodic = UInt8(kAUSampler_DefaultMelodicBankMSB)
        let percussion = UInt8(kAUSampler_DefaultPercussionBankMSB)
        try rig.sampler.loadSoundBankInstrument(at: url, program: 5, bankMSB: melodic, bankLSB: 0)
        try rig.sampler.loadSoundBankInstrument(at: url, program: 5, bankMSB: melodic, bankLSB: 3)
        try rig.sampler.loadSoundBankInstrument(at: url, program: 0, bankMSB: percussion, bankLSB: 0)
        let error = #expect(throws: AVMIDIError.self) {
            try rig.sampler.loadSoundBankInstrument(at: url, program: 6, bankMSB: melodic, bankLSB: 0)
        }
        #expect(error?.code == .noSuchInstrument)
        #expect(error?.message == "The sound bank has no program 6 in bank 0.")
    }

    @Test("A sound bank that is none is an error", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func refusesOtherFiles() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sf2")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("nothing of the kind".utf8).write(to: url)
        let sampler = AVAudioUnitSampler()
        #expect(throws: AVMIDIError.self) { try sampler.loadInstrument(at: url) }
        let missing = #expect(throws: AVMIDIError.self) {
            try sampler.loadInstrument(at: URL(fileURLWithPath: "/nonexistent.sf2"))
        }
        #expect(missing?.code == .fileNotFound)
    }

    @Test("A bank that is loaded while another sounds takes over", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func loadsWhileRendering() throws {
        let rig = try SamplerRig()
        try rig.load()
        rig.sampler.startNote(69, withVelocity: 100, onChannel: 0)
        #expect(onset(try rig.rig.render(1_000)[0]) != nil)
        let url = try SoundFontBuilder.file()
        defer { try? FileManager.default.removeItem(at: url) }
        for _ in 0..<3 { try rig.sampler.loadInstrument(at: url) }
        #expect(onset(try rig.rig.render(1_000)[0]) == nil)
        rig.sampler.startNote(69, withVelocity: 100, onChannel: 0)
        #expect(onset(try rig.rig.render(1_000)[0]) != nil)
    }

    @Test("Rendering a sound bank allocates no memory", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func rendersWithoutAllocating() throws {
        let rig = try SamplerRig()
        try rig.load(all: true)
        let crank = try #require(rig.rig.engine.renderCrank())
        let changes: [() -> Void] = [
            {}, { rig.sampler.startNote(69, withVelocity: 100, onChannel: 0) }, { rig.sampler.globalTuning = 5 },
            { rig.sampler.sendProgramChange(0, onChannel: 0) }, { rig.sampler.stopNote(69, onChannel: 0) },
            { rig.sampler.sendController(7, withValue: 3, onChannel: 0) }, { rig.sampler.overallGain = -3 },
            { rig.sampler.sendPitchBend(3, onChannel: 0) }, { rig.sampler.reset() },
        ]
        for (index, change) in changes.enumerated() {
            change()
            for frames in [1, 64, 4_096] {
                #expect(allocations { crank(frames) } == 0, "change \(index), \(frames) frames")
            }
        }
    }

    // MARK: Without FluidSynth

    @Test("Without FluidSynth a sound bank is an error that says what to install")
    func synthesizerIsMissing() throws {
        let sampler = AVAudioUnitSampler(synthesizerLibrary: "libnothing-of-the-kind.so.3")
        let error = #expect(throws: AVMIDIError.self) {
            try sampler.loadInstrument(at: URL(fileURLWithPath: "/tmp/any.sf2"))
        }
        #expect(error?.code.rawValue == "device.synthesizerMissing")
        #expect(error?.message.contains("libfluidsynth3") == true)
    }

    @Test("Instruments of other samplers are an error that names them", arguments: ["aupreset", "exs"])
    func refusesOtherInstruments(_ kind: String) {
        let error = #expect(throws: AVMIDIError.self) {
            try AVAudioUnitSampler().loadInstrument(at: URL(fileURLWithPath: "/tmp/any.\(kind)"))
        }
        #expect(error?.code == .instrumentUnsupported && error?.message.contains(".\(kind)") == true)
    }

    @Test("A sampler is made by its description, and is silent")
    func isMadeByDescription() async throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_MusicDevice
        description.componentSubType = kAudioUnitSubType_Sampler
        let node = try await AVAudioUnit.instantiate(with: description)
        #expect(node is AVAudioUnitSampler && node.name == "AUSampler")
        let rig = try SamplerRig()
        try rig.rig.engine.start()
        rig.sampler.startNote(60, withVelocity: 100, onChannel: 0)
        #expect(onset(try rig.rig.render(1_000)[0]) == nil)
    }

    // MARK: Recordings

    private func recording(_ frequency: Double) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
        try write([sine(frequency, 96_000)], to: url)
        return url
    }

    @Test("Recordings play at the pitches of keys, and begin at their frame")
    func playsRecordings() throws {
        let urls = [try recording(441), try recording(882)]
        defer { for url in urls { try? FileManager.default.removeItem(at: url) } }
        let rig = try SamplerRig()
        try rig.sampler.loadAudioFiles(at: urls)
        try rig.rig.engine.start()
        let send = try #require(rig.sampler.auAudioUnit.scheduleMIDIEventBlock)
        [UInt8]([0x90, 60, 127]).withUnsafeBufferPointer { send(777, 0, 3, $0.baseAddress!) }
        let sound = try rig.rig.render(10_000, block: 100)[0]
        // The sine's first sample is 0.
        #expect(onset(sound) == 778)
        #expect(abs(cents(measuredFrequency(sound[2_000...], near: 441, sampleRate: 48_000), from: 441)) < 1)
        rig.sampler.stopNote(60, onChannel: 0)
        _ = try rig.rig.render(4_000)
        #expect(onset(try rig.rig.render(1_000)[0]) == nil)
        // Twelve keys above the second recording's own.
        rig.sampler.startNote(73, withVelocity: 100, onChannel: 0)
        #expect(abs(cents(try rig.frequency(near: 1_764, count: 20_000), from: 1_764)) < 1)
    }

    @Test("Recordings do not depend on the blocks")
    func recordingsDoNotDependOnBlocks() throws {
        let url = try recording(500)
        defer { try? FileManager.default.removeItem(at: url) }
        func rendered(_ block: Int) throws -> [[Float]] {
            let rig = try SamplerRig()
            try rig.sampler.loadAudioFiles(at: [url])
            try rig.rig.engine.start()
            let send = try #require(rig.sampler.auAudioUnit.scheduleMIDIEventBlock)
            for (time, bytes) in [
                (100, [0x90, 69, 100]), (1_001, [0x90, 55, 90]), (1_003, [0x80, 69, 0]), (2_500, [0xE0, 0, 96]),
            ] as [(Int64, [UInt8])] {
                bytes.withUnsafeBufferPointer { send(time, 0, 3, $0.baseAddress!) }
            }
            return try rig.rig.render(8_000, block: block)
        }
        let reference = try rendered(4_096)
        for block in [64, 517] { #expect(try rendered(block) == reference, "blocks of \(block)") }
    }

    @Test("Playing recordings allocates no memory")
    func recordingsDoNotAllocate() throws {
        let url = try recording(500)
        defer { try? FileManager.default.removeItem(at: url) }
        let rig = try SamplerRig()
        try rig.sampler.loadAudioFiles(at: [url])
        try rig.rig.engine.start()
        let crank = try #require(rig.rig.engine.renderCrank())
        for change in [
            { rig.sampler.startNote(62, withVelocity: 90, onChannel: 1) },
            { rig.sampler.sendPitchBend(100, onChannel: 1) }, { rig.sampler.stopNote(62, onChannel: 1) },
        ] as [() -> Void] {
            change()
            for frames in [1, 64, 4_096] { #expect(allocations { crank(frames) } == 0) }
        }
    }
}
