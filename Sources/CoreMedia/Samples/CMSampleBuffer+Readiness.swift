public import CoreAudioTypes
public import Foundation

/// Sets the data of a sample buffer, which must not have data yet.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard sbuf.contents.dataBuffer == nil, sbuf.contents.imageBuffer == nil else {
        return kCMSampleBufferError_AlreadyHasDataBuffer
    }
    sbuf.contents.dataBuffer = dataBuffer
    return noErr
}

/// Returns the data; `nil` if there is none.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
    sbuf.isInvalidated ? nil : sbuf.contents.dataBuffer
}

/// Marks the data as ready.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    sbuf.contents.isReady = true
    sbuf.makeReady = nil
    return noErr
}

/// Returns whether the data is ready.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.dataIsReady }

/// Marks the data as failed, with a status.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status: OSStatus) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    sbuf.failure = status
    return noErr
}

/// Returns whether the data failed, and the status of the failure.
public func CMSampleBufferHasDataFailed(_ sbuf: CMSampleBuffer, statusOut: UnsafeMutablePointer<OSStatus>?) -> Bool {
    guard let failure = sbuf.failure ?? sbuf.tracked?.failure else { return false }
    statusOut?.pointee = failure
    return true
}

/// Makes the data ready with the callback of the buffer.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    if sbuf.dataIsReady { return noErr }
    guard sbuf.failure == nil else { return kCMSampleBufferError_DataFailed }
    if let tracked = sbuf.tracked { return CMSampleBufferMakeDataReady(tracked) }
    guard let makeReady = sbuf.makeReady, makeReady(sbuf) == noErr else { return kCMSampleBufferError_BufferNotReady }
    return CMSampleBufferSetDataReady(sbuf)
}

/// Makes one buffer's readiness follow that of another buffer.
@discardableResult
public func CMSampleBufferTrackDataReadiness(_ sbuf: CMSampleBuffer, sampleBufferToTrack: CMSampleBuffer) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    var next: CMSampleBuffer? = sampleBufferToTrack
    while let buffer = next {
        guard buffer !== sbuf else { return kCMSampleBufferError_RequiredParameterMissing }
        next = buffer.tracked
    }
    sbuf.tracked = sampleBufferToTrack
    return noErr
}

/// Invalidates a buffer: releases its contents and calls its invalidation handler.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    sbuf.isInvalidated = true
    let handler = sbuf.invalidateHandler
    sbuf.invalidateHandler = nil
    handler?(sbuf)
    sbuf.contents.dataBuffer = nil
    sbuf.contents.imageBuffer = nil
    return noErr
}

/// Sets the handler that is called when the buffer is invalidated; it can be set once.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
    _ sbuf: CMSampleBuffer,
    invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard sbuf.invalidateHandler == nil else { return kCMSampleBufferError_RequiredParameterMissing }
    sbuf.invalidateHandler = invalidateHandler
    return noErr
}

/// Sets the callback that is called with `invalidateRefCon` when the buffer is invalidated; it can be set once.
@discardableResult
public func CMSampleBufferSetInvalidateCallback(
    _ sbuf: CMSampleBuffer,
    callback invalidateCallback: @escaping CMSampleBufferInvalidateCallback,
    refcon invalidateRefCon: UInt64
) -> OSStatus {
    CMSampleBufferSetInvalidateHandler(sbuf) { invalidateCallback($0, invalidateRefCon) }
}

/// Returns whether the buffer has not been invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { !sbuf.isInvalidated }

extension CMSampleBuffer {
    /// The readiness of a buffer's data.
    public enum DataReadiness: Hashable, Sendable {
        /// The data is not ready yet.
        case notReady
        /// The data is ready.
        case ready
        /// The data failed, with a status.
        case failed(OSStatus)
    }

    /// The readiness of the data.
    public var dataReadiness: DataReadiness {
        var status: OSStatus = noErr
        if CMSampleBufferHasDataFailed(self, statusOut: &status) { return .failed(status) }
        return dataIsReady ? .ready : .notReady
    }

    /// The data; `nil` if there is none.
    public var dataBuffer: CMBlockBuffer? { CMSampleBufferGetDataBuffer(self) }

    /// Sets the data of the buffer, which must not have data yet.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try NSError.check(CMSampleBufferSetDataBuffer(self, newValue: dataBuffer))
    }

    /// Makes the data ready with the callback of the buffer.
    public func makeDataReady() throws { try NSError.check(CMSampleBufferMakeDataReady(self)) }

    /// Invalidates the buffer: releases its contents and calls its invalidation handler.
    public func invalidate() throws { try NSError.check(CMSampleBufferInvalidate(self)) }

    /// Whether the buffer has not been invalidated.
    public var isValid: Bool { CMSampleBufferIsValid(self) }
}

extension CMSampleBuffer {
    /// The errors of sample buffers in `NSOSStatusErrorDomain`.
    public struct Error {
        /// A parameter is missing.
        public static var requiredParameterMissing: NSError { .status(kCMSampleBufferError_RequiredParameterMissing) }
        /// The buffer already has data.
        public static var alreadyHasDataBuffer: NSError { .status(kCMSampleBufferError_AlreadyHasDataBuffer) }
        /// The data is not ready.
        public static var bufferNotReady: NSError { .status(kCMSampleBufferError_BufferNotReady) }
        /// The sample index is out of range.
        public static var sampleIndexOutOfRange: NSError { .status(kCMSampleBufferError_SampleIndexOutOfRange) }
        /// The buffer does not state the sizes of its samples.
        public static var bufferHasNoSampleSizes: NSError { .status(kCMSampleBufferError_BufferHasNoSampleSizes) }
        /// The buffer does not state the times of its samples.
        public static var bufferHasNoSampleTimingInfo: NSError {
            .status(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }
        /// The caller's array is too small.
        public static var arrayTooSmall: NSError { .status(kCMSampleBufferError_ArrayTooSmall) }
        /// The number of entries is not 0, 1 or the number of samples.
        public static var invalidEntryCount: NSError { .status(kCMSampleBufferError_InvalidEntryCount) }
        /// The samples are not stored consecutively.
        public static var cannotSubdivide: NSError { .status(kCMSampleBufferError_CannotSubdivide) }
        /// The buffer has another media type.
        public static var invalidMediaTypeForOperation: NSError {
            .status(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        /// The data does not match the format description.
        public static var invalidSampleData: NSError { .status(kCMSampleBufferError_InvalidSampleData) }
        /// The buffer has been invalidated.
        public static var invalidated: NSError { .status(kCMSampleBufferError_Invalidated) }
    }
}
