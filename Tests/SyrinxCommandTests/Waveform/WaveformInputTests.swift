import Foundation
import SyrinxAnalysis
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("waveform: inputs")
struct WaveformInputTests {
    @Test("The waveform begins and ends with the sound; the padding only if it is asked for")
    func alignment() throws {
        let scratch = try ScratchDirectory()
        let click = "aevalsrc=if(eq(n\\,0)+eq(n\\,39999)\\,0.9\\,0):s=44100:n=1024:d=0.90702947845805"
        for (name, codec) in [("a.mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]), ("a.m4a", ["-c:a", "aac"])] {
            try FFmpeg.run(["-f", "lavfi", "-i", click] + codec + [scratch.file(name)])
            func lengths(_ options: [String]) throws -> (count: Int, loudest: [Int]) {
                let arguments = ["waveform", "-o", scratch.file("a.dat"), "-z", "16", scratch.file(name)] + options
                let result = try runProcess(Syrinx.path, arguments)
                try #require(result.status == 0, "\(result.errors)")
                let waveform = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("a.dat")))
                let loud = (0..<waveform.count).filter { waveform.maximum($0) > 8000 }
                return (waveform.count, loud)
            }
            let plain = try lengths([])
            #expect(plain.count == 2500)
            #expect(plain.loudest.first == 0 && plain.loudest.last == 2499)
            if name == "a.mp3" {
                let padded = try lengths(["--keep-padding"])
                // LAME fills up to whole packets of 1152: 576 and 529 before, and what is left behind.
                let packets = (40000 + 1105 + 1151) / 1152
                #expect(padded.count > 2500 && padded.count <= (packets + 1) * 1152 / 16)
                #expect(padded.loudest.last == 2499)
            }
        }
    }

    @Test("A waveform is brought to another zoom, and scaled until it fits")
    func again() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        func run(_ arguments: String...) throws -> PeakWaveform {
            let result = try runProcess(Syrinx.path, ["waveform", "-o", scratch.file("out.dat")] + arguments)
            try #require(result.status == 0, "\(result.errors)")
            return try PeakWaveform(datFile: try Data(contentsOf: scratch.url("out.dat")))
        }
        let fine = try run("-z", "64", scratch.file("a.wav"))
        try fine.datFile().write(to: scratch.url("fine.dat"))
        try fine.jsonFile().write(to: scratch.url("fine.json"))
        #expect(try run("-z", "1000", scratch.file("fine.dat")) == fine.rescaled(to: 1000))
        #expect(try run("-z", "128", scratch.file("fine.json")) == run("-z", "128", scratch.file("a.wav")))
        let loud = try run("-z", "64", "--amplitude-scale", "auto", scratch.file("a.wav"))
        #expect(loud == fine.scaled(by: fine.automaticScale))
        #expect(loud.values.map { abs(Int($0)) }.max() ?? 0 >= 32766)
        let late = try Syrinx.run("waveform", "-o", scratch.file("x.dat"), "-z", "32", scratch.file("fine.dat"))
        #expect(late.status == 64)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("x.dat")))
    }

    @Test("Samples without a header, from a pipe and from a file", arguments: RawSamples.Encoding.allCases)
    func raw(encoding: RawSamples.Encoding) throws {
        let scratch = try ScratchDirectory()
        let sound = try #require(WaveformSound.all.first { $0.name == "32.wav" })
        let form = ["-f", encoding.rawValue]
        let path = scratch.file("a.sound")
        let made = try sound.make(channels: 3, in: scratch)
        try FFmpeg.run(["-i", made, "-c:a", "pcm_\(encoding.rawValue)"] + form + [path])
        // Half a frame at the end is none.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.append(1)
        try bytes.write(to: URL(fileURLWithPath: path))
        let isFloat = encoding.rawValue.hasPrefix("f")
        let described = form + ["-ar", "\(WaveformSound.sampleRate)", "-ac", "3", "-i", path]
        let samples = try WaveformSound(name: "", codec: [], isFloat: isFloat).samples(described, channels: 3)
        let options = [
            "waveform", "-o", "-", "--output-format", "dat", "-z", "30", "--split-channels", "--raw-format",
            encoding.rawValue, "--raw-samplerate", "\(WaveformSound.sampleRate)", "--raw-channels", "3",
        ]
        let runs: [([String], Range<Int>)] = [
            (["-"], 0..<samples[0].count), ([path], 0..<samples[0].count),
            (["--input-format", "raw", "--start", "0.2", "--end", "0.4", path], 4410..<8820),
            (["--start", "0.2", "--end", "0.4", "-"], 4410..<8820),
        ]
        for (more, range) in runs {
            let result = try runProcess(Syrinx.path, options + more, stdin: more.last == "-" ? bytes : Data())
            try #require(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let waveform = try PeakWaveform(datFile: result.stdout)
            #expect(waveform.sampleRate == WaveformSound.sampleRate && waveform.channelCount == 3)
            let expected = WaveformSound.plain(samples.map { Array($0[range]) }, zoom: 30, mixed: false)
            #expect(waveform.values.map { Int($0) } == expected, "\(more)")
        }
    }

    @Test("A waveform is read under any name and from a pipe, if it is said that it is one")
    func said() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        let fine = try Syrinx.run("waveform", "-o", "-", "--output-format", "dat", "-z", "64", scratch.file("a.wav"))
        let waveform = try PeakWaveform(datFile: fine.stdout)
        for (format, data) in [("dat", fine.stdout), ("json", waveform.jsonFile())] {
            try data.write(to: scratch.url("peaks"))
            for input in ["-", scratch.file("peaks")] {
                let options = ["waveform", "-o", "-", "--output-format", "dat", "-z", "640", "--input-format", format]
                let result = try runProcess(Syrinx.path, options + [input], stdin: data)
                try #require(result.status == 0, "\(result.errors)")
                #expect(try PeakWaveform(datFile: result.stdout) == waveform.rescaled(to: 640))
            }
        }
        // A name says less than what is asked for, and the name of a format less than the sound.
        try FileManager.default.moveItem(at: scratch.url("a.wav"), to: scratch.url("a.dat"))
        for format in ["wav", "mp3"] {
            let options = ["waveform", "-o", "-", "--output-format", "dat", "-z", "64", "--input-format", format]
            let result = try runProcess(Syrinx.path, options + [scratch.file("a.dat")])
            #expect(result.status == 0 && result.stdout == fine.stdout, "\(result.errors)")
        }
        let options = ["waveform", "-o", scratch.file("x.dat"), "--input-format", "dat", "-"]
        let wrong = try runProcess(Syrinx.path, options, stdin: Data([1]))
        #expect(wrong.status == 65 && wrong.errorLines.count == 1, "\(wrong.errors)")
    }
}
