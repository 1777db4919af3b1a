// How Core Audio names its units. Included by CSyrinxCoreAudioTypes.h.
#pragma once

typedef struct AudioComponentDescription {
    OSType componentType;
    OSType componentSubType;
    OSType componentManufacturer;
    UInt32 componentFlags;
    UInt32 componentFlagsMask;
} AudioComponentDescription;

typedef enum SYRINX_OPTIONS AudioComponentFlags : UInt32 {
    kAudioComponentFlag_Unsearchable SYRINX_NAME("unsearchable") = 1u << 0,
    kAudioComponentFlag_SandboxSafe SYRINX_NAME("sandboxSafe") = 1u << 1,
    kAudioComponentFlag_IsV3AudioUnit SYRINX_NAME("isV3AudioUnit") = 1u << 2,
    kAudioComponentFlag_RequiresAsyncInstantiation SYRINX_NAME("requiresAsyncInstantiation") = 1u << 3,
    kAudioComponentFlag_CanLoadInProcess SYRINX_NAME("canLoadInProcess") = 1u << 4
} AudioComponentFlags;

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
static const OSType kAudioUnitType_Panner = SYRINX_FOURCC('a', 'u', 'p', 'n');
static const OSType kAudioUnitType_Generator = SYRINX_FOURCC('a', 'u', 'g', 'n');
static const OSType kAudioUnitType_OfflineEffect = SYRINX_FOURCC('a', 'u', 'o', 'l');
static const OSType kAudioUnitType_MIDIProcessor = SYRINX_FOURCC('a', 'u', 'm', 'i');
static const OSType kAudioUnitType_SpeechSynthesizer = SYRINX_FOURCC('a', 'u', 's', 'p');
static const OSType kAudioUnitType_RemoteEffect = SYRINX_FOURCC('a', 'u', 'r', 'x');
static const OSType kAudioUnitType_RemoteGenerator = SYRINX_FOURCC('a', 'u', 'r', 'g');
static const OSType kAudioUnitType_RemoteInstrument = SYRINX_FOURCC('a', 'u', 'r', 'i');
static const OSType kAudioUnitType_RemoteMusicEffect = SYRINX_FOURCC('a', 'u', 'r', 'm');

