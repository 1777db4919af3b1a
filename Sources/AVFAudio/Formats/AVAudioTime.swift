public import CoreAudioTypes
public import Foundation
import Glibc

/// A time: a sample time at a sample rate, a host time, or both.
///
/// Host time is in nanoseconds of `CLOCK_MONOTONIC`. Immutable, so any thread may read it.
///
/// ```swift
/// let now = AVAudioTime.seconds(forHostTime: mach_absolute_time())
/// let later = AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: now + 0.5))
/// player.play(at: later)  // in half a second
/// ```
open class AVAudioTime: NSObject, @unchecked Sendable {
    // Unchecked: every stored property is a constant.

    /// The time in samples, if `isSampleTimeValid` is `true`.
    public let sampleTime: AVAudioFramePosition
    /// The sample rate in Hz, if `isSampleTimeValid` is `true`.
    public let sampleRate: Double
    /// The time in nanoseconds of the monotonic clock, if `isHostTimeValid` is `true`.
    public let hostTime: UInt64
    /// Whether `sampleTime` and `sampleRate` are valid.
    public let isSampleTimeValid: Bool
    /// Whether `hostTime` is valid.
    public let isHostTimeValid: Bool

    private init(sampleTime: AVAudioFramePosition?, rate: Double, hostTime: UInt64?) {
        self.sampleTime = sampleTime ?? 0
        sampleRate = rate
        self.hostTime = hostTime ?? 0
        isSampleTimeValid = sampleTime != nil
        isHostTimeValid = hostTime != nil
    }

    /// Creates a time from the sample and host time of `timeStamp`, as far as its flags make them valid, at
    /// `sampleRate`.
    public convenience init(audioTimeStamp timeStamp: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        let stamp = timeStamp.pointee
        let position = AVAudioFramePosition(exactly: stamp.mSampleTime.rounded())
        self.init(
            sampleTime: stamp.mFlags.contains(.sampleTimeValid) ? position : nil,
            rate: sampleRate,
            hostTime: stamp.mFlags.contains(.hostTimeValid) ? stamp.mHostTime : nil
        )
    }

    /// Creates a sample time at a sample rate.
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(sampleTime: sampleTime, rate: sampleRate, hostTime: nil)
    }

    /// Creates a host time.
    public convenience init(hostTime: UInt64) {
        self.init(sampleTime: nil, rate: 0, hostTime: hostTime)
    }

    /// Creates a time from a sample time and the host time of the same moment.
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(sampleTime: sampleTime, rate: sampleRate, hostTime: hostTime)
    }

    /// The time as a Core Audio time stamp, whose flags mark the valid fields.
    public var audioTimeStamp: AudioTimeStamp {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(sampleTime)
        stamp.mHostTime = hostTime
        if isSampleTimeValid { stamp.mFlags.insert(.sampleTimeValid) }
        if isHostTimeValid { stamp.mFlags.insert(.hostTimeValid) }
        return stamp
    }

    /// Converts seconds to host time.
    ///
    /// Negative values become 0, and values out of range the maximum.
    public class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 { nanoseconds(seconds * 1e9) }

    private static func nanoseconds(_ value: Double) -> UInt64 {
        value.rounded() >= 0x1p64 ? .max : UInt64(max(0, value.rounded()))
    }

    /// Converts a duration in host time to seconds.
    public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// Returns this time with both a sample time and a host time, extrapolated from an anchor that has both.
    ///
    /// A time with only a host time gets its sample time at the anchor's sample rate.
    ///
    /// The result is `nil` if the anchor lacks a sample time or a host time, or if this time lacks both.
    open func extrapolateTime(fromAnchor anchor: AVAudioTime) -> AVAudioTime? {
        guard anchor.isSampleTimeValid, anchor.isHostTimeValid, anchor.sampleRate > 0 else { return nil }
        if isSampleTimeValid, isHostTimeValid { return self }
        if isSampleTimeValid {
            guard sampleRate > 0 else { return nil }
            let seconds = Double(sampleTime) / sampleRate - Double(anchor.sampleTime) / anchor.sampleRate
            // Whole nanoseconds are added as integers: a host time of months has too many digits for a `Double`.
            guard let span = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
            let host =
                span >= 0 ? anchor.hostTime &+ span.magnitude : anchor.hostTime - min(anchor.hostTime, span.magnitude)
            return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: sampleRate)
        }
        guard isHostTimeValid else { return nil }
        // The difference of two host times is exact as an integer and would not be as one of two `Double`s.
        let span = Double(Int64(bitPattern: hostTime &- anchor.hostTime)) / 1e9
        guard let frames = AVAudioFramePosition(exactly: (span * anchor.sampleRate).rounded()) else { return nil }
        return AVAudioTime(hostTime: hostTime, sampleTime: anchor.sampleTime + frames, atRate: anchor.sampleRate)
    }
}

/// Nanoseconds of the monotonic clock.
package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
