import Synchronization
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// A writer makes a file of sample buffers.
@Suite struct AVAssetWriterTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    private func writer(_ name: String, _ type: AVFileType, _ settings: [String: Any]?) throws -> (
        AVAssetWriter, AVAssetWriterInput
    ) {
        let writer = try AVAssetWriter(outputURL: files.url(name), fileType: type)
        let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
        #expect(writer.canAdd(input))
        writer.add(input)
        return (writer, input)
    }

    /// Writes buffers of a thousand frames, which begin at 0.
    private func write(_ channels: [[Float]], _ writer: AVAssetWriter, _ input: AVAssetWriterInput) async throws {
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        for start in stride(from: 0, to: channels[0].count, by: 1_000) {
            let part = channels.map { Array($0[start..<min(start + 1_000, $0.count)]) }
            #expect(input.isReadyForMoreMediaData)
            #expect(try input.append(.floats(part, at: Int64(start))))
        }
        input.markAsFinished()
        #expect(!input.isReadyForMoreMediaData)
        await writer.finishWriting()
        #expect(writer.status == .completed)
        #expect(writer.error == nil)
    }

    @Test("Samples are exact", arguments: [("a.wav", AVFileType.wav), ("a.caf", .caf)])
    func samplesAreExact(_ name: String, _ type: AVFileType) async throws {
        let noise = AssetFiles.stereoNoise(20_500)
        let (writer, input) = try writer(name, type, floatSettings)
        try await write(noise, writer, input)
        #expect(try deinterleave(FFmpeg.decode(files.url(name).path), channelCount: 2) == noise)
        #expect(try readSound(of: AVURLAsset(url: files.url(name))) == noise)
    }

    @Test("Samples of 16 bits are exact")
    func sixteenBitsAreExact() async throws {
        let ramp = (0..<40_000).map { Float(($0 * 37) % 65_536 - 32_768) / 32_768 }
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
        ]
        let (writer, input) = try writer("a.wav", .wav, settings)
        try await write([ramp], writer, input)
        let file = try readWAV(files.url("a.wav").path)
        #expect(file.channels == [ramp] && file.sampleRate == 44_100)
        #expect(try Data(contentsOf: files.url("a.wav")).count < 81_000)
    }

    @Test("The file appears only when it is complete")
    func theFileAppearsWhenItIsComplete() async throws {
        let (writer, input) = try writer("a.wav", .wav, nil)
        #expect(writer.startWriting())
        #expect(writer.status == .writing)
        writer.startSession(atSourceTime: .zero)
        #expect(try input.append(.floats(AssetFiles.stereoNoise(50_000), at: 0)))
        #expect(!FileManager.default.fileExists(atPath: writer.outputURL.path))
        await withCheckedContinuation { continuation in writer.finishWriting { continuation.resume() } }
        #expect(FileManager.default.fileExists(atPath: writer.outputURL.path))
        #expect(try !input.append(.floats(AssetFiles.stereoNoise(10), at: 50_000)))
    }

    @Test("AAC has the level and the length of its input")
    func aacHasTheLevelAndTheLengthOfItsInput() async throws {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 100_000)
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
            AVEncoderBitRateKey: 128_000,
        ]
        let (writer, input) = try writer("a.m4a", .m4a, settings)
        try await write([sine, sine], writer, input)
        let asset = AVURLAsset(url: writer.outputURL)
        #expect(try await asset.load(.duration) == .frames(100_000))
        #expect(asset.tracks.first?.descriptions.first?.audioStreamBasicDescription?.mFormatID == kAudioFormatMPEG4AAC)
        let sound = try readSound(of: asset)
        #expect(sound[0].count == 100_000)
        #expect(abs(levelDecibels(sound[1]) - levelDecibels(sine)) < 0.1)
        #expect(residualDecibels(sine[4_000..<96_000], sound[0][4_000..<96_000]) < -40)
    }

    @Test(
        "Apple Lossless keeps 16-bit samples exact",
        arguments: [("a.m4a", AVFileType.m4a, kAudioFormatAppleLossless), ("a.caf", .caf, kAudioFormatAppleLossless)]
    )
    func losslessKeepsSixteenBits(_ name: String, _ type: AVFileType, _ format: AudioFormatID) async throws {
        let ramp = (0..<40_000).map { Float(($0 * 37) % 65_536 - 32_768) / 32_768 }
        let (writer, input) = try writer(name, type, [AVFormatIDKey: format])
        try await write([ramp], writer, input)
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL)) == [ramp])
    }

    @Test("The sample rate and the channel count are converted")
    func theRateAndTheChannelsAreConverted() async throws {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 88_200)
        let settings = floatSettings.merging([AVSampleRateKey: 22_050, AVNumberOfChannelsKey: 1]) { $1 }
        let (writer, input) = try writer("a.wav", .wav, settings)
        try await write([sine, sine], writer, input)
        let file = try readWAV(writer.outputURL.path)
        #expect(file.sampleRate == 22_050 && file.channels.count == 1 && file.channels[0].count == 44_100)
        let expected = sineWave(frequency: 441, sampleRate: 22_050, frameCount: 44_100)
        #expect(residualDecibels(expected[2_000..<42_000], file.channels[0][2_000..<42_000]) < -80)
    }

    @Test("The session starts and ends at the given times")
    func theSessionBeginsAndEndsWhereItIsSaid() async throws {
        let noise = [whiteNoise(frameCount: 30_000)]
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .frames(10_500))
        for start in stride(from: 10_000, to: 40_000, by: 1_000) {
            let part = [Array(noise[0][(start - 10_000)..<(start - 9_000)])]
            writer.endSession(atSourceTime: .frames(35_250))
            #expect(try input.append(.floats(part, at: Int64(start))))
        }
        await writer.finishWriting()
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL))[0] == Array(noise[0][500..<25_250]))
    }

    @Test("A session that is ended before sound that was appended has no sound after its end", arguments: [1, 25, 100])
    func aLateEndTrims(_ end: Int) async throws {
        // Twelve seconds and a half, of which the last ten have not been encoded when the session ends.
        let noise = whiteNoise(frameCount: 551_250)
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        for start in stride(from: 0, to: noise.count, by: 11_025) {
            let part = [Array(noise[start..<min(start + 11_025, noise.count)])]
            #expect(try input.append(.floats(part, at: Int64(start))))
        }
        let frames = noise.count * end / 100
        writer.endSession(atSourceTime: .frames(Int64(frames)))
        await writer.finishWriting()
        #expect(writer.status == .completed)
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL))[0] == Array(noise[..<frames]))
    }

    @Test("A compressed file is as long as the session, wherever that ends", arguments: [0.5, 11.75])
    func aLateEndTrimsCompressedFiles(_ end: Double) async throws {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 12 * 44_100)
        let (writer, input) = try writer("a.m4a", .m4a, [AVFormatIDKey: kAudioFormatMPEG4AAC])
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        #expect(try input.append(.floats([sine], at: 0)))
        writer.endSession(atSourceTime: CMTime(seconds: end, preferredTimescale: 44_100))
        await writer.finishWriting()
        let sound = try readSound(of: AVURLAsset(url: writer.outputURL))[0]
        let frames = Int(end * 44_100)
        #expect(sound.count == frames)
        // Once encoded it is −39 dB, twice −24; sound from another place would be above −6.
        #expect(residualDecibels(sine[2_000..<(frames - 2_000)], sound[2_000..<(frames - 2_000)]) < -20)
    }

    @Test("A gap between buffers becomes silence")
    func aGapBetweenBuffersIsSilence() async throws {
        let noise = whiteNoise(frameCount: 2_000)
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        #expect(try input.append(.floats([Array(noise[..<1_000])], at: 0)))
        #expect(try input.append(.floats([Array(noise[1_000...])], at: 10_000)))
        await writer.finishWriting()
        let expected = Array(noise[..<1_000]) + [Float](repeating: 0, count: 9_000) + Array(noise[1_000...])
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL))[0] == expected)
    }

    @Test("An existing file is not overwritten")
    func anExistingFileIsKept() async throws {
        let url = try files.wav("a.wav", AssetFiles.stereoNoise(100))
        let before = try Data(contentsOf: url)
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(!writer.startWriting())
        #expect(writer.status == .failed)
        #expect((writer.error as? AVError)?.code == .fileAlreadyExists)
        #expect(try !input.append(.floats(AssetFiles.stereoNoise(10), at: 0)))
        await writer.finishWriting()
        #expect(writer.status == .failed)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("Cancelling leaves no file")
    func cancellingLeavesNoFile() async throws {
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        #expect(try input.append(.floats(AssetFiles.stereoNoise(50_000), at: 0)))
        writer.cancelWriting()
        #expect(writer.status == .cancelled)
        await writer.finishWriting()
        #expect(writer.status == .cancelled && writer.error == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.scratch.path).isEmpty)
    }

    @Test("A format change between buffers fails")
    func anotherFormatInTheMiddleFails() async throws {
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        #expect(try input.append(.floats(AssetFiles.stereoNoise(1_000), at: 0)))
        #expect(try !input.append(.floats([whiteNoise(frameCount: 1_000)], at: 1_000)))
        #expect(writer.status == .failed)
        #expect((writer.error as? AVError)?.code == .invalidSourceMedia)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.scratch.path).isEmpty)
    }

    @Test("Unsupported settings are rejected")
    func settingsThatCannotBeMetAreRefused() throws {
        let writer = try AVAssetWriter(outputURL: files.url("a.m4a"), fileType: .m4a)
        #expect(!writer.canApply(outputSettings: [AVFormatIDKey: 0x7878_7878], forMediaType: .audio))
        #expect(!writer.canApply(outputSettings: nil, forMediaType: .video))
        #expect(writer.canApply(outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC], forMediaType: .audio))
        let input = AVAssetWriterInput(mediaType: .audio, outputSettings: [AVFormatIDKey: 0x7878_7878])
        writer.add(input)
        #expect(!writer.startWriting())
        #expect((writer.error as? AVError)?.code == .encoderNotFound)
        #expect(throws: AVError.self) {
            try AVAssetWriter(outputURL: files.url("a.bin"), fileType: AVFileType(rawValue: "public.data"))
        }
        #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: nil)))
    }

    @Test("The block is called until it has no more data")
    func aBlockIsAskedForDataUntilItHasNone() async throws {
        let noise = whiteNoise(frameCount: 30_000)
        let (writer, input) = try writer("a.wav", .wav, floatSettings)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let next = Mutex(0)
        await withCheckedContinuation { continuation in
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "writer")) {
                let start = next.withLock { position in
                    defer { position += 1_000 }
                    return position
                }
                guard start < noise.count else {
                    guard input.isReadyForMoreMediaData else { return }
                    input.markAsFinished()
                    return continuation.resume()
                }
                let part = Array(noise[start..<start + 1_000])
                if let buffer = try? CMSampleBuffer.floats([part], at: Int64(start)) { input.append(buffer) }
            }
        }
        await writer.finishWriting()
        #expect(writer.status == .completed)
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL)) == [noise])
    }

    @Test("Tags and a cover are written", arguments: [("a.m4a", AVFileType.m4a), ("a.mp3", .mp3)])
    func tagsAndACoverAreWritten(_ name: String, _ type: AVFileType) async throws {
        let picture = files.url("cover.png")
        try FFmpeg.make(picture.path, from: "testsrc=s=40x30:d=1", ["-frames:v", "1"])
        func item(_ identifier: AVMetadataIdentifier, _ value: any NSCopying & NSObjectProtocol) -> AVMetadataItem {
            let item = AVMutableMetadataItem()
            item.identifier = identifier
            item.value = value
            return item
        }
        let (writer, input) = try writer(name, type, nil)
        writer.metadata = [
            item(.commonIdentifierTitle, NSString(string: "Rauch")),
            item(.iTunesMetadataAlbum, NSString(string: "Türme")),
            item(.id3MetadataLeadPerformer, NSString(string: "Säulen")),
            item(.commonIdentifierArtwork, NSData(data: try Data(contentsOf: picture))),
        ]
        try await write(AssetFiles.stereoNoise(44_100), writer, input)
        let common = try await AVURLAsset(url: writer.outputURL).load(.commonMetadata)
        func first(_ identifier: AVMetadataIdentifier) -> AVMetadataItem? {
            AVMetadataItem.metadataItems(from: common, filteredByIdentifier: identifier).first
        }
        #expect(first(.commonIdentifierTitle)?.stringValue == "Rauch")
        #expect(first(.commonIdentifierAlbumName)?.stringValue == "Türme")
        #expect(first(.commonIdentifierArtist)?.stringValue == "Säulen")
        #expect(try first(.commonIdentifierArtwork)?.dataValue == Data(contentsOf: picture))
    }

    @Test("A writer accepts the buffers of a reader")
    func aWriterTakesWhatAReaderGives() async throws {
        let noise = AssetFiles.stereoNoise(60_000)
        let asset = AVURLAsset(url: try files.wav("in.wav", noise))
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: floatSettings)
        reader.add(output)
        reader.timeRange = .frames(12_345, count: 33_333)
        let (writer, input) = try writer("out.wav", .wav, floatSettings)
        #expect(reader.startReading() && writer.startWriting())
        writer.startSession(atSourceTime: .frames(12_345))
        while let buffer = output.copyNextSampleBuffer() { #expect(input.append(buffer)) }
        await writer.finishWriting()
        #expect(try readSound(of: AVURLAsset(url: writer.outputURL)) == noise.map { Array($0[12_345..<45_678]) })
    }
}
