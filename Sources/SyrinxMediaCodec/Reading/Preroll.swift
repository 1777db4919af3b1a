internal import CSyrinxFFmpeg
internal import SyrinxByteStream

// How much of a stream has to be decoded before what comes out is what comes out from the start, to the bit.
extension PacketSource {
    /// Packets that a decoder of this stream needs before its output is right.
    var prerollPackets: Int64 {
        guard let parameters = firstParameters else { return 0 }
        switch parameters.pointee.codec_id {
        // Layer 3 borrows bits from up to 511 bytes back (255 at the lower rates), where frames may be as small as 24.
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU: return timing.framesPerPacket == 576 ? 26 : 12
        case AV_CODEC_ID_AAC: return 4
        default: return 2
        }
    }

    /// Frames that a decoder of this stream needs before its output is right.
    var prerollFrames: Int64 {
        guard let parameters = firstParameters,
            let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id)
        else { return 0 }
        guard descriptor.pointee.props & AV_CODEC_PROP_LOSSY != 0 else { return 0 }
        switch parameters.pointee.codec_id {
        // Its filters and its predictors forget in 80 ms (RFC 7845 section 4.6) to the ear, and later to the bit.
        case AV_CODEC_ID_OPUS: return timing.sampleRate / 2
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU: return 12 * 1152
        // Its transforms overlap by one packet; a second one for an encoder's sake. What is HE-AAC, of 2,048 frames a packet,
        // or may be without saying so, as only low rates are, has filters that remember longer.
        case AV_CODEC_ID_AAC
        where parameters.pointee.profile == FF_PROFILE_AAC_LOW && timing.sampleRate > 24_000
            && timing.framesPerPacket == 1024:
            return 2 * 1024
        default: return isPCM(parameters.pointee.codec_id) ? 0 : 8192
        }
    }

    /// The number of packets before another that a decoder needs.
    ///
    /// A seek of this demultiplexer starts that much earlier.
    var rollDistance: Int64 {
        if timing.method == .counted { return prerollPackets }
        guard timing.framesPerPacket > 0 else { return prerollFrames > 0 ? 2 : 0 }
        return prerollFrames.dividedRoundingUp(by: timing.framesPerPacket)
    }

    /// The MPEG-4 audio object type of USAC, less 1, as libavcodec numbers profiles of AAC; 5.1 has no name for it.
    private static var profileUSAC: Int32 { 41 }

    /// Whether decoding may begin with any packet; of TrueHD and MLP it may not.
    var canBeginAnywhere: Bool {
        guard let parameters = firstParameters,
            let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id)
        else { return true }
        // libavcodec 61 (FFmpeg 7.1) excepts all AAC because of one profile, USAC.
        if parameters.pointee.codec_id == AV_CODEC_ID_AAC { return parameters.pointee.profile != Self.profileUSAC }
        return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }
}
