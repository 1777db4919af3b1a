import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite struct AudioFileTests {
    /// Not a multiple of any codec's frame.
    private static let frames = 50_123

    private func make(_ name: String, in folder: ScratchDirectory, _ options: [String] = []) throws -> URL {
        let url = folder.url(name)
        let source = "aevalsrc=0.4*sin(2*PI*(300+100*t)*t)|0.3*sin(2*PI*997*t):s=44100:d=\(Double(Self.frames) / 44100)"
        try FFmpeg.make(url.path, from: source, options)
        return url
    }

    private func decoded(_ url: URL, _ options: [String] = []) throws -> [Float] {
        try FFmpeg.decode(url.path, options)
    }

    /// All frames, interleaved, read in pieces of `capacity`.
    private func read(_ file: AVAudioFile, capacity: AVAudioFrameCount = 1000) throws -> [Float] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: capacity))
        var all: [Float] = []
        while true {
            try file.read(into: buffer)
            if buffer.frameLength == 0 { return all }
            let channels = try #require(buffer.floatChannelData)
            for frame in 0..<Int(buffer.frameLength) {
                for channel in 0..<Int(buffer.format.channelCount) {
                    all.append(channels[channel][frame * buffer.stride])
                }
            }
        }
    }

    @Test(
        "A file reads as the samples that ffmpeg decodes",
        arguments: ["a.wav", "a.flac", "a.mp3", "a.ogg", "a.aiff", "a.caf", "a.m4a"]
    )
    func readsWhatIsThere(_ name: String) throws {
        let folder = try ScratchDirectory()
        let file = try AVAudioFile(forReading: try make(name, in: folder))
        #expect(file.length == AVAudioFramePosition(Self.frames))
        #expect(file.processingFormat.isStandard)
        #expect(file.processingFormat.sampleRate == 44100)
        #expect(file.fileFormat.channelCount == 2)
        let expected = try decoded(file.url).prefix(2 * Self.frames)
        #expect(try read(file) == Array(expected))
        #expect(file.framePosition == file.length)
        // Anywhere, and past the end.
        file.framePosition = 30_000
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8192))
        try file.read(into: buffer, frameCount: 100)
        #expect(buffer.frameLength == 100)
        #expect(file.framePosition == 30_100)
        let left = try #require(buffer.floatChannelData)[0]
        let worst = (0..<100).map { abs(left[$0] - expected[2 * (30_000 + $0)]) }.max() ?? 1
        #expect(worst <= 1.0 / 32768)
        file.framePosition = file.length + 5
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0)
        file.framePosition = 0
        try file.read(into: buffer)
        #expect(buffer.frameLength == 8192)
    }

    @Test("The length is counted where the container does not state it")
    func lengthIsCountedWhereTheContainerDoesNotTell() throws {
        let folder = try ScratchDirectory()
        for (name, options) in [
            ("bare.mp3", ["-write_xing", "0"]), ("a.aac", []), ("a.mkv", ["-c:a", "flac"]), ("a.webm", []),
        ] {
            let file = try AVAudioFile(forReading: try make(name, in: folder, options))
            let length = file.length
            #expect(file.framePosition == 0)
            #expect(try read(file).count == 2 * Int(length), "\(name)")
        }
    }

    @Test("A file reads as integer samples when asked for them")
    func readsAsOtherSamples() throws {
        let folder = try ScratchDirectory()
        let url = try make("a.flac", in: folder, ["-sample_fmt", "s16"])
        let expected = try FFmpeg.run(["-i", url.path, "-f", "s16le", "-"])
            .withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(file.processingFormat.commonFormat == .pcmFormatInt16)
        #expect(file.processingFormat.isInterleaved)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(Self.frames) + 10)
        )
        try file.read(into: buffer)
        #expect(buffer.frameLength == AVAudioFrameCount(Self.frames))
        let samples = try #require(buffer.int16ChannelData)[0]
        #expect((0..<expected.count).allSatisfy { samples[$0] == expected[$0] })
        let wide = try AVAudioFile(forReading: url, commonFormat: .pcmFormatFloat64, interleaved: false)
        let doubles = try #require(AVAudioPCMBuffer(pcmFormat: wide.processingFormat, frameCapacity: 1000))
        try wide.read(into: doubles)
        let right = try #require(UnsafeMutableAudioBufferListPointer(doubles.mutableAudioBufferList)[1].mData)
            .assumingMemoryBound(to: Double.self)
        #expect((0..<1000).allSatisfy { right[$0] == Double(expected[2 * $0 + 1]) / 32768 })
        let whole = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt32, interleaved: false)
        let longs = try #require(AVAudioPCMBuffer(pcmFormat: whole.processingFormat, frameCapacity: 1000))
        try whole.read(into: longs)
        let data = try #require(longs.int32ChannelData)
        #expect((0..<1000).allSatisfy { data[0][$0] == Int32(expected[2 * $0]) << 16 })
    }

    // MARK: Writing

    private func music(_ format: AVAudioFormat, frames: Int) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        let channels = try #require(buffer.floatChannelData)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                // Steps of 16 bits, so that every format that loses nothing keeps them.
                let value = 0.4 * sin(2 * .pi * (300 + 90 * Double(channel)) * Double(frame) / format.sampleRate)
                channels[channel][frame * buffer.stride] = Float((value * 32768).rounded() / 32768)
            }
        }
        return buffer
    }

    @Test("Every writable format is written with its codec and sample type")
    func writesEveryFormat() throws {
        let folder = try ScratchDirectory()
        let cases: [(String, [String: Any], String)] = [
            ("a.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16], "pcm_s16le"),
            ("b.wav", [AVLinearPCMBitDepthKey: 24, AVLinearPCMIsFloatKey: false], "pcm_s24le"),
            ("c.wav", [AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true], "pcm_f32le"),
            ("d.wav", [AVLinearPCMBitDepthKey: 64, AVLinearPCMIsFloatKey: true], "pcm_f64le"),
            ("e.wav", [AVLinearPCMBitDepthKey: 32], "pcm_s32le"),
            ("a.aiff", [AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: true], "pcm_s16be"),
            ("a.caf", [AVFormatIDKey: kAudioFormatAppleLossless, AVEncoderBitDepthHintKey: 16], "alac"),
            ("b.m4a", [AVFormatIDKey: Int(kAudioFormatAppleLossless)], "alac"),
            ("a.flac", [AVFormatIDKey: kAudioFormatFLAC], "flac"),
            ("typed", [AVAudioFileTypeKey: UInt32(0x5741_5645), AVLinearPCMBitDepthKey: 16], "pcm_s16le"),
        ]
        for (name, settings, codec) in cases {
            let url = folder.url(name)
            let all = settings.merging([AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 2]) { old, _ in old }
            let file = try AVAudioFile(forWriting: url, settings: all)
            let buffer = try music(file.processingFormat, frames: 12_345)
            try file.write(from: buffer)
            try file.write(from: buffer)
            #expect(file.length == 24_690)
            #expect(file.framePosition == 24_690)
            file.close()
            #expect(file.closeError == nil)
            let probe = try runProcess(
                "ffprobe",
                ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", url.path]
            )
            #expect(probe.output == codec + "\n", "\(name)")
            let back = try decoded(url)
            let channels = try #require(buffer.floatChannelData)
            #expect(back.count == 2 * 24_690, "\(name)")
            var differing = 0
            for (place, sample) in back.enumerated() {
                if sample != channels[place % 2][place / 2 % 12_345] { differing += 1 }
            }
            #expect(differing == 0, "\(name)")
        }
    }

    @Test("An AAC file that was written decodes to its exact length")
    func writesAACOfExactLength() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("a.m4a")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2))
        do {
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 2,
                AVEncoderBitRateKey: 160_000,
            ]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
            try file.write(from: try music(format, frames: 40_001))
            // Let go without a word, it is complete all the same.
        }
        #expect(try AVAudioFile(forReading: url).length == 40_001)
    }

    /// The code that programs everywhere write with the format of a node.
    @Test("A file is written with the settings of a node's format")
    func theSettingsOfAFormatMakeAFile() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("tap.caf")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2))
        #expect(AVAudioFormat(settings: format.settings) == format)
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let buffer = try music(format, frames: 500)
        try file.write(from: buffer)
        file.close()
        let back = try AVAudioFile(forReading: url)
        #expect(back.length == 500)
        #expect(back.processingFormat == format)
        let samples = try read(back)
        let left = try #require(buffer.floatChannelData)[0]
        #expect((0..<500).allSatisfy { samples[2 * $0] == left[$0] })
    }

    @Test("A file is written from integer samples")
    func writesFromOtherSamples() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("a.wav")
        let settings: [String: Any] = [
            AVSampleRateKey: 8000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
        ]
        let file = try AVAudioFile(
            forWriting: url,
            settings: settings,
            commonFormat: .pcmFormatInt16,
            interleaved: true
        )
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 9000))
        buffer.frameLength = 9000
        let samples = try #require(buffer.int16ChannelData)[0]
        for place in 0..<18_000 { samples[place] = Int16(truncatingIfNeeded: place * 7) }
        try file.write(from: buffer)
        file.close()
        let back = try FFmpeg.run(["-i", url.path, "-f", "s16le", "-"])
            .withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(back == (0..<18_000).map { Int16(truncatingIfNeeded: $0 * 7) })
    }

    // MARK: Refusals

    @Test("Failures of files have a typed error and Core Audio's number")
    func failuresAreTypedAndNumbered() throws {
        let folder = try ScratchDirectory()
        let url = { (name: String) in folder.url(name) }
        func code(_ body: () throws -> Void) -> (String?, Int) {
            do {
                try body()
                return (nil, 0)
            } catch {
                return ((error as? AVAudioFileError)?.code.rawValue, (error as NSError).code)
            }
        }
        #expect(code { _ = try AVAudioFile(forReading: url("none.wav")) } == ("file.notFound", 0x7768_743F))
        try Data("Hello, this is text.".utf8).write(to: url("a.txt"))
        #expect(code { _ = try AVAudioFile(forReading: url("a.txt")) } == ("media.notAudio", 0x7479_703F))
        let page = try #require(URL(string: "https://example.org/a.mp3"))
        #expect(code { _ = try AVAudioFile(forReading: page) } == ("usage.notAFile", -50))
        let settings: [String: Any] = [AVSampleRateKey: 44100, AVNumberOfChannelsKey: 2]
        #expect(code { _ = try AVAudioFile(forWriting: url("a.wav"), settings: [:]) } == ("usage.badSettings", -50))
        #expect(code { _ = try AVAudioFile(forWriting: url("a"), settings: settings) } == ("usage.badSettings", -50))
        let wrong = settings.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 }
        #expect(code { _ = try AVAudioFile(forWriting: url("a.wav"), settings: wrong) }.0 == "media.unsupported")
        let file = try AVAudioFile(forWriting: url("b.wav"), settings: settings)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 1))
        let buffer = try music(mono, frames: 10)
        #expect(code { try file.write(from: buffer) } == ("usage.badBuffer", -50))
        let fitting = try music(file.processingFormat, frames: 10)
        #expect(code { try file.read(into: fitting) }.0 == "usage.wrongMode")
        #expect(file.isOpen)
        file.close()
        #expect(!file.isOpen)
        #expect(code { try file.write(from: fitting) }.0 == "usage.finished")
        // Only the file that was written is there, and nothing half-made.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.txt", "b.wav"])
    }

    @Test("A truncated file gives the frames that it has")
    func aFileThatIsCutOffGivesWhatItHas() throws {
        let folder = try ScratchDirectory()
        let whole = try make("a.wav", in: folder)
        let cut = folder.url("cut.wav")
        let data = try Data(contentsOf: whole)
        try data.prefix(data.count / 2).write(to: cut)
        let file = try AVAudioFile(forReading: cut)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(Self.frames))
        )
        try file.read(into: buffer)
        #expect(abs(Int(buffer.frameLength) - Self.frames / 2) < 100)
        let error = #expect(throws: AVAudioFileError.self) { try file.read(into: buffer) }
        #expect(error?.code.rawValue == "media.truncated")
        #expect(buffer.frameLength == 0)
    }
}
