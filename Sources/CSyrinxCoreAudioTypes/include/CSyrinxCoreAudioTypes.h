// The memory layouts of Core Audio, as its public documentation gives them. Swift reads them through `CoreAudioTypes`.
#pragma once
#include <stdint.h>

typedef int32_t OSStatus;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef int16_t SInt16;
typedef uint8_t Boolean;
typedef uint32_t OSType;
typedef uint32_t FourCharCode;
typedef double Float64;
typedef float Float32;
typedef int64_t SInt64;
typedef uint64_t UInt64;

#define SYRINX_FOURCC(a, b, c, d) \
    (((uint32_t)(a) << 24) | ((uint32_t)(b) << 16) | ((uint32_t)(c) << 8) | (uint32_t)(d))

// What an enumeration of bits has to say for Swift to see an option set.
#define SYRINX_OPTIONS __attribute__((flag_enum, enum_extensibility(open)))
#define SYRINX_NAME(name) __attribute__((swift_name(name)))

// MARK: Stream formats

typedef UInt32 AudioFormatID;
typedef UInt32 AudioFormatFlags;

typedef struct AudioStreamBasicDescription {
    Float64 mSampleRate;
    AudioFormatID mFormatID;
    AudioFormatFlags mFormatFlags;
    UInt32 mBytesPerPacket;
    UInt32 mFramesPerPacket;
    UInt32 mBytesPerFrame;
    UInt32 mChannelsPerFrame;
    UInt32 mBitsPerChannel;
    UInt32 mReserved;
} AudioStreamBasicDescription;

typedef struct AudioStreamPacketDescription {
    SInt64 mStartOffset;
    UInt32 mVariableFramesInPacket;
    UInt32 mDataByteSize;
} AudioStreamPacketDescription;

