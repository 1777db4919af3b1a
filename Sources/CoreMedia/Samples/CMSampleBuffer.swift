public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation

/// Samples of one media type, with their times, sizes and format.
///
/// A sample is a frame of uncompressed audio, a packet of compressed audio or video, or a picture. Use a buffer on one
/// thread at a time.
///
/// ```swift
/// print(sampleBuffer.presentationTimeStamp.seconds, sampleBuffer.numSamples)
/// if let data = try sampleBuffer.dataBuffer?.dataBytes() { print(data.count, "bytes") }
/// ```
public final class CMSampleBuffer {
    /// The contents of a buffer.
    struct Contents {
        var dataBuffer: CMBlockBuffer?
        /// The picture, instead of data.
        var imageBuffer: CVImageBuffer?
        var isReady = true
        var formatDescription: CMFormatDescription?
        var sampleCount: CMItemCount
        /// The times of each sample, or of the first one.
        var timings: [CMSampleTimingInfo] = []
        /// The size of each sample, or one size for all.
        var sizes: [Int] = []

        /// The status of the consistency check.
        var status: OSStatus {
            guard sampleCount >= 0 else { return kCMSampleBufferError_RequiredParameterMissing }
            guard [0, 1, sampleCount].contains(timings.count), [0, 1, sampleCount].contains(sizes.count) else {
                return kCMSampleBufferError_InvalidEntryCount
            }
            guard sizes.allSatisfy({ $0 >= 0 }) else { return kCMSampleBufferError_InvalidSampleData }
            return noErr
        }
    }

    var contents: Contents
    var isInvalidated = false
    var failure: OSStatus?
    var makeReady: CMSampleBufferMakeDataReadyHandler?
    var invalidateHandler: CMSampleBufferInvalidateHandler?
    var tracked: CMSampleBuffer?
    var outputTime: CMTime?
    var sampleAttachments: NSMutableArray?
    var packetDescriptionMemory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?
    let attachmentStore = AttachmentStore()

    /// Creates a buffer from consistent contents.
    init(_ contents: Contents) {
        self.contents = contents
    }

    deinit {
        packetDescriptionMemory?.deallocate()
    }

    /// Creates a sample buffer whose data is ready.
    /// - Parameters:
    ///   - dataBuffer: The bytes.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of samples.
    ///   - sampleTimings: The times of each sample, or of the first one if the others follow without gaps.
    ///   - sampleSizes: The size of each sample, or one size for all; empty for deinterleaved audio.
    public convenience init(
        dataBuffer: CMBlockBuffer?,
        formatDescription: CMFormatDescription?,
        numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo],
        sampleSizes: [Int]
    ) throws {
        let contents = Contents(
            dataBuffer: dataBuffer,
            formatDescription: formatDescription,
            sampleCount: numSamples,
            timings: sampleTimings,
            sizes: sampleSizes
        )
        try NSError.check(contents.status)
        self.init(contents)
    }

    /// Creates a sample buffer of audio whose data is ready.
    /// - Parameters:
    ///   - dataBuffer: The bytes.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of frames or packets.
    ///   - presentationTimeStamp: The time of the first sample.
    ///   - packetDescriptions: The packets; empty if all have the same size and duration.
    public convenience init(
        dataBuffer: CMBlockBuffer?,
        formatDescription: CMFormatDescription,
        numSamples: CMItemCount,
        presentationTimeStamp: CMTime,
        packetDescriptions: [AudioStreamPacketDescription]
    ) throws {
        guard packetDescriptions.isEmpty || packetDescriptions.count == numSamples else {
            throw Error.invalidEntryCount
        }
        var contents = Contents(dataBuffer: dataBuffer, formatDescription: formatDescription, sampleCount: numSamples)
        try NSError.check(contents.describe(packetDescriptions, from: presentationTimeStamp))
        self.init(contents)
    }

    /// Creates a copy of a sample buffer that shares its data.
    public convenience init(copying sampleBuffer: CMSampleBuffer) throws {
        try NSError.check(sampleBuffer.validity)
        self.init(sampleBuffer.contents)
        tracked = sampleBuffer.dataIsReady ? nil : sampleBuffer
        CMPropagateAttachments(sampleBuffer, destination: self)
    }

    /// Creates a copy of a sample buffer with new times.
    public convenience init(copying sampleBuffer: CMSampleBuffer, withNewTiming sampleTimings: [CMSampleTimingInfo])
        throws
    {
        try self.init(copying: sampleBuffer)
        contents.timings = sampleTimings
        try NSError.check(contents.status)
    }

    /// Creates a sample buffer with a range of the samples, which shares their data.
    public convenience init(copying sampleBuffer: CMSampleBuffer, forRange range: Range<Int>) throws {
        try NSError.check(sampleBuffer.validity)
        var part: Contents?
        try NSError.check(sampleBuffer.take(range.lowerBound, range.count, into: &part))
        guard let part else { throw Error.cannotSubdivide }
        self.init(part)
        CMPropagateAttachments(sampleBuffer, destination: self)
    }

    /// Success, or the error of an invalidated buffer.
    var validity: OSStatus { isInvalidated ? kCMSampleBufferError_Invalidated : noErr }

    /// The stream description, if the buffer is valid and contains audio.
    var streamDescription: AudioStreamBasicDescription? {
        isInvalidated ? nil : contents.formatDescription?.audioStreamBasicDescription
    }

    /// Whether the data is ready, in this buffer or in the buffer that it tracks.
    var dataIsReady: Bool {
        guard !isInvalidated, failure == nil else { return false }
        return contents.isReady || tracked?.dataIsReady ?? false
    }
}

