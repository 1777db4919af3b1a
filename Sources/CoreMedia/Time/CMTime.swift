public import CSyrinxCoreMedia

/// The maximum timescale.
public let kCMTimeMaxTimescale: Int32 = .max

extension CMTime {
    /// An invalid time; the same as `CMTime()`.
    public static let invalid = CMTime()
    /// An unknown time, such as the duration of a live broadcast.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Positive infinity: later than every numeric time.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Negative infinity: earlier than every numeric time.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// The numeric time 0.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// Creates a time of `value / timescale` seconds; `invalid` if `timescale` is not positive.
    ///
    /// ```swift
    /// let frame = CMTime(value: 1001, timescale: 30_000) // one video frame at 29.97 Hz
    /// print(frame.seconds)
    /// ```
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self = CMTimeMake(value: value, timescale: timescale)
    }

    /// Creates a time from seconds, truncated to a multiple of `1 / preferredTimescale` seconds; see
    /// `CMTimeMakeWithSeconds`.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// Whether the time is valid; infinite and indefinite times are valid.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is positive infinity.
    public var isPositiveInfinity: Bool { flags.contains([.valid, .positiveInfinity]) }
    /// Whether the time is negative infinity.
    public var isNegativeInfinity: Bool { flags.contains([.valid, .negativeInfinity]) }
    /// Whether the time is indefinite, that is, unknown.
    public var isIndefinite: Bool { flags.contains([.valid, .indefinite]) }
    /// Whether the time is numeric.
    public var isNumeric: Bool { flags.isValidNumber }
    /// Whether the time is numeric and has been rounded, in this or an earlier operation.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
    /// The time in seconds: NaN if the time is invalid or indefinite, infinite if the time is infinite.
    public var seconds: Double { CMTimeGetSeconds(self) }

    /// Converts the time to a timescale; see `CMTimeConvertScale`.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }
}

extension CMTimeFlags {
    fileprivate var isValidNumber: Bool { intersection([.valid, .impliedValueFlagsMask]) == .valid }
}

/// Returns whether `time` is valid; infinite and indefinite times are valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Returns whether `time` is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Returns whether `time` is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Returns whether `time` is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Returns whether `time` is indefinite, that is, unknown.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Returns whether `time` is numeric.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Returns whether `time` is numeric and has been rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// Returns a time of `value / timescale` seconds; `invalid` if `timescale` is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns a time of `value / timescale` seconds in an epoch; `invalid` if `timescale` is not positive.
///
/// An epoch distinguishes equal times of different passes, such as those of two rounds of a loop.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    guard timescale > 0 else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Returns a time of `seconds`, truncated to a multiple of `1 / preferredTimescale` seconds, as on Apple's systems.
///
/// The timescale is halved until the value fits; at timescale 1, the result becomes infinite. The result is marked as
/// rounded unless its `seconds` equal the argument. It is `invalid` if `preferredTimescale` is not positive, or
/// `seconds` is NaN.
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

/// Returns `time` in seconds: NaN if it is invalid or indefinite, infinite if it is infinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
    switch time.kind {
    case .negativeInfinity: -.infinity
    case .positiveInfinity: .infinity
    case .indefinite, .invalid: .nan
    case .number: Double(time.value) / Double(time.timescale)
    }
}
