// The handles, events and properties of the procedural API of sequences. Included by CSyrinxCoreAudioTypes.h.
#pragma once

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

// Beats, which are quarter notes.
typedef Float64 MusicTimeStamp;
// The time stamp behind all events of a track.
static const MusicTimeStamp kMusicTimeStamp_EndOfTrack = 1.7976931348623157e308;

// MARK: Events

typedef UInt32 MusicEventType;

static const MusicEventType kMusicEventType_NULL = 0;
static const MusicEventType kMusicEventType_ExtendedNote = 1;
static const MusicEventType kMusicEventType_ExtendedTempo = 3;
static const MusicEventType kMusicEventType_User = 4;
static const MusicEventType kMusicEventType_Meta = 5;
static const MusicEventType kMusicEventType_MIDINoteMessage = 6;
static const MusicEventType kMusicEventType_MIDIChannelMessage = 7;
static const MusicEventType kMusicEventType_MIDIRawData = 8;
static const MusicEventType kMusicEventType_Parameter = 9;
static const MusicEventType kMusicEventType_AUPreset = 10;

typedef struct MIDINoteMessage {
    uint8_t channel;
    uint8_t note;
    uint8_t velocity;
    // Not kept: 0 when it is read.
    uint8_t releaseVelocity;
    // In beats.
    Float32 duration;
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
    uint8_t status;
    uint8_t data1;
    uint8_t data2;
    uint8_t reserved;
} MIDIChannelMessage;

// Followed by as many bytes as `length` says, of which `data` is the first.
typedef struct MIDIRawData {
    UInt32 length;
    uint8_t data[1];
} MIDIRawData;

// Followed by as many bytes as `dataLength` says, of which `data` is the first.
typedef struct MIDIMetaEvent {
    uint8_t metaEventType;
    uint8_t unused1;
    uint8_t unused2;
    uint8_t unused3;
    UInt32 dataLength;
    uint8_t data[1];
} MIDIMetaEvent;

// Followed by as many bytes as `length` says, of which `data` is the first.
typedef struct MusicEventUserData {
    UInt32 length;
    uint8_t data[1];
} MusicEventUserData;

typedef UInt32 MusicDeviceInstrumentID;
typedef UInt32 MusicDeviceGroupID;

typedef struct NoteParamsControlValue {
    AudioUnitParameterID mID;
    AudioUnitParameterValue mValue;
} NoteParamsControlValue;

typedef struct MusicDeviceNoteParams {
    // The number of parameters: 2 for the pitch and the velocity, and one for each control.
    UInt32 argCount;
    Float32 mPitch;
    Float32 mVelocity;
    // Not looked at.
    NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

typedef struct ExtendedNoteOnEvent {
    MusicDeviceInstrumentID instrumentID;
    MusicDeviceGroupID groupID;
    // In beats.
    Float32 duration;
    MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ParameterEvent {
    AudioUnitParameterID parameterID;
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterValue value;
} ParameterEvent;

typedef struct ExtendedTempoEvent {
    // Beats in a minute.
    Float64 bpm;
} ExtendedTempoEvent;

// MARK: Tracks

typedef struct MusicTrackLoopInfo {
    // Beats before the end of the track; 0 for no loop.
    MusicTimeStamp loopDuration;
    // 0 for without end.
    SInt32 numberOfLoops;
} MusicTrackLoopInfo;

static const UInt32 kSequenceTrackProperty_LoopInfo = 0;
static const UInt32 kSequenceTrackProperty_OffsetTime = 1;
static const UInt32 kSequenceTrackProperty_MuteStatus = 2;
static const UInt32 kSequenceTrackProperty_SoloStatus = 3;
static const UInt32 kSequenceTrackProperty_AutomatedParameters = 4;
static const UInt32 kSequenceTrackProperty_TrackLength = 5;
static const UInt32 kSequenceTrackProperty_TimeResolution = 8;

// MARK: Files

typedef enum __attribute__((enum_extensibility(open))) MusicSequenceFileTypeID : UInt32 {
    kMusicSequenceFile_AnyType SYRINX_NAME("anyType") = 0,
    kMusicSequenceFile_MIDIType SYRINX_NAME("midiType") = SYRINX_FOURCC('m', 'i', 'd', 'i'),
    kMusicSequenceFile_iMelodyType SYRINX_NAME("iMelodyType") = SYRINX_FOURCC('i', 'm', 'e', 'l')
} MusicSequenceFileTypeID;

typedef enum SYRINX_OPTIONS MusicSequenceLoadFlags : UInt32 {
    kMusicSequenceLoadSMF_ChannelsToTracks SYRINX_NAME("smf_ChannelsToTracks") = 1u << 0
} MusicSequenceLoadFlags;

typedef enum SYRINX_OPTIONS MusicSequenceFileFlags : UInt32 {
    kMusicSequenceFileFlags_EraseFile SYRINX_NAME("eraseFile") = 1u << 0
} MusicSequenceFileFlags;
