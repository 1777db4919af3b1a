public import CSyrinxCoreMedia

extension CMTimeMapping {
    /// No mapping at all.
    public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)

    /// Whether the target is a range.
    public var isValid: Bool { target.isValid }
    /// Whether the target is a range and nothing is mapped to it.
    public var isEmpty: Bool { target.isValid && !source.start.isNumeric }
}

extension CMTimeMapping: @retroactive Hashable {
    /// Returns whether the sources and the targets of both are equal.
    public static func == (mapping1: CMTimeMapping, mapping2: CMTimeMapping) -> Bool {
        mapping1.source == mapping2.source && mapping1.target == mapping2.target
    }

    /// Feeds source and target into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(target)
    }
}

/// Returns whether the target of `mapping` is a range.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }

/// Returns whether the target of `mapping` is none.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }

/// Returns whether nothing is mapped to the target of `mapping`.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }

/// Returns a mapping of one range to another; `invalid` if a duration is not of epoch 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
    return CMTimeMapping(source: source, target: target)
}

/// Returns a mapping of nothing to a range; `invalid` if its duration is not of epoch 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}
