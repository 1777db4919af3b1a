public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation
internal import Synchronization

/// A parameter is invalid.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749

/// A linear relation between a time and a reference time.
struct TimeRelation {
    var rate: Double = 1
    var anchor: CMTime = .zero
    var referenceAnchor: CMTime = .zero

    /// Returns the time at a reference time.
    func time(at reference: CMTime) -> CMTime {
        guard rate != 0 else { return reference.isValid ? anchor : .invalid }
        let elapsed = reference - referenceAnchor
        return anchor + (rate == 1 ? elapsed : CMTimeMultiplyByFloat64(elapsed, multiplier: rate))
    }

    /// Returns the reference time at `time`; `invalid` if the rate is 0.
    func reference(at time: CMTime) -> CMTime {
        guard rate != 0 else { return .invalid }
        let elapsed = time - anchor
        return referenceAnchor + (rate == 1 ? elapsed : CMTimeMultiplyByFloat64(elapsed, multiplier: 1 / rate))
    }
}

/// A time that is set by the program and runs at a rate relative to a clock or another timebase.
///
/// A new timebase has time 0 and rate 0. Any thread may use it.
///
/// ```swift
/// let timebase = try CMTimebase(sourceClock: CMClockGetHostTimeClock())
/// try timebase.setTime(CMTime(value: 10, timescale: 1))
/// try timebase.setRate(1.5)
/// print(timebase.time.seconds) // runs 1.5 seconds in a second
/// ```
public final class CMTimebase: CMSyncProtocol {
    private let source: any CMSyncProtocol
    private let relation: Mutex<TimeRelation>

    private init(_ source: any CMSyncProtocol) {
        self.source = source
        relation = Mutex(TimeRelation(rate: 0, anchor: .zero, referenceAnchor: source.time))
    }

    /// Creates a timebase whose source is a clock.
    public convenience init(sourceClock: CMClock) throws {
        self.init(sourceClock)
    }

    /// Creates a timebase whose source is another timebase.
    public convenience init(sourceTimebase: CMTimebase) throws {
        self.init(sourceTimebase as any CMSyncProtocol)
    }

    /// Creates a timebase whose source is a clock, under its older name.
    public convenience init(masterClock: CMClock) throws {
        self.init(masterClock)
    }

    /// The source clock; `nil` if the source is a timebase.
    public var sourceClock: CMClock? { source as? CMClock }
    /// The source timebase; `nil` if the source is a clock.
    public var sourceTimebase: CMTimebase? { source as? CMTimebase }

    /// The current time.
    public var time: CMTime {
        let now = source.time
        return relation.withLock { $0.time(at: now) }
    }

    /// The rate relative to the source.
    public var rate: Double { relation.withLock { $0.rate } }

    /// The rate relative to the host clock.
    public var effectiveRate: Double { rate * (sourceTimebase?.effectiveRate ?? 1) }

    /// Returns the current time, converted to a timescale.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default) -> CMTime {
        CMTimeConvertScale(time, timescale: timescale, method: rounding)
    }

    /// Sets the current time.
    public func setTime(_ time: CMTime) throws {
        try setAnchorTime(time, referenceTime: source.time)
    }

    /// Sets the rate; 0 stops the timebase, and a negative rate runs it backward.
    public func setRate(_ rate: Double) throws {
        guard rate.isFinite else { throw NSError.status(kCMTimebaseError_InvalidParameter) }
        let now = source.time
        relation.withLock { $0 = TimeRelation(rate: rate, anchor: $0.time(at: now), referenceAnchor: now) }
    }

    /// Sets the time that corresponds to a time of the source.
    public func setAnchorTime(_ anchorTime: CMTime, referenceTime: CMTime) throws {
        guard anchorTime.kind == .number, referenceTime.kind == .number else {
            throw NSError.status(kCMTimebaseError_InvalidParameter)
        }
        relation.withLock { ($0.anchor, $0.referenceAnchor) = (anchorTime, referenceTime) }
    }

    /// Sets the rate, and the time that corresponds to a time of the source.
    public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, referenceTime: CMTime) throws {
        guard rate.isFinite, anchorTime.kind == .number, referenceTime.kind == .number else {
            throw NSError.status(kCMTimebaseError_InvalidParameter)
        }
        relation.withLock { $0 = TimeRelation(rate: rate, anchor: anchorTime, referenceAnchor: referenceTime) }
    }

    /// The relation to the time of the host clock.
    var hostRelation: TimeRelation {
        let own = relation.withLock { $0 }
        guard let base = sourceTimebase?.hostRelation else { return own }
        let rate = own.rate * base.rate
        guard rate != 0 else { return TimeRelation(rate: 0, anchor: own.time(at: base.anchor)) }
        return TimeRelation(
            rate: rate,
            anchor: own.anchor,
            referenceAnchor: base.reference(at: own.referenceAnchor)
        )
    }
}

/// Creates a timebase whose source is a clock.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?,
    sourceClock: CMClock,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceClock: sourceClock)
    return noErr
}

/// Creates a timebase whose source is another timebase.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
    allocator: CFAllocator?,
    sourceTimebase: CMTimebase,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceTimebase: sourceTimebase)
    return noErr
}

/// Creates a timebase whose source is a clock, under its older name.
@discardableResult
public func CMTimebaseCreateWithMasterClock(
    allocator: CFAllocator?,
    masterClock: CMClock,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceClock(allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// Returns the current time of a timebase.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// Sets the current time of a timebase.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    status { try timebase.setTime(time) }
}

/// Returns the rate of a timebase relative to its source.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// Returns the rate of a timebase relative to the host clock.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 { timebase.effectiveRate }

/// Sets the rate of a timebase.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    status { try timebase.setRate(rate) }
}

/// Sets the time of a timebase that corresponds to a time of its source.
@discardableResult
public func CMTimebaseSetAnchorTime(
    _ timebase: CMTimebase,
    timebaseTime: CMTime,
    immediateSourceTime: CMTime
) -> OSStatus {
    status { try timebase.setAnchorTime(timebaseTime, referenceTime: immediateSourceTime) }
}

/// Sets the rate of a timebase, and its time that corresponds to a time of its source.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
    _ timebase: CMTimebase,
    rate: Float64,
    anchorTime: CMTime,
    immediateSourceTime: CMTime
) -> OSStatus {
    status {
        try timebase.setRateAndAnchorTime(rate: rate, anchorTime: anchorTime, referenceTime: immediateSourceTime)
    }
}

private func status(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return kCMTimebaseError_InvalidParameter
    }
}