static const OSType kAudioUnitSubType_GenericOutput = SYRINX_FOURCC('g', 'e', 'n', 'r');
static const OSType kAudioUnitSubType_VoiceProcessingIO = SYRINX_FOURCC('v', 'p', 'i', 'o');
static const OSType kAudioUnitSubType_HALOutput = SYRINX_FOURCC('a', 'h', 'a', 'l');
static const OSType kAudioUnitSubType_DefaultOutput = SYRINX_FOURCC('d', 'e', 'f', ' ');
static const OSType kAudioUnitSubType_SystemOutput = SYRINX_FOURCC('s', 'y', 's', ' ');
static const OSType kAudioUnitSubType_RemoteIO = SYRINX_FOURCC('r', 'i', 'o', 'c');
static const OSType kAudioUnitSubType_DLSSynth = SYRINX_FOURCC('d', 'l', 's', ' ');
static const OSType kAudioUnitSubType_Sampler = SYRINX_FOURCC('s', 'a', 'm', 'p');
static const OSType kAudioUnitSubType_MIDISynth = SYRINX_FOURCC('m', 's', 'y', 'n');
static const OSType kAudioUnitSubType_AUConverter = SYRINX_FOURCC('c', 'o', 'n', 'v');
static const OSType kAudioUnitSubType_Varispeed = SYRINX_FOURCC('v', 'a', 'r', 'i');
static const OSType kAudioUnitSubType_DeferredRenderer = SYRINX_FOURCC('d', 'e', 'f', 'r');
static const OSType kAudioUnitSubType_Splitter = SYRINX_FOURCC('s', 'p', 'l', 't');
static const OSType kAudioUnitSubType_MultiSplitter = SYRINX_FOURCC('m', 's', 'p', 'l');
static const OSType kAudioUnitSubType_Merger = SYRINX_FOURCC('m', 'e', 'r', 'g');
static const OSType kAudioUnitSubType_NewTimePitch = SYRINX_FOURCC('n', 'u', 't', 'p');
static const OSType kAudioUnitSubType_TimePitch = SYRINX_FOURCC('t', 'm', 'p', 't');
static const OSType kAudioUnitSubType_AUiPodTime = SYRINX_FOURCC('i', 'p', 't', 'm');
static const OSType kAudioUnitSubType_AUiPodTimeOther = SYRINX_FOURCC('i', 'p', 't', 'o');
static const OSType kAudioUnitSubType_RoundTripAAC = SYRINX_FOURCC('r', 'a', 'a', 'c');
static const OSType kAudioUnitSubType_Delay = SYRINX_FOURCC('d', 'e', 'l', 'y');
static const OSType kAudioUnitSubType_LowPassFilter = SYRINX_FOURCC('l', 'p', 'a', 's');
static const OSType kAudioUnitSubType_HighPassFilter = SYRINX_FOURCC('h', 'p', 'a', 's');
static const OSType kAudioUnitSubType_BandPassFilter = SYRINX_FOURCC('b', 'p', 'a', 's');
static const OSType kAudioUnitSubType_HighShelfFilter = SYRINX_FOURCC('h', 's', 'h', 'f');
static const OSType kAudioUnitSubType_LowShelfFilter = SYRINX_FOURCC('l', 's', 'h', 'f');
static const OSType kAudioUnitSubType_ParametricEQ = SYRINX_FOURCC('p', 'm', 'e', 'q');
static const OSType kAudioUnitSubType_GraphicEQ = SYRINX_FOURCC('g', 'r', 'e', 'q');
static const OSType kAudioUnitSubType_NBandEQ = SYRINX_FOURCC('n', 'b', 'e', 'q');
static const OSType kAudioUnitSubType_PeakLimiter = SYRINX_FOURCC('l', 'm', 't', 'r');
static const OSType kAudioUnitSubType_DynamicsProcessor = SYRINX_FOURCC('d', 'c', 'm', 'p');
static const OSType kAudioUnitSubType_MultiBandCompressor = SYRINX_FOURCC('m', 'c', 'm', 'p');
static const OSType kAudioUnitSubType_MatrixReverb = SYRINX_FOURCC('m', 'r', 'e', 'v');
static const OSType kAudioUnitSubType_Reverb2 = SYRINX_FOURCC('r', 'v', 'b', '2');
static const OSType kAudioUnitSubType_SampleDelay = SYRINX_FOURCC('s', 'd', 'l', 'y');
static const OSType kAudioUnitSubType_Pitch = SYRINX_FOURCC('t', 'm', 'p', 't');
static const OSType kAudioUnitSubType_AUFilter = SYRINX_FOURCC('f', 'i', 'l', 't');
static const OSType kAudioUnitSubType_Distortion = SYRINX_FOURCC('d', 'i', 's', 't');
static const OSType kAudioUnitSubType_AUiPodEQ = SYRINX_FOURCC('i', 'p', 'e', 'q');
static const OSType kAudioUnitSubType_NetSend = SYRINX_FOURCC('n', 's', 'n', 'd');
static const OSType kAudioUnitSubType_RogerBeep = SYRINX_FOURCC('r', 'o', 'g', 'r');
static const OSType kAudioUnitSubType_AUSoundIsolation = SYRINX_FOURCC('v', 'o', 'i', 's');
static const OSType kAudioUnitSubType_MultiChannelMixer = SYRINX_FOURCC('m', 'c', 'm', 'x');
static const OSType kAudioUnitSubType_MatrixMixer = SYRINX_FOURCC('m', 'x', 'm', 'x');
static const OSType kAudioUnitSubType_SpatialMixer = SYRINX_FOURCC('3', 'd', 'e', 'm');
static const OSType kAudioUnitSubType_StereoMixer = SYRINX_FOURCC('s', 'm', 'x', 'r');
static const OSType kAudioUnitSubType_AU3DMixerEmbedded = SYRINX_FOURCC('3', 'd', 'e', 'm');
static const OSType kAudioUnitSubType_SphericalHeadPanner = SYRINX_FOURCC('s', 'p', 'h', 'r');
static const OSType kAudioUnitSubType_VectorPanner = SYRINX_FOURCC('v', 'b', 'a', 's');
static const OSType kAudioUnitSubType_SoundFieldPanner = SYRINX_FOURCC('a', 'm', 'b', 'i');
static const OSType kAudioUnitSubType_HRTFPanner = SYRINX_FOURCC('h', 'r', 't', 'f');
static const OSType kAudioUnitSubType_NetReceive = SYRINX_FOURCC('n', 'r', 'c', 'v');
static const OSType kAudioUnitSubType_ScheduledSoundPlayer = SYRINX_FOURCC('s', 's', 'p', 'l');
static const OSType kAudioUnitSubType_AudioFilePlayer = SYRINX_FOURCC('a', 'f', 'p', 'l');

