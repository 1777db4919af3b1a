public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// Returns the number of samples.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
    sbuf.isInvalidated ? 0 : sbuf.contents.sampleCount
}

/// Returns the sum of the durations of all samples; `invalid` if they are not known.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated, let first = sbuf.contents.timings.first else { return .invalid }
    if sbuf.contents.timings.count == 1 { return first.duration.multiplied(by: sbuf.contents.sampleCount) }
    return sbuf.contents.timings.dropFirst().reduce(first.duration) { $0 + $1.duration }
}

/// Returns the time of the sample that is presented first; `invalid` if it is not known.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated else { return .invalid }
    return sbuf.contents.timings.map(\.presentationTimeStamp).min() ?? .invalid
}

/// Returns the time at which the first sample is decoded, if that is not the time at which it is presented.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.isInvalidated ? .invalid : sbuf.contents.timings.first?.decodeTimeStamp ?? .invalid
}

/// Returns the duration without what is trimmed, divided by the speed that is attached.
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

/// Returns the time at which the samples are presented, without what is trimmed.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    guard !sbuf.isInvalidated else { return .invalid }
    if let time = sbuf.outputTime { return time }
    return CMSampleBufferGetPresentationTimeStamp(sbuf) + sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
}

/// Sets the time at which the samples are presented.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer, newValue: CMTime) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    sbuf.outputTime = newValue
    return noErr
}

/// Copies the times of the samples.
/// - Parameters:
///   - sbuf: The buffer.
///   - timingArrayEntries: The number of entries that fit into `timingArrayOut`.
///   - timingArrayOut: Receives the times of each sample, or of the first if the others follow at its duration.
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

/// Gives the times of a sample.
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
///   - sbuf: The buffer.
///   - sizeArrayEntries: The number of entries that fit into `sizeArrayOut`.
///   - sizeArrayOut: Receives the size of each sample, or one if all are of that size.
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

/// Returns the size of a sample in bytes; 0 if there is none or it is not known.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    guard !sbuf.isInvalidated, sampleIndex >= 0, sampleIndex < sbuf.contents.sampleCount else { return 0 }
    let sizes = sbuf.contents.sizes
    return sizes.count == 1 ? sizes[0] : sampleIndex < sizes.count ? sizes[sampleIndex] : 0
}

/// Returns the size of all samples in bytes, or of the data if their sizes are not known.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
    guard !sbuf.isInvalidated else { return 0 }
    let sizes = sbuf.contents.sizes
    if sizes.isEmpty { return sbuf.contents.dataBuffer?.length ?? 0 }
    if sizes.count == 1 { return sizes[0].multipliedSaturated(sbuf.contents.sampleCount) }
    return sizes.reduce(0) { $0.addingSaturated($1) }
}

/// Returns the format; `nil` if it is not known.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.isInvalidated ? nil : sbuf.contents.formatDescription
}

/// Returns a dictionary for each sample, in which attachments of it can be set; `nil` if there are none and none are to be made.
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
    /// A duration that is attached as a dictionary, or zero.
    fileprivate func trim(_ key: String) -> CMTime {
        guard let dictionary = attachments[key]?.value as? NSDictionary else { return .zero }
        let time = CMTimeMakeFromDictionary(dictionary)
        return time.kind == .number ? time : .zero
    }

    /// Attaches a value to the first sample, in the place of all that it has.
    ///
    /// Foundation on Linux gives copies of the dictionaries of an array, which cannot be changed in place.
    package func setFirstSampleAttachment(_ key: String, _ value: Any) {
        guard let array = CMSampleBufferGetSampleAttachmentsArray(self, createIfNecessary: true) as? NSMutableArray
        else {
            return
        }
        array.replaceObject(at: 0, with: NSMutableDictionary(dictionary: [key: value]))
    }

    /// The number of samples.
    public var numSamples: Int { CMSampleBufferGetNumSamples(self) }
    /// The sum of the durations of all samples; `invalid` if they are not known.
    public var duration: CMTime { CMSampleBufferGetDuration(self) }
    /// The time of the sample that is presented first; `invalid` if it is not known.
    public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }
    /// The time at which the first sample is decoded, if that is not the time at which it is presented.
    public var decodeTimeStamp: CMTime { CMSampleBufferGetDecodeTimeStamp(self) }
    /// The duration without what is trimmed.
    public var outputDuration: CMTime { CMSampleBufferGetOutputDuration(self) }
    /// The time at which the samples are presented, without what is trimmed.
    public var outputPresentationTimeStamp: CMTime { CMSampleBufferGetOutputPresentationTimeStamp(self) }
    /// The size of all samples in bytes.
    public var totalSampleSize: Int { CMSampleBufferGetTotalSampleSize(self) }
    /// The format; `nil` if it is not known.
    public var formatDescription: CMFormatDescription? { CMSampleBufferGetFormatDescription(self) }

    /// Sets the time at which the samples are presented.
    public func setOutputPresentationTimeStamp(_ pts: CMTime) throws {
        try NSError.check(CMSampleBufferSetOutputPresentationTimeStamp(self, newValue: pts))
    }

    /// Returns the times of each sample, or of the first if the others follow at its duration.
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

    /// Returns the size of each sample in bytes, or one if all are of that size.
    public func sampleSizes() throws -> [Int] {
        try NSError.check(validity)
        guard !contents.sizes.isEmpty else { throw Error.bufferHasNoSampleSizes }
        return contents.sizes
    }

    /// Returns the size of a sample in bytes; 0 if there is none or it is not known.
    public func sampleSize(at sampleIndex: Int) -> Int { CMSampleBufferGetSampleSize(self, at: sampleIndex) }
}
