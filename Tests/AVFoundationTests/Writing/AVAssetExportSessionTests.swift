import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// An export writes an asset, or a part of it, to a file.
@Suite struct AVAssetExportSessionTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    private func export(_ asset: AVAsset, _ preset: String = AVAssetExportPresetAppleM4A) throws -> AVAssetExportSession
    {
        try #require(AVAssetExportSession(asset: asset, presetName: preset))
    }

    private func sine(_ frameCount: Int = 132_300) throws -> ([Float], AVURLAsset) {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: frameCount)
        return (sine, AVURLAsset(url: try files.wav("sine.wav", [sine, sine])))
    }

    @Test("The preset encodes AAC")
    func thePresetEncodesAAC() async throws {
        let (sine, asset) = try sine()
        let session = try export(asset)
        #expect(session.status == .unknown && session.progress == 0)
        #expect(session.supportedFileTypes.contains(.m4a))
        session.outputURL = files.url("out.m4a")
        session.outputFileType = .m4a
        await withCheckedContinuation { continuation in
            session.exportAsynchronously { continuation.resume() }
        }
        #expect(session.status == .completed && session.error == nil && session.progress == 1)
        let made = AVURLAsset(url: files.url("out.m4a"))
        #expect(try await made.load(.duration) == .frames(132_300))
        let sound = try readSound(of: made)
        #expect(sound.count == 2)
        #expect(abs(levelDecibels(sound[0]) - levelDecibels(sine)) < 0.1)
        #expect(residualDecibels(sine[4_000..<128_000], sound[0][4_000..<128_000]) < -40)
    }

    @Test("A range is exported")
    func aRangeIsExported() async throws {
        let noise =
            [Float](repeating: 0, count: 50_000) + sineWave(frequency: 441, sampleRate: 44_100, frameCount: 50_000)
        let asset = AVURLAsset(url: try files.wav("a.wav", [noise]))
        let session = try export(asset)
        session.timeRange = .frames(40_000, count: 30_000)
        try await session.export(to: files.url("out.m4a"), as: .m4a)
        let made = AVURLAsset(url: files.url("out.m4a"))
        #expect(try await made.load(.duration) == .frames(30_000))
        let sound = try readSound(of: made)[0]
        #expect(residualDecibels(noise[50_200..<68_000], sound[10_200..<28_000]) < -35)
        #expect(levelDecibels(Array(sound[..<8_000])) < -70)
    }

    @Test("A mix sets the volume")
    func aMixSetsTheVolume() async throws {
        let (sine, asset) = try sine()
        let parameters = AVMutableAudioMixInputParameters(track: asset.tracks.first)
        parameters.setVolume(0.5, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let session = try export(asset)
        session.audioMix = mix
        try await session.export(to: files.url("out.m4a"), as: .m4a)
        let sound = try readSound(of: AVURLAsset(url: files.url("out.m4a")))[0]
        let change = levelDecibels(Array(sound[4_000..<128_000])) - levelDecibels(Array(sine[4_000..<128_000]))
        #expect(abs(change + 6.02) < 0.1)
    }

    @Test("A composition is exported")
    func aCompositionIsExported() async throws {
        let (sine, asset) = try sine()
        let composition = AVMutableComposition()
        try composition.insertTimeRange(.frames(0, count: 44_100), of: asset, at: .zero)
        try composition.insertTimeRange(.frames(44_100, count: 44_100), of: asset, at: .frames(88_200))
        #expect(AVAssetExportSession.exportPresets(compatibleWith: composition) == [AVAssetExportPresetAppleM4A])
        try await export(composition).export(to: files.url("out.m4a"), as: .m4a)
        let sound = try readSound(of: AVURLAsset(url: files.url("out.m4a")))[0]
        #expect(sound.count == 132_300)
        #expect(levelDecibels(Array(sound[48_000..<84_000])) < -70)
        #expect(residualDecibels(sine[48_000..<84_000], sound[92_100..<128_100]) < -40)
    }

    @Test("Passthrough copies the packets")
    func passthroughCopiesThePackets() async throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(200_000))
        let source = try files.encode(wav, to: "in.m4a", ["-metadata", "title=Rauch"])
        let session = try export(AVURLAsset(url: source), AVAssetExportPresetPassthrough)
        try await session.export(to: files.url("out.m4a"), as: .m4a)
        let made = AVURLAsset(url: files.url("out.m4a"))
        #expect(try packets(made) == packets(AVURLAsset(url: source)))
        #expect(try readSound(of: made) == readSound(of: AVURLAsset(url: source)))
        let common = try await made.load(.commonMetadata)
        #expect(common.first { $0.commonKey == .commonKeyTitle }?.stringValue == "Rauch")
    }

    /// A copy of packets from one file to another.
    struct Copy: CustomTestStringConvertible, Sendable {
        let source: String
        let options: [String]
        let target: String
        let type: AVFileType
        /// The most that may differ from the source, in decibels; `nil` for nothing.
        var difference: Double?

        var testDescription: String { "\(source) to \(target)" }

        // Without noise that a decoder makes up.
        static let aac = ["-c:a", "aac", "-aac_pns", "0"]
        static let all = [
            Copy(source: "in.m4a", options: aac, target: "out.m4a", type: .m4a),
            Copy(source: "in.m4a", options: aac, target: "out.mov", type: .mov),
            Copy(source: "in.m4a", options: ["-c:a", "alac"], target: "out.m4a", type: .m4a),
            Copy(source: "in.caf", options: ["-c:a", "alac"], target: "out.caf", type: .caf),
            Copy(source: "in.mp3", options: [], target: "out.mp3", type: .mp3, difference: -90),
            Copy(
                source: "in.mp3",
                options: ["-b:a", "48k", "-ar", "22050"],
                target: "out.mp4",
                type: .mp4,
                difference: -90
            ),
            Copy(source: "in.opus", options: ["-ar", "48000"], target: "out.mp4", type: .mp4, difference: -60),
            Copy(source: "in.wav", options: [], target: "out.wav", type: .wav),
            Copy(source: "in.wav", options: ["-c:a", "pcm_s16le"], target: "out.mov", type: .mov),
            Copy(source: "in.aiff", options: [], target: "out.aiff", type: .aiff),
        ]
    }

    @Test("A passthrough export gives exactly the range", arguments: Copy.all)
    func passthroughGivesExactlyTheRange(_ copy: Copy) async throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(200_000))
        let source = AVURLAsset(url: try files.encode(wav, to: copy.source, copy.options))
        let whole = try readSound(of: source)
        let rate = try #require(source.tracks.first).naturalTimeScale
        let count = whole[0].count
        // Within packets, at the start, and to the end.
        for (index, range) in [30_011..<60_017, 0..<20_003, (count - 10_007)..<count, 0..<count].enumerated() {
            let session = try export(source, AVAssetExportPresetPassthrough)
            session.timeRange = .frames(Int64(range.lowerBound), count: Int64(range.count), rate)
            let url = files.url("\(index)-\(copy.target)")
            try await session.export(to: url, as: copy.type)
            let made = AVURLAsset(url: url)
            #expect(try await made.load(.duration) == .frames(Int64(range.count), rate), "\(range)")
            let sound = try readSound(of: made)
            #expect(sound.map(\.count) == [range.count, range.count], "\(range)")
            for (channel, samples) in sound.enumerated() where samples.count == range.count {
                let expected = Array(whole[channel][range])
                if let difference = copy.difference {
                    #expect(residualDecibels(expected[...], samples[...]) < difference, "\(range)")
                } else {
                    #expect(samples == expected, "\(range)")
                }
            }
        }
    }

    @Test("A range after the end is rejected")
    func aRangeBehindTheEndIsRefused() async throws {
        let (_, asset) = try sine()
        let session = try export(asset, AVAssetExportPresetPassthrough)
        session.timeRange = .frames(200_000, count: 100)
        let error = await #expect(throws: AVError.self) {
            try await session.export(to: files.url("out.wav"), as: .wav)
        }
        #expect(error?.reason == .badRange && error?.code == .operationNotAllowed)
        #expect(!FileManager.default.fileExists(atPath: files.url("out.wav").path))
    }

    @Test("An existing file is not overwritten")
    func anExistingFileIsKept() async throws {
        let (_, asset) = try sine()
        let before = try Data(contentsOf: asset.url)
        let session = try export(asset)
        session.outputURL = asset.url
        await session.export()
        #expect(session.status == .failed)
        #expect((session.error as? AVError)?.code == .fileAlreadyExists)
        #expect(try Data(contentsOf: asset.url) == before)
    }

    @Test("An unsupported file type is rejected")
    func anotherTypeOfFileIsRefused() async throws {
        let (_, asset) = try sine()
        let error = await #expect(throws: AVError.self) {
            try await export(asset).export(to: files.url("a.wav"), as: .wav)
        }
        #expect(error?.code == .formatUnsupported)
        #expect(!FileManager.default.fileExists(atPath: files.url("a.wav").path))
        #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPreset640x480") == nil)
    }

    @Test("Compatibility can be checked before an export")
    func compatibilityIsSaidBeforehand() async throws {
        let (_, asset) = try sine()
        #expect(
            await AVAssetExportSession.compatibility(
                ofExportPreset: AVAssetExportPresetAppleM4A,
                with: asset,
                outputFileType: .m4a
            )
        )
        #expect(
            await !AVAssetExportSession.compatibility(
                ofExportPreset: AVAssetExportPresetAppleM4A,
                with: asset,
                outputFileType: .wav
            )
        )
        let missing = AVURLAsset(url: files.url("none.wav"))
        #expect(AVAssetExportSession.exportPresets(compatibleWith: missing).isEmpty)
    }

    @Test("Cancelling leaves no file")
    func cancellingLeavesNoFile() async throws {
        let (_, asset) = try sine(4_410_000)
        let session = try export(asset)
        // A thread of its own: tasks wait for their turn, and the export might be over by then.
        Thread.detachNewThread {
            while session.progress == 0 { usleep(500) }
            session.cancelExport()
        }
        await #expect(throws: CancellationError.self) {
            try await session.export(to: files.url("out.m4a"), as: .m4a)
        }
        #expect(session.status == .cancelled && session.error == nil && session.progress < 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: files.scratch.path)
        #expect(names == ["sine.wav"])
    }

    @Test("A missing asset fails")
    func aMissingAssetFails() async throws {
        let session = try export(AVURLAsset(url: files.url("none.wav")))
        let error = await #expect(throws: AVError.self) {
            try await session.export(to: files.url("out.m4a"), as: .m4a)
        }
        #expect(error?.code == .contentIsUnavailable)
    }

    /// The packets of the first track, one behind the other.
    private func packets(_ asset: AVAsset) throws -> [UInt8] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        var bytes: [UInt8] = []
        while let buffer = output.copyNextSampleBuffer() { bytes += try buffer.bytes }
        return bytes
    }
}