// MARK: Units

typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;
typedef UInt32 AudioUnitParameterID;
typedef Float32 AudioUnitParameterValue;

#include "EffectParameters.h"

static const AudioUnitScope kAudioUnitScope_Global = 0;
static const AudioUnitScope kAudioUnitScope_Input = 1;
static const AudioUnitScope kAudioUnitScope_Output = 2;
static const AudioUnitScope kAudioUnitScope_Group = 3;
static const AudioUnitScope kAudioUnitScope_Part = 4;
static const AudioUnitScope kAudioUnitScope_Note = 5;
static const AudioUnitScope kAudioUnitScope_Layer = 6;
static const AudioUnitScope kAudioUnitScope_LayerItem = 7;

typedef enum SYRINX_OPTIONS AudioUnitRenderActionFlags : UInt32 {
    kAudioUnitRenderAction_PreRender SYRINX_NAME("unitRenderAction_PreRender") = 1u << 2,
    kAudioUnitRenderAction_PostRender SYRINX_NAME("unitRenderAction_PostRender") = 1u << 3,
    kAudioUnitRenderAction_OutputIsSilence SYRINX_NAME("unitRenderAction_OutputIsSilence") = 1u << 4,
    kAudioOfflineUnitRenderAction_Preflight SYRINX_NAME("offlineUnitRenderAction_Preflight") = 1u << 5,
    kAudioOfflineUnitRenderAction_Render SYRINX_NAME("offlineUnitRenderAction_Render") = 1u << 6,
    kAudioOfflineUnitRenderAction_Complete SYRINX_NAME("offlineUnitRenderAction_Complete") = 1u << 7,
    kAudioUnitRenderAction_PostRenderError SYRINX_NAME("unitRenderAction_PostRenderError") = 1u << 8,
    kAudioUnitRenderAction_DoNotCheckRenderArgs SYRINX_NAME("unitRenderAction_DoNotCheckRenderArgs") = 1u << 9
} AudioUnitRenderActionFlags;

typedef OSStatus AUAudioUnitStatus;
typedef UInt32 AUAudioFrameCount;
typedef UInt32 AUAudioChannelCount;
typedef Float32 AUValue;
typedef UInt64 AUParameterAddress;
typedef SInt64 AUEventSampleTime;

// MARK: Events of a render

typedef enum __attribute__((enum_extensibility(open))) AURenderEventType : uint8_t {
    AURenderEventParameter SYRINX_NAME("parameter") = 1,
    AURenderEventParameterRamp SYRINX_NAME("parameterRamp") = 2,
    AURenderEventMIDI SYRINX_NAME("MIDI") = 8,
    AURenderEventMIDISysEx SYRINX_NAME("midiSysEx") = 9,
    AURenderEventMIDIEventList SYRINX_NAME("midiEventList") = 10
} AURenderEventType;

typedef struct AURenderEventHeader {
    union AURenderEvent *next;
    AUEventSampleTime eventSampleTime;
    AURenderEventType eventType;
    uint8_t reserved;
} AURenderEventHeader;

typedef struct AUParameterEvent {
    union AURenderEvent *next;
    AUEventSampleTime eventSampleTime;
    AURenderEventType eventType;
    uint8_t reserved[3];
    AUAudioFrameCount rampDurationSampleFrames;
    AUValue value;
    AUParameterAddress parameterAddress;
} AUParameterEvent;

typedef struct AUMIDIEvent {
    union AURenderEvent *next;
    AUEventSampleTime eventSampleTime;
    AURenderEventType eventType;
    uint8_t reserved;
    uint16_t length;
    uint8_t cable;
    uint8_t data[3];
} AUMIDIEvent;

typedef union AURenderEvent {
    AURenderEventHeader head;
    AUParameterEvent parameter;
    AUMIDIEvent MIDI;
} AURenderEvent;

// MARK: Failures

