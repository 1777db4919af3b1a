import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

/// A file that is written exists from the beginning, and can be read while it grows.
@Suite struct AudioFileWritingTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    private static var pcm16: [String: Any] {
        [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16]
    }

    /// All there is in a file now, by ffmpeg.
    private func decoded(_ url: URL) throws -> [Float] {
        try FFmpeg.decode(url.path)
    }

    /// The frames that sox finds by the header.
    private func stated(_ url: URL) throws -> Int? {
        Int(try runProcess("soxi", ["-s", url.path]).output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func steps(_ count: Int, from first: Int = 0) -> AVAudioPCMBuffer {
        let left = (first..<first + count).map { Float(Int16(truncatingIfNeeded: $0 * 6)) / 32_768 }
        return buffer([left, left.map { -$0 / 2 }])
    }

    private func interleaved(_ count: Int) -> [Float] {
        (0..<count).flatMap { index -> [Float] in
            let value = Float(Int16(truncatingIfNeeded: index * 6)) / 32_768
            return [value, -value / 2]
        }
    }

    @Test("The file is there as soon as it is opened, empty and valid", arguments: ["wav", "aiff", "caf", "flac"])
    func theFileExistsFromTheBeginning(ending: String) throws {
        let url = folder.url("a.\(ending)")
        let file = try AVAudioFile(forWriting: url, settings: Self.settings(for: ending))
        #expect(FileManager.default.fileExists(atPath: url.path))
        if ending != "flac" {
            let reading = try AVAudioFile(forReading: url)
            #expect(reading.length == 0)
            #expect(reading.processingFormat == file.processingFormat)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.\(ending)"])
        file.close()
        #expect(file.closeError == nil)
    }

    private static func settings(for ending: String) -> [String: Any] {
        let format = ending == "flac" ? kAudioFormatFLAC : kAudioFormatLinearPCM
        return pcm16.merging([AVFormatIDKey: format, AVEncoderBitDepthHintKey: 16]) { $1 }
    }

    @Test(
        "After each write the whole of it can be read, by the header too",
        arguments: ["wav", "aiff", "caf"],
        [16, 24, 32]
    )
    func whatIsWrittenCanBeReadAtOnce(ending: String, bits: Int) throws {
        let url = folder.url("\(bits).\(ending)")
        let settings = Self.pcm16.merging([AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: bits == 32]) { $1 }
        let file = try AVAudioFile(forWriting: url, settings: settings)
        var total = 0
        for count in [1, 4_096, 4_097, 9_000] {
            try file.write(from: steps(count, from: total))
            total += count
            #expect(try stated(url) == total, "\(ending), \(total) frames")
            #expect(try decoded(url) == interleaved(total), "\(ending), \(total) frames")
            let reading = try AVAudioFile(forReading: url)
            #expect(reading.length == AVAudioFramePosition(total))
        }
        let growing = try Data(contentsOf: url)
        file.close()
        #expect(file.closeError == nil)
        // Nothing but what pads the end is added when it is closed.
        let closed = try Data(contentsOf: url)
        #expect(closed.prefix(growing.count) == growing)
        #expect(closed.count - growing.count <= 1)
        #expect(try decoded(url) == interleaved(total))
    }

    @Test("A FLAC, an MP3 and an Ogg file can be read while they grow", arguments: ["flac", "mp3", "ogg"])
    func compressedFilesCanBeReadAsTheyGrow(ending: String) throws {
        let url = folder.url("a.\(ending)")
        let codec = ["flac": kAudioFormatFLAC, "mp3": kAudioFormatMPEGLayer3, "ogg": FourCharCode(0x766F_7262)][ending]
        let settings: [String: Any] = [
            AVFormatIDKey: try #require(codec), AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let tone = sine(440, 132_300)
        try file.write(from: buffer([tone, tone]))
        let reading = try AVAudioFile(forReading: url)
        let got = try #require(AVAudioPCMBuffer(pcmFormat: reading.processingFormat, frameCapacity: 132_300))
        try reading.read(into: got)
        // Ogg waits for a page of a second.
        #expect(got.frameLength > 44_100 && got.frameLength <= 132_300)
        let samples = Array(UnsafeBufferPointer(start: got.floatChannelData?[0], count: Int(got.frameLength)))
        #expect(abs(amplitude(of: 440, in: samples[4_000..<40_000]) - 0.5) < 0.02)
        file.close()
        #expect(try AVAudioFile(forReading: url).length == 132_300)
    }

    @Test("A process that is killed leaves a file that is whole", arguments: ["wav", "aiff", "caf"])
    func aFileThatIsNeverClosedIsWhole(ending: String) throws {
        let url = folder.url("a.\(ending)")
        let file = try AVAudioFile(forWriting: url, settings: Self.pcm16)
        try file.write(from: steps(30_000))
        // As a killed process leaves it: what is in the file now, and nothing that closing adds.
        let copy = folder.url("killed.\(ending)")
        try FileManager.default.copyItem(at: url, to: copy)
        #expect(try decoded(copy) == interleaved(30_000))
        #expect(try stated(copy) == 30_000)
        #expect(try runProcess("sox", [copy.path, "-n", "stat"]).status == 0)
        file.close()
    }

    @Test("A file that is there is emptied, and one that cannot become what is asked for is left alone")
    func anOlderFileIsReplaced() throws {
        let url = folder.url("a.wav")
        let old = try AVAudioFile(forWriting: url, settings: Self.pcm16)
        try old.write(from: steps(50_000))
        old.close()
        let inode = try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? Int
        let refused = Self.pcm16.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 }
        #expect(throws: AVAudioFileError.self) { try AVAudioFile(forWriting: url, settings: refused) }
        #expect(try AVAudioFile(forReading: url).length == 50_000)
        // The encoder refuses that many channels, after the file has been looked for.
        let many = Self.pcm16.merging([AVFormatIDKey: kAudioFormatMPEGLayer3, AVNumberOfChannelsKey: 6]) { $1 }
        let (song, new) = (folder.url("song.mp3"), folder.url("new.mp3"))
        try Data("something else".utf8).write(to: song)
        for place in [song, new] {
            #expect(throws: AVAudioFileError.self) { try AVAudioFile(forWriting: place, settings: many) }
        }
        #expect(try Data(contentsOf: song) == Data("something else".utf8))
        #expect(!FileManager.default.fileExists(atPath: new.path))
        let file = try AVAudioFile(forWriting: url, settings: Self.pcm16)
        #expect(try AVAudioFile(forReading: url).length == 0)
        try file.write(from: steps(10))
        file.close()
        #expect(try decoded(url) == interleaved(10))
        // In its place: a reader that follows it by its name or its number continues to do so.
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? Int == inode)
    }

    @Test("A buffer of another rate is written frame by frame, one of other channels or samples is refused")
    func buffersOfOtherFormats() throws {
        let url = folder.url("a.wav")
        let file = try AVAudioFile(forWriting: url, settings: Self.pcm16)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let faster = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        faster.frameLength = 100
        for frame in 0..<100 { faster.floatChannelData?[0][frame] = Float(frame) / 128 }
        try file.write(from: faster)
        #expect(file.length == 100)
        for other in [
            AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: false),
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: true),
        ] {
            let format = try #require(other)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
            buffer.frameLength = 10
            let error = #expect(throws: AVAudioFileError.self) { try file.write(from: buffer) }
            #expect(error.map { ($0 as NSError).code } == -50)
        }
        file.close()
        #expect(try decoded(url) == (0..<100).flatMap { [Float($0) / 128, 0] })
        let reading = try AVAudioFile(forReading: url)
        try reading.read(into: faster)
        #expect(faster.frameLength == 100)
    }

    @Test("A missing file has Apple's code, and says what is wrong")
    func aMissingFile() throws {
        do {
            _ = try AVAudioFile(forReading: folder.url("none.wav"))
            Issue.record("It was opened.")
        } catch {
            let failure = error as NSError
            #expect(failure.domain == "com.apple.coreaudio.avfaudio")
            #expect(failure.code == 2_003_334_207)
            #expect(error.localizedDescription.contains("none.wav"))
            #expect(error.localizedDescription == "\(error)")
        }
    }

    @Test("The numbers of a format's settings are of any type that holds them")
    func settingsAreNumbers() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)
        )
        let settings = format.settings
        #expect(settings[AVFormatIDKey] as? Int == Int(kAudioFormatLinearPCM))
        #expect(settings[AVFormatIDKey] as? UInt32 == kAudioFormatLinearPCM)
        #expect(settings[AVSampleRateKey] as? Double == 44_100)
        #expect(settings[AVSampleRateKey] as? Int == 44_100)
        #expect(settings[AVNumberOfChannelsKey] as? Int == 2)
        #expect(settings[AVNumberOfChannelsKey] as? UInt32 == 2)
        #expect(settings[AVLinearPCMBitDepthKey] as? Int == 16)
        #expect(settings[AVLinearPCMIsFloatKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsNonInterleaved] as? Int == 0)
        #expect(settings[AVLinearPCMIsBigEndianKey] as? Bool == false)
        #expect(settings.values.allSatisfy { $0 is NSNumber || $0 is Data })
        #expect(AVAudioFormat(settings: settings) == format)
    }
}
