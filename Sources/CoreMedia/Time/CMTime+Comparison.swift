public import CSyrinxCoreMedia

/// The kinds of time in the order in which they compare.
enum TimeKind: Int {
    case negativeInfinity, number, indefinite, positiveInfinity, invalid

    /// Returns the kind of the negated time, if `isNegated` is true.
    func negated(_ isNegated: Bool) -> TimeKind {
        switch self {
        case .negativeInfinity where isNegated: .positiveInfinity
        case .positiveInfinity where isNegated: .negativeInfinity
        default: self
        }
    }
}

extension CMTime {
    /// The kind of the time; a numeric time whose timescale is not positive is invalid.
    var kind: TimeKind {
        guard flags.contains(.valid) else { return .invalid }
        if flags.contains(.positiveInfinity) { return .positiveInfinity }
        if flags.contains(.negativeInfinity) { return .negativeInfinity }
        if flags.contains(.indefinite) { return .indefinite }
        return timescale > 0 ? .number : .invalid
    }
}

/// Compares two times: returns −1 if the first is earlier, 1 if it is later, and 0 if both are equal.
///
/// Numeric times are compared exactly, regardless of their timescales; a later epoch is greater. Times of other kinds
/// equal times of the same kind: `-infinity < numbers < indefinite < +infinity < invalid`.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    let (kind1, kind2) = (time1.kind, time2.kind)
    guard kind1 == kind2 else { return kind1.rawValue < kind2.rawValue ? -1 : 1 }
    guard kind1 == .number else { return 0 }
    guard time1.epoch == time2.epoch else { return time1.epoch < time2.epoch ? -1 : 1 }
    let left = Int128(time1.value) * Int128(time2.timescale)
    let right = Int128(time2.value) * Int128(time1.timescale)
    return left == right ? 0 : left < right ? -1 : 1
}

/// Returns the earlier of two times, according to `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// Returns the later of two times, according to `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

extension CMTime: @retroactive Comparable {
    /// Returns whether both times are equal, according to `CMTimeCompare`: 1/2 s equals 2/4 s.
    public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

    /// Returns whether the first time is earlier, according to `CMTimeCompare`.
    public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }
}

extension CMTime: @retroactive Hashable {
    /// Hashes the time; equal times have equal hashes, regardless of their timescales.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        guard kind == .number else { return }
        let fraction = TimeFraction(self).reduced
        hasher.combine(fraction.numerator)
        hasher.combine(fraction.denominator)
        hasher.combine(epoch)
    }
}

extension CMTime: @retroactive Codable {
    private enum CodingKeys: String, CodingKey {
        case value, timescale, flags, epoch
    }

    /// Decodes a time from the keys `value`, `timescale`, `flags` and `epoch`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            value: try container.decode(CMTimeValue.self, forKey: .value),
            timescale: try container.decode(CMTimeScale.self, forKey: .timescale),
            flags: CMTimeFlags(rawValue: try container.decode(UInt32.self, forKey: .flags)),
            epoch: try container.decode(CMTimeEpoch.self, forKey: .epoch)
        )
    }

    /// Encodes the four fields under their names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
        try container.encode(timescale, forKey: .timescale)
        try container.encode(flags.rawValue, forKey: .flags)
        try container.encode(epoch, forKey: .epoch)
    }
}
