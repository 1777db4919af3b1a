#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include "versions.h"

// Macros with arguments or casts, which Swift does not import.
static inline int syrinx_error_eof(void) { return AVERROR_EOF; }
static inline int syrinx_error_external(void) { return AVERROR_EXTERNAL; }
static inline int syrinx_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int syrinx_error_again(void) { return AVERROR(EAGAIN); }
static inline int syrinx_error_out_of_memory(void) { return AVERROR(ENOMEM); }
static inline int syrinx_error_unsupported(void) { return AVERROR(ENOSYS); }
static inline int64_t syrinx_no_timestamp(void) { return AV_NOPTS_VALUE; }