/// Creates a sample buffer.
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The bytes, which may be provided later.
///   - dataReady: Whether the bytes are ready.
///   - makeDataReadyCallback: Makes the bytes ready.
///   - makeDataReadyRefcon: An argument for the callback.
///   - formatDescription: The format.
///   - numSamples: The number of samples.
///   - numSampleTimingEntries: 0, 1 or the number of samples.
///   - sampleTimingArray: The times of each sample, or of the first one if the others follow without gaps.
///   - numSampleSizeEntries: 0, 1 or the number of samples.
///   - sampleSizeArray: The size of each sample in bytes, or one size for all.
///   - sampleBufferOut: Receives the buffer.
@discardableResult
public func CMSampleBufferCreate(
    allocator: CFAllocator?,
    dataBuffer: CMBlockBuffer?,
    dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
    refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard numSamples >= 0 else { return kCMSampleBufferError_RequiredParameterMissing }
    guard [0, 1, numSamples].contains(numSampleTimingEntries), [0, 1, numSamples].contains(numSampleSizeEntries) else {
        return kCMSampleBufferError_InvalidEntryCount
    }
    guard numSampleTimingEntries == 0 || sampleTimingArray != nil, numSampleSizeEntries == 0 || sampleSizeArray != nil
    else { return kCMSampleBufferError_RequiredParameterMissing }
    let contents = CMSampleBuffer.Contents(
        dataBuffer: dataBuffer,
        isReady: dataReady,
        formatDescription: formatDescription,
        sampleCount: numSamples,
        timings: Array(UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries)),
        sizes: Array(UnsafeBufferPointer(start: sampleSizeArray, count: numSampleSizeEntries))
    )
    guard contents.status == noErr else { return contents.status }
    let buffer = CMSampleBuffer(contents)
    buffer.makeReady = makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } }
    sampleBufferOut.pointee = buffer
    return noErr
}

/// Creates a sample buffer whose data is ready; see `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateReady(
    allocator: CFAllocator?,
    dataBuffer: CMBlockBuffer?,
    formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreate(
        allocator: allocator,
        dataBuffer: dataBuffer,
        dataReady: true,
        makeDataReadyCallback: nil,
        refcon: nil,
        formatDescription: formatDescription,
        sampleCount: numSamples,
        sampleTimingEntryCount: numSampleTimingEntries,
        sampleTimingArray: sampleTimingArray,
        sampleSizeEntryCount: numSampleSizeEntries,
        sampleSizeArray: sampleSizeArray,
        sampleBufferOut: sampleBufferOut
    )
}