static const OSStatus kAudioUnitErr_InvalidProperty = -10879;
static const OSStatus kAudioUnitErr_InvalidParameter = -10878;
static const OSStatus kAudioUnitErr_InvalidElement = -10877;
static const OSStatus kAudioUnitErr_NoConnection = -10876;
static const OSStatus kAudioUnitErr_FailedInitialization = -10875;
static const OSStatus kAudioUnitErr_TooManyFramesToProcess = -10874;
static const OSStatus kAudioUnitErr_IllegalInstrument = -10873;
static const OSStatus kAudioUnitErr_InstrumentTypeNotFound = -10872;
static const OSStatus kAudioUnitErr_InvalidFile = -10871;
static const OSStatus kAudioUnitErr_UnknownFileType = -10870;
static const OSStatus kAudioUnitErr_FileNotSpecified = -10869;
static const OSStatus kAudioUnitErr_FormatNotSupported = -10868;
static const OSStatus kAudioUnitErr_Uninitialized = -10867;
static const OSStatus kAudioUnitErr_InvalidScope = -10866;
static const OSStatus kAudioUnitErr_PropertyNotWritable = -10865;
static const OSStatus kAudioUnitErr_CannotDoInCurrentContext = -10863;
static const OSStatus kAudioUnitErr_InvalidPropertyValue = -10851;
static const OSStatus kAudioUnitErr_PropertyNotInUse = -10850;
static const OSStatus kAudioUnitErr_Initialized = -10849;
static const OSStatus kAudioUnitErr_InvalidOfflineRender = -10848;
static const OSStatus kAudioUnitErr_Unauthorized = -10847;
static const OSStatus kAudioUnitErr_MIDIOutputBufferFull = -66753;
static const OSStatus kAudioUnitErr_RenderTimeout = -66745;
static const OSStatus kAudioUnitErr_ExtensionNotFound = -66744;
static const OSStatus kAudioUnitErr_InvalidParameterValue = -66743;
static const OSStatus kAudioUnitErr_InvalidFilePath = -66742;
static const OSStatus kAudioUnitErr_MissingKey = -66741;
static const OSStatus kAudioUnitErr_ComponentManagerNotSupported = -66740;
static const OSStatus kAudioUnitErr_MultipleVoiceProcessors = -66635;

static const OSStatus kAudioComponentErr_InstanceTimedOut = -66754;
static const OSStatus kAudioComponentErr_DuplicateDescription = -66752;
static const OSStatus kAudioComponentErr_UnsupportedType = -66751;
static const OSStatus kAudioComponentErr_TooManyInstances = -66750;
static const OSStatus kAudioComponentErr_InstanceInvalidated = -66749;
static const OSStatus kAudioComponentErr_NotPermitted = -66748;
static const OSStatus kAudioComponentErr_InitializationTimedOut = -66747;
static const OSStatus kAudioComponentErr_InvalidFormat = -66746;

static const OSStatus kAudioToolboxErr_CannotDoInCurrentContext = -10863;
static const OSStatus kAudioToolboxErr_TrackIndexError = -10859;
static const OSStatus kAudioToolboxErr_TrackNotFound = -10858;
static const OSStatus kAudioToolboxErr_EndOfTrack = -10857;
static const OSStatus kAudioToolboxErr_StartOfTrack = -10856;
static const OSStatus kAudioToolboxErr_IllegalTrackDestination = -10855;
static const OSStatus kAudioToolboxErr_NoSequence = -10854;
static const OSStatus kAudioToolboxErr_InvalidEventType = -10853;
static const OSStatus kAudioToolboxErr_InvalidPlayerState = -10852;
static const OSStatus kAudioToolboxErr_InvalidSequenceType = -10846;

static const OSStatus kAUGraphErr_NodeNotFound = -10860;
static const OSStatus kAUGraphErr_InvalidConnection = -10861;
static const OSStatus kAUGraphErr_OutputNodeErr = -10862;
static const OSStatus kAUGraphErr_CannotDoInCurrentContext = -10863;
static const OSStatus kAUGraphErr_InvalidAudioUnit = -10864;

static const OSStatus kAudioToolboxError_NoTrackDestination = -66720;

static const OSStatus kAudio_UnimplementedError = -4;
static const OSStatus kAudio_FileNotFoundError = -43;
static const OSStatus kAudio_FilePermissionError = -54;
static const OSStatus kAudio_TooManyFilesOpenError = -42;
static const OSStatus kAudio_BadFilePathError = 0x21707468;
static const OSStatus kAudio_ParamError = -50;
static const OSStatus kAudio_MemFullError = -108;
