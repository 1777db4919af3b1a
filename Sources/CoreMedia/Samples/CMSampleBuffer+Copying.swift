public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo

/// Creates a sample buffer of audio.
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The bytes, which may be provided later.
///   - dataReady: Whether the bytes are ready.
///   - makeDataReadyCallback: Makes the bytes ready.
///   - makeDataReadyRefcon: An argument for the callback.
///   - formatDescription: The format.
///   - numSamples: The number of frames or packets, at least 1.
///   - presentationTimeStamp: The numeric time of the first sample.
///   - packetDescriptions: The packets; `nil` if all have the same size and duration.
///   - sampleBufferOut: Receives the buffer.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: CFAllocator?,
    dataBuffer: CMBlockBuffer?,
    dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
    refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription,
    sampleCount numSamples: CMItemCount,
    presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard numSamples > 0 else { return kCMSampleBufferError_RequiredParameterMissing }
    var contents = CMSampleBuffer.Contents(
        dataBuffer: dataBuffer,
        isReady: dataReady,
        formatDescription: formatDescription,
        sampleCount: numSamples
    )
    let packets = UnsafeBufferPointer(start: packetDescriptions, count: packetDescriptions == nil ? 0 : numSamples)
    let status = contents.describe(Array(packets), from: presentationTimeStamp)
    guard status == noErr else { return status }
    let buffer = CMSampleBuffer(contents)
    buffer.makeReady = makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } }
    sampleBufferOut.pointee = buffer
    return noErr
}

/// Creates a sample buffer of audio whose data is ready; see `CMAudioSampleBufferCreateWithPacketDescriptions`.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?,
    dataBuffer: CMBlockBuffer,
    formatDescription: CMFormatDescription,
    sampleCount numSamples: CMItemCount,
    presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: allocator,
        dataBuffer: dataBuffer,
        dataReady: true,
        makeDataReadyCallback: nil,
        refcon: nil,
        formatDescription: formatDescription,
        sampleCount: numSamples,
        presentationTimeStamp: presentationTimeStamp,
        packetDescriptions: packetDescriptions,
        sampleBufferOut: sampleBufferOut
    )
}

/// Creates a copy of a sample buffer that shares its data.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?,
    sampleBuffer sbuf: CMSampleBuffer,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard let copy = try? CMSampleBuffer(copying: sbuf) else { return sbuf.validity }
    sampleBufferOut.pointee = copy
    return noErr
}

/// Creates a copy of a sample buffer with new times.
/// - Parameters:
///   - allocator: Ignored.
///   - originalSBuf: The sample buffer to copy.
///   - numSampleTimingEntries: 0, 1 or the number of samples.
///   - sampleTimingArray: The times of each sample, or of the first one if the others follow without gaps.
///   - sampleBufferOut: Receives the buffer.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?,
    sampleBuffer originalSBuf: CMSampleBuffer,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard originalSBuf.validity == noErr else { return originalSBuf.validity }
    guard [0, 1, originalSBuf.contents.sampleCount].contains(numSampleTimingEntries) else {
        return kCMSampleBufferError_InvalidEntryCount
    }
    guard numSampleTimingEntries == 0 || sampleTimingArray != nil else {
        return kCMSampleBufferError_RequiredParameterMissing
    }
    let timings = Array(UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries))
    guard let copy = try? CMSampleBuffer(copying: originalSBuf, withNewTiming: timings) else {
        return kCMSampleBufferError_InvalidEntryCount
    }
    sampleBufferOut.pointee = copy
    return noErr
}

/// Creates a sample buffer with a range of the samples, which shares their data.
///
/// Deinterleaved samples cannot be divided.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
    allocator: CFAllocator?,
    sampleBuffer sbuf: CMSampleBuffer,
    sampleRange: CFRange,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    var part: CMSampleBuffer.Contents?
    let status = sbuf.take(sampleRange.location, sampleRange.length, into: &part)
    guard status == noErr, let part else { return status }
    let buffer = CMSampleBuffer(part)
    CMPropagateAttachments(sbuf, destination: buffer)
    sampleBufferOut.pointee = buffer
    return noErr
}

/// Calls `handler` with a sample buffer for each sample and its index, until it returns a status other than 0.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
    _ sbuf: CMSampleBuffer,
    _ handler: (CMSampleBuffer, CMItemCount) -> OSStatus
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    for index in 0..<sbuf.contents.sampleCount {
        var part: CMSampleBuffer.Contents?
        let status = sbuf.take(index, 1, into: &part)
        guard status == noErr, let part else { return status }
        let result = handler(CMSampleBuffer(part), index)
        guard result == noErr else { return result }
    }
    return noErr
}

