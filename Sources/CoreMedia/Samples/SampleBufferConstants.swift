public import CSyrinxCoreMedia
public import CoreAudioTypes

/// An allocation failed.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A parameter is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer already has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data is not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// The sample index is out of range.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer does not state the sizes of its samples.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer does not state the times of its samples.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The caller's array is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is not 0, 1 or the number of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples are not stored consecutively.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A time is not numeric.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The buffer has another media type.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data does not match the format description.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format of the data does not match the description.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer has been invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be made ready.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// The data was cancelled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

/// The buffers of an audio buffer list are aligned to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// The key for whether the sample is not a sync sample, so that decoding cannot start with it.
public let kCMSampleAttachmentKey_NotSync: String = "NotSync"
/// The key for whether other samples depend on the sample.
public let kCMSampleAttachmentKey_IsDependedOnByOthers: String = "IsDependedOnByOthers"
/// The key for whether the sample depends on other samples.
public let kCMSampleAttachmentKey_DependsOnOthers: String = "DependsOnOthers"
/// The key for whether the sample is decoded but not displayed.
public let kCMSampleAttachmentKey_DoNotDisplay: String = "DoNotDisplay"
/// The key for the duration to trim from the start of the decoded audio, a time dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart: String = "TrimDurationAtStart"
/// The key for the duration to trim from the end of the decoded audio, a time dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: String = "TrimDurationAtEnd"
/// The key for whether the decoder is reset before the buffer.
public let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: String = "ResetDecoderBeforeDecoding"
/// The key for the speed multiplier of the samples.
public let kCMSampleBufferAttachmentKey_SpeedMultiplier: String = "SpeedMultiplier"
/// The key for whether a gap is filled with silence.
public let kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: String = "FillDiscontinuitiesWithSilence"

extension CMSampleTimingInfo {
    /// Timing information without any valid time.
    public static let invalid = CMSampleTimingInfo(
        duration: .invalid,
        presentationTimeStamp: .invalid,
        decodeTimeStamp: .invalid
    )
}

/// A function that makes the data of a buffer ready; it returns 0 on success.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// A function that makes the data of a buffer ready; it returns 0 on success.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// A function that is called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void
/// A function that is called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateCallback = (CMSampleBuffer, UInt64) -> Void
