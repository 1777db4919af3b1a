internal import CoreAudioTypes
internal import Foundation

/// The domain of `OSStatus` errors, as in Foundation on Apple's systems.
private let statusDomain = "NSOSStatusErrorDomain"

extension NSError {
    /// Returns the error for an `OSStatus`.
    static func status(_ status: OSStatus) -> NSError {
        NSError(
            domain: statusDomain,
            code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: StatusSentences.sentence(for: status)]
        )
    }

    /// Throws the error for an `OSStatus` other than 0.
    static func check(_ result: OSStatus) throws {
        guard result == noErr else { throw status(result) }
    }
}

/// The messages of status codes.
enum StatusSentences {
    static func sentence(for status: OSStatus) -> String {
        sentences[status] ?? "The operation on media data failed with status \(status)."
    }

    private static let sentences: [OSStatus: String] = [
        kCMBlockBufferBlockAllocationFailedErr: "The memory of a block could not be allocated.",
        kCMBlockBufferBadCustomBlockSourceErr: "The custom source of memory cannot be used.",
        kCMBlockBufferBadOffsetParameterErr: "The offset lies outside of the buffer.",
        kCMBlockBufferBadLengthParameterErr: "The length reaches beyond the end of the buffer.",
        kCMBlockBufferBadPointerParameterErr: "A pointer is missing.",
        kCMBlockBufferEmptyBBufErr: "The block buffer is empty.",
        kCMBlockBufferUnallocatedBlockErr: "The memory of the block has not been allocated yet.",
        kCMBlockBufferInsufficientSpaceErr: "There is not enough memory.",
        kCMSampleBufferError_RequiredParameterMissing: "A parameter is missing.",
        kCMSampleBufferError_AlreadyHasDataBuffer: "The sample buffer has a data buffer already.",
        kCMSampleBufferError_BufferNotReady: "The data of the sample buffer is not ready.",
        kCMSampleBufferError_SampleIndexOutOfRange: "The sample buffer has no sample of that number.",
        kCMSampleBufferError_BufferHasNoSampleSizes: "The sample buffer does not state the sizes of its samples.",
        kCMSampleBufferError_BufferHasNoSampleTimingInfo: "The sample buffer does not state the times of its samples.",
        kCMSampleBufferError_ArrayTooSmall: "The array is too small.",
        kCMSampleBufferError_InvalidEntryCount: "The number of entries is neither 0, 1 nor the number of samples.",
        kCMSampleBufferError_CannotSubdivide: "The samples are not contiguous in the buffer.",
        kCMSampleBufferError_SampleTimingInfoInvalid: "A time of a sample is not a number.",
        kCMSampleBufferError_InvalidMediaTypeForOperation: "The sample buffer is of another kind of media.",
        kCMSampleBufferError_InvalidSampleData: "The data of the sample buffer does not match its description.",
        kCMSampleBufferError_InvalidMediaFormat: "The format of the data does not match the description.",
        kCMSampleBufferError_Invalidated: "The sample buffer has been invalidated.",
        kCMFormatDescriptionError_InvalidParameter: "The format cannot be described.",
        kCMFormatDescriptionError_ValueNotAvailable: "The format description has no such value.",
    ]
}