extension CMSampleBuffer {
    /// Takes a range of the samples.
    func take(_ first: Int, _ count: Int, into part: inout Contents?) -> OSStatus {
        guard first >= 0, first < contents.sampleCount, count > 0, count <= contents.sampleCount - first else {
            return kCMSampleBufferError_SampleIndexOutOfRange
        }
        // A picture is the only sample of its buffer.
        if contents.imageBuffer != nil {
            part = contents
            return noErr
        }
        guard !contents.sizes.isEmpty else { return kCMSampleBufferError_CannotSubdivide }
        var taken = Contents(
            isReady: contents.isReady,
            formatDescription: contents.formatDescription,
            sampleCount: count
        )
        var offset = 0
        var length = 0
        for index in 0..<first + count {
            let size = contents.sizes.count == 1 ? contents.sizes[0] : contents.sizes[index]
            if index < first { offset = offset.addingSaturated(size) } else { length = length.addingSaturated(size) }
        }
        taken.sizes = contents.sizes.count == 1 ? contents.sizes : Array(contents.sizes[first..<first + count])
        if contents.timings.count == 1, contents.sampleCount > 1 {
            taken.timings = [contents.timing(at: first)]
        } else if !contents.timings.isEmpty {
            taken.timings = Array(contents.timings[first..<first + count])
        }
        if let data = contents.dataBuffer {
            let status = CMBlockBufferCreateWithBufferReference(
                allocator: nil,
                referenceBuffer: data,
                offsetToData: offset,
                dataLength: length,
                flags: 0,
                blockBufferOut: &taken.dataBuffer
            )
            guard status == noErr else { return status }
        }
        part = taken
        return noErr
    }
}

extension CMSampleBuffer.Contents {
    /// Returns the times of an existing sample.
    func timing(at index: Int) -> CMSampleTimingInfo {
        guard timings.count == 1, let first = timings.first else { return timings[index] }
        let offset = first.duration.multiplied(by: index)
        return CMSampleTimingInfo(
            duration: first.duration,
            presentationTimeStamp: first.presentationTimeStamp + offset,
            decodeTimeStamp: first.decodeTimeStamp.isValid ? first.decodeTimeStamp + offset : .invalid
        )
    }

    /// Computes the sizes and times of audio packets.
    mutating func describe(_ packets: [AudioStreamPacketDescription], from start: CMTime) -> OSStatus {
        guard let format = formatDescription?.audioStreamBasicDescription else {
            return kCMSampleBufferError_InvalidMediaTypeForOperation
        }
        guard start.kind == .number else { return kCMSampleBufferError_SampleTimingInfoInvalid }
        guard format.mSampleRate >= 1, let rate = Int32(exactly: format.mSampleRate.rounded()) else {
            return kCMSampleBufferError_InvalidMediaFormat
        }
        func timing(_ frames: UInt32, at time: CMTime) -> CMSampleTimingInfo {
            CMSampleTimingInfo(
                duration: CMTimeMake(value: Int64(frames), timescale: rate),
                presentationTimeStamp: time,
                decodeTimeStamp: .invalid
            )
        }
        let isSplit = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        if packets.isEmpty {
            guard format.mFramesPerPacket > 0 else { return kCMSampleBufferError_RequiredParameterMissing }
            timings = [timing(format.mFramesPerPacket, at: start)]
            sizes = isSplit && format.mFormatID == kAudioFormatLinearPCM ? [] : [Int(format.mBytesPerPacket)]
            return status
        }
        sizes = packets.map { Int($0.mDataByteSize) }
        if format.mFramesPerPacket > 0 {
            timings = [timing(format.mFramesPerPacket, at: start)]
        } else {
            var time = start
            for packet in packets {
                timings.append(timing(packet.mVariableFramesInPacket, at: time))
                time = time + CMTimeMake(value: Int64(packet.mVariableFramesInPacket), timescale: rate)
            }
        }
        return status
    }
}

extension Int {
    /// Returns the sum, or `Int.max` on overflow.
    func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Returns the product, or `Int.max` on overflow.
    func multipliedSaturated(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension CMTime {
    /// Returns the time multiplied by a number of samples.
    func multiplied(by count: Int) -> CMTime {
        guard kind == .number else { return self }
        let fraction = TimeFraction(Int128(value) * Int128(Int32(clamping: count)), over: Int128(timescale))
        return CMTime(fraction, timescale: timescale, from: flags, epoch: epoch)
    }
}
