import Foundation
import SyrinxTestSupport
import Testing

/// The measurements themselves are measured first.
@Suite struct MeasuringTests {
    @Test("The alignment finds a shifted signal in a long recording")
    func alignmentFindsAShiftedSignalInAMinute() throws {
        let signal = whiteNoise(frameCount: 40 * 44_100, seed: 5)
        let recording = [Float](repeating: 0, count: 123_457) + signal.map { $0 * 0.5 }
        let place = try #require(alignment(of: signal, in: recording))
        #expect(place.offset == 123_457)
        #expect(place.correlation > 0.999)
        #expect(alignment(of: whiteNoise(frameCount: 20_000, seed: 6), in: Array(recording.prefix(200_000))) == nil)
    }

    @Test("The alignment finds short signals at every offset", arguments: [0, 1, 100, 1023, 5000])
    func alignmentOfShortSignals(offset: Int) throws {
        let signal = whiteNoise(frameCount: 600, seed: 7)
        let recording = [Float](repeating: 0, count: offset) + signal + [0, 0, 0]
        #expect(try #require(alignment(of: signal, in: recording)).offset == offset)
    }

    @Test("The residual reveals a gap of one sample")
    func residualTellsAGapOfOneSample() {
        let signal = whiteNoise(frameCount: 10_000)
        #expect(residualDecibels(signal, signal) == -.infinity)
        #expect(abs(residualDecibels(signal, signal.map { $0 * 1.001 }) + 60) < 0.1)
        let shifted = Array(signal[0..<5000] + signal[5001...])
        #expect(residualDecibels(signal, shifted) > -3)
    }

    @Test("The tone finder is accurate to a tenth of a cent", arguments: [55.0, 440, 1000.3, 15_000])
    func toneIsFoundToAHundredthOfACent(frequency: Double) {
        let tone = sineWave(frequency: frequency, sampleRate: 44_100, frameCount: 65_536)
        #expect(abs(cents(from: frequency, to: toneFrequency(tone, sampleRate: 44_100))) < 0.1)
        #expect(abs(levelDecibels(tone) + 9.03) < 0.1)
    }

    @Test("A child process is fed, read and killed")
    func processesAreFedReadAndKilled() throws {
        let text = Data((0..<300_000).map { UInt8($0 % 251) })
        let echoed = try runProcess("cat", stdin: text)
        #expect(echoed.status == 0)
        #expect(echoed.stdout == text)
        let failed = try runProcess(
            "sh",
            ["-c", "echo oops >&2; echo $SYRINX_TEST; exit 7"],
            environment: ["SYRINX_TEST": "x"]
        )
        #expect(failed.status == 7)
        #expect(failed.errors == "oops\n")
        #expect(failed.output == "x\n")
        #expect(try runProcess("sleep", ["600"], timeout: 0.2).status == nil)
        #expect(try runProcess("true", stdin: text).status == 0)
        #expect(throws: ChildProcess.LaunchError.self) { try runProcess("/nonexistent/program") }
    }

    @Test("The WAV reader of the tests reads files of ffmpeg")
    func wavFilesOfFfmpegAreRead() throws {
        let directory = try ScratchDirectory()
        for (codec, tolerance) in [("pcm_s16le", -80.0), ("pcm_s24le", -120), ("pcm_f32le", -140)] {
            let path = directory.file("\(codec).wav")
            try FFmpeg.make(path, from: "sine=f=1000:r=8000:d=0.5,volume=4", ["-ac", "2", "-c:a", codec])
            let (sampleRate, channels) = try readWAV(path)
            #expect(sampleRate == 8000)
            #expect(channels.map(\.count) == [4000, 4000])
            let tone = sineWave(
                frequency: 1000,
                sampleRate: 8000,
                frameCount: 4000,
                amplitude: Double(channels[0].max() ?? 0)
            )
            #expect(residualDecibels(tone, channels[1]) < max(tolerance, -60))
        }
    }
}
