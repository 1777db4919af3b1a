// The differences between FFmpeg 5.1 and 7.1. No other file depends on a version of FFmpeg. Each function calls the newest
// interface that the installed version has, so that no call is deprecated in any of them. Versions are from FFmpeg's doc/APIchanges.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

/// Returns the duration of a decoded frame, in the time base of its stream; 0 if it is unknown.
static inline int64_t syrinx_frame_duration(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)  // FFmpeg 6.0
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// Returns whether a decoded frame is a key frame.
static inline int syrinx_frame_is_key(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)  // FFmpeg 6.1
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

/// Returns the side data of a stream, and stores its size in bytes; null if the stream has no side data of this type.
///
/// The pointer is valid as long as the stream.
static inline const uint8_t *_Nullable syrinx_stream_side_data(
    const AVStream *_Nonnull stream, enum AVPacketSideDataType type, size_t *_Nonnull size
) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)  // FFmpeg 6.1
    const AVCodecParameters *parameters = stream->codecpar;
    const AVPacketSideData *found = av_packet_side_data_get(parameters->coded_side_data, parameters->nb_coded_side_data, type);
    *size = found ? found->size : 0;
    return found ? found->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

/// Returns the sample rates of an encoder in Hz, ended by a 0; null if the encoder takes any rate.
///
/// The pointer is valid for the life of the process.
static inline const int *_Nullable syrinx_sample_rates(const AVCodec *_Nonnull codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)  // FFmpeg 7.1
    const void *rates = NULL;
    if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, &rates, NULL) < 0) return NULL;
    return (const int *)rates;
#else
    return codec->supported_samplerates;
#endif
}
