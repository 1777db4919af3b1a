public import CSyrinxCoreMedia
public import CoreAudioTypes

/// An allocation failed.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A parameter is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer has data already.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data are not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// The buffer has no sample of that number.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer does not state the sizes of its samples.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer does not state the times of its samples.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The caller's array is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is neither 0, 1 nor that of the samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples do not lie one after another.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A time is not a number.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The buffer is of another kind of media.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data do not fit the description.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format of the data does not match the description.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer has been invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be made ready.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// The data were given up.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

/// The buffers of an audio buffer list begin at multiples of 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// The key of a sample that a decoder cannot begin with.
public let kCMSampleAttachmentKey_NotSync: String = "NotSync"
/// The key of a sample that others need.
public let kCMSampleAttachmentKey_IsDependedOnByOthers: String = "IsDependedOnByOthers"
/// The key of a sample that needs others.
public let kCMSampleAttachmentKey_DependsOnOthers: String = "DependsOnOthers"
/// The key of a sample that is decoded and not shown.
public let kCMSampleAttachmentKey_DoNotDisplay: String = "DoNotDisplay"
/// The key of the duration that is dropped from the start of the decoded sound, the dictionary of a time.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart: String = "TrimDurationAtStart"
/// The key of the duration that is dropped from the end of the decoded sound, the dictionary of a time.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: String = "TrimDurationAtEnd"
/// The key of a decoder's reset before the buffer.
public let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: String = "ResetDecoderBeforeDecoding"
/// The key of the factor by which the samples are played faster.
public let kCMSampleBufferAttachmentKey_SpeedMultiplier: String = "SpeedMultiplier"
/// The key of a gap that is filled with silence.
public let kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: String = "FillDiscontinuitiesWithSilence"

extension CMSampleTimingInfo {
    /// No times at all.
    public static let invalid = CMSampleTimingInfo(
        duration: .invalid,
        presentationTimeStamp: .invalid,
        decodeTimeStamp: .invalid
    )
}

/// Makes the data of a buffer ready, and returns 0 if that succeeded.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// Makes the data of a buffer ready, and returns 0 if that succeeded.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// Is called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void
/// Is called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateCallback = (CMSampleBuffer, UInt64) -> Void
