internal import CoreAudioTypes
internal import SyrinxMediaCodec

/// The object behind an `ExtAudioFileRef`: a file that is read or written in a client's format.
final class ExtendedAudioFile {
    enum Side {
        case reading(ExtendedReader)
        case writing(ExtendedWriter)
    }

    let side: Side

    init(_ side: Side) { self.side = side }

    /// The format in the file.
    var format: AudioStreamBasicDescription {
        switch side {
        case .reading(let reader): reader.reader.info.streamDescription
        case .writing(let writer): writer.format
        }
    }

    /// The client's format; `nil` if the client has set none and the file is compressed.
    var client: AudioStreamBasicDescription? {
        switch side {
        case .reading(let reader): reader.client
        case .writing(let writer): writer.client
        }
    }

    /// Frames at the file's own rate.
    var length: Int64 {
        switch side {
        case .reading(let reader): reader.length
        case .writing(let writer): writer.position
        }
    }

    /// The frame that is read or written next, at the file's own rate.
    var position: Int64 {
        switch side {
        case .reading(let reader): reader.position
        case .writing(let writer): writer.position
        }
    }
}

extension AudioStreamBasicDescription {
    /// 32-bit float, one buffer a channel.
    static func planarFloat(rate: Double, channelCount: UInt32) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: rate,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: channelCount,
            mBitsPerChannel: 32,
            mReserved: 0
        )
    }

    /// Returns whether the buffers contain `frameCount` frames of this uncompressed format.
    func fits(_ list: UnsafeMutableAudioBufferListPointer, _ frameCount: Int) -> Bool {
        let isSplit = mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        let size = Int(mBytesPerFrame)
        return size > 0 && list.count == (isSplit ? Int(mChannelsPerFrame) : 1)
            && list.allSatisfy { $0.mData != nil && Int($0.mDataByteSize) / size >= frameCount }
    }
}
