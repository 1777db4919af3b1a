import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("waveform: compatibility with audiowaveform")
struct WaveformCompatibilityTests {
    private func waveform(_ arguments: [String]) throws -> PeakWaveform {
        let result = try runProcess(Syrinx.path, ["waveform", "-o", "-", "--output-format", "json"] + arguments)
        try #require(result.status == 0, "\(result.errors)")
        return try PeakWaveform(jsonFile: result.stdout)
    }

    @Test(
        "An end without a zoom fits the part into the width",
        arguments: [
            (["-e", "2", "-w", "100"], 882, 100), (["-s", "1", "-e", "2", "-w", "100"], 441, 100),
            (["-e", "2"], 110, 802),
            (["-e", "2.5", "-w", "7"], 15750, 7), (["-e", "2", "-w", "100", "-z", "256"], 256, 345),
            (["-e", "2", "-w", "100", "--pixels-per-second", "10"], 4410, 20), (["-e", "99", "-w", "100"], 43659, 4),
            ([], 256, 517),
        ]
    )
    func fitsPart(options: [String], zoom: Int, count: Int) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        let whole = try waveform(options + [scratch.file("a.wav")])
        #expect(whole.samplesPerPixel == zoom && whole.count == count)
        // The same of a waveform that has been made before, which can only become coarser.
        try FFmpeg.run(["-i", scratch.file("a.wav"), "-c:a", "copy", scratch.file("b.wav")])
        let fine = try Syrinx.run("waveform", "-o", scratch.file("a.dat"), "-z", "2", scratch.file("b.wav"))
        try #require(fine.status == 0)
        if options.contains("-e") { #expect(try waveform(options + [scratch.file("a.dat")]).samplesPerPixel == zoom) }
    }

