import Foundation
import SyrinxTestSupport
import Testing

/// From an HTTP server to a real sound server, whose monitor is recorded: what is heard is measured.
@Suite("play on a sound server", .serialized)
struct SoundServerTests {
    /// Plays `input` to a sound server of its own, and returns what its monitor recorded, the left channel.
    private func heard(
        _ input: String,
        _ options: String...,
        on kind: SoundServerKind,
        seconds: Double,
        sampleRate: Int = 44_100
    ) throws -> [Float] {
        try heard(options + [input], on: kind, seconds: seconds, sampleRate: sampleRate)
    }

    /// Plays with these arguments, and returns the left channel of the monitor's recording.
    private func heard(
        _ arguments: [String],
        on kind: SoundServerKind,
        seconds: Double,
        sampleRate: Int = 44_100
    ) throws -> [Float] {
        let server = try kind.start(sampleRate: sampleRate)
        defer { server.kill() }
        let recording = try server.startRecording()
        let result = try runProcess(
            Syrinx.path,
            ["play"] + arguments,
            environment: server.environment,
            timeout: seconds * 2 + 30
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        recording.wait(forSeconds: 0.5)
        return try recording.stop()[0]
    }

    /// The part of `recording` between the first and the last sample that is not silence.
    private func sounding(_ recording: [Float]) throws -> ArraySlice<Float> {
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        let last = try #require(recording.lastIndex { abs($0) > 1e-4 })
        return recording[first...last]
    }

    @Test("At rate 1 the recording is the file, without a gap or a repeat", arguments: SoundServerKind.allCases)
    func identity(kind: SoundServerKind) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.mp3")
        // Rising in frequency, so that no moment is like another.
        let chirp = "aevalsrc=0.4*sin(2*PI*(150+60*t)*t)|0.4*sin(2*PI*(250+45*t)*t):s=44100:d=5"
        try FFmpeg.run(["-f", "lavfi", "-i", chirp, "-b:a", "192k", path])
        let http = try ScriptedHTTPServer()
        defer { http.stop() }
        http.route("/a.mp3", .file(Array(try #require(FileManager.default.contents(atPath: path)))))
        let expected = try Fixture.decode(path)[0]
        // The other tests load the machine, and a server that is late leaves a gap that is not ours: what is broken here
        // is broken each time.
        var worst = Double.infinity
        for _ in 0..<4 where worst >= -60 {
            worst = try worstResidual(of: expected, in: heard(http.url("/a.mp3"), on: kind, seconds: 5))
        }
        #expect(worst < -60)
    }

    /// A null sink of PulseAudio that plays nothing has two seconds of silence ahead, which once were taken for buffered sound.
    @Test("On an idle sink playback starts once and does not buffer again", arguments: SoundServerKind.allCases)
    func idleSink(kind: SoundServerKind) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try Fixture.make(path, seconds: 3)
        let server: any SoundServer = kind == .pulseAudio ? try PulseServer(rewinds: true) : try kind.start()
        defer { server.kill() }
        let result = try runProcess(
            Syrinx.path,
            ["play", "--json", path],
            environment: server.environment,
            timeout: 60
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.states == ["opening", "buffering", "playing", "ended"])
    }

    @Test(
        "Two inputs are heard as one sound, from files and over HTTP",
        arguments: SoundServerKind.allCases,
        [true, false]
    )
    func twoInputs(kind: SoundServerKind, isWeb: Bool) throws {
        let scratch = try ScratchDirectory()
        let whole = scratch.file("whole.flac")
        let chirp = "aevalsrc=0.4*sin(2*PI*(150+60*t)*t)|0.4*sin(2*PI*(250+45*t)*t):s=44100:d=4"
        try FFmpeg.run(["-f", "lavfi", "-i", chirp, whole])
        let http = try ScriptedHTTPServer()
        defer { http.stop() }
        let parts = try [("0.flac", "end_sample=87654"), ("1.flac", "start_sample=87654")].map { name, range in
            try FFmpeg.run(["-i", whole, "-af", "atrim=\(range)", scratch.file(name)])
            guard isWeb else { return scratch.file(name) }
            http.route("/\(name)", .file(Array(try #require(FileManager.default.contents(atPath: scratch.file(name))))))
            return http.url("/\(name)")
        }
        let expected = try Fixture.decode(whole)[0]
        var worst = Double.infinity
        for _ in 0..<4 where worst >= -60 {
            worst = try worstResidual(of: expected, in: heard(parts, on: kind, seconds: 4))
        }
        #expect(worst < -60)
    }

    /// The residual of the worst second: a gap or a repeat anywhere spoils the second it lies in, and all that follow.
    private func worstResidual(of expected: [Float], in recording: [Float]) throws -> Double {
        let place = try #require(alignment(of: expected, in: recording))
        guard place.offset >= 0, place.offset + expected.count <= recording.count else { return 0 }
        let part = Array(recording[place.offset..<(place.offset + expected.count)])
        let seconds = stride(from: 0, to: expected.count - 44_099, by: 44_100)
        return seconds.map { residualDecibels(expected[$0..<($0 + 44_100)], part[$0..<($0 + 44_100)]) }.max() ?? 0
    }

    @Test(
        "At rate 2 it is half as long, at 1200 cents an octave higher and as long as before",
        arguments: SoundServerKind.allCases
    )
    func rateAndPitch(kind: SoundServerKind) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        // A rate at which a build without optimisation keeps up with ease.
        let rate = 22_050
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=frequency=500:sample_rate=\(rate):duration=4", path])
        let fast = try sound(of: path, "--rate", "2", on: kind, seconds: 2, sampleRate: rate)
        #expect(abs(fast.count - 2 * rate) < rate / 20)
        let fastTone = toneFrequency(Array(fast.dropFirst(10_000)), sampleRate: Double(rate))
        #expect(abs(cents(from: 500, to: fastTone)) < 2)
        let high = try sound(of: path, "--pitch", "1200", on: kind, seconds: 4, sampleRate: rate)
        #expect(abs(high.count - 4 * rate) < rate / 20)
        let highTone = toneFrequency(Array(high.dropFirst(10_000)), sampleRate: Double(rate))
        #expect(abs(cents(from: 1_000, to: highTone)) < 2)
    }

    /// Returns the sound of `path`, which should take so many seconds.
    ///
    /// It tries again where a late server left a gap.
    private func sound(
        of path: String,
        _ option: String,
        _ value: String,
        on kind: SoundServerKind,
        seconds: Int,
        sampleRate: Int
    ) throws -> ArraySlice<Float> {
        var sound: ArraySlice<Float> = []
        for _ in 0..<4 where abs(sound.count - seconds * sampleRate) >= sampleRate / 20 {
            sound = try sounding(heard(path, option, value, on: kind, seconds: Double(seconds), sampleRate: sampleRate))
        }
        return sound
    }

    @Test("Ctrl-Z silences it, and fg goes on with the very sound that comes next")
    func suspension() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        // Noise: every moment is unlike all others.
        try FFmpeg.run(["-f", "lavfi", "-i", "anoisesrc=a=0.3:d=5:r=44100:seed=7", "-ac", "2", path])
        let expected = try Fixture.decode(path)[0]
        let server = try PulseServer()
        defer { server.kill() }
        let recording = try server.startRecording()
        let line = "set -m; '\(Syrinx.path)' play --json '\(path)'; echo stopped $?; sleep 2; fg; echo status $?"
        let running = try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", line, scratch.file("typescript")],
            environment: ["TERM": "xterm", "SHELL": "/bin/sh"].merging(server.environment) { $1 }
        )
        _ = try running.event("position") { $0["time"] as? Double ?? 0 > 1.5 }
        running.type("\u{1A}")
        waitUntil { running.output.contains("status ") || running.process.exitStatus != nil }
        try #require(running.output.contains("status 0"), "\(running.output.suffix(400))")
        recording.wait(forSeconds: 0.5)
        let heard = Array(try sounding(recording.stop()[0]))
        let silence = try #require(longestSilence(in: heard))
        // The shell waits two seconds, of which the server may play on what it has been given before.
        #expect(silence.count > 44_100)
        let before = Array(heard[..<silence.lowerBound])
        let after = Array(heard[silence.upperBound...])
        let start =
            try #require(alignment(of: Array(before.dropFirst(4410).dropLast(4410)), in: expected)).offset - 4410
        let end = try #require(alignment(of: Array(after.dropFirst(4410).dropLast(4410)), in: expected)).offset - 4410
        #expect(abs(start) < 882)
        // Nothing is missing and nothing comes twice, but for the fades.
        #expect(abs(end - (start + before.count)) < 882, "\(start) + \(before.count), then \(end)")
        #expect(abs(end + after.count - expected.count) < 882)
    }

    /// The longest run of samples without sound.
    private func longestSilence(in samples: [Float]) -> Range<Int>? {
        var best: Range<Int>?
        var start: Int?
        for (index, sample) in samples.enumerated() {
            if abs(sample) < 1e-4 {
                start = start ?? index
            } else if let from = start {
                if index - from > best?.count ?? 0 { best = from..<index }
                start = nil
            }
        }
        return best
    }

    @Test("A recording by --record has the decoder's samples", arguments: SoundServerKind.allCases)
    func record(kind: SoundServerKind) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.flac")
        try FFmpeg.run(["-f", "lavfi", "-i", "anoisesrc=a=0.3:d=3:r=44100:seed=5", "-ac", "2", path])
        _ = try heard(path, "--record", scratch.file("r.wav"), on: kind, seconds: 3)
        let expected = try Fixture.decode(path)
        let recorded = try readWAV(scratch.file("r.wav")).channels
        for channel in 0..<2 {
            let first = try #require(recorded[channel].firstIndex { $0 != 0 })
            #expect(Array(recorded[channel][first...].prefix(expected[channel].count)) == expected[channel])
            #expect(recorded[channel][(first + expected[channel].count)...].allSatisfy { $0 == 0 })
        }
    }
}
