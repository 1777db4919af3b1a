public import CoreAudioTypes
public import Foundation

/// Memory for audio data of one format, described by an `AudioBufferList`.
///
/// Not safe to change from two threads at once; once it is scheduled on a node, leave it as it is until the node has
/// called back.
open class AVAudioBuffer: NSObject, @unchecked Sendable {
    // Unchecked: the owner sees to it that nobody writes while another reads, as with any memory.

    /// The format of the data.
    public let format: AVAudioFormat

    let list: UnsafeMutableAudioBufferListPointer
    private let data: UnsafeMutableRawPointer

    /// Cache lines, so that two channels never share one, and wide enough for every vector load.
    private static let alignment = 64

    init(format: AVAudioFormat, bufferCount: Int, bytesPerBuffer: Int) {
        self.format = format
        let rounded = (max(bytesPerBuffer, 1) + Self.alignment - 1) / Self.alignment * Self.alignment
        list = AudioBufferList.allocate(maximumBuffers: bufferCount)
        data = .allocate(byteCount: rounded * bufferCount, alignment: Self.alignment)
        data.initializeMemory(as: UInt8.self, repeating: 0, count: rounded * bufferCount)
        let channels = format.isInterleaved ? format.channelCount : 1
        for index in 0..<bufferCount {
            list[index] = AudioBuffer(
                mNumberChannels: channels,
                mDataByteSize: 0,
                mData: data + index * rounded
            )
        }
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        data.deallocate()
    }

    /// The buffers, for reading.
    ///
    /// Valid as long as this object lives.
    public var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }

    /// The buffers, for writing.
    ///
    /// Valid as long as this object lives.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { list.unsafeMutablePointer }
}

/// Uncompressed samples.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    // Unchecked: as its superclass.

    /// How many frames there is room for.
    public let frameCapacity: AVAudioFrameCount

    private let channelPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let bytesPerFrame: UInt32

    /// Silence with room for `frameCapacity` frames and a length of 0.
    ///
    /// `nil` if `format` is not uncompressed.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        guard description.mFormatID == kAudioFormatLinearPCM, description.mBytesPerFrame > 0 else { return nil }
        self.frameCapacity = frameCapacity
        bytesPerFrame = description.mBytesPerFrame
        let channels = Int(format.channelCount)
        channelPointers = .allocate(capacity: channels)
        super.init(
            format: format,
            bufferCount: format.isInterleaved ? 1 : channels,
            bytesPerBuffer: Int(bytesPerFrame) * Int(frameCapacity)
        )
        let sampleBytes = Int(description.mBitsPerChannel / 8)
        for channel in 0..<channels {
            let buffer = list[format.isInterleaved ? 0 : channel]
            guard let base = buffer.mData else { return nil }
            channelPointers[channel] = format.isInterleaved ? base + channel * sampleBytes : base
        }
    }

    deinit { channelPointers.deallocate() }

    /// How many frames are valid: 0 … `frameCapacity`.
    public var frameLength: AVAudioFrameCount = 0 {
        didSet {
            precondition(frameLength <= frameCapacity, "a frame length of \(frameLength) is over \(frameCapacity)")
            for index in list.indices { list[index].mDataByteSize = frameLength * bytesPerFrame }
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

    private func channels<Sample>(
        of common: AVAudioCommonFormat,
        as: Sample.Type
    ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == common else { return nil }
        return UnsafeRawPointer(channelPointers).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }
}
