import TestSupport
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

    @Test func thePresetEncodesAAC() async throws {
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

    @Test func aRangeIsExported() async throws {
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

    @Test func aMixSetsTheVolume() async throws {
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

    @Test func aCompositionIsExported() async throws {
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

    @Test func passthroughCopiesThePackets() async throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(200_000))
        let source = try files.encode(wav, to: "in.m4a", ["-metadata", "title=Rauch"])
        let session = try export(AVURLAsset(url: source), AVAssetExportPresetPassthrough)
        try await session.export(to: files.url("out.m4a"), as: .m4a)
        let made = AVURLAsset(url: files.url("out.m4a"))
        #expect(try packets(made) == packets(AVURLAsset(url: source)))
        let (first, second) = (try readSound(of: AVURLAsset(url: source)), try readSound(of: made))
        // The last packet is heard to its end.
        #expect((0..<1024).contains(second[0].count - first[0].count))
        #expect(second.map { Array($0.prefix(200_000)) } == first)
        let common = try await made.load(.commonMetadata)
        #expect(common.first { $0.commonKey == .commonKeyTitle }?.stringValue == "Rauch")
    }

    @Test(arguments: [("in.mp3", "out.mp3", AVFileType.mp3), ("in.wav", "out.wav", .wav)])
    func passthroughCutsAtPackets(_ name: String, _ target: String, _ type: AVFileType) async throws {
        let noise = AssetFiles.stereoNoise(400_000)
        let wav = try files.wav(name == "in.wav" ? name : "a.wav", noise)
        let source = try name == "in.wav" ? wav : files.encode(wav, to: name)
        let session = try export(AVURLAsset(url: source), AVAssetExportPresetPassthrough)
        session.timeRange = .frames(100_000, count: 200_000)
        try await session.export(to: files.url(target), as: type)
        let sound = try readSound(of: AVURLAsset(url: files.url(target)))[0]
        // A packet at each end may be in it as a whole.
        #expect(abs(sound.count - 200_000) <= 4_608)
        let original = try readSound(of: AVURLAsset(url: source))[0]
        let place = try #require(alignment(of: Array(sound[20_000..<80_000]), in: original))
        #expect(abs(place.offset - 120_000) <= 2_304)
        #expect(place.correlation > 0.999)
    }

    @Test func anExistingFileIsKept() async throws {
        let (_, asset) = try sine()
        let before = try Data(contentsOf: asset.url)
        let session = try export(asset)
        session.outputURL = asset.url
        await session.export()
        #expect(session.status == .failed)
        #expect((session.error as? AVError)?.code == .fileAlreadyExists)
        #expect(try Data(contentsOf: asset.url) == before)
    }

    @Test func anotherTypeOfFileIsRefused() async throws {
        let (_, asset) = try sine()
        let error = await #expect(throws: AVError.self) {
            try await export(asset).export(to: files.url("a.wav"), as: .wav)
        }
        #expect(error?.code == .formatUnsupported)
        #expect(!FileManager.default.fileExists(atPath: files.url("a.wav").path))
        #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPreset640x480") == nil)
    }

    @Test func compatibilityIsSaidBeforehand() async throws {
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

    @Test func cancellingLeavesNoFile() async throws {
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

    @Test func aMissingAssetFails() async throws {
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
