import Foundation
import Testing

@testable import SyrinxStreaming

@Suite("Loudness normalisation") struct LoudnessNormalizationTests {
    private typealias Measurement = LoudnessNormalization.Measurement

    @Test("ReplayGain leads to −18 LUFS, and Opus' gain to −23 LUFS, from where the target counts")
    func references() {
        let normalization = LoudnessNormalization()
        let replay = normalization.gain(tags: ["REPLAYGAIN_TRACK_GAIN": "-7.03 dB"])
        #expect(abs(replay.decibels + 5.03) < 1e-9 && replay.source == .track && !replay.isLimited)
        let opus = normalization.gain(tags: ["R128_TRACK_GAIN": "-1280", "iTunNORM": " 00000001"])
        #expect(abs(opus.decibels - 2) < 1e-9)
        let louder = LoudnessNormalization(target: -14).gain(tags: ["replaygain_track_gain": "+1,50 dB"])
        #expect(abs(louder.decibels - 5.5) < 1e-9)
    }

    @Test("The gain of the album counts first, unless that of the piece is preferred")
    func albums() {
        let tags = ["replaygain_album_gain": "-6 dB", "REPLAYGAIN_TRACK_GAIN": "-3 dB"]
        #expect(LoudnessNormalization(target: -18).gain(tags: tags).decibels == -6)
        #expect(LoudnessNormalization(target: -18).gain(tags: tags).source == .album)
        let track = LoudnessNormalization(target: -18, prefersAlbumGain: false)
        #expect(track.gain(tags: tags).decibels == -3 && track.gain(tags: tags).source == .track)
        #expect(track.gain(tags: ["replaygain_album_gain": "-6 dB"]).source == .album)
    }

    @Test("No gain takes the largest sample above −1 dB, and none is lowered for what is above it anyway")
    func peaks() {
        let normalization = LoudnessNormalization(target: -18)
        let tags = ["replaygain_track_gain": "+9 dB", "replaygain_track_peak": "0.5"]
        let limited = normalization.gain(tags: tags)
        #expect(abs(limited.decibels - (20 * log10(2) - 1)) < 1e-9 && limited.isLimited)
        #expect(abs(limited.shortfall - (9 - limited.decibels)) < 1e-9)
        let clipped = ["replaygain_track_gain": "+9 dB", "replaygain_track_peak": "1.2"]
        #expect(normalization.gain(tags: clipped).decibels == 0)
        let loud = ["replaygain_track_gain": "-2 dB", "replaygain_track_peak": "1.2"]
        #expect(normalization.gain(tags: loud).decibels == -2)
        // A peak that has been decoded counts beside that of a tag.
        let measured = Measurement(loudness: nil, peak: 0.8, duration: 5)
        #expect(normalization.gain(tags: tags, measured: measured).decibels < 1)
    }

    @Test("Without tags the measurement counts, and raises nothing in its first three seconds")
    func measured() {
        let normalization = LoudnessNormalization()
        #expect(normalization.gain(tags: [:]).source == .none)
        let quiet = Measurement(loudness: -22, peak: 0.2, duration: 2)
        #expect(normalization.gain(tags: [:], measured: quiet).decibels == 0)
        let longer = Measurement(loudness: -22, peak: 0.2, duration: 3)
        #expect(normalization.gain(tags: [:], measured: longer).decibels == 6)
        let loud = Measurement(loudness: -10, peak: 1, duration: 0.5)
        #expect(normalization.gain(tags: [:], measured: loud).decibels == -6)
        let silent = Measurement(loudness: -65, peak: 0.001, duration: 9)
        #expect(normalization.gain(tags: [:], measured: silent).decibels == 24)
    }

    @Test(
        "A tag that says nothing is passed over",
        arguments: ["", "loud", "nan dB", "inf", "1e999", "-99 dB", "--3", "+"]
    )
    func brokenTags(value: String) {
        let normalization = LoudnessNormalization()
        #expect(normalization.gain(tags: ["replaygain_track_gain": value]).source == .none)
        #expect(normalization.gain(tags: ["R128_TRACK_GAIN": value]).source == .none)
        let peak = normalization.gain(tags: ["replaygain_track_gain": "3 dB", "replaygain_track_peak": value])
        #expect(peak.decibels == 5)
    }

