internal import CSyrinxFFmpeg
internal import SyrinxByteStream

// The amount of audio to decode before a position, so that the output is bit-identical to decoding from the start.
extension PacketSource {
    /// The number of packets to decode before the output is correct.
    var prerollPackets: Int64 {
        guard let parameters = firstParameters else { return 0 }
        switch parameters.pointee.codec_id {
        // Layer 3 uses bits of up to 511 preceding bytes (255 at lower rates), and frames may have only 24 bytes.
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU: return timing.framesPerPacket == 576 ? 26 : 12
        case AV_CODEC_ID_AAC: return 4
        default: return 2
        }
    }

    /// The number of frames to decode before the output is correct.
    var prerollFrames: Int64 {
        guard let parameters = firstParameters,
            let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id)
        else { return 0 }
        guard descriptor.pointee.props & AV_CODEC_PROP_LOSSY != 0 else { return 0 }
        switch parameters.pointee.codec_id {
        // The decoder converges within 80 ms (RFC 7845, section 4.6), but becomes bit-identical later.
        case AV_CODEC_ID_OPUS: return timing.sampleRate / 2
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU: return 12 * 1152
        // Transforms overlap by one packet; a second packet is for safety. HE-AAC has 2,048 frames per packet and
        // filters with a longer memory. At low rates a stream may be HE-AAC without stating it.
        case AV_CODEC_ID_AAC
        where parameters.pointee.profile == FF_PROFILE_AAC_LOW && timing.sampleRate > 24_000
            && timing.framesPerPacket == 1024:
            return 2 * 1024
        default: return isPCM(parameters.pointee.codec_id) ? 0 : 8192
        }
    }

    /// The number of preceding packets that a decoder needs before its output is correct.
    ///
    /// A seek starts earlier by this number of packets.
    var rollDistance: Int64 {
        if timing.method == .counted { return prerollPackets }
        guard timing.framesPerPacket > 0 else { return prerollFrames > 0 ? 2 : 0 }
        return prerollFrames.dividedRoundingUp(by: timing.framesPerPacket)
    }

    /// libavcodec's number of the USAC profile, which is the MPEG-4 audio object type minus 1; FFmpeg 5.1 has no name
    /// for it.
    private static var profileUSAC: Int32 { 41 }

    /// Whether decoding can start at any packet; false for TrueHD and MLP.
    var canBeginAnywhere: Bool {
        guard let parameters = firstParameters,
            let descriptor = avcodec_descriptor_get(parameters.pointee.codec_id)
        else { return true }
        // libavcodec 61 (FFmpeg 7.1) excludes all of AAC because of one profile, USAC.
        if parameters.pointee.codec_id == AV_CODEC_ID_AAC { return parameters.pointee.profile != Self.profileUSAC }
        return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }
}