static const AudioFormatID kAudioFormatLinearPCM = SYRINX_FOURCC('l', 'p', 'c', 'm');
static const AudioFormatID kAudioFormatAC3 = SYRINX_FOURCC('a', 'c', '-', '3');
static const AudioFormatID kAudioFormatMPEG4AAC = SYRINX_FOURCC('a', 'a', 'c', ' ');
static const AudioFormatID kAudioFormatMPEG4AAC_HE = SYRINX_FOURCC('a', 'a', 'c', 'h');
static const AudioFormatID kAudioFormatMPEG4AAC_HE_V2 = SYRINX_FOURCC('a', 'a', 'c', 'p');
static const AudioFormatID kAudioFormatMPEGLayer1 = SYRINX_FOURCC('.', 'm', 'p', '1');
static const AudioFormatID kAudioFormatMPEGLayer2 = SYRINX_FOURCC('.', 'm', 'p', '2');
static const AudioFormatID kAudioFormatMPEGLayer3 = SYRINX_FOURCC('.', 'm', 'p', '3');
static const AudioFormatID kAudioFormatAppleLossless = SYRINX_FOURCC('a', 'l', 'a', 'c');
static const AudioFormatID kAudioFormatFLAC = SYRINX_FOURCC('f', 'l', 'a', 'c');
static const AudioFormatID kAudioFormatOpus = SYRINX_FOURCC('o', 'p', 'u', 's');
static const AudioFormatID kAudioFormatAMR = SYRINX_FOURCC('s', 'a', 'm', 'r');
static const AudioFormatID kAudioFormatULaw = SYRINX_FOURCC('u', 'l', 'a', 'w');
static const AudioFormatID kAudioFormatALaw = SYRINX_FOURCC('a', 'l', 'a', 'w');
static const AudioFormatID kAudioFormat60958AC3 = SYRINX_FOURCC('c', 'a', 'c', '3');
static const AudioFormatID kAudioFormatEnhancedAC3 = SYRINX_FOURCC('e', 'c', '-', '3');
static const AudioFormatID kAudioFormatAES3 = SYRINX_FOURCC('a', 'e', 's', '3');
static const AudioFormatID kAudioFormatAppleIMA4 = SYRINX_FOURCC('i', 'm', 'a', '4');
static const AudioFormatID kAudioFormatMPEG4CELP = SYRINX_FOURCC('c', 'e', 'l', 'p');
static const AudioFormatID kAudioFormatMPEG4HVXC = SYRINX_FOURCC('h', 'v', 'x', 'c');
static const AudioFormatID kAudioFormatMPEG4TwinVQ = SYRINX_FOURCC('t', 'w', 'v', 'q');
static const AudioFormatID kAudioFormatMPEG4AAC_LD = SYRINX_FOURCC('a', 'a', 'c', 'l');
static const AudioFormatID kAudioFormatMPEG4AAC_ELD = SYRINX_FOURCC('a', 'a', 'c', 'e');
static const AudioFormatID kAudioFormatMPEG4AAC_ELD_SBR = SYRINX_FOURCC('a', 'a', 'c', 'f');
static const AudioFormatID kAudioFormatMPEG4AAC_ELD_V2 = SYRINX_FOURCC('a', 'a', 'c', 'g');
static const AudioFormatID kAudioFormatMPEG4AAC_Spatial = SYRINX_FOURCC('a', 'a', 'c', 's');
static const AudioFormatID kAudioFormatMPEGD_USAC = SYRINX_FOURCC('u', 's', 'a', 'c');
static const AudioFormatID kAudioFormatMACE3 = SYRINX_FOURCC('M', 'A', 'C', '3');
static const AudioFormatID kAudioFormatMACE6 = SYRINX_FOURCC('M', 'A', 'C', '6');
static const AudioFormatID kAudioFormatQDesign = SYRINX_FOURCC('Q', 'D', 'M', 'C');
static const AudioFormatID kAudioFormatQDesign2 = SYRINX_FOURCC('Q', 'D', 'M', '2');
static const AudioFormatID kAudioFormatQUALCOMM = SYRINX_FOURCC('Q', 'c', 'l', 'p');
static const AudioFormatID kAudioFormatTimeCode = SYRINX_FOURCC('t', 'i', 'm', 'e');
static const AudioFormatID kAudioFormatMIDIStream = SYRINX_FOURCC('m', 'i', 'd', 'i');
static const AudioFormatID kAudioFormatParameterValueStream = SYRINX_FOURCC('a', 'p', 'v', 's');
static const AudioFormatID kAudioFormatAMR_WB = SYRINX_FOURCC('s', 'a', 'w', 'b');
static const AudioFormatID kAudioFormatAudible = SYRINX_FOURCC('A', 'U', 'D', 'B');
static const AudioFormatID kAudioFormatiLBC = SYRINX_FOURCC('i', 'l', 'b', 'c');
static const AudioFormatID kAudioFormatDVIIntelIMA = 0x6D730011u;
static const AudioFormatID kAudioFormatMicrosoftGSM = 0x6D730031u;

static const AudioFormatFlags kAudioFormatFlagIsFloat = 1u << 0;
static const AudioFormatFlags kAudioFormatFlagIsBigEndian = 1u << 1;
static const AudioFormatFlags kAudioFormatFlagIsSignedInteger = 1u << 2;
static const AudioFormatFlags kAudioFormatFlagIsPacked = 1u << 3;
static const AudioFormatFlags kAudioFormatFlagIsAlignedHigh = 1u << 4;
static const AudioFormatFlags kAudioFormatFlagIsNonInterleaved = 1u << 5;
static const AudioFormatFlags kAudioFormatFlagIsNonMixable = 1u << 6;
static const AudioFormatFlags kAudioFormatFlagsAreAllClear = 1u << 31;
static const AudioFormatFlags kLinearPCMFormatFlagIsFloat = 1u << 0;
static const AudioFormatFlags kLinearPCMFormatFlagIsBigEndian = 1u << 1;
static const AudioFormatFlags kLinearPCMFormatFlagIsSignedInteger = 1u << 2;
static const AudioFormatFlags kLinearPCMFormatFlagIsPacked = 1u << 3;
static const AudioFormatFlags kLinearPCMFormatFlagIsAlignedHigh = 1u << 4;
static const AudioFormatFlags kLinearPCMFormatFlagIsNonInterleaved = 1u << 5;
static const AudioFormatFlags kLinearPCMFormatFlagIsNonMixable = 1u << 6;
static const AudioFormatFlags kLinearPCMFormatFlagsAreAllClear = 1u << 31;
static const AudioFormatFlags kAppleLosslessFormatFlag_16BitSourceData = 1;
static const AudioFormatFlags kAppleLosslessFormatFlag_20BitSourceData = 2;
static const AudioFormatFlags kAppleLosslessFormatFlag_24BitSourceData = 3;
static const AudioFormatFlags kAppleLosslessFormatFlag_32BitSourceData = 4;
static const AudioFormatFlags kAudioFormatFlagsNativeEndian = 0;
static const AudioFormatFlags kAudioFormatFlagsNativeFloatPacked = (1u << 0) | (1u << 3);

