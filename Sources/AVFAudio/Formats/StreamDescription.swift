import CoreAudioTypes

extension AudioStreamBasicDescription {
    /// Uncompressed samples of a format with a name.
    init(
        _ common: AVAudioCommonFormat,
        _ sampleRate: Double,
        _ channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        let isFloat = common == .pcmFormatFloat32 || common == .pcmFormatFloat64
        let bytes = common.bytesPerSample * (interleaved ? channels : 1)
        var flags = (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
        if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        self.init(
            mSampleRate: sampleRate,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: flags,
            mBytesPerPacket: bytes,
            mFramesPerPacket: 1,
            mBytesPerFrame: bytes,
            mChannelsPerFrame: channels,
            mBitsPerChannel: common.bytesPerSample * 8,
            mReserved: 0
        )
    }

    /// The name of the sample format, if it has one.
    var commonFormat: AVAudioCommonFormat {
        guard mFormatID == kAudioFormatLinearPCM, mFormatFlags & kAudioFormatFlagIsBigEndian == 0, fillsItsBytes else {
            return .otherFormat
        }
        let isFloat = mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isSigned = mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        return switch (mBitsPerChannel, isFloat, isSigned) {
        case (32, true, _): .pcmFormatFloat32
        case (64, true, _): .pcmFormatFloat64
        case (16, false, true): .pcmFormatInt16
        case (32, false, true): .pcmFormatInt32
        default: .otherFormat
        }
    }

    /// Whether every bit of a sample is used, regardless of the packing flags.
    private var fillsItsBytes: Bool {
        let isSplit = mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        let samples = isSplit ? 1 : max(mChannelsPerFrame, 1)
        return UInt64(mBytesPerFrame) * 8 == UInt64(mBitsPerChannel) * UInt64(samples)
    }

    /// The fields of a description that distinguish formats.
    struct Meaning: Hashable {
        let sampleRate: Double
        let formatID: AudioFormatID
        let flags: AudioFormatFlags
        let counts: [UInt32]
    }

    var meaning: Meaning {
        var flags = mFormatFlags & ~kAudioFormatFlagsAreAllClear
        if mFormatID == kAudioFormatLinearPCM {
            if mChannelsPerFrame == 1 { flags &= ~kAudioFormatFlagIsNonInterleaved }
            if fillsItsBytes { flags = flags & ~kAudioFormatFlagIsAlignedHigh | kAudioFormatFlagIsPacked }
            if flags & kAudioFormatFlagIsFloat != 0 { flags &= ~kAudioFormatFlagIsSignedInteger }
        }
        return Meaning(
            sampleRate: mSampleRate,
            formatID: mFormatID,
            flags: flags,
            counts: [mBytesPerPacket, mFramesPerPacket, mBytesPerFrame, mChannelsPerFrame, mBitsPerChannel]
        )
    }
}
