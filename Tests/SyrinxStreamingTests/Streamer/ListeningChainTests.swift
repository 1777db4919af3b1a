import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

private let folder = repositoryRoot.deletingLastPathComponent().appending(path: "shared/audio")

/// All that makes speech shorter, louder, quicker and higher, at once.
@Suite("Smart speed, voice boost, rate and pitch together", .enabled(if: isOptimized, "Measured in release."))
struct ListeningChainTests {
    private static let rate: Float = 1.5
    private static let cents: Float = 300
    private static let sampleRate = 44_100
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Makes a voice of 120 Hz up to 3 kHz, in syllables of a quarter second and phrases of two and a half.
    ///
    /// A second and a half of faint noise is after each, and nothing above 4 kHz.
    private func voice(seconds: Int = 60, decibels: Double = -30) throws -> String {
        let path = scratch.file("voice.wav")
        let parts = (1...25).map { part in
            let frequency = 120.0 * Double(part)
            let level = 0.1 + exp(-pow((frequency - 500) / 300, 2)) + 0.5 * exp(-pow((frequency - 1_500) / 400, 2))
            return "\(level)*sin(2*PI*\(frequency)*t+\(part * part))"
        }
        let shape = "lt(mod(t\\,4)\\,2.5)*(0.15+0.85*pow(sin(PI*mod(t\\,0.25)/0.25)\\,2))"
        let edge = "min(1\\,min(mod(t\\,4)\\,max(0\\,2.5-mod(t\\,4)))/0.02)"
        let source =
            "(\(parts.joined(separator: "+")))*\(shape)*\(edge)*\(pow(10, decibels / 20))+0.00012*(random(0)-0.5)"
        // All of it but the noise begins anew after four seconds.
        try FFmpeg.make(
            path,
            from: "aevalsrc=\(source):s=\(Self.sampleRate):d=4",
            [
                "-af",
                "aloop=loop=-1:size=\(4 * Self.sampleRate),atrim=end_sample=\(seconds * Self.sampleRate),lowpass=f=4000:p=2",
            ]
        )
        return path
    }

    private struct Run {
        var samples: [Float]
        var saved: TimeInterval
        var lastTime: TimeInterval

        var seconds: Double { Double(samples.count) / Double(ListeningChainTests.sampleRate) }
    }

    private func prepare(_ streamer: TimePitchStreamer) {
        streamer.smartSpeed = .medium
        streamer.voiceBoost = VoiceBoostSettings()
        streamer.rate = Self.rate
        streamer.pitch = Self.cents
    }

    private func play(_ path: String) async throws -> Run {
        let out = scratch.file("out.wav")
        let streamer = FixedStreamer(
            try #require(AVAudioFormat(standardFormatWithSampleRate: Double(Self.sampleRate), channels: 1)),
            device: WAVFileOutput(path: out)
        )
        prepare(streamer)
        let events = streamer.events
        let item = StreamingItem(.url(URL(fileURLWithPath: path)))
        streamer.open(item, andPlay: true)
        let run = await QueueRun.listen(events, for: 1)
        let saved = streamer.timeSaved(in: item.id)
        streamer.stop()
        let last = run.events.compactMap { event -> TimeInterval? in
            if case .status(.ended, let time) = event { time } else { nil }
        }
        return Run(samples: try readWAV(out).channels[0], saved: saved, lastTime: try #require(last.first))
    }

    private func report(_ samples: some Collection<Float>) -> LoudnessReport {
        var meter = LoudnessMeter(sampleRate: Double(Self.sampleRate), channelCount: 1)
        var all = Array(samples)
        let count = all.count
        all.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            var channels = [base]
            meter.append(&channels, frameCount: count)
        }
        return meter.report
    }

    private func check(_ run: Run, duration: Double) throws {
        // The length and the time saved add up.
        let expected = duration / Double(Self.rate) - run.saved
        #expect(abs(run.seconds - expected) < 0.02 * run.saved, "\(run.seconds), \(expected), \(run.saved)")
        #expect(abs(run.lastTime - duration) < 0.02, "\(run.lastTime)")
        let late = report(run.samples.dropFirst(10 * Self.sampleRate))
        #expect(abs(try #require(late.integrated) + 16) < 1, "\(late)")
        #expect(try #require(report(run.samples).truePeak) <= -1)
    }

    /// The frequency near `wanted` that a block has most of, in cents from it.
    private func offset(_ block: ArraySlice<Float>, from wanted: Double) -> Double {
        let near = wanted * pow(2, -60.0 / 1_200)...wanted * pow(2, 60.0 / 1_200)
        return SyrinxTestSupport.cents(
            from: wanted,
            to: toneFrequency(Array(block), sampleRate: Double(Self.sampleRate), in: near)
        )
    }

    @Test("A voice keeps what is told of it: its length, loudness, peak and pitch, without a click")
    func voice() async throws {
        let run = try await play(try voice())
        try check(run, duration: 60)
        #expect(run.saved > 8)
        // The fourth partial is one of the strongest.
        let wanted = 4 * 120 * pow(2, Double(Self.cents) / 1_200)
        let length = Self.sampleRate / 2
        var offsets: [Double] = []
        for start in stride(from: 10 * Self.sampleRate, to: run.samples.count - length, by: length) {
            let block = run.samples[start..<start + length]
            let level = block.reduce(0.0) { $0 + Double($1 * $1) } / Double(length)
            if level > 0.003 { offsets.append(offset(block, from: wanted)) }
        }
        #expect(offsets.count > 10 && offsets.allSatisfy { abs($0) <= 10 }, "\(offsets)")
        // Nothing of the voice is above 5 kHz: a click is all that could be.
        let high = highPassed(run.samples, above: 8_000, sampleRate: Double(Self.sampleRate))
        let click = high.lazy.map(abs).max() ?? 1
        #expect(20 * log10(click) < -60, "\(20 * log10(click)) dB")
    }

    @Test("The position that is told while it plays is that of what is heard")
    func position() throws {
        let rig = Rig()
        prepare(rig.streamer)
        rig.streamer.open(StreamingItem(.url(URL(fileURLWithPath: try voice(seconds: 30)))), andPlay: true)
        for mark in stride(from: 4.0, through: 28, by: 4) {
            #expect(rig.crank { (rig.streamer.currentTime ?? 0) >= mark })
            let first = rig.output.firstIndex { $0 != 0 } ?? 0
            let heard = Double(rig.output.count - first) / Double(Self.sampleRate)
            let time = try #require(rig.streamer.currentTime)
            let expected = Double(Self.rate) * (heard + rig.streamer.timeSaved)
            #expect(abs(time - expected) < 0.02 * mark + 0.1, "\(time), \(expected)")
        }
    }

    @Test(
        "So does read speech",
        .enabled(if: FileManager.default.fileExists(atPath: folder.path), "../shared/audio is not there"),
        arguments: ["speech-198.ogg", "speech-3436.ogg", "speech-5703.ogg", "speech-jfk.flac"]
    )
    func recording(name: String) async throws {
        let path = scratch.file("speech.wav")
        let source = folder.appending(path: name).path
        try FFmpeg.run(["-stream_loop", "4", "-i", source, "-ac", "1", "-ar", "\(Self.sampleRate)", path])
        let samples = try Inputs.decoded(path, channelCount: 1)[0]
        let run = try await play(path)
        try check(run, duration: Double(samples.count) / Double(Self.sampleRate))
    }
}
