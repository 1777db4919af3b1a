public import Foundation
import Glibc

/// A moment: as a sample position at a rate, as host time, or as both.
///
/// Host time is nanoseconds of `CLOCK_MONOTONIC`. Immutable, so that any thread may read it.
open class AVAudioTime: NSObject, @unchecked Sendable {
    // Unchecked: every stored property is a constant.

    /// The position in samples, if `isSampleTimeValid`.
    public let sampleTime: AVAudioFramePosition
    /// Samples per second, if `isSampleTimeValid`.
    public let sampleRate: Double
    /// Nanoseconds of the monotonic clock, if `isHostTimeValid`.
    public let hostTime: UInt64
    /// Whether there is a sample position.
    public let isSampleTimeValid: Bool
    /// Whether there is a host time.
    public let isHostTimeValid: Bool

    private init(sampleTime: AVAudioFramePosition?, rate: Double, hostTime: UInt64?) {
        self.sampleTime = sampleTime ?? 0
        sampleRate = rate
        self.hostTime = hostTime ?? 0
        isSampleTimeValid = sampleTime != nil
        isHostTimeValid = hostTime != nil
    }

    /// A sample position at a rate.
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(sampleTime: sampleTime, rate: sampleRate, hostTime: nil)
    }

    /// A host time.
    public convenience init(hostTime: UInt64) {
        self.init(sampleTime: nil, rate: 0, hostTime: hostTime)
    }

    /// Both of them, for the same moment.
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(sampleTime: sampleTime, rate: sampleRate, hostTime: hostTime)
    }

    /// Host time for a number of seconds.
    public class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        UInt64(max(0, seconds * 1e9).rounded())
    }

    /// Seconds for a span of host time.
    public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// This moment with both a sample position and a host time, worked out from one that has both.
    ///
    /// `nil` if either lacks what it takes.
    open func extrapolateTime(fromAnchor anchor: AVAudioTime) -> AVAudioTime? {
        guard anchor.isSampleTimeValid, anchor.isHostTimeValid, anchor.sampleRate > 0 else { return nil }
        if isSampleTimeValid, isHostTimeValid { return self }
        if isSampleTimeValid {
            let seconds = Double(sampleTime) / sampleRate - Double(anchor.sampleTime) / anchor.sampleRate
            let host = Double(anchor.hostTime) + seconds * 1e9
            return AVAudioTime(hostTime: UInt64(max(0, host)), sampleTime: sampleTime, atRate: sampleRate)
        }
        guard isHostTimeValid else { return nil }
        let seconds = (Double(hostTime) - Double(anchor.hostTime)) / 1e9
        let sample = anchor.sampleTime + AVAudioFramePosition((seconds * anchor.sampleRate).rounded())
        return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: anchor.sampleRate)
    }
}

/// Nanoseconds of the monotonic clock.
package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