    @Test("A part that is too short for the width is refused")
    func tooShort() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        let result = try Syrinx.run(
            "waveform",
            "-o",
            "-",
            "--output-format",
            "dat",
            "-e",
            "0.01",
            scratch.file("a.wav")
        )
        #expect(result.status == 64 && result.errorLines.count == 1, "\(result.errors)")
    }

    @Test("A waveform keeps its bits, unless others are asked for", arguments: [8, 16])
    func keepsBits(bits: Int) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        let made = try Syrinx.run("waveform", "-o", scratch.file("a.dat"), "-b", "\(bits)", scratch.file("a.wav"))
        try #require(made.status == 0, "\(made.errors)")
        func bitsOf(_ arguments: String...) throws -> Int? {
            let result = try runProcess(Syrinx.path, ["waveform", "-o", "-", "--output-format", "json"] + arguments)
            let object = try JSONSerialization.jsonObject(with: result.stdout) as? [String: Any]
            return object?["bits"] as? Int
        }
        #expect(try bitsOf(scratch.file("a.dat")) == bits)
        #expect(try bitsOf("-b", "\(24 - bits)", scratch.file("a.dat")) == 24 - bits)
        #expect(try bitsOf("-z", "512", scratch.file("a.dat")) == bits)
        #expect(try bitsOf(scratch.file("a.wav")) == 16)
        let json = try Syrinx.run("waveform", "-o", scratch.file("a.json"), scratch.file("a.dat"))
        try #require(json.status == 0)
        let back = try Syrinx.run("waveform", "-o", scratch.file("b.dat"), scratch.file("a.json"))
        #expect(
            try back.status == 0 && Data(contentsOf: scratch.url("b.dat")) == Data(contentsOf: scratch.url("a.dat"))
        )
    }

    @Test("In a text commas stand between the values of a pixel")
    func text() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.1)
        for (options, count) in [([], 2), (["--split-channels"], 4)] {
            let all = ["waveform", "-o", "-", "--output-format", "txt"] + options + [scratch.file("a.wav")]
            let result = try runProcess(Syrinx.path, all)
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 18)
            #expect(lines.allSatisfy { $0.split(separator: ",").compactMap { Int($0) }.count == count })
        }
    }

    @Test(
        "Opus is analysed at the rate of what was encoded",
        arguments: [(8000, 8000), (11025, 12000), (16000, 16000), (24000, 24000), (44100, 48000), (48000, 48000)]
    )
    func opusRate(original: Int, rate: Int) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("plain.wav"), sampleRate: original)
        try FFmpeg.run(["-i", scratch.file("plain.wav"), "-c:a", "libopus", scratch.file("a.opus")])
        // libopus takes no other rates than its own, so the one that was is put into the header (RFC 7845, 5.1).
        var bytes = try Data(contentsOf: scratch.url("a.opus"))
        let head = try #require(bytes.range(of: Data("OpusHead".utf8)))
        for index in 0..<4 { bytes[head.upperBound + 4 + index] = UInt8(truncatingIfNeeded: original >> (8 * index)) }
        bytes = OggChecksum.corrected(bytes)
        try bytes.write(to: scratch.url("a.opus"))
        let result = try waveform(["-z", "64", scratch.file("a.opus")])
        #expect(result.sampleRate == rate && result.samplesPerPixel == 64)
        #expect(abs(result.count - (3 * rate + 63) / 64) <= 1)
        // It shows the sound that was encoded.
        let plain = try waveform(["-z", "\(64 * original / rate)", scratch.file("plain.wav")])
        let pairs = zip(result.values, plain.values).map { (Double($0), Double($1)) }
        let error = pairs.reduce(0) { $0 + abs($1.0 - $1.1) } / Double(pairs.count)
        if original == rate { #expect(error < 1500, "\(error)") }
        let part = try waveform(["-e", "2", "-w", "100", scratch.file("a.opus")])
        #expect(part.samplesPerPixel == rate / 50 && part.count == 100)
        let auto = try waveform(["-z", "auto", "-w", "100", scratch.file("a.opus")])
        #expect(auto.count <= 100 && auto.count > 95)
    }

    @Test(
        "A picture with axis labels has a frame, of the colours' own or another",
        arguments: ["audacity", "audition"]
    )
    func frame(colors: String) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        func edge(_ options: String...) throws -> [[UInt8]] {
            let (width, height) = (60, 30)
            let arguments = [
                "waveform", "-o", scratch.file("a.png"), "-w", "\(width)", "--height", "\(height)", "-c", colors,
            ]
            let result = try runProcess(Syrinx.path, arguments + options + [scratch.file("a.wav")])
            try #require(result.status == 0, "\(result.errors)")
            let raw = try FFmpeg.run(["-i", scratch.file("a.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])

            let all =
                (0..<width).flatMap { [($0, 0), ($0, height - 1)] }
                + (0..<height).flatMap { [(0, $0), (width - 1, $0)] }
            return Array(Set(all.map { x, y in Array(raw[(y * width + x) * 3..<(y * width + x) * 3 + 3]) }))
        }
        let own: [UInt8] = colors == "audacity" ? [0, 0, 0] : [157, 157, 157]
        #expect(try edge("--with-axis-labels") == [own])
        #expect(try edge("--with-axis-labels", "--border-color", "ff0000") == [[255, 0, 0]])
        #expect(try !edge().contains(own) && !edge("--with-axis-labels", "--no-axis-labels").contains(own))
    }

    @Test("Decibels of loud music are drawn so that they can be told apart")
    func decibels() throws {
        let scratch = try ScratchDirectory()
        // Between −14 and −8 dB, changing all the time.
        let source = "aevalsrc=exprs=(0.3+0.15*sin(2*PI*3*t))*sin(2*PI*440*t):s=44100:d=4"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("loud.wav")])
        func heights(_ options: String...) throws -> [Double] {
            let arguments = ["waveform", "--decibels", "-w", "100", "--height", "100", "-o", scratch.file("a.png")]
            let result = try runProcess(Syrinx.path, arguments + options + [scratch.file("loud.wav")])
            try #require(result.status == 0, "\(result.errors)")
            let gray = ["-i", scratch.file("a.png"), "-f", "rawvideo", "-pix_fmt", "gray", "-"]
            let pixels = try FFmpeg.run(gray)
            let background = pixels.max() ?? 0
            return (0..<100).map { x in Double((0..<100).count { pixels[$0 * 100 + x] < background }) }
        }
        let drawn = try heights()
        #expect((drawn.max() ?? 0) > 90 && (drawn.min() ?? 100) < 50, "\(drawn)")
        // A floor that is asked for is used.
        let flat = try heights("--noise-floor", "-70")
        #expect((flat.min() ?? 0) > 80, "\(flat)")
    }
}

/// The checksums of the pages of an Ogg file (RFC 3533, 6).
private enum OggChecksum {
    static func corrected(_ file: Data) -> Data {
        var bytes = [UInt8](file)
        var place = 0
        while place + 27 <= bytes.count {
            let body = place + 27 + Int(bytes[place + 26])
            let end = body + bytes[place + 27..<body].reduce(0) { $0 + Int($1) }
            bytes.replaceSubrange(place + 22..<place + 26, with: [0, 0, 0, 0])
            var sum: UInt32 = 0
            for byte in bytes[place..<end] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
            }
            for index in 0..<4 { bytes[place + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            place = end
        }
        return Data(bytes)
    }
}
