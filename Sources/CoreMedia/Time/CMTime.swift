public import CSyrinxCoreMedia

/// The largest timescale.
public let kCMTimeMaxTimescale: Int32 = .max

extension CMTime {
    /// No time at all; the same as `CMTime()`.
    public static let invalid = CMTime()
    /// A time that is not known, such as the duration of a live broadcast.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// The time after all others.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// The time before all others.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// No seconds.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// A time of `value / timescale` seconds; `invalid` if `timescale` is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self = CMTimeMake(value: value, timescale: timescale)
    }

    /// A time of `seconds`, cut to whole parts of `1 / preferredTimescale` seconds; see `CMTimeMakeWithSeconds`.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// Whether this is a time at all, be it infinite or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether this is the time after all others.
    public var isPositiveInfinity: Bool { flags.contains([.valid, .positiveInfinity]) }
    /// Whether this is the time before all others.
    public var isNegativeInfinity: Bool { flags.contains([.valid, .negativeInfinity]) }
    /// Whether this is a time that is not known.
    public var isIndefinite: Bool { flags.contains([.valid, .indefinite]) }
    /// Whether this is a number of seconds.
    public var isNumeric: Bool { flags.isValidNumber }
    /// Whether this number of seconds, or one that it was made from, has been rounded.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
    /// The seconds: not a number if the time is invalid or indefinite, infinite if the time is.
    public var seconds: Double { CMTimeGetSeconds(self) }

    /// Returns the time in parts of `1 / newTimescale` seconds; see `CMTimeConvertScale`.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }
}

extension CMTimeFlags {
    fileprivate var isValidNumber: Bool { intersection([.valid, .impliedValueFlagsMask]) == .valid }
}

/// Returns whether `time` is a time at all.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Returns whether `time` is none.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Returns whether `time` is after all others.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Returns whether `time` is before all others.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Returns whether `time` is not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Returns whether `time` is a number of seconds.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Returns whether `time` is a number of seconds that has been rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// Returns a time of `value / timescale` seconds; `invalid` if `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns a time of `value / timescale` seconds in an epoch; `invalid` if `timescale` is not positive.
///
/// Epochs tell times apart that are equal and not the same, such as those of two rounds of a loop.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    guard timescale > 0 else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Returns a time of `seconds`, cut towards zero to whole parts of `1 / preferredTimescale` seconds, as Apple's does.
///
/// If the value does not fit, the timescale is halved until it does; at timescale 1 the result becomes infinite. The result
/// counts as rounded unless its `seconds` are those given. It is `invalid` if `preferredTimescale` is not positive or `seconds`
/// is not a number.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
    var scale = preferredTimescale
    while true {
        if let value = Int64(exactly: (seconds * Double(scale)).rounded(.towardZero)) {
            let isExact = Double(value) / Double(scale) == seconds
            return CMTime(
                value: value,
                timescale: scale,
                flags: isExact ? .valid : [.valid, .hasBeenRounded],
                epoch: 0
            )
        }
        guard scale > 1 else { return seconds < 0 ? .negativeInfinity : .positiveInfinity }
        scale /= 2
    }
}

/// Returns the seconds of `time`: not a number if it is invalid or indefinite, infinite if it is.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
    switch time.kind {
    case .negativeInfinity: -.infinity
    case .positiveInfinity: .infinity
    case .indefinite, .invalid: .nan
    case .number: Double(time.value) / Double(time.timescale)
    }
}