// MARK: Buffers

typedef struct AudioBuffer {
    UInt32 mNumberChannels;
    UInt32 mDataByteSize;
    void *_Nullable mData;
} AudioBuffer;

// `mBuffers` is really `mNumberBuffers` long.
typedef struct AudioBufferList {
    UInt32 mNumberBuffers;
    AudioBuffer mBuffers[1];
} AudioBufferList;

// MARK: Time

typedef enum SMPTETimeType : UInt32 {
    kSMPTETimeType24 = 0,
    kSMPTETimeType25 = 1,
    kSMPTETimeType30Drop = 2,
    kSMPTETimeType30 = 3,
    kSMPTETimeType2997 = 4,
    kSMPTETimeType2997Drop = 5,
    kSMPTETimeType60 = 6,
    kSMPTETimeType5994 = 7
} SMPTETimeType;

typedef enum SYRINX_OPTIONS SMPTETimeFlags : UInt32 {
    kSMPTETimeValid SYRINX_NAME("valid") = 1u << 0,
    kSMPTETimeRunning SYRINX_NAME("running") = 1u << 1
} SMPTETimeFlags;

typedef struct SMPTETime {
    SInt16 mSubframes;
    SInt16 mSubframeDivisor;
    UInt32 mCounter;
    SMPTETimeType mType;
    SMPTETimeFlags mFlags;
    SInt16 mHours;
    SInt16 mMinutes;
    SInt16 mSeconds;
    SInt16 mFrames;
} SMPTETime;

typedef enum SYRINX_OPTIONS AudioTimeStampFlags : UInt32 {
    kAudioTimeStampSampleTimeValid SYRINX_NAME("sampleTimeValid") = 1u << 0,
    kAudioTimeStampHostTimeValid SYRINX_NAME("hostTimeValid") = 1u << 1,
    kAudioTimeStampRateScalarValid SYRINX_NAME("rateScalarValid") = 1u << 2,
    kAudioTimeStampWordClockTimeValid SYRINX_NAME("wordClockTimeValid") = 1u << 3,
    kAudioTimeStampSMPTETimeValid SYRINX_NAME("smpteTimeValid") = 1u << 4
} AudioTimeStampFlags;

typedef struct AudioTimeStamp {
    Float64 mSampleTime;
    UInt64 mHostTime;
    Float64 mRateScalar;
    UInt64 mWordClockTime;
    SMPTETime mSMPTETime;
    AudioTimeStampFlags mFlags;
    UInt32 mReserved;
} AudioTimeStamp;

// MARK: Channel layouts

typedef UInt32 AudioChannelLabel;
typedef UInt32 AudioChannelLayoutTag;

