public import CSyrinxCoreMedia
public import CoreVideo
internal import Foundation

/// The key of the value, an `Int64`.
public let kCMTimeValueKey: String = "value"
/// The key of the timescale, an `Int32`.
public let kCMTimeScaleKey: String = "timescale"
/// The key of the epoch, an `Int64`.
public let kCMTimeEpochKey: String = "epoch"
/// The key of the flags, a `UInt32`.
public let kCMTimeFlagsKey: String = "flags"
/// The key of the start of a range, a time dictionary.
public let kCMTimeRangeStartKey: String = "start"
/// The key of the duration of a range, a time dictionary.
public let kCMTimeRangeDurationKey: String = "duration"
/// The key of the source of a mapping, a range dictionary.
public let kCMTimeMappingSourceKey: String = "source"
/// The key of the target of a mapping, a range dictionary.
public let kCMTimeMappingTargetKey: String = "target"

// MARK: Dictionaries

/// Returns the fields of `time` under the keys `kCMTime…Key`.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    NSDictionary(dictionary: [
        kCMTimeValueKey: NSNumber(value: time.value),
        kCMTimeScaleKey: NSNumber(value: time.timescale),
        kCMTimeEpochKey: NSNumber(value: time.epoch),
        kCMTimeFlagsKey: NSNumber(value: time.flags.rawValue),
    ])
}

/// Returns the time for a dictionary from `CMTimeCopyAsDictionary`; `invalid` if a key is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    guard let dictionary = dictionaryRepresentation,
        let value = dictionary[kCMTimeValueKey] as? NSNumber,
        let timescale = dictionary[kCMTimeScaleKey] as? NSNumber,
        let epoch = dictionary[kCMTimeEpochKey] as? NSNumber,
        let flags = dictionary[kCMTimeFlagsKey] as? NSNumber
    else { return .invalid }
    return CMTime(
        value: value.int64Value,
        timescale: timescale.int32Value,
        flags: CMTimeFlags(rawValue: flags.uint32Value),
        epoch: epoch.int64Value
    )
}

/// Returns the start and the duration of `range` under the keys `kCMTimeRange…Key`.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    NSDictionary(dictionary: [
        kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) ?? NSDictionary(),
        kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) ?? NSDictionary(),
    ])
}

/// Returns the range for a dictionary from `CMTimeRangeCopyAsDictionary`; `invalid` if a key is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    CMTimeRange(
        start: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeStartKey] as? NSDictionary),
        duration: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeDurationKey] as? NSDictionary)
    )
}

/// Returns the source and the target of `mapping` under the keys `kCMTimeMapping…Key`.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary? {
    NSDictionary(dictionary: [
        kCMTimeMappingSourceKey: CMTimeRangeCopyAsDictionary(mapping.source, allocator: allocator) ?? NSDictionary(),
        kCMTimeMappingTargetKey: CMTimeRangeCopyAsDictionary(mapping.target, allocator: allocator) ?? NSDictionary(),
    ])
}

/// Returns the mapping for a dictionary from `CMTimeMappingCopyAsDictionary`; `invalid` if a key is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
    func range(_ key: String) -> CMTimeRange {
        (dictionaryRepresentation[key] as? NSDictionary).map(CMTimeRangeMakeFromDictionary) ?? .invalid
    }
    return CMTimeMapping(source: range(kCMTimeMappingSourceKey), target: range(kCMTimeMappingTargetKey))
}

// MARK: Descriptions

/// Returns a description such as `{1001/30000 = 0.033}`, with `rounded` and the epoch if applicable.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> String? { time.text }

/// Returns a description such as `{{0/1 = 0.000}, {5/1 = 5.000}}` of the start and the duration.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> String? { range.text }

/// Returns a description of the source range and the target range.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> String? {
    "{\(mapping.source.text), \(mapping.target.text)}"
}

/// Writes the description of `time` to standard error.
public func CMTimeShow(_ time: CMTime) { show(time.text) }

/// Writes the description of `range` to standard error.
public func CMTimeRangeShow(_ range: CMTimeRange) { show(range.text) }

/// Writes the description of `mapping` to standard error.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) {
    show(CMTimeMappingCopyDescription(allocator: nil, mapping: mapping) ?? "")
}

private func show(_ text: String) {
    // A failure to write to standard error cannot be reported anywhere else.
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
}

extension CMTime {
    fileprivate var text: String {
        switch kind {
        case .invalid: return "{INVALID}"
        case .indefinite: return "{INDEFINITE}"
        case .positiveInfinity: return "{+INFINITY}"
        case .negativeInfinity: return "{-INFINITY}"
        case .number:
            let seconds = String(format: "%.3f", Double(value) / Double(timescale))
            let ending = (epoch == 0 ? "" : ", epoch = \(epoch)") + (hasBeenRounded ? ", rounded" : "")
            return "{\(value)/\(timescale) = \(seconds)\(ending)}"
        }
    }
}

extension CMTimeRange {
    fileprivate var text: String { "{\(start.text), \(duration.text)}" }
}
