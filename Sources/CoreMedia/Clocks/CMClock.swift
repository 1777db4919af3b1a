public import CSyrinxCoreMedia
public import CoreAudioTypes
internal import Foundation

/// A parameter is missing.
public let kCMClockError_MissingRequiredParameter: OSStatus = -12745
/// A parameter is invalid.
public let kCMClockError_InvalidParameter: OSStatus = -12746
/// The clock does not support the operation.
public let kCMClockError_UnsupportedOperation: OSStatus = -12756

/// A clock or a timebase.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The current time.
    var time: CMTime { get }
}

/// A clock that runs by itself: the host clock, which counts nanoseconds since the system was started.
public final class CMClock: CMSyncProtocol {
    fileprivate init() {}

    /// The host clock, which also provides the time stamps of audio devices.
    public static var hostTimeClock: CMClock { host }
    private static let host = CMClock()

    /// The current time of the clock.
    public var time: CMTime { CMClockMakeHostTimeFromSystemUnits(mach_absolute_time()) }

    /// Converts a host time to units of `mach_absolute_time()`.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        CMClockConvertHostTimeToSystemUnits(hostTime)
    }

    /// Converts units of `mach_absolute_time()` to a host time.
    public static func convertSystemUnitsToHostTime(_ systemUnits: UInt64) -> CMTime {
        CMClockMakeHostTimeFromSystemUnits(systemUnits)
    }
}

/// Returns the host clock.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the current time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// Converts units of `mach_absolute_time()`, which are nanoseconds, to a host time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMTimeMake(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
}

/// Converts a host time to units of `mach_absolute_time()`; returns 0 for negative times and for times that are not
/// numeric.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    let nanoseconds = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
    guard nanoseconds.kind == .number else { return hostTime.isPositiveInfinity ? .max : 0 }
    return UInt64(max(nanoseconds.value, 0))
}

/// Returns whether two clocks may drift apart: always false, because there is only one clock.
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool { false }

/// Returns the current time of a clock or timebase.
public func CMSyncGetTime(_ clockOrTimebase: any CMSyncProtocol) -> CMTime { clockOrTimebase.time }

/// Returns the rate of a clock or timebase relative to another; 0 if the other is stopped.
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: any CMSyncProtocol,
    relativeTo relativeToClockOrTimebase: any CMSyncProtocol
) -> Float64 {
    let other = relativeToClockOrTimebase.relation.rate
    return other == 0 ? 0 : ofClockOrTimebase.relation.rate / other
}

/// Converts a time of one clock or timebase to another; returns `invalid` if the other is stopped.
public func CMSyncConvertTime(
    _ time: CMTime,
    from fromClockOrTimebase: any CMSyncProtocol,
    to toClockOrTimebase: any CMSyncProtocol
) -> CMTime {
    toClockOrTimebase.relation.time(at: fromClockOrTimebase.relation.reference(at: time))
}

extension CMSyncProtocol {
    /// Returns the rate relative to another clock or timebase; 0 if the other is stopped.
    public func rate<T: CMSyncProtocol>(relativeTo clockOrTimebase: T) -> Double {
        CMSyncGetRelativeRate(self, relativeTo: clockOrTimebase)
    }

    /// Converts a time of this clock or timebase to another one.
    public func convertTime<T: CMSyncProtocol>(_ time: CMTime, to clockOrTimebase: T) -> CMTime {
        CMSyncConvertTime(time, from: self, to: clockOrTimebase)
    }

    /// The relation to the time of the host clock.
    fileprivate var relation: TimeRelation { (self as? CMTimebase)?.hostRelation ?? TimeRelation() }
}
