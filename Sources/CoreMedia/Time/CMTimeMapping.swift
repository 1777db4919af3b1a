public import CSyrinxCoreMedia

extension CMTimeMapping {
    /// An invalid mapping.
    public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)

    /// Whether the target is a valid range.
    public var isValid: Bool { target.isValid }
    /// Whether the mapping is empty: the target is valid, and no source is mapped to it.
    public var isEmpty: Bool { target.isValid && !source.start.isNumeric }
}

extension CMTimeMapping: @retroactive Hashable {
    /// Returns whether the sources and the targets of both mappings are equal.
    public static func == (mapping1: CMTimeMapping, mapping2: CMTimeMapping) -> Bool {
        mapping1.source == mapping2.source && mapping1.target == mapping2.target
    }

    /// Hashes the source and the target.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(target)
    }
}

/// Returns whether the target of `mapping` is valid.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }

/// Returns whether the target of `mapping` is invalid.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }

/// Returns whether `mapping` is empty: no source is mapped to its target.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }

/// Returns a mapping of one range to another; `invalid` if the epoch of a duration is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
    return CMTimeMapping(source: source, target: target)
}

/// Returns an empty mapping for a target range; `invalid` if the epoch of its duration is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}
