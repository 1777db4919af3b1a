public import CSyrinxCoreMedia
public import CoreAudioTypes
internal import Foundation

/// A parameter is missing.
public let kCMClockError_MissingRequiredParameter: OSStatus = -12745
/// A parameter has no meaning.
public let kCMClockError_InvalidParameter: OSStatus = -12746
/// The clock cannot do that.
public let kCMClockError_UnsupportedOperation: OSStatus = -12756

/// A clock or a timebase.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The time that it shows now.
    var time: CMTime { get }
}

/// A source of time that runs by itself: that of the host, which counts nanoseconds since the system began.
public final class CMClock: CMSyncProtocol {
    fileprivate init() {}

    /// The clock of the host, which the time stamps of audio devices are of too.
    public static var hostTimeClock: CMClock { host }
    private static let host = CMClock()

    /// The time that the clock shows now.
    public var time: CMTime { CMClockMakeHostTimeFromSystemUnits(mach_absolute_time()) }

    /// Returns the units of `mach_absolute_time` of a host time.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        CMClockConvertHostTimeToSystemUnits(hostTime)
    }

    /// Returns the host time of units of `mach_absolute_time`.
    public static func convertSystemUnitsToHostTime(_ systemUnits: UInt64) -> CMTime {
        CMClockMakeHostTimeFromSystemUnits(systemUnits)
    }
}

/// Returns the clock of the host.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the time that a clock shows now.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// Returns the host time of units of `mach_absolute_time`, which are nanoseconds.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMTimeMake(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
}

/// Returns the units of `mach_absolute_time` of a host time; 0 for a time that is not a number or before the first.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    let nanoseconds = CMTimeConvertScale(hostTime, timescale: 1_000_000_000, method: .default)
    guard nanoseconds.kind == .number else { return hostTime.isPositiveInfinity ? .max : 0 }
    return UInt64(max(nanoseconds.value, 0))
}

/// Returns whether two clocks may run at different speeds; there is one clock only, which does not differ from itself.
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool { false }

/// Returns the time that a clock or timebase shows now.
public func CMSyncGetTime(_ clockOrTimebase: any CMSyncProtocol) -> CMTime { clockOrTimebase.time }

/// Returns the speed of a clock or timebase in relation to another; 0 if the other stands still.
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: any CMSyncProtocol,
    relativeTo relativeToClockOrTimebase: any CMSyncProtocol
) -> Float64 {
    let other = relativeToClockOrTimebase.relation.rate
    return other == 0 ? 0 : ofClockOrTimebase.relation.rate / other
}

/// Returns the time that one clock or timebase shows when another shows `time`; `invalid` if the other stands still.
public func CMSyncConvertTime(
    _ time: CMTime,
    from fromClockOrTimebase: any CMSyncProtocol,
    to toClockOrTimebase: any CMSyncProtocol
) -> CMTime {
    toClockOrTimebase.relation.time(at: fromClockOrTimebase.relation.reference(at: time))
}

extension CMSyncProtocol {
    /// Returns the speed in relation to another clock or timebase; 0 if the other stands still.
    public func rate<T: CMSyncProtocol>(relativeTo clockOrTimebase: T) -> Double {
        CMSyncGetRelativeRate(self, relativeTo: clockOrTimebase)
    }

    /// Returns the time that another clock or timebase shows when this one shows `time`.
    public func convertTime<T: CMSyncProtocol>(_ time: CMTime, to clockOrTimebase: T) -> CMTime {
        CMSyncConvertTime(time, from: self, to: clockOrTimebase)
    }

    /// The relation of the times to those of the host's clock.
    fileprivate var relation: TimeRelation { (self as? CMTimebase)?.hostRelation ?? TimeRelation() }
}
