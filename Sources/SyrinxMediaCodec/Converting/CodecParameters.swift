internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import SyrinxByteStream

/// FFmpeg's codec parameters, created from Core Audio's description of a compressed format.
///
/// The object owns the parameters.
final class CodecParameters {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    /// - Parameters:
    ///   - description: The compressed format.
    ///   - cookie: Further decoder configuration, as returned by `MediaDemuxer.magicCookie` or written by Apple's
    ///     tools.
    /// - Throws: `.unsupported` if the codec is unknown.
    init(_ description: AudioStreamBasicDescription, cookie: [UInt8]) throws(SyrinxError) {
        guard let codec = Self.codec(description.mFormatID), let parameters = avcodec_parameters_alloc() else {
            let message = "Its format \(description.mFormatID) is not a known codec."
            throw SyrinxError(.unsupported, message, name: "converter")
        }
        pointer = parameters
        parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.pointee.codec_id = codec
        parameters.pointee.sample_rate = Int32(exactly: description.mSampleRate.rounded()) ?? 0
        parameters.pointee.block_align = Int32(clamping: description.mBytesPerPacket)
        parameters.pointee.bits_per_coded_sample = Int32(clamping: description.mBitsPerChannel)
        av_channel_layout_default(&parameters.pointee.ch_layout, Int32(clamping: description.mChannelsPerFrame))
        let extra = Self.extradata(cookie, codec)
        guard !extra.isEmpty else { return }
        guard extra.count <= Self.longestExtradata else {
            throw SyrinxError(.unsupported, "Its magic cookie has \(extra.count) bytes.", name: "converter")
        }
        guard let memory = av_mallocz(extra.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw SyrinxError.outOfMemory("converter")
        }
        extra.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(extra.count)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
        avcodec_parameters_free(&pointer)
    }

    /// The maximum size of the decoder configuration, in bytes; FFmpeg's own limit is 256 MiB.
    private static let longestExtradata = 1 << 28

    private static func codec(_ format: AudioFormatID) -> AVCodecID? {
        switch format {
        case kAudioFormatMPEGLayer1: AV_CODEC_ID_MP1
        case kAudioFormatMPEGLayer2: AV_CODEC_ID_MP2
        case kAudioFormatMPEGLayer3: AV_CODEC_ID_MP3
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: AV_CODEC_ID_AAC
        case kAudioFormatAppleLossless: AV_CODEC_ID_ALAC
        case kAudioFormatFLAC: AV_CODEC_ID_FLAC
        case kAudioFormatOpus: AV_CODEC_ID_OPUS
        case kAudioFormatAC3: AV_CODEC_ID_AC3
        case kAudioFormatAMR: AV_CODEC_ID_AMR_NB
        case kAudioFormatULaw: AV_CODEC_ID_PCM_MULAW
        case kAudioFormatALaw: AV_CODEC_ID_PCM_ALAW
        case 0x766F_7262: AV_CODEC_ID_VORBIS
        default: nil
        }
    }

    /// Returns the part of a magic cookie that the decoder uses.
    ///
    /// The cookie of AAC is the MP4 descriptor; the decoder uses only its descriptor with tag 5.
    private static func extradata(_ cookie: [UInt8], _ codec: AVCodecID) -> [UInt8] {
        guard codec == AV_CODEC_ID_AAC, cookie.first == 3 || cookie.starts(with: [0, 0, 0, 0, 3]) else { return cookie }
        var rest = cookie.dropFirst(cookie.first == 3 ? 0 : 4)
        while let tag = rest.popFirst() {
            let size = descriptorSize(&rest)
            switch tag {
            case 3: rest = rest.dropFirst(3)
            case 4: rest = rest.dropFirst(13)
            case 5: return Array(rest.prefix(size))
            default: rest = rest.dropFirst(size)
            }
        }
        return []
    }

    /// Removes a descriptor's length, which has seven bits per byte, from the front of `bytes`, and returns it.
    ///
    /// Returns the largest integer for a length that does not fit, which is beyond the end of the data in any case.
    private static func descriptorSize(_ bytes: inout ArraySlice<UInt8>) -> Int {
        var size = 0
        while let byte = bytes.popFirst() {
            size = size.multipliedClamped(by: 128).addingClamped(Int(byte & 127))
            if byte < 128 { break }
        }
        return size
    }
}
