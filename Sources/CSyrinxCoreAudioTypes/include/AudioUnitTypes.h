// The layouts that the calls of audio units exchange. Included by CSyrinxCoreAudioTypes.h.
#pragma once

// MARK: Rendering

// Gives a unit its input, or is told of its renders.
typedef OSStatus (*AURenderCallback)(
    void *_Nonnull inRefCon,
    AudioUnitRenderActionFlags *_Nonnull ioActionFlags,
    const AudioTimeStamp *_Nonnull inTimeStamp,
    UInt32 inBusNumber,
    UInt32 inNumberFrames,
    AudioBufferList *_Nullable ioData
);

typedef struct AURenderCallbackStruct {
    AURenderCallback _Nullable inputProc;
    void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

typedef struct AUChannelInfo {
    SInt16 inChannels;
    SInt16 outChannels;
} AUChannelInfo;

// MARK: Parameters

typedef enum __attribute__((enum_extensibility(open))) AudioUnitParameterUnit : UInt32 {
    kAudioUnitParameterUnit_Generic SYRINX_NAME("generic") = 0,
    kAudioUnitParameterUnit_Indexed SYRINX_NAME("indexed") = 1,
    kAudioUnitParameterUnit_Boolean SYRINX_NAME("boolean") = 2,
    kAudioUnitParameterUnit_Percent SYRINX_NAME("percent") = 3,
    kAudioUnitParameterUnit_Seconds SYRINX_NAME("seconds") = 4,
    kAudioUnitParameterUnit_SampleFrames SYRINX_NAME("sampleFrames") = 5,
    kAudioUnitParameterUnit_Phase SYRINX_NAME("phase") = 6,
    kAudioUnitParameterUnit_Rate SYRINX_NAME("rate") = 7,
    kAudioUnitParameterUnit_Hertz SYRINX_NAME("hertz") = 8,
    kAudioUnitParameterUnit_Cents SYRINX_NAME("cents") = 9,
    kAudioUnitParameterUnit_RelativeSemiTones SYRINX_NAME("relativeSemiTones") = 10,
    kAudioUnitParameterUnit_MIDINoteNumber SYRINX_NAME("midiNoteNumber") = 11,
    kAudioUnitParameterUnit_MIDIController SYRINX_NAME("midiController") = 12,
    kAudioUnitParameterUnit_Decibels SYRINX_NAME("decibels") = 13,
    kAudioUnitParameterUnit_LinearGain SYRINX_NAME("linearGain") = 14,
    kAudioUnitParameterUnit_Degrees SYRINX_NAME("degrees") = 15,
    kAudioUnitParameterUnit_EqualPowerCrossfade SYRINX_NAME("equalPowerCrossfade") = 16,
    kAudioUnitParameterUnit_MixerFaderCurve1 SYRINX_NAME("mixerFaderCurve1") = 17,
    kAudioUnitParameterUnit_Pan SYRINX_NAME("pan") = 18,
    kAudioUnitParameterUnit_Meters SYRINX_NAME("meters") = 19,
    kAudioUnitParameterUnit_AbsoluteCents SYRINX_NAME("absoluteCents") = 20,
    kAudioUnitParameterUnit_Octaves SYRINX_NAME("octaves") = 21,
    kAudioUnitParameterUnit_BPM SYRINX_NAME("BPM") = 22,
    kAudioUnitParameterUnit_Beats SYRINX_NAME("beats") = 23,
    kAudioUnitParameterUnit_Milliseconds SYRINX_NAME("milliseconds") = 24,
    kAudioUnitParameterUnit_Ratio SYRINX_NAME("ratio") = 25,
    kAudioUnitParameterUnit_CustomUnit SYRINX_NAME("customUnit") = 26
} AudioUnitParameterUnit;

typedef enum __attribute__((enum_extensibility(open))) AUParameterEventType : UInt32 {
    kParameterEvent_Immediate SYRINX_NAME("parameterEvent_Immediate") = 1,
    kParameterEvent_Ramped SYRINX_NAME("parameterEvent_Ramped") = 2
} AUParameterEventType;

typedef struct AudioUnitParameterEvent {
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterID parameter;
    AUParameterEventType eventType;
    union {
        struct {
            SInt32 startBufferOffset;
            UInt32 durationInFrames;
            AudioUnitParameterValue startValue;
            AudioUnitParameterValue endValue;
        } ramp;
        struct {
            UInt32 bufferOffset;
            AudioUnitParameterValue value;
        } immediate;
    } eventValues;
} AudioUnitParameterEvent;

typedef enum __attribute__((enum_extensibility(open))) AUReverbRoomType : UInt32 {
    kReverbRoomType_SmallRoom SYRINX_NAME("reverbRoomType_SmallRoom") = 0,
    kReverbRoomType_MediumRoom SYRINX_NAME("reverbRoomType_MediumRoom") = 1,
    kReverbRoomType_LargeRoom SYRINX_NAME("reverbRoomType_LargeRoom") = 2,
    kReverbRoomType_MediumHall SYRINX_NAME("reverbRoomType_MediumHall") = 3,
    kReverbRoomType_LargeHall SYRINX_NAME("reverbRoomType_LargeHall") = 4,
    kReverbRoomType_Plate SYRINX_NAME("reverbRoomType_Plate") = 5,
    kReverbRoomType_MediumChamber SYRINX_NAME("reverbRoomType_MediumChamber") = 6,
    kReverbRoomType_LargeChamber SYRINX_NAME("reverbRoomType_LargeChamber") = 7,
    kReverbRoomType_Cathedral SYRINX_NAME("reverbRoomType_Cathedral") = 8,
    kReverbRoomType_LargeRoom2 SYRINX_NAME("reverbRoomType_LargeRoom2") = 9,
    kReverbRoomType_MediumHall2 SYRINX_NAME("reverbRoomType_MediumHall2") = 10,
    kReverbRoomType_MediumHall3 SYRINX_NAME("reverbRoomType_MediumHall3") = 11,
    kReverbRoomType_LargeHall2 SYRINX_NAME("reverbRoomType_LargeHall2") = 12
} AUReverbRoomType;

// MARK: Properties of all units

static const AudioUnitPropertyID kAudioUnitProperty_ClassInfo = 0;
static const AudioUnitPropertyID kAudioUnitProperty_MakeConnection = 1;
static const AudioUnitPropertyID kAudioUnitProperty_SampleRate = 2;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterList = 3;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterInfo = 4;
static const AudioUnitPropertyID kAudioUnitProperty_CPULoad = 6;
static const AudioUnitPropertyID kAudioUnitProperty_StreamFormat = 8;
static const AudioUnitPropertyID kAudioUnitProperty_ReverbRoomType = 10;
static const AudioUnitPropertyID kAudioUnitProperty_ElementCount = 11;
static const AudioUnitPropertyID kAudioUnitProperty_BusCount = 11;
static const AudioUnitPropertyID kAudioUnitProperty_Latency = 12;
static const AudioUnitPropertyID kAudioUnitProperty_SupportedNumChannels = 13;
static const AudioUnitPropertyID kAudioUnitProperty_MaximumFramesPerSlice = 14;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterValueStrings = 16;
static const AudioUnitPropertyID kAudioUnitProperty_AudioChannelLayout = 19;
static const AudioUnitPropertyID kAudioUnitProperty_TailTime = 20;
static const AudioUnitPropertyID kAudioUnitProperty_BypassEffect = 21;
static const AudioUnitPropertyID kAudioUnitProperty_LastRenderError = 22;
static const AudioUnitPropertyID kAudioUnitProperty_SetRenderCallback = 23;
static const AudioUnitPropertyID kAudioUnitProperty_FactoryPresets = 24;
static const AudioUnitPropertyID kAudioUnitProperty_ContextName = 25;
static const AudioUnitPropertyID kAudioUnitProperty_RenderQuality = 26;
static const AudioUnitPropertyID kAudioUnitProperty_HostCallbacks = 27;
static const AudioUnitPropertyID kAudioUnitProperty_CurrentPreset = 28;
static const AudioUnitPropertyID kAudioUnitProperty_InPlaceProcessing = 29;
static const AudioUnitPropertyID kAudioUnitProperty_ElementName = 30;
static const AudioUnitPropertyID kAudioUnitProperty_SupportedChannelLayoutTags = 32;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterStringFromValue = 33;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterIDName = 34;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterClumpName = 35;
static const AudioUnitPropertyID kAudioUnitProperty_PresentPreset = 36;
static const AudioUnitPropertyID kAudioUnitProperty_OfflineRender = 37;
static const AudioUnitPropertyID kAudioUnitProperty_ParameterValueFromString = 38;
static const AudioUnitPropertyID kAudioUnitProperty_PresentationLatency = 40;
static const AudioUnitPropertyID kAudioUnitProperty_ClassInfoFromDocument = 50;
static const AudioUnitPropertyID kAudioUnitProperty_ShouldAllocateBuffer = 51;
static const AudioUnitPropertyID kAudioUnitProperty_FrequencyResponse = 52;
static const AudioUnitPropertyID kAudioUnitProperty_NickName = 54;

// MARK: Properties of output units

static const AudioUnitPropertyID kAudioOutputUnitProperty_CurrentDevice = 2000;
static const AudioUnitPropertyID kAudioOutputUnitProperty_IsRunning = 2001;
static const AudioUnitPropertyID kAudioOutputUnitProperty_ChannelMap = 2002;
static const AudioUnitPropertyID kAudioOutputUnitProperty_EnableIO = 2003;
static const AudioUnitPropertyID kAudioOutputUnitProperty_StartTime = 2004;
static const AudioUnitPropertyID kAudioOutputUnitProperty_SetInputCallback = 2005;
static const AudioUnitPropertyID kAudioOutputUnitProperty_HasIO = 2006;
static const AudioUnitPropertyID kAudioOutputUnitProperty_StartTimestampsAtZero = 2007;

// MARK: Properties of the sampler

static const AudioUnitPropertyID kAUSamplerProperty_LoadPresetFromBank = 4100;
static const AudioUnitPropertyID kAUSamplerProperty_BankAndPreset = 4100;
static const AudioUnitPropertyID kAUSamplerProperty_LoadAudioFiles = 4101;
static const AudioUnitPropertyID kAUSamplerProperty_LoadInstrument = 4102;

static const uint8_t kInstrumentType_DLSPreset = 1;
static const uint8_t kInstrumentType_SF2Preset = 1;
static const uint8_t kInstrumentType_AUPreset = 2;
static const uint8_t kInstrumentType_Audiofile = 3;
static const uint8_t kInstrumentType_EXS24 = 4;

static const AudioUnitParameterID kAUSamplerParam_Gain = 900;
static const AudioUnitParameterID kAUSamplerParam_CoarseTuning = 901;
static const AudioUnitParameterID kAUSamplerParam_FineTuning = 902;
static const AudioUnitParameterID kAUSamplerParam_Pan = 903;

// MARK: Qualities

static const UInt32 kRenderQuality_Max = 127;
static const UInt32 kRenderQuality_High = 96;
static const UInt32 kRenderQuality_Medium = 64;
static const UInt32 kRenderQuality_Low = 32;
static const UInt32 kRenderQuality_Min = 0;

// MARK: Devices

typedef UInt32 AudioObjectID;
typedef AudioObjectID AudioDeviceID;

static const AudioObjectID kAudioObjectUnknown = 0;
static const AudioDeviceID kAudioDeviceUnknown = 0;
