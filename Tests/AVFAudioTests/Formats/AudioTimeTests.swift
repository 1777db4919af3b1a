import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct AudioTimeTests {
    @Test("An audio time is valid only for the clocks it was made with")
    func aMomentKnowsWhatItWasGiven() {
        let sample = AVAudioTime(sampleTime: -5, atRate: 48_000)
        #expect(sample.isSampleTimeValid && !sample.isHostTimeValid)
        #expect(sample.sampleTime == -5)
        #expect(sample.sampleRate == 48_000)
        let host = AVAudioTime(hostTime: 77)
        #expect(!host.isSampleTimeValid && host.isHostTimeValid)
        #expect(host.hostTime == 77)
        let both = AVAudioTime(hostTime: 77, sampleTime: 3, atRate: 8_000)
        #expect(both.isSampleTimeValid && both.isHostTimeValid)
    }

    @Test("The units of host time are seconds and their parts")
    func unitsOfHostTime() {
        #expect(AVAudioTime.hostTime(forSeconds: 1) == NSEC_PER_SEC)
        #expect(AVAudioTime.hostTime(forSeconds: 0.25) == 250 * NSEC_PER_MSEC)
        #expect(NSEC_PER_SEC == USEC_PER_SEC * NSEC_PER_USEC && NSEC_PER_MSEC == 1_000 * NSEC_PER_USEC)
    }

    @Test("An audio time survives its time stamp")
    func stampsGoInAndOut() {
        for time in [
            AVAudioTime(sampleTime: 4_410, atRate: 44_100), AVAudioTime(hostTime: 12),
            AVAudioTime(hostTime: .max, sampleTime: -1, atRate: 44_100),
        ] {
            var stamp = time.audioTimeStamp
            #expect(stamp.mFlags.contains(.sampleTimeValid) == time.isSampleTimeValid)
            #expect(stamp.mFlags.contains(.hostTimeValid) == time.isHostTimeValid)
            let again = AVAudioTime(audioTimeStamp: &stamp, sampleRate: time.sampleRate)
            #expect(again.sampleTime == time.sampleTime)
            #expect(again.hostTime == time.hostTime)
            #expect(again.isSampleTimeValid == time.isSampleTimeValid)
            #expect(again.isHostTimeValid == time.isHostTimeValid)
        }
        var hostile = AudioTimeStamp()
        hostile.mFlags = .sampleTimeValid
        hostile.mSampleTime = .infinity
        #expect(!AVAudioTime(audioTimeStamp: &hostile, sampleRate: 44_100).isSampleTimeValid)
    }

    @Test("Host time and seconds convert into each other")
    func secondsAndHostTimeAreEachOther() {
        #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
        #expect(AVAudioTime.seconds(forHostTime: 250_000_000) == 0.25)
        #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
        #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
    }

    @Test("An anchor time supplies the missing clock without losing digits")
    func anAnchorGivesWhatIsMissing() throws {
        // A host time of half a year has more digits than a `Double`: none may be lost.
        let start: UInt64 = 15_552_000_000_000_001
        let anchor = AVAudioTime(hostTime: start, sampleTime: 1_000, atRate: 44_100)
        let later = try #require(
            AVAudioTime(sampleTime: 1_000 + 44_100, atRate: 44_100).extrapolateTime(fromAnchor: anchor)
        )
        #expect(later.hostTime == start + 1_000_000_000)
        #expect(later.sampleTime == 45_100)
        let earlier = try #require(
            AVAudioTime(sampleTime: 1_000 - 441, atRate: 44_100).extrapolateTime(fromAnchor: anchor)
        )
        #expect(earlier.hostTime == start - 10_000_000)
        // Another rate: sample 0 of both is the same moment.
        let other = try #require(AVAudioTime(sampleTime: 48_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(other.sampleRate == 48_000)
        // 1 s less the 1000 frames of 1/44100 s at which the anchor stands.
        let span: UInt64 = 977_324_263
        #expect(other.hostTime == start + span)
        let host = try #require(AVAudioTime(hostTime: start + 500_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(host.sampleTime == 1_000 + 22_050)
        #expect(host.sampleRate == 44_100)
        #expect(host.isSampleTimeValid && host.isHostTimeValid)
        let before = try #require(AVAudioTime(hostTime: start - 1_000_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(before.sampleTime == 1_000 - 44_100)
        #expect(anchor.extrapolateTime(fromAnchor: anchor)?.sampleTime == 1_000)
        #expect(anchor.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 5)) == nil)
        #expect(AVAudioTime(hostTime: 5).extrapolateTime(fromAnchor: AVAudioTime(sampleTime: 0, atRate: 1)) == nil)
        #expect(AVAudioTime(sampleTime: 0, atRate: 0).extrapolateTime(fromAnchor: anchor) == nil)
    }
}
