public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// Returns the number of samples.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
    sbuf.isInvalidated ? 0 : sbuf.contents.sampleCount
}

/// Returns the total duration of all samples; `invalid` if it is unknown.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated, let first = sbuf.contents.timings.first else { return .invalid }
    if sbuf.contents.timings.count == 1 { return first.duration.multiplied(by: sbuf.contents.sampleCount) }
    return sbuf.contents.timings.dropFirst().reduce(first.duration) { $0 + $1.duration }
}

/// Returns the earliest presentation time of the samples; `invalid` if it is unknown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated else { return .invalid }
    return sbuf.contents.timings.map(\.presentationTimeStamp).min() ?? .invalid
}

/// Returns the decode time of the first sample, if it differs from its presentation time; otherwise `invalid`.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.isInvalidated ? .invalid : sbuf.contents.timings.first?.decodeTimeStamp ?? .invalid
}

/// Returns the duration after trimming, divided by the attached speed multiplier.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
    let trimmed =
        CMSampleBufferGetDuration(sbuf) - sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        - sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    let key = kCMSampleBufferAttachmentKey_SpeedMultiplier
    guard let speed = sbuf.attachments[key]?.value as? NSNumber, speed.doubleValue != 0, speed.doubleValue != 1 else {
        return trimmed
    }
    return CMTimeMultiplyByFloat64(trimmed, multiplier: 1 / speed.doubleValue)
}

/// Returns the presentation time after trimming.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated else { return .invalid }
    if let time = sbuf.outputTime { return time }
    return CMSampleBufferGetPresentationTimeStamp(sbuf) + sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
}

/// Sets the presentation time after trimming.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer, newValue: CMTime) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    sbuf.outputTime = newValue
    return noErr
}

/// Copies the times of the samples.
/// - Parameters:
///   - sbuf: The sample buffer.
///   - timingArrayEntries: The capacity of `timingArrayOut`.
///   - timingArrayOut: Receives the times of each sample, or of the first one if the others follow without gaps.
///   - timingArrayEntriesNeededOut: Receives the number of entries.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer,
    entryCount timingArrayEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    let timings = sbuf.contents.timings
    guard !timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    timingArrayEntriesNeededOut?.pointee = timings.count
    guard let timingArrayOut else { return noErr }
    guard timingArrayEntries >= timings.count else { return kCMSampleBufferError_ArrayTooSmall }
    for (index, timing) in timings.enumerated() { timingArrayOut[index] = timing }
    return noErr
}

/// Returns the times of a sample.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer,
    at sampleIndex: CMItemIndex,
    timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard !sbuf.contents.timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
    guard sampleIndex >= 0, sampleIndex < sbuf.contents.sampleCount else {
        return kCMSampleBufferError_SampleIndexOutOfRange
    }
    timingInfoOut.pointee = sbuf.contents.timing(at: sampleIndex)
    return noErr
}

/// Copies the sizes of the samples in bytes.
/// - Parameters:
///   - sbuf: The sample buffer.
///   - sizeArrayEntries: The capacity of `sizeArrayOut`.
///   - sizeArrayOut: Receives the size of each sample, or one size if all are equal.
///   - sizeArrayEntriesNeededOut: Receives the number of entries.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer,
    entryCount sizeArrayEntries: CMItemCount,
    arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
    entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    let sizes = sbuf.contents.sizes
    guard !sizes.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleSizes }
    sizeArrayEntriesNeededOut?.pointee = sizes.count
    guard let sizeArrayOut else { return noErr }
    guard sizeArrayEntries >= sizes.count else { return kCMSampleBufferError_ArrayTooSmall }
    for (index, size) in sizes.enumerated() { sizeArrayOut[index] = size }
    return noErr
}

/// Returns the size of a sample in bytes; 0 for an invalid index, or if it is unknown.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    guard !sbuf.isInvalidated, sampleIndex >= 0, sampleIndex < sbuf.contents.sampleCount else { return 0 }
    let sizes = sbuf.contents.sizes
    return sizes.count == 1 ? sizes[0] : sampleIndex < sizes.count ? sizes[sampleIndex] : 0
}

