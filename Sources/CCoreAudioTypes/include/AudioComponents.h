// How Core Audio names its units. Included by CCoreAudioTypes.h.
#pragma once

typedef struct AudioComponentDescription {
    OSType componentType;
    OSType componentSubType;
    OSType componentManufacturer;
    UInt32 componentFlags;
    UInt32 componentFlagsMask;
} AudioComponentDescription;

typedef enum SYRINX_OPTIONS AudioComponentInstantiationOptions : UInt32 {
    kAudioComponentInstantiation_LoadOutOfProcess SYRINX_NAME("loadOutOfProcess") = 1u << 0,
    kAudioComponentInstantiation_LoadInProcess SYRINX_NAME("loadInProcess") = 1u << 1
} AudioComponentInstantiationOptions;

static const OSType kAudioUnitManufacturer_Apple = SYRINX_FOURCC('a', 'p', 'p', 'l');

static const OSType kAudioUnitType_Output = SYRINX_FOURCC('a', 'u', 'o', 'u');
static const OSType kAudioUnitType_MusicDevice = SYRINX_FOURCC('a', 'u', 'm', 'u');
static const OSType kAudioUnitType_MusicEffect = SYRINX_FOURCC('a', 'u', 'm', 'f');
static const OSType kAudioUnitType_FormatConverter = SYRINX_FOURCC('a', 'u', 'f', 'c');
static const OSType kAudioUnitType_Effect = SYRINX_FOURCC('a', 'u', 'f', 'x');
static const OSType kAudioUnitType_Mixer = SYRINX_FOURCC('a', 'u', 'm', 'x');
static const OSType kAudioUnitType_Generator = SYRINX_FOURCC('a', 'u', 'g', 'n');

static const OSType kAudioUnitSubType_TimePitch = SYRINX_FOURCC('t', 'm', 'p', 't');
static const OSType kAudioUnitSubType_NewTimePitch = SYRINX_FOURCC('n', 'u', 't', 'p');
static const OSType kAudioUnitSubType_AUiPodTime = SYRINX_FOURCC('i', 'p', 't', 'm');
static const OSType kAudioUnitSubType_AUiPodTimeOther = SYRINX_FOURCC('i', 'p', 't', 'o');
static const OSType kAudioUnitSubType_Varispeed = SYRINX_FOURCC('v', 'a', 'r', 'i');
