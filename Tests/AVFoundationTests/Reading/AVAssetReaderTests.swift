import Synchronization
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// A reader gives the samples or the packets of a track.
@Suite struct AVAssetReaderTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    private func reader(_ asset: AVAsset, _ settings: [String: Any]?) throws -> (
        AVAssetReader, AVAssetReaderTrackOutput
    ) {
        let reader = try AVAssetReader(asset: asset)
        let track = try #require(asset.tracks(withMediaType: .audio).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        #expect(reader.canAdd(output))
        reader.add(output)
        return (reader, output)
    }

    @Test("The samples equal those of the file")
    func samplesAreThoseOfTheFile() throws {
        let noise = AssetFiles.stereoNoise(100_000)
        let asset = AVURLAsset(url: try files.wav("a.wav", noise))
        let (reader, output) = try reader(asset, floatSettings)
        #expect(reader.status == .unknown && output.copyNextSampleBuffer() == nil)
        #expect(reader.outputs.count == 1 && output.mediaType == .audio)
        #expect(reader.startReading())
        #expect(reader.status == .reading)
        var samples: [Float] = []
        var expected: Int64 = 0
        while let buffer = output.copyNextSampleBuffer() {
            #expect(buffer.presentationTimeStamp == .frames(expected))
            #expect(buffer.duration == .frames(Int64(buffer.numSamples)))
            #expect(buffer.numSamples <= 8_192)
            let format = try #require(buffer.formatDescription?.audioStreamBasicDescription)
            #expect(format.mBitsPerChannel == 32 && format.mChannelsPerFrame == 2 && format.mSampleRate == 44_100)
            samples += try buffer.samples(Float.self)
            expected += Int64(buffer.numSamples)
        }
        #expect(deinterleave(samples, channelCount: 2) == noise)
        #expect(reader.status == .completed && reader.error == nil)
        #expect(output.copyNextSampleBuffer() == nil)
        #expect(!reader.startReading())
    }

    @Test("Mono 16-bit samples are exact")
    func sixteenBitsInOneChannelAreExact() throws {
        let ramp = (0..<40_000).map { Float(($0 * 37) % 65_536 - 32_768) / 32_768 }
        let wav = try files.encode(files.wav("f.wav", [ramp]), to: "a.wav", ["-c:a", "pcm_s16le"])
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: false,
            AVLinearPCMIsFloatKey: false, AVNumberOfChannelsKey: 1, AVLinearPCMIsNonInterleaved: false,
        ]
        let (reader, output) = try reader(AVURLAsset(url: wav), settings)
        #expect(reader.startReading())
        var samples: [Int16] = []
        while let buffer = output.copyNextSampleBuffer() { samples += try buffer.samples(Int16.self) }
        #expect(samples == ramp.map { Int16($0 * 32_768) })
    }

    @Test("Channels can be non-interleaved")
    func channelsMayLieApart() throws {
        let noise = AssetFiles.stereoNoise(5_000)
        let asset = AVURLAsset(url: try files.wav("a.wav", noise))
        let (reader, output) = try reader(
            asset,
            floatSettings.merging([AVLinearPCMIsNonInterleaved: true]) { $1 }
        )
        #expect(reader.startReading())
        let buffer = try #require(output.copyNextSampleBuffer())
        let channels = try buffer.withAudioBufferList { list, _ in
            list.map { buffer in
                Array(
                    UnsafeBufferPointer(
                        start: buffer.mData?.assumingMemoryBound(to: Float.self),
                        count: Int(buffer.mDataByteSize) / 4
                    )
                )
            }
        }
        #expect(channels == noise)
    }

    @Test("The sample rate is converted")
    func theRateIsConverted() throws {
        let sine = sineWave(frequency: 441, sampleRate: 44_100, frameCount: 88_200)
        let asset = AVURLAsset(url: try files.wav("a.wav", [sine]))
        let half = try readSound(of: asset, settings: [AVSampleRateKey: 22_050])[0]
        #expect(half.count == 44_100)
        #expect(abs(cents(from: 441, to: toneFrequency(half, sampleRate: 22_050))) < 0.1)
        let expected = sineWave(frequency: 441, sampleRate: 22_050, frameCount: 44_100)
        #expect(residualDecibels(expected[2_000..<42_000], half[2_000..<42_000]) < -80)
    }

    @Test("A time range gives that part of the whole", arguments: ["a.wav", "a.flac", "a.m4a", "a.mp3", "a.ogg"])
    func aRangeIsAPartOfTheWhole(_ name: String) throws {
        let wav = try files.wav("source.wav", AssetFiles.stereoNoise(200_000))
        // AAC without parts that decoders fill with noise of their own.
        let options =
            ["a.flac": ["-sample_fmt", "s32"], "a.wav": ["-c:a", "pcm_f32le"], "a.m4a": ["-aac_pns", "0"]][name] ?? []
        let asset = AVURLAsset(url: try files.encode(wav, to: name, options))
        let whole = try readSound(of: asset)
        #expect(whole[0].count == 200_000)
        let part = try readSound(of: asset, range: .frames(77_777, count: 33_333))
        #expect(part[0].count == 33_333)
        #expect(residualDecibels(whole[1][77_777..<111_110], part[1][...]) < -100)
        let tail = try readSound(of: asset, range: CMTimeRange(start: .frames(190_000), duration: .positiveInfinity))
        #expect(tail[0].count == 10_000)
        #expect(residualDecibels(whole[0][190_000...], tail[0][...]) < -100)
    }

    @Test("The buffers of a range keep their times in the asset")
    func aRangeKeepsItsTimes() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(100_000)))
        let (reader, output) = try reader(asset, floatSettings)
        reader.timeRange = CMTimeRange(start: CMTime(seconds: 1, preferredTimescale: 600), duration: .frames(100))
        #expect(reader.startReading())
        reader.timeRange = .zero
        #expect(reader.timeRange.start.seconds == 1)
        let buffer = try #require(output.copyNextSampleBuffer())
        #expect(buffer.presentationTimeStamp == .frames(44_100))
        #expect(buffer.numSamples == 100)
        #expect(output.copyNextSampleBuffer() == nil)
        #expect(reader.status == .completed)
    }

    @Test("A range after the end is empty")
    func aRangeBehindTheEndIsEmpty() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(1_000)))
        let (reader, output) = try reader(asset, floatSettings)
        reader.timeRange = .frames(5_000, count: 100)
        #expect(reader.startReading())
        #expect(output.copyNextSampleBuffer() == nil)
        #expect(reader.status == .completed)
    }

    @Test("Compressed packets equal those of the file")
    func packetsAreThoseOfTheFile() throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(100_000))
        // Without tags and an index, all bytes of the file are packets.
        let url = try files.encode(
            wav,
            to: "a.mp3",
            ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "-map_metadata", "-1", "-fflags", "+bitexact"]
        )
        let (reader, output) = try reader(AVURLAsset(url: url), nil)
        #expect(reader.startReading())
        var bytes: [UInt8] = []
        var packetCount = 0
        while let buffer = output.copyNextSampleBuffer() {
            let packets = try buffer.audioStreamPacketDescriptions()
            #expect(packets.count == buffer.numSamples)
            #expect(packets.reduce(0) { $0 + Int($1.mDataByteSize) } == buffer.totalSampleSize)
            #expect(buffer.formatDescription?.audioStreamBasicDescription?.mFormatID == kAudioFormatMPEGLayer3)
            packetCount += packets.count
            bytes += try buffer.bytes
        }
        let file = [UInt8](try Data(contentsOf: url))
        #expect(bytes == file)
        #expect(packetCount > 80 && reader.status == .completed)
    }

    @Test("AAC packets state the frames to trim")
    func packetsOfAACSayWhatIsNotToBeHeard() throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(100_000))
        let (reader, output) = try reader(AVURLAsset(url: try files.encode(wav, to: "a.m4a")), nil)
        #expect(reader.startReading())
        let first = try #require(output.copyNextSampleBuffer())
        #expect(first.formatDescription?.magicCookie?.isEmpty == false)
        #expect(first.presentationTimeStamp == .frames(-1_024))
        let trim = try #require(first.attachments[kCMSampleBufferAttachmentKey_TrimDurationAtStart]?.value)
        #expect(CMTimeMakeFromDictionary(trim as? CFDictionary) == .frames(1_024))
        var packetCount = first.numSamples
        while let buffer = output.copyNextSampleBuffer() { packetCount += buffer.numSamples }
        #expect(packetCount == (100_000 + 1_024 + 1_023) / 1_024)
    }

    @Test("A cancelled reader gives no more buffers")
    func aCancelledReaderGivesNothingMore() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(100_000)))
        let (reader, output) = try reader(asset, floatSettings)
        #expect(reader.startReading())
        #expect(output.copyNextSampleBuffer() != nil)
        reader.cancelReading()
        #expect(reader.status == .cancelled && reader.error == nil)
        #expect(output.copyNextSampleBuffer() == nil)
        #expect(reader.status == .cancelled)
    }

    @Test("Multiple outputs end independently")
    func severalOutputsEndOneByOne() throws {
        let noise = AssetFiles.stereoNoise(30_000)
        let asset = AVURLAsset(url: try files.wav("a.wav", noise))
        let (reader, samples) = try reader(asset, floatSettings)
        let packets = AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: nil)
        #expect(reader.canAdd(packets))
        reader.add(packets)
        #expect(!reader.canAdd(packets))
        #expect(reader.startReading())
        var count = 0
        while let buffer = samples.copyNextSampleBuffer() { count += buffer.numSamples }
        #expect(count == 30_000)
        #expect(reader.status == .reading)
        var bytes = 0
        while let buffer = packets.copyNextSampleBuffer() { bytes += buffer.totalSampleSize }
        #expect(bytes == 30_000 * 8)
        #expect(reader.status == .completed)
    }

    @Test("An output that cannot be read is rejected")
    func whatCannotBeReadIsRefused() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(1_000)))
        let track = try #require(asset.tracks.first)
        let reader = try AVAssetReader(asset: asset)
        let compressed = AVAssetReaderTrackOutput(
            track: track,
            outputSettings: [AVFormatIDKey: Int(kAudioFormatMPEG4AAC)]
        )
        #expect(!reader.canAdd(compressed))
        let absurd = AVAssetReaderTrackOutput(
            track: track,
            outputSettings: floatSettings.merging([AVLinearPCMBitDepthKey: 13]) { $1 }
        )
        #expect(!reader.canAdd(absurd))
        let composition = AVMutableComposition()
        let foreign = try #require(
            composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
        )
        #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: foreign, outputSettings: nil)))
        reader.add(compressed)
        #expect(!reader.startReading())
        #expect(reader.status == .failed)
        #expect((reader.error as? AVError)?.code == .operationNotAllowed)
    }

    @Test("A reader without outputs completes at once")
    func aReaderWithoutOutputsIsDoneAtOnce() throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(1_000)))
        let reader = try AVAssetReader(asset: asset)
        #expect(reader.startReading())
        #expect(reader.status == .completed)
    }
}
