public import CoreAudioTypes
import Foundation

/// A buffer of uncompressed samples.
///
/// ```swift
/// let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
/// let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480)!
/// buffer.frameLength = 480  // 10 ms
/// for channel in 0..<2 {
///     for frame in 0..<480 { buffer.floatChannelData![channel][frame] = frame < 240 ? 0.1 : -0.1 }
/// }
/// ```
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    // Unchecked: as its superclass.

    /// The capacity of the buffer in frames.
    public let frameCapacity: AVAudioFrameCount

    private let channelPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let bytesPerFrame: UInt32

    /// Silence with room for `frameCapacity` frames and a length of 0.
    ///
    /// `nil` if `format` is not uncompressed or has no bytes in a frame, or if a buffer would be of 4 GiB or more.
    public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        let bytes = UInt64(description.mBytesPerFrame) * UInt64(frameCapacity)
        guard description.mFormatID == kAudioFormatLinearPCM, description.mBytesPerFrame > 0,
            format.channelCount > 0, bytes <= UInt64(UInt32.max)
        else { return nil }
        let memory = BufferMemory(
            bufferCount: format.isInterleaved ? 1 : Int(format.channelCount),
            byteCapacity: Int(bytes),
            channelsPerBuffer: format.isInterleaved ? format.channelCount : 1
        )
        self.init(format: format, memory: memory, frameCapacity: frameCapacity)
    }

    /// Creates a buffer that uses the caller's memory without copying the samples.
    ///
    /// Capacity and length both follow from the byte sizes in `bufferList`. The result is `nil` if `format` is
    /// compressed, or if a frame has no bytes. The result is also `nil` if the list does not have one buffer
    /// (interleaved) or one buffer per channel, or if the buffers are empty or differ in size.
    /// - Parameters:
    ///   - format: The format of the samples, uncompressed.
    ///   - bufferList: The buffers. The list is copied; the samples are not.
    ///   - deallocator: Called once, with a copy of `bufferList`, when the memory is no longer in use.
    public convenience init?(
        pcmFormat format: AVAudioFormat,
        bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let description = format.streamDescription.pointee
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let count = format.isInterleaved ? 1 : Int(format.channelCount)
        guard description.mFormatID == kAudioFormatLinearPCM, description.mBytesPerFrame > 0,
            buffers.count == count, let bytes = buffers.first?.mDataByteSize, bytes > 0,
            buffers.allSatisfy({ $0.mData != nil && $0.mDataByteSize == bytes })
        else { return nil }
        let memory = BufferMemory(of: bufferList, byteCapacity: Int(bytes), deallocator: deallocator)
        let frames = bytes / description.mBytesPerFrame
        self.init(format: format, memory: memory, frameCapacity: frames)
        frameLength = frames
    }

    private init(format: AVAudioFormat, memory: BufferMemory, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        self.frameCapacity = frameCapacity
        bytesPerFrame = description.mBytesPerFrame
        let channels = Int(format.channelCount)
        channelPointers = .allocate(capacity: channels)
        super.init(format: format, memory: memory)
        let sampleBytes = Int(bytesPerFrame) / (format.isInterleaved ? channels : 1)
        for channel in 0..<channels {
            guard let base = list[format.isInterleaved ? 0 : channel].mData else { continue }
            (channelPointers + channel).initialize(to: format.isInterleaved ? base + channel * sampleBytes : base)
        }
    }

    deinit { channelPointers.deallocate() }

    /// The number of valid frames: 0 … `frameCapacity`.
    ///
    /// Setting it sets the byte sizes in the buffer lists.
    public var frameLength: AVAudioFrameCount = 0 {
        didSet {
            require(frameLength <= frameCapacity, "a frame length of \(frameLength) is over \(frameCapacity)")
            setUsedByteCount(Int(frameLength) * Int(bytesPerFrame))
        }
    }

    /// The distance between consecutive samples of a channel, in samples: 1, or the number of channels if interleaved.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// An array of pointers to the samples of each channel, `stride` samples apart; `nil` unless the samples are
    /// 32-bit floats.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        channels(of: .pcmFormatFloat32, as: Float.self)
    }

    /// An array of pointers to the samples of each channel, `stride` samples apart; `nil` unless they are 16-bit
    /// integers.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        channels(of: .pcmFormatInt16, as: Int16.self)
    }

    /// An array of pointers to the samples of each channel, `stride` samples apart; `nil` unless they are 32-bit
    /// integers.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        channels(of: .pcmFormatInt32, as: Int32.self)
    }

    /// An array of pointers to the samples of each channel, `stride` samples apart; `nil` unless the samples are
    /// 64-bit floats.
    ///
    /// An addition to Apple's interface.
    var doubleChannelData: UnsafePointer<UnsafeMutablePointer<Double>>? {
        channels(of: .pcmFormatFloat64, as: Double.self)
    }

    private func channels<Sample>(
        of common: AVAudioCommonFormat,
        as: Sample.Type
    ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == common else { return nil }
        return UnsafeRawPointer(channelPointers).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    override func duplicate() -> AVAudioBuffer {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            fatalError("A buffer of \(format) with room for \(frameCapacity) frames exists already.")
        }
        copy.copyBytes(of: self)
        copy.frameLength = frameLength
        return copy
    }
}
