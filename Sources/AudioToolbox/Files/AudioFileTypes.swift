/// The types of files, as hints for files that cannot be identified by their first bytes.
public let kAudioFileUnknownType: AudioFileTypeID = 0
/// AIFF: `AIFF`.
public let kAudioFileAIFFType: AudioFileTypeID = 0x4149_4646
/// AIFF with compression: `AIFC`.
public let kAudioFileAIFCType: AudioFileTypeID = 0x4149_4643
/// WAV: `WAVE`.
public let kAudioFileWAVEType: AudioFileTypeID = 0x5741_5645
/// WAV past 4 GiB: `RF64`.
public let kAudioFileRF64Type: AudioFileTypeID = 0x5246_3634
/// WAV past 4 GiB, for broadcasting: `BW64`.
public let kAudioFileBW64Type: AudioFileTypeID = 0x4257_3634
/// Sony's Wave64: `W64f`.
public let kAudioFileWave64Type: AudioFileTypeID = 0x5736_3466
/// Sun's and NeXT's AU: `NeXT`.
public let kAudioFileNextType: AudioFileTypeID = 0x4E65_5854
/// MPEG layer 3: `MPG3`.
public let kAudioFileMP3Type: AudioFileTypeID = 0x4D50_4733
/// MPEG layer 2: `MPG2`.
public let kAudioFileMP2Type: AudioFileTypeID = 0x4D50_4732
/// MPEG layer 1: `MPG1`.
public let kAudioFileMP1Type: AudioFileTypeID = 0x4D50_4731
/// AC-3: `ac-3`.
public let kAudioFileAC3Type: AudioFileTypeID = 0x6163_2D33
/// AAC in an ADTS stream: `adts`.
public let kAudioFileAAC_ADTSType: AudioFileTypeID = 0x6164_7473
/// MP4: `mp4f`.
public let kAudioFileMPEG4Type: AudioFileTypeID = 0x6D70_3466
/// MP4 with audio only: `m4af`.
public let kAudioFileM4AType: AudioFileTypeID = 0x6D34_6166
/// MP4 of a book: `m4bf`.
public let kAudioFileM4BType: AudioFileTypeID = 0x6D34_6266
/// Core Audio Format: `caff`.
public let kAudioFileCAFType: AudioFileTypeID = 0x6361_6666
/// 3GPP: `3gpp`.
public let kAudioFile3GPType: AudioFileTypeID = 0x3367_7070
/// 3GPP2: `3gp2`.
public let kAudioFile3GP2Type: AudioFileTypeID = 0x3367_7032
/// AMR: `amrf`.
public let kAudioFileAMRType: AudioFileTypeID = 0x616D_7266
/// FLAC: `flac`.
public let kAudioFileFLACType: AudioFileTypeID = 0x666C_6163
/// AAC in LATM: `loas`.
public let kAudioFileLATMInLOASType: AudioFileTypeID = 0x6C6F_6173
