internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import SyrinxByteStream

/// Whether a codec is uncompressed PCM.
func isPCM(_ codec: AVCodecID) -> Bool {
    String(cString: avcodec_get_name(codec)).hasPrefix("pcm_")
}

/// Creates Core Audio's description of a compressed stream.
enum StreamDescription {
    static func of(
        _ parameters: UnsafePointer<AVCodecParameters>,
        framesPerPacket: Int64
    ) -> AudioStreamBasicDescription {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = Double(parameters.pointee.sample_rate)
        description.mChannelsPerFrame = UInt32(clamping: parameters.pointee.ch_layout.nb_channels)
        description.mFormatID = formatID(parameters.pointee.codec_id, profile: parameters.pointee.profile)
        if description.mFormatID == kAudioFormatLinearPCM {
            describePCM(parameters, &description)
        } else if let fixed = UInt32(exactly: framesPerPacket > 0 ? framesPerPacket : blockSize(parameters)) {
            description.mFramesPerPacket = fixed
        }
        return description
    }

    /// Returns the bits per sample of a lossless codec; `nil` for float samples and lossy codecs.
    static func bitDepth(of parameters: UnsafePointer<AVCodecParameters>) -> Int? {
        let codec = parameters.pointee.codec_id
        guard let properties = avcodec_descriptor_get(codec)?.pointee.props,
            properties & AV_CODEC_PROP_LOSSLESS != 0, codec != AV_CODEC_ID_DTS
        else { return nil }
        let bits: Int32? =
            switch av_get_packed_sample_fmt(AVSampleFormat(parameters.pointee.format)) {
            case AV_SAMPLE_FMT_U8: 8
            case AV_SAMPLE_FMT_S16: 16
            case AV_SAMPLE_FMT_S32: 32
            default: nil
            }
        guard let bits else { return nil }
        let stated = [
            parameters.pointee.bits_per_raw_sample, isPCM(codec) ? av_get_bits_per_sample(codec) : 0,
        ].first { (1...bits).contains($0) }
        return Int(stated ?? bits)
    }

    /// Returns the number of frames per packet that the codec's header states; 0 if it states none, or if packets
    /// differ.
    ///
    /// The last packet of a file may contain fewer frames, as in Apple's descriptions of these codecs.
    private static func blockSize(_ parameters: UnsafePointer<AVCodecParameters>) -> Int64 {
        guard let extra = parameters.pointee.extradata, parameters.pointee.extradata_size > 0 else { return 0 }
        let header = [UInt8](UnsafeBufferPointer(start: extra, count: Int(parameters.pointee.extradata_size)))
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_FLAC:
            guard let sizes = FLACStreamInfo(header)?.blockSizes, sizes.count == 1 else { return 0 }
            return Int64(sizes.upperBound)
        case AV_CODEC_ID_ALAC:
            // The block size follows the size, the name and the version of the atom.
            guard header.count >= 16 else { return 0 }
            return header[12..<16].reduce(0) { $0 << 8 | Int64($1) }
        default: return 0
        }
    }

    private static func formatID(_ codec: AVCodecID, profile: Int32) -> AudioFormatID {
        switch codec {
        case AV_CODEC_ID_MP1: return kAudioFormatMPEGLayer1
        case AV_CODEC_ID_MP2: return kAudioFormatMPEGLayer2
        case AV_CODEC_ID_MP3: return kAudioFormatMPEGLayer3
        case AV_CODEC_ID_AAC where profile == FF_PROFILE_AAC_HE: return kAudioFormatMPEG4AAC_HE
        case AV_CODEC_ID_AAC where profile == FF_PROFILE_AAC_HE_V2: return kAudioFormatMPEG4AAC_HE_V2
        case AV_CODEC_ID_AAC: return kAudioFormatMPEG4AAC
        case AV_CODEC_ID_AC3: return kAudioFormatAC3
        case AV_CODEC_ID_ALAC: return kAudioFormatAppleLossless
        case AV_CODEC_ID_FLAC: return kAudioFormatFLAC
        case AV_CODEC_ID_OPUS: return kAudioFormatOpus
        case AV_CODEC_ID_AMR_NB: return kAudioFormatAMR
        case AV_CODEC_ID_PCM_MULAW: return kAudioFormatULaw
        case AV_CODEC_ID_PCM_ALAW: return kAudioFormatALaw
        case AV_CODEC_ID_VORBIS: return code("vorb")
        default:
            return isPCM(codec) ? kAudioFormatLinearPCM : code(String(cString: avcodec_get_name(codec)))
        }
    }

    /// Returns the first four letters of a codec's name, for codecs without an Apple identifier.
    private static func code(_ name: String) -> AudioFormatID {
        (Array(name.utf8.prefix(4)) + [0x20, 0x20, 0x20, 0x20]).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func describePCM(
        _ parameters: UnsafePointer<AVCodecParameters>,
        _ description: inout AudioStreamBasicDescription
    ) {
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        let bits = UInt32(max(av_get_bits_per_sample(parameters.pointee.codec_id), 0))
        var flags = kAudioFormatFlagIsPacked
        if name.hasPrefix("pcm_f") { flags |= kAudioFormatFlagIsFloat }
        if name.hasPrefix("pcm_s") { flags |= kAudioFormatFlagIsSignedInteger }
        if name.hasSuffix("be") { flags |= kAudioFormatFlagIsBigEndian }
        description.mFormatFlags = flags
        description.mBitsPerChannel = bits
        description.mBytesPerFrame = (bits / 8).multipliedClamped(by: description.mChannelsPerFrame)
        description.mBytesPerPacket = description.mBytesPerFrame
        description.mFramesPerPacket = 1
    }
}
