public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation
internal import Synchronization

/// A parameter has no meaning.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749

/// A line through a point: the time that is shown when a reference shows another.
struct TimeRelation {
    var rate: Double = 1
    var anchor: CMTime = .zero
    var referenceAnchor: CMTime = .zero

    /// The time when the reference shows `reference`.
    func time(at reference: CMTime) -> CMTime {
        guard rate != 0 else { return reference.isValid ? anchor : .invalid }
        let elapsed = reference - referenceAnchor
        return anchor + (rate == 1 ? elapsed : CMTimeMultiplyByFloat64(elapsed, multiplier: rate))
    }

    /// The time of the reference when `time` is shown; `invalid` if that stands still.
    func reference(at time: CMTime) -> CMTime {
        guard rate != 0 else { return .invalid }
        let elapsed = time - anchor
        return referenceAnchor + (rate == 1 ? elapsed : CMTimeMultiplyByFloat64(elapsed, multiplier: 1 / rate))
    }
}

/// A time that is set, and that runs at a rate, by a clock or another timebase.
///
/// It begins at time 0 and rate 0. Any thread may use it.
public final class CMTimebase: CMSyncProtocol {
    private let source: any CMSyncProtocol
    private let relation: Mutex<TimeRelation>

    private init(_ source: any CMSyncProtocol) {
        self.source = source
        relation = Mutex(TimeRelation(rate: 0, anchor: .zero, referenceAnchor: source.time))
    }

    /// A timebase that runs by a clock.
    public convenience init(sourceClock: CMClock) throws {
        self.init(sourceClock)
    }

    /// A timebase that runs by another.
    public convenience init(sourceTimebase: CMTimebase) throws {
        self.init(sourceTimebase as any CMSyncProtocol)
    }

    /// A timebase that runs by a clock, under its older name.
    public convenience init(masterClock: CMClock) throws {
        self.init(masterClock)
    }

    /// The clock by which it runs; `nil` if it runs by a timebase.
    public var sourceClock: CMClock? { source as? CMClock }
    /// The timebase by which it runs; `nil` if it runs by a clock.
    public var sourceTimebase: CMTimebase? { source as? CMTimebase }

    /// The time that it shows now.
    public var time: CMTime {
        let now = source.time
        return relation.withLock { $0.time(at: now) }
    }

    /// The speed in relation to the clock or timebase by which it runs.
    public var rate: Double { relation.withLock { $0.rate } }

    /// The speed in relation to the host's clock.
    public var effectiveRate: Double { rate * (sourceTimebase?.effectiveRate ?? 1) }

    /// Returns the time that it shows now, in parts of `1 / timescale` seconds.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default) -> CMTime {
        CMTimeConvertScale(time, timescale: timescale, method: rounding)
    }

    /// Sets the time that it shows now.
    public func setTime(_ time: CMTime) throws {
        try setAnchorTime(time, referenceTime: source.time)
    }

    /// Sets the speed from now on; 0 stops it, and a negative one lets it run backwards.
    public func setRate(_ rate: Double) throws {
        guard rate.isFinite else { throw NSError.status(kCMTimebaseError_InvalidParameter) }
        let now = source.time
        relation.withLock { $0 = TimeRelation(rate: rate, anchor: $0.time(at: now), referenceAnchor: now) }
    }

    /// Sets the time that it shows when its source shows `referenceTime`.
    public func setAnchorTime(_ anchorTime: CMTime, referenceTime: CMTime) throws {
        guard anchorTime.kind == .number, referenceTime.kind == .number else {
            throw NSError.status(kCMTimebaseError_InvalidParameter)
        }
        relation.withLock { ($0.anchor, $0.referenceAnchor) = (anchorTime, referenceTime) }
    }

    /// Sets the speed, and the time that it shows when its source shows `referenceTime`.
    public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, referenceTime: CMTime) throws {
        guard rate.isFinite, anchorTime.kind == .number, referenceTime.kind == .number else {
            throw NSError.status(kCMTimebaseError_InvalidParameter)
        }
        relation.withLock { $0 = TimeRelation(rate: rate, anchor: anchorTime, referenceAnchor: referenceTime) }
    }

    /// The relation of its times to those of the host's clock.
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

/// Makes a timebase that runs by a clock.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?,
    sourceClock: CMClock,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceClock: sourceClock)
    return noErr
}

/// Makes a timebase that runs by another.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
    allocator: CFAllocator?,
    sourceTimebase: CMTimebase,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = try? CMTimebase(sourceTimebase: sourceTimebase)
    return noErr
}

/// Makes a timebase that runs by a clock, under its older name.
@discardableResult
public func CMTimebaseCreateWithMasterClock(
    allocator: CFAllocator?,
    masterClock: CMClock,
    timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceClock(allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// Returns the time that a timebase shows now.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// Sets the time that a timebase shows now.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    status { try timebase.setTime(time) }
}

/// Returns the speed of a timebase in relation to its source.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// Returns the speed of a timebase in relation to the host's clock.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 { timebase.effectiveRate }

/// Sets the speed of a timebase from now on.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    status { try timebase.setRate(rate) }
}

/// Sets the time that a timebase shows when its source shows another.
@discardableResult
public func CMTimebaseSetAnchorTime(
    _ timebase: CMTimebase,
    timebaseTime: CMTime,
    immediateSourceTime: CMTime
) -> OSStatus {
    status { try timebase.setAnchorTime(timebaseTime, referenceTime: immediateSourceTime) }
}

/// Sets the speed of a timebase, and the time that it shows when its source shows another.
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