    @Test("Targets are within bounds")
    func targets() {
        #expect(LoudnessNormalization(target: 3).target == -5 && LoudnessNormalization(target: -90).target == -40)
        #expect(LoudnessNormalization(target: .nan).target == -16)
    }

    @Test("A measured gain is followed slowly, to within 0.2 dB; a peak to come is quicker")
    func settling() {
        var gain = TrackGain()
        func measured(_ decibels: Double, limited: Bool = false) -> LoudnessNormalization.Gain {
            LoudnessNormalization.Gain(decibels: decibels, source: .measurement, isLimited: limited)
        }
        gain.follow(measured(0), duration: 1, ahead: 4, heard: 9)
        #expect(gain.decibels == 0 && gain.source == .none)
        gain.follow(measured(6), duration: 3, ahead: 4, heard: 9)
        #expect(gain.decibels == 6 && gain.rampTime == 0.5 && gain.source == .measurement)
        gain.follow(measured(5.85), duration: 5, ahead: 4, heard: 9)
        #expect(gain.decibels == 6)
        gain.follow(measured(5.6), duration: 5, ahead: 4, heard: 9)
        #expect(gain.decibels == 5.6 && gain.rampTime == 1)
        gain.follow(measured(4.9), duration: 90, ahead: 4, heard: 9)
        #expect(gain.decibels == 4.9 && gain.rampTime == 4)
        gain.follow(measured(-5.1), duration: 90, ahead: 4, heard: 9)
        #expect(gain.decibels == -5.1 && abs(gain.rampTime - 5) < 1e-9)
        gain.follow(measured(3.9), duration: 90, ahead: 4, heard: 9)
        gain.follow(measured(3.5, limited: true), duration: 90, ahead: 0.3, heard: 9)
        #expect(gain.decibels == 3.5 && gain.rampTime == 0.3)
        gain.set(LoudnessNormalization.Gain(decibels: 0, source: .none))
        #expect(gain.factor == 1 && gain.rampTime == TrackGain.quickRamp)
    }

    @Test(
        "Before anything is heard the gain is taken at once, and after two seconds it moves by no more than 6 dB a second"
    )
    func slopes() {
        func measured(_ decibels: Double) -> LoudnessNormalization.Gain {
            LoudnessNormalization.Gain(decibels: decibels, source: .measurement)
        }
        var gain = TrackGain()
        gain.follow(measured(9), duration: 30, ahead: 4, heard: 0)
        #expect(gain.decibels == 9 && gain.rampTime == TrackGain.quickRamp)
        gain.follow(measured(-3), duration: 30, ahead: 4, heard: 0)
        #expect(gain.decibels == -3 && gain.rampTime == TrackGain.quickRamp)
        // All is known: the last tenths count.
        gain.follow(measured(-3.1), duration: 30, isWhole: true, ahead: 4, heard: 0.5)
        #expect(gain.decibels == -3.1 && gain.rampTime == 0.5)
        // What is short is raised, too, where there is no more of it.
        var short = TrackGain()
        short.follow(measured(6), duration: 1, isWhole: true, ahead: 1, heard: 0)
        #expect(short.decibels == 6)
        // Measurements that are far apart, ten times a second: the ramp is a straight line of the amplitude.
        var (current, target, left) = (gain.factor, gain.factor, 0)
        var slope = 0.0
        for step in 0..<6_000 {
            if step % 10 == 0 {
                let wanted = Double(step / 10 * 7_919 % 160) / 10 - 8
                gain.follow(measured(wanted), duration: 30, ahead: 4, heard: 2 + Double(step) / 100)
                if gain.factor != target { (target, left) = (gain.factor, Int(gain.rampTime * 100)) }
            }
            guard left > 0 else { continue }
            let next = current + (target - current) / Float(left)
            slope = max(slope, abs(20 * log10(Double(next / current))) * 100)
            (current, left) = (next, left - 1)
        }
        #expect(slope <= 6, "\(slope)")
    }
}
