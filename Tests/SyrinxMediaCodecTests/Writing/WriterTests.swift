import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite struct WriterTests {
    /// A second and a bit of something that is different in every channel and does not fit any frame size.
    private static func music(channels: Int, sampleRate: Double, frames: Int) -> [Float] {
        (0..<frames * channels).map { place in
            let time = Double(place / channels) / sampleRate
            return Float(0.4 * sin(2 * .pi * (300 + 170 * Double(place % channels)) * time + 0.3))
        }
    }

    private func write(
        _ samples: [Float],
        to url: URL,
        sampleRate: Double = 44100,
        channels: Int = 2,
        format: MediaSampleFormat? = nil,
        tags: [String: String] = [:]
    ) throws {
        let writer = try MediaWriter(
            path: url.path,
            sampleRate: sampleRate,
            channelCount: channels,
            sampleFormat: format,
            tags: tags
        )
        let planes = Planes(interleaved: samples, count: channels)
        var done = 0
        // Portions that fit nothing.
        while done < planes.capacity {
            let count = min(1237, planes.capacity - done)
            let part = (0..<channels).map { planes.pointers[$0] + done }
            try part.withUnsafeBufferPointer { pointers in
                guard let base = pointers.baseAddress else { return }
                try writer.write(base, frameCount: count)
            }
            done += count
        }
        try writer.finish()
        #expect(writer.frameCount == Int64(planes.capacity))
    }

    @Test(
        "Every written format is read back with its samples and tags",
        arguments: ["wav", "flac", "aiff", "caf", "m4a", "mp3", "ogg", "opus"],
        [1, 2]
    )
    func everyFormatIsReadBack(ending: String, channels: Int) throws {
        let scratch = try ScratchDirectory()
        let file = scratch.url("out.\(ending)")
        let frames = 50_123
        let samples = Self.music(channels: channels, sampleRate: 44100, frames: frames)
        try write(samples, to: file, channels: channels, tags: ["title": "A title", "artist": "Somebody"])
        let reader = try MediaReader.open(TestStream(file: file))
        let isOpus = ending == "opus"
        let expected = isOpus ? Int((Double(frames) * 48000 / 44100).rounded()) : frames
        #expect(reader.info.frameCount == Int64(expected))
        let own = try reader.readAll()
        #expect(own.count == expected * channels)
        // `ffmpeg` does not cut off what pads an MP4.
        let theirs = try FFmpeg.decode(file.path)
        #expect(ending == "m4a" ? theirs.count >= own.count : theirs.count == own.count)
        #expect(reader.info.tags["title"] == "A title")
        #expect(reader.info.tags["artist"] == "Somebody")
        if !isOpus {
            let error = residual(own, samples)
            let worst: Double = ["wav": -300, "caf": -300, "flac": -130, "aiff": -130][ending] ?? -20
            #expect(error <= worst, "\(error) dB")
        }
    }

    /// Decibels of what differs.
    private func residual(_ a: [Float], _ b: [Float]) -> Double {
        let noise = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
        let signal = b.reduce(0.0) { $0 + pow(Double($1), 2) }
        return noise == 0 ? -.infinity : 10 * log10(noise / signal)
    }

    @Test("Integer samples are rounded to the nearest and clipped")
    func wholeNumbersAreRoundedAndClipped() throws {
        let scratch = try ScratchDirectory()
        let step = Float(1) / 32768
        let samples: [Float] = [
            0, step, -step, 0.4 * step, 0.6 * step, -0.6 * step, 1, -1, 2, -2, .nan, .infinity, 0.5,
        ]
        let expected: [Float] = [0, step, -step, 0, step, -step, 1 - step, -1, 1 - step, -1, 0, 1 - step, 0.5]
        for ending in ["wav", "flac", "aiff", "caf"] {
            let file = scratch.url("s16.\(ending)")
            try write(samples, to: file, channels: 1, format: .s16)
            #expect(try FFmpeg.decode(file.path) == expected)
        }
        let fine = Float(1) / 8_388_608
        for ending in ["wav", "flac", "aiff", "caf"] {
            let file = scratch.url("s24.\(ending)")
            try write([fine, 0.6 * fine, -0.4 * fine, 1, -1.5], to: file, channels: 1, format: .s24)
            #expect(try FFmpeg.decode(file.path) == [fine, fine, 0, 1 - fine, -1])
        }
    }

    @Test("Float samples are written bit for bit")
    func floatIsKeptBitForBit() throws {
        let scratch = try ScratchDirectory()
        let samples = (0..<9999).map { (place: Int) -> Float in
            let factor: Float = place % 7 == 0 ? 3 : 1e-6
            return Float(sin(Double(place) * 1.7)) * factor
        }
        for ending in ["wav", "aiff", "caf"] {
            let file = scratch.url("f.\(ending)")
            try write(samples, to: file, channels: 3, format: .f32)
            #expect(try FFmpeg.decode(file.path) == samples)
        }
    }

    @Test("Equal samples give equal files", arguments: ["wav", "flac", "m4a", "mp3", "ogg", "opus", "caf", "aiff"])
    func sameSamplesGiveSameBytes(ending: String) throws {
        let scratch = try ScratchDirectory()
        let samples = Self.music(channels: 2, sampleRate: 44100, frames: 20_000)
        try write(samples, to: scratch.url("a.\(ending)"), tags: ["title": "T", "album": "A"])
        try write(samples, to: scratch.url("b.\(ending)"), tags: ["title": "T", "album": "A"])
        #expect(try Data(contentsOf: scratch.url("a.\(ending)")) == Data(contentsOf: scratch.url("b.\(ending)")))
    }

    @Test("Many rates and channel counts are read back")
    func manyRatesAndChannels() throws {
        let scratch = try ScratchDirectory()
        for (ending, rate, channels) in [
            ("wav", 8000.0, 1), ("wav", 192_000, 6), ("flac", 96000, 6), ("m4a", 96000, 2), ("m4a", 48000, 6),
            ("mp3", 8000, 1), ("mp3", 96000, 2), ("ogg", 96000, 6), ("opus", 16000, 1), ("opus", 48000, 6),
            ("mp3", 22050, 2), ("wav", 44100, 11),
        ] {
            let file = scratch.url("\(rate)-\(channels).\(ending)")
            let frames = Int(rate / 2) + 11
            let samples = Self.music(channels: channels, sampleRate: rate, frames: frames)
            try write(samples, to: file, sampleRate: rate, channels: channels)
            let reader = try MediaReader.open(TestStream(file: file))
            let scale = reader.info.sampleRate / rate
            #expect(reader.info.channelCount == channels)
            #expect(try reader.readAll().count / channels == Int((Double(frames) * scale).rounded()), "\(file.path)")
        }
    }

    @Test("A failed write leaves no file")
    func nothingIsLeftOfWhatFails() throws {
        let scratch = try ScratchDirectory()
        let old = Data("before".utf8)
        let file = scratch.url("a.wav")
        try old.write(to: file)
        let planes = Planes(interleaved: [0.5, 0.25], count: 1)
        let writer = try MediaWriter(path: file.path, sampleRate: 8000, channelCount: 1)
        try writer.write(planes.pointers, frameCount: 2)
        writer.cancel()
        #expect(throws: SyrinxError.self) { try writer.finish() }
        do {
            let dropped = try MediaWriter(path: scratch.url("b.flac").path, sampleRate: 8000, channelCount: 1)
            try dropped.write(planes.pointers, frameCount: 2)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a.wav"])
        #expect(try Data(contentsOf: file) == old)
    }

    @Test("Impossible settings are refused with a reason")
    func refusesWithAReason() throws {
        let scratch = try ScratchDirectory()
        let path = { scratch.url($0).path }
        func code(_ path: String, rate: Double = 44100, _ channels: Int = 2, _ format: MediaSampleFormat? = nil)
            -> String?
        {
            do {
                _ = try MediaWriter(path: path, sampleRate: rate, channelCount: channels, sampleFormat: format)
                return nil
            } catch { return error.code.rawValue }
        }
        #expect(code(path("a.xyz")) == "media.unsupported")
        #expect(code(path("a")) == "media.unsupported")
        #expect(code(path("a.mp3"), 6) == "media.unsupported")
        #expect(code(path("a.flac"), 2, .f32) == "media.unsupported")
        #expect(code(path("a.wav"), rate: 0) == "media.unsupported")
        #expect(code(path("none/a.wav")) == "file.notFound")
        try FileManager.default.createDirectory(at: scratch.url("d.wav"), withIntermediateDirectories: true)
        #expect(code(path("d.wav")) == "file.isDirectory")
        #expect(code("/proc/a.wav") != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["d.wav"])
    }

    @Test("A full disk is reported as an error")
    func aFullDiskIsReported() throws {
        let planes = Planes(count: 1, capacity: 100_000)
        // Only a name that ends in the format reaches the device.
        let scratch = try ScratchDirectory()
        let link = scratch.url("full.wav")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: "/dev/full"))
        let error = #expect(throws: SyrinxError.self) {
            let full = try MediaWriter(path: link.path, sampleRate: 8000, channelCount: 1, sampleFormat: .f32)
            for _ in 0..<4 { try full.write(planes.pointers, frameCount: 100_000) }
            try full.finish()
        }
        #expect(error?.code == .fileWriteFailed)
    }
}