typedef enum SYRINX_OPTIONS AudioChannelBitmap : UInt32 {
    kAudioChannelBit_Left SYRINX_NAME("bit_Left") = 1u << 0,
    kAudioChannelBit_Right SYRINX_NAME("bit_Right") = 1u << 1,
    kAudioChannelBit_Center SYRINX_NAME("bit_Center") = 1u << 2,
    kAudioChannelBit_LFEScreen SYRINX_NAME("bit_LFEScreen") = 1u << 3,
    kAudioChannelBit_LeftSurround SYRINX_NAME("bit_LeftSurround") = 1u << 4,
    kAudioChannelBit_RightSurround SYRINX_NAME("bit_RightSurround") = 1u << 5,
    kAudioChannelBit_LeftCenter SYRINX_NAME("bit_LeftCenter") = 1u << 6,
    kAudioChannelBit_RightCenter SYRINX_NAME("bit_RightCenter") = 1u << 7,
    kAudioChannelBit_CenterSurround SYRINX_NAME("bit_CenterSurround") = 1u << 8,
    kAudioChannelBit_LeftSurroundDirect SYRINX_NAME("bit_LeftSurroundDirect") = 1u << 9,
    kAudioChannelBit_RightSurroundDirect SYRINX_NAME("bit_RightSurroundDirect") = 1u << 10,
    kAudioChannelBit_TopCenterSurround SYRINX_NAME("bit_TopCenterSurround") = 1u << 11,
    kAudioChannelBit_VerticalHeightLeft SYRINX_NAME("bit_VerticalHeightLeft") = 1u << 12,
    kAudioChannelBit_VerticalHeightCenter SYRINX_NAME("bit_VerticalHeightCenter") = 1u << 13,
    kAudioChannelBit_VerticalHeightRight SYRINX_NAME("bit_VerticalHeightRight") = 1u << 14,
    kAudioChannelBit_TopBackLeft SYRINX_NAME("bit_TopBackLeft") = 1u << 15,
    kAudioChannelBit_TopBackCenter SYRINX_NAME("bit_TopBackCenter") = 1u << 16,
    kAudioChannelBit_TopBackRight SYRINX_NAME("bit_TopBackRight") = 1u << 17,
    kAudioChannelBit_LeftTopFront SYRINX_NAME("bit_LeftTopFront") = 1u << 12,
    kAudioChannelBit_CenterTopFront SYRINX_NAME("bit_CenterTopFront") = 1u << 13,
    kAudioChannelBit_RightTopFront SYRINX_NAME("bit_RightTopFront") = 1u << 14,
    kAudioChannelBit_LeftTopMiddle SYRINX_NAME("bit_LeftTopMiddle") = 1u << 21,
    kAudioChannelBit_CenterTopMiddle SYRINX_NAME("bit_CenterTopMiddle") = 1u << 11,
    kAudioChannelBit_RightTopMiddle SYRINX_NAME("bit_RightTopMiddle") = 1u << 23,
    kAudioChannelBit_LeftTopRear SYRINX_NAME("bit_LeftTopRear") = 1u << 24,
    kAudioChannelBit_CenterTopRear SYRINX_NAME("bit_CenterTopRear") = 1u << 25,
    kAudioChannelBit_RightTopRear SYRINX_NAME("bit_RightTopRear") = 1u << 26
} AudioChannelBitmap;

typedef enum SYRINX_OPTIONS AudioChannelFlags : UInt32 {
    kAudioChannelFlags_RectangularCoordinates SYRINX_NAME("rectangularCoordinates") = 1u << 0,
    kAudioChannelFlags_SphericalCoordinates SYRINX_NAME("sphericalCoordinates") = 1u << 1,
    kAudioChannelFlags_Meters SYRINX_NAME("meters") = 1u << 2
} AudioChannelFlags;

typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel;
    AudioChannelFlags mChannelFlags;
    Float32 mCoordinates[3];
} AudioChannelDescription;

// `mChannelDescriptions` is really `mNumberChannelDescriptions` long.
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;
    AudioChannelBitmap mChannelBitmap;
    UInt32 mNumberChannelDescriptions;
    AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;

typedef enum __attribute__((enum_extensibility(open))) AudioChannelCoordinateIndex : UInt32 {
    kAudioChannelCoordinates_LeftRight = 0,
    kAudioChannelCoordinates_BackFront = 1,
    kAudioChannelCoordinates_DownUp = 2,
    kAudioChannelCoordinates_Azimuth = 0,
    kAudioChannelCoordinates_Elevation = 1,
    kAudioChannelCoordinates_Distance = 2
} AudioChannelCoordinateIndex;

#include "AudioChannelNames.h"
#include "AudioComponents.h"
#include "AudioUnitTypes.h"
#include "ReverbParameters.h"
#include "HostTime.h"
#include "AudioToolboxTypes.h"
#include "MusicPlayerTypes.h"
#include "UnfairLock.h"
