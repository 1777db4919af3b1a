import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Loudness of what is streamed") struct StreamedLoudnessTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func noise(_ name: String, amplitude: Double, seconds: Double, tags: [String: String]) throws -> String {
        let path = scratch.file(name)
        let source =
            "anoisesrc=c=white:a=\(amplitude):r=44100:d=\(seconds):seed=4,tremolo=f=4:d=0.9,aformat=channel_layouts=stereo"
        let metadata = tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0)=\($1)"] }
        try FFmpeg.run(["-f", "lavfi", "-i", source] + metadata + [path])
        return path
    }

    private func play(_ paths: [String], _ change: (TimePitchStreamer) -> Void) async throws -> [Float] {
        let path = scratch.file("out.wav")
        let streamer = PlainStreamer(device: WAVFileOutput(path: path))
        change(streamer)
        let events = streamer.events
        let items = paths.map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        _ = await QueueRun.listen(events, for: items.count)
        streamer.stop()
        return try readWAV(path).channels[0]
    }

    private func decibels(_ samples: some Collection<Float>) -> Double {
        10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    @Test("Each input is played with the gain of its tags, from its first frame on")
    func tags() async throws {
        let first = try noise("a.flac", amplitude: 0.1, seconds: 2, tags: ["REPLAYGAIN_TRACK_GAIN": "-4.00 dB"])
        let second = try noise("b.flac", amplitude: 0.1, seconds: 2, tags: ["REPLAYGAIN_TRACK_GAIN": "+1.00 dB"])
        let plain = try await play([first, second]) { _ in }
        let heard = try await play([first, second]) { $0.normalization = LoudnessNormalization() }
        #expect(heard.count == plain.count)
        let (low, high) = (Float(pow(10, -2 / 20.0)), Float(pow(10, 3 / 20.0)))
        #expect((4_000..<88_000).allSatisfy { abs(heard[$0] - plain[$0] * low) < 1e-5 })
        // The gain moves within 50 ms of the joint.
        #expect((91_000..<176_000).allSatisfy { abs(heard[$0] - plain[$0] * high) < 1e-5 })
    }

    @Test("An album's gain does not move at a joint")
    func album() async throws {
        let tags = ["REPLAYGAIN_ALBUM_GAIN": "-5.00 dB", "ALBUM": "One"]
        let first = try noise(
            "a.flac",
            amplitude: 0.1,
            seconds: 2,
            tags: tags.merging(["REPLAYGAIN_TRACK_GAIN": "3 dB"]) { $1 }
        )
        let second = try noise("b.flac", amplitude: 0.1, seconds: 2, tags: tags)
        let plain = try await play([first, second]) { _ in }
        let heard = try await play([first, second]) { $0.normalization = LoudnessNormalization() }
        let factor = Float(pow(10, -3 / 20.0))
        #expect((4_000..<176_000).allSatisfy { abs(heard[$0] - plain[$0] * factor) < 1e-5 })
    }

    @Test("Without tags the loudness is measured ahead, and no sample clips")
    func measured() async throws {
        let path = try noise("a.flac", amplitude: 0.05, seconds: 14, tags: [:])
        let heard = try await play([path]) { $0.normalization = LoudnessNormalization(target: -20) }
        var meter = LoudnessMeter(sampleRate: 44_100, channelCount: 1)
        var late = Array(heard.suffix(5 * 44_100))
        let count = late.count
        late.withUnsafeMutableBufferPointer { samples in
            var channels = [samples.baseAddress!]
            meter.append(&channels, frameCount: count)
        }
        // One of two equal channels: 3 LU less.
        let loudness = try #require(meter.report.integrated) + 3.01
        let peak = heard.map(abs).max() ?? 1
        #expect(abs(loudness + 20) < 0.5 || peak > 0.85, "\(loudness), \(peak)")
        #expect(peak < 0.9)
    }

    @Test("An input that stays quieter than asked for, because of its peaks, is a warning with both figures")
    func shortfall() async throws {
        let tags = ["REPLAYGAIN_TRACK_GAIN": "+4.00 dB", "REPLAYGAIN_TRACK_PEAK": "0.8"]
        let limited = try noise("limited.flac", amplitude: 0.1, seconds: 1, tags: tags)
        let whole = try noise("whole.flac", amplitude: 0.1, seconds: 1, tags: ["REPLAYGAIN_TRACK_GAIN": "+4.00 dB"])
        let streamer = PlainStreamer(device: WAVFileOutput(path: scratch.file("out.wav")))
        streamer.normalization = LoudnessNormalization()
        let events = streamer.events
        let items = [whole, limited].map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        let run = await QueueRun.listen(events, for: 2)
        streamer.stop()
        let warnings = run.events.compactMap { if case .warning(let error) = $0 { error } else { nil } }
        #expect(warnings.map(\.code) == [.loudnessNotReached])
        // −18 LUFS less 4 of the tag are −22, and 0.9 dB are left below the ceiling.
        #expect(warnings.first?.message.contains("-21.1 LUFS instead of -16.0 LUFS") == true, "\(warnings)")
        #expect(warnings.first?.name.hasSuffix("limited.flac") == true)
    }

    @Test("A piece that becomes louder is followed to within 0.5 LU of what has been measured")
    func followed() async throws {
        let quiet = try noise("quiet.wav", amplitude: 0.05, seconds: 12, tags: [:])
        let loud = try noise("loud.wav", amplitude: 0.08, seconds: 48, tags: [:])
        let path = scratch.file("both.wav")
        let join = "[0:a][1:a]concat=n=2:v=0:a=1"
        try FFmpeg.run(["-i", quiet, "-i", loud, "-filter_complex", join, path])
        let plain = try await play([path]) { _ in }
        let heard = try await play([path]) { $0.normalization = LoudnessNormalization(target: -32) }
        let gain = decibels(heard.suffix(44_100)) - decibels(plain.suffix(44_100))
        var meter = LoudnessMeter(sampleRate: 44_100, channelCount: 1)
        var all = plain
        let count = all.count
        all.withUnsafeMutableBufferPointer { samples in
            var channels = [samples.baseAddress!]
            meter.append(&channels, frameCount: count)
        }
        // One of two equal channels: 3 LU less.
        let wanted = -32 - (try #require(meter.report.integrated) + 3.01)
        #expect(abs(gain - wanted) < 0.5, "\(gain), \(wanted)")
    }

    @Test("Voice boost is switched while it plays, and off it changes nothing")
    func boost() async throws {
        let path = try noise("a.flac", amplitude: 0.02, seconds: 8, tags: [:])
        let plain = try await play([path]) { $0.voiceBoost = nil }
        #expect(plain == (try Inputs.decoded(path))[0])
        let boosted = try await play([path]) { $0.voiceBoost = VoiceBoostSettings() }
        // That it looks ahead makes a file no longer.
        #expect(boosted.count == plain.count)
        let twice = try await play([path, path]) { $0.voiceBoost = VoiceBoostSettings() }
        #expect(twice.count == 2 * plain.count)
        let raised = decibels(boosted.suffix(44_100)) - decibels(plain.suffix(44_100))
        #expect(raised > 6, "\(raised)")
        let rig = Rig()
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.playedFrameCount > 30_000 })
        #expect(rig.streamer.voiceBoost == nil && rig.streamer.effectLatency == 0)
        rig.streamer.voiceBoost = VoiceBoostSettings(target: -18)
        #expect(rig.streamer.voiceBoost == VoiceBoostSettings(target: -18) && rig.streamer.effectLatency > 0.009)
        #expect(rig.crank { rig.streamer.voiceBoostNode.currentGain > 6 })
        // A seek keeps the gain, where the search would begin at 0.
        try rig.streamer.seek(to: 5)
        rig.crank(frames: 4_096)
        #expect(rig.streamer.voiceBoostNode.currentGain > 5)
    }
}