/// Returns the size of all samples in bytes; if their sizes are unknown, the size of the data.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
    guard !sbuf.isInvalidated else { return 0 }
    let sizes = sbuf.contents.sizes
    if sizes.isEmpty { return sbuf.contents.dataBuffer?.length ?? 0 }
    if sizes.count == 1 { return sizes[0].multipliedSaturated(sbuf.contents.sampleCount) }
    return sizes.reduce(0) { $0.addingSaturated($1) }
}

/// Returns the format; `nil` if it is unknown.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.isInvalidated ? nil : sbuf.contents.formatDescription
}

/// Returns a mutable dictionary of attachments for each sample; `nil` if there are none and `createIfNecessary` is
/// false.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
    guard !sbuf.isInvalidated, sbuf.contents.sampleCount > 0 else { return nil }
    if sbuf.sampleAttachments == nil, createIfNecessary {
        let array = NSMutableArray()
        for _ in 0..<sbuf.contents.sampleCount { array.add(NSMutableDictionary()) }
        sbuf.sampleAttachments = array
    }
    return sbuf.sampleAttachments
}

extension CMSampleBuffer {
    /// Returns a duration that is attached as a dictionary; zero if there is none.
    fileprivate func trim(_ key: String) -> CMTime {
        guard let dictionary = attachments[key]?.value as? NSDictionary else { return .zero }
        let time = CMTimeMakeFromDictionary(dictionary)
        return time.kind == .number ? time : .zero
    }

    /// Attaches a value to the first sample, and replaces all of its attachments.
    ///
    /// On Linux, Foundation returns copies of the dictionaries in an array, which cannot be changed in place.
    package func setFirstSampleAttachment(_ key: String, _ value: Any) {
        guard let array = CMSampleBufferGetSampleAttachmentsArray(self, createIfNecessary: true) as? NSMutableArray
        else {
            return
        }
        array.replaceObject(at: 0, with: NSMutableDictionary(dictionary: [key: value]))
    }

    /// The number of samples.
    public var numSamples: Int { CMSampleBufferGetNumSamples(self) }
    /// The total duration of all samples; `invalid` if it is unknown.
    public var duration: CMTime { CMSampleBufferGetDuration(self) }
    /// The earliest presentation time of the samples; `invalid` if it is unknown.
    public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }
    /// The decode time of the first sample, if it differs from its presentation time; otherwise `invalid`.
    public var decodeTimeStamp: CMTime { CMSampleBufferGetDecodeTimeStamp(self) }
    /// The duration after trimming.
    public var outputDuration: CMTime { CMSampleBufferGetOutputDuration(self) }
    /// The presentation time after trimming.
    public var outputPresentationTimeStamp: CMTime { CMSampleBufferGetOutputPresentationTimeStamp(self) }
    /// The size of all samples in bytes.
    public var totalSampleSize: Int { CMSampleBufferGetTotalSampleSize(self) }
    /// The format; `nil` if it is unknown.
    public var formatDescription: CMFormatDescription? { CMSampleBufferGetFormatDescription(self) }

    /// Sets the presentation time after trimming.
    public func setOutputPresentationTimeStamp(_ pts: CMTime) throws {
        try NSError.check(CMSampleBufferSetOutputPresentationTimeStamp(self, newValue: pts))
    }

    /// Returns the times of each sample, or of the first one if the others follow without gaps.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        try NSError.check(validity)
        guard !contents.timings.isEmpty else { throw Error.bufferHasNoSampleTimingInfo }
        return contents.timings
    }

    /// Returns the times of a sample.
    public func sampleTimingInfo(at sampleIndex: CMItemIndex) throws -> CMSampleTimingInfo {
        var timing = CMSampleTimingInfo.invalid
        try NSError.check(CMSampleBufferGetSampleTimingInfo(self, at: sampleIndex, timingInfoOut: &timing))
        return timing
    }

    /// Returns the size of each sample in bytes, or one size if all are equal.
    public func sampleSizes() throws -> [Int] {
        try NSError.check(validity)
        guard !contents.sizes.isEmpty else { throw Error.bufferHasNoSampleSizes }
        return contents.sizes
    }

    /// Returns the size of a sample in bytes; 0 for an invalid index, or if it is unknown.
    public func sampleSize(at sampleIndex: Int) -> Int { CMSampleBufferGetSampleSize(self, at: sampleIndex) }
}
