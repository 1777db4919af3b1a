public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation

/// Samples of one kind of media with their times, sizes and format.
///
/// A sample of sound is a frame if the sound is not compressed, and a packet if it is. Use a buffer from one thread at a time.
public final class CMSampleBuffer {
    /// The parts that a buffer is made of.
    struct Contents {
        var dataBuffer: CMBlockBuffer?
        /// The picture, in the place of bytes.
        var imageBuffer: CVImageBuffer?
        var isReady = true
        var formatDescription: CMFormatDescription?
        var sampleCount: CMItemCount
        /// One for each sample, or one for all: that of the first.
        var timings: [CMSampleTimingInfo] = []
        /// One for each sample, or one for all.
        var sizes: [Int] = []

        /// Whether the parts fit one another.
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

    /// A buffer of parts that fit one another.
    init(_ contents: Contents) {
        self.contents = contents
    }

    deinit {
        packetDescriptionMemory?.deallocate()
    }

    /// A buffer of samples whose data are there.
    /// - Parameters:
    ///   - dataBuffer: The bytes.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of samples.
    ///   - sampleTimings: The times of each sample, or of the first if the others follow at its duration.
    ///   - sampleSizes: The bytes of each sample, or of every one; none if the channels lie apart.
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

    /// A buffer of samples of sound whose data are there.
    /// - Parameters:
    ///   - dataBuffer: The bytes.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of frames or packets.
    ///   - presentationTimeStamp: The time of the first.
    ///   - packetDescriptions: The packets; none if all are of one size and duration.
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

    /// A buffer of the same samples, which share their bytes.
    public convenience init(copying sampleBuffer: CMSampleBuffer) throws {
        try NSError.check(sampleBuffer.validity)
        self.init(sampleBuffer.contents)
        tracked = sampleBuffer.dataIsReady ? nil : sampleBuffer
        CMPropagateAttachments(sampleBuffer, destination: self)
    }

    /// A buffer of the same samples at other times.
    public convenience init(copying sampleBuffer: CMSampleBuffer, withNewTiming sampleTimings: [CMSampleTimingInfo])
        throws
    {
        try self.init(copying: sampleBuffer)
        contents.timings = sampleTimings
        try NSError.check(contents.status)
    }

    /// A buffer of some of the samples, which share their bytes.
    public convenience init(copying sampleBuffer: CMSampleBuffer, forRange range: Range<Int>) throws {
        try NSError.check(sampleBuffer.validity)
        var part: Contents?
        try NSError.check(sampleBuffer.take(range.lowerBound, range.count, into: &part))
        guard let part else { throw Error.cannotSubdivide }
        self.init(part)
        CMPropagateAttachments(sampleBuffer, destination: self)
    }

    /// Success, or the failure of a buffer that has been invalidated.
    var validity: OSStatus { isInvalidated ? kCMSampleBufferError_Invalidated : noErr }

    /// The description of the sound, if the buffer is valid and of sound.
    var streamDescription: AudioStreamBasicDescription? {
        isInvalidated ? nil : contents.formatDescription?.audioStreamBasicDescription
    }

    /// Whether the data are there, here or in the buffer whose readiness this one shares.
    var dataIsReady: Bool {
        guard !isInvalidated, failure == nil else { return false }
        return contents.isReady || tracked?.dataIsReady ?? false
    }
}

/// Makes a buffer of samples.
/// - Parameters:
///   - allocator: Without effect.
///   - dataBuffer: The bytes, which may come later.
///   - dataReady: Whether the bytes are there.
///   - makeDataReadyCallback: Makes them ready.
///   - makeDataReadyRefcon: Is passed to the callback.
///   - formatDescription: The format.
///   - numSamples: The number of samples.
///   - numSampleTimingEntries: 0, 1 or the number of samples.
///   - sampleTimingArray: The times of each sample, or of the first if the others follow at its duration.
///   - numSampleSizeEntries: 0, 1 or the number of samples.
///   - sampleSizeArray: The bytes of each sample, or of every one.
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

/// Makes a buffer of samples whose data are there; see `CMSampleBufferCreate`.
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
