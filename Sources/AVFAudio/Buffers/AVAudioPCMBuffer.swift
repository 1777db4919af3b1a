public import CoreAudioTypes
import Foundation

/// Uncompressed samples.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    // Unchecked: as its superclass.

    /// The number of frames that the buffer can hold.
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

    /// Creates a buffer over the caller's memory, which is used as it is, with its capacity and its length.
    ///
    /// `nil` if `format` is not uncompressed or has no bytes in a frame. `nil` also if the list has neither one buffer
    /// (interleaved) nor one for each channel, or if a buffer is empty or differs in size from the first.
    /// - Parameters:
    ///   - format: What the samples are.
    ///   - bufferList: Where they are. The list is copied, what it points to is not.
    ///   - deallocator: Called once, when nothing uses the memory any more, with a list like `bufferList`.
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

    /// From one sample of a channel to its next, in samples: 1, or the number of channels if interleaved.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// A pointer to each channel's samples, `stride` apart; `nil` if they are not 32-bit float.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        channels(of: .pcmFormatFloat32, as: Float.self)
    }

    /// A pointer to each channel's samples, `stride` apart; `nil` if they are not 16-bit integers.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        channels(of: .pcmFormatInt16, as: Int16.self)
    }

    /// A pointer to each channel's samples, `stride` apart; `nil` if they are not 32-bit integers.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        channels(of: .pcmFormatInt32, as: Int32.self)
    }

    /// A pointer to each channel's samples, `stride` apart; `nil` if they are not 64-bit float.
    ///
    /// Apple's has no such accessor.
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
