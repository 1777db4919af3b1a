// The structures of Core Media, laid out as on Apple's systems.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SYRINX_MEDIA_OPTIONS __attribute__((flag_enum, enum_extensibility(open)))
#define SYRINX_MEDIA_ENUM __attribute__((enum_extensibility(open)))
#define SYRINX_MEDIA_NAME(name) __attribute__((swift_name(name)))

typedef int64_t CMTimeValue;
typedef int32_t CMTimeScale;
typedef int64_t CMTimeEpoch;

#pragma pack(push, 4)

typedef enum SYRINX_MEDIA_OPTIONS CMTimeFlags : uint32_t {
    kCMTimeFlags_Valid SYRINX_MEDIA_NAME("valid") = 1u << 0,
    kCMTimeFlags_HasBeenRounded SYRINX_MEDIA_NAME("hasBeenRounded") = 1u << 1,
    kCMTimeFlags_PositiveInfinity SYRINX_MEDIA_NAME("positiveInfinity") = 1u << 2,
    kCMTimeFlags_NegativeInfinity SYRINX_MEDIA_NAME("negativeInfinity") = 1u << 3,
    kCMTimeFlags_Indefinite SYRINX_MEDIA_NAME("indefinite") = 1u << 4,
    kCMTimeFlags_ImpliedValueFlagsMask SYRINX_MEDIA_NAME("impliedValueFlagsMask") = 7u << 2
} CMTimeFlags;

// `value / timescale` seconds.
typedef struct CMTime {
    CMTimeValue value;
    CMTimeScale timescale;
    CMTimeFlags flags;
    CMTimeEpoch epoch;
} CMTime;

typedef struct CMTimeRange {
    CMTime start;
    CMTime duration;
} CMTimeRange;

typedef struct CMTimeMapping {
    CMTimeRange source;
    CMTimeRange target;
} CMTimeMapping;

typedef struct CMSampleTimingInfo {
    CMTime duration;
    CMTime presentationTimeStamp;
    CMTime decodeTimeStamp;
} CMSampleTimingInfo;

#pragma pack(pop)

typedef enum SYRINX_MEDIA_ENUM CMTimeRoundingMethod : uint32_t {
    kCMTimeRoundingMethod_RoundHalfAwayFromZero SYRINX_MEDIA_NAME("roundHalfAwayFromZero") = 1,
    kCMTimeRoundingMethod_RoundTowardZero SYRINX_MEDIA_NAME("roundTowardZero") = 2,
    kCMTimeRoundingMethod_RoundAwayFromZero SYRINX_MEDIA_NAME("roundAwayFromZero") = 3,
    kCMTimeRoundingMethod_QuickTime SYRINX_MEDIA_NAME("quickTime") = 4,
    kCMTimeRoundingMethod_RoundTowardPositiveInfinity SYRINX_MEDIA_NAME("roundTowardPositiveInfinity") = 5,
    kCMTimeRoundingMethod_RoundTowardNegativeInfinity SYRINX_MEDIA_NAME("roundTowardNegativeInfinity") = 6,
    kCMTimeRoundingMethod_Default SYRINX_MEDIA_NAME("default") = 1
} CMTimeRoundingMethod;

typedef struct CMVideoDimensions {
    int32_t width;
    int32_t height;
} CMVideoDimensions;

typedef struct CMBlockBufferCustomBlockSource {
    uint32_t version;
    void *_Nullable (*_Nullable AllocateBlock)(void *_Nullable refCon, size_t sizeInBytes);
    void (*_Nullable FreeBlock)(void *_Nullable refCon, void *_Nonnull doomedMemoryBlock, size_t sizeInBytes);
    void *_Nullable refCon;
} CMBlockBufferCustomBlockSource;
