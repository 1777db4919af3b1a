// The handles, options and callbacks of the procedural API, which have to be C's for C callbacks to take them.
#pragma once

typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFileStreamPropertyID;
typedef UInt32 AudioConverterPropertyID;
typedef UInt32 ExtAudioFilePropertyID;
typedef UInt32 AudioFilePropertyID;
typedef UInt32 AudioFormatPropertyID;

typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;
typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef struct OpaqueAudioFileID *AudioFileID;

typedef enum __attribute__((enum_extensibility(open))) AudioFilePermissions : int8_t {
    kAudioFileReadPermission SYRINX_NAME("readPermission") = 1,
    kAudioFileWritePermission SYRINX_NAME("writePermission") = 2,
    kAudioFileReadWritePermission SYRINX_NAME("readWritePermission") = 3
} AudioFilePermissions;

typedef enum SYRINX_OPTIONS AudioFileFlags : UInt32 {
    kAudioFileFlags_EraseFile SYRINX_NAME("eraseFile") = 1u << 0,
    kAudioFileFlags_DontPageAlignAudioData SYRINX_NAME("dontPageAlignAudioData") = 1u << 1
} AudioFileFlags;

typedef OSStatus (*AudioFile_ReadProc)(
    void *_Nonnull inClientData,
    SInt64 inPosition,
    UInt32 requestCount,
    void *_Nonnull buffer,
    UInt32 *_Nonnull actualCount);

typedef OSStatus (*AudioFile_WriteProc)(
    void *_Nonnull inClientData,
    SInt64 inPosition,
    UInt32 requestCount,
    const void *_Nonnull buffer,
    UInt32 *_Nonnull actualCount);

typedef SInt64 (*AudioFile_GetSizeProc)(void *_Nonnull inClientData);

typedef OSStatus (*AudioFile_SetSizeProc)(void *_Nonnull inClientData, SInt64 inSize);

typedef enum SYRINX_OPTIONS AudioFileStreamPropertyFlags : UInt32 {
    kAudioFileStreamPropertyFlag_PropertyIsCached SYRINX_NAME("propertyIsCached") = 1u << 0,
    kAudioFileStreamPropertyFlag_CacheProperty SYRINX_NAME("cacheProperty") = 1u << 1
} AudioFileStreamPropertyFlags;

typedef enum SYRINX_OPTIONS AudioFileStreamParseFlags : UInt32 {
    kAudioFileStreamParseFlag_Discontinuity SYRINX_NAME("discontinuity") = 1u << 0
} AudioFileStreamParseFlags;

typedef enum SYRINX_OPTIONS AudioFileStreamSeekFlags : UInt32 {
    kAudioFileStreamSeekFlag_OffsetIsEstimated SYRINX_NAME("offsetIsEstimated") = 1u << 0
} AudioFileStreamSeekFlags;

typedef enum SYRINX_OPTIONS AudioBytePacketTranslationFlags : UInt32 {
    kBytePacketTranslationFlag_IsEstimate SYRINX_NAME("bytePacketTranslationFlag_IsEstimate") = 1u << 0
} AudioBytePacketTranslationFlags;

typedef void (*AudioFileStream_PropertyListenerProc)(
    void *_Nonnull inClientData,
    AudioFileStreamID _Nonnull inAudioFileStream,
    AudioFileStreamPropertyID inPropertyID,
    AudioFileStreamPropertyFlags *_Nonnull ioFlags);

typedef void (*AudioFileStream_PacketsProc)(
    void *_Nonnull inClientData,
    UInt32 inNumberBytes,
    UInt32 inNumberPackets,
    const void *_Nonnull inInputData,
    AudioStreamPacketDescription *_Nullable inPacketDescriptions);

typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef _Nonnull inAudioConverter,
    UInt32 *_Nonnull ioNumberDataPackets,
    AudioBufferList *_Nonnull ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription,
    void *_Nullable inUserData);

typedef struct AudioClassDescription {
    OSType mType;
    OSType mSubType;
    OSType mManufacturer;
} AudioClassDescription;

typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames;
    SInt32 mPrimingFrames;
    SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;
    SInt64 mPacket;
    UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef struct AudioBytePacketTranslation {
    SInt64 mByte;
    SInt64 mPacket;
    UInt32 mByteOffsetInPacket;
    AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

typedef struct AudioPacketRollDistanceTranslation {
    SInt64 mPacket;
    SInt64 mRollDistance;
} AudioPacketRollDistanceTranslation;

typedef struct AudioIndependentPacketTranslation {
    SInt64 mPacket;
    SInt64 mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

typedef struct AudioPacketDependencyInfoTranslation {
    SInt64 mPacket;
    UInt32 mIsIndependentlyDecodable;
    UInt32 mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

typedef struct AudioFormatListItem {
    AudioStreamBasicDescription mASBD;
    AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

typedef struct AudioConverterPrimeInfo {
    UInt32 leadingFrames;
    UInt32 trailingFrames;
} AudioConverterPrimeInfo;
