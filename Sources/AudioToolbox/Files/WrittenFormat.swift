internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The format of a file for a writer, from Core Audio's terms.
struct WrittenFormat {
    let settings: MediaWriterSettings

    private static let containers: [AudioFileTypeID: String] = [
        kAudioFileWAVEType: "wav", kAudioFileRF64Type: "wav", kAudioFileAIFFType: "aiff", kAudioFileAIFCType: "aiff",
        kAudioFileCAFType: "caf", kAudioFileM4AType: "m4a", kAudioFileMPEG4Type: "m4a", kAudioFileFLACType: "flac",
        kAudioFileMP3Type: "mp3",
    ]

    private static let codecs: [AudioFormatID: MediaCodecName] = [
        kAudioFormatLinearPCM: .pcm, kAudioFormatMPEG4AAC: .aac, kAudioFormatAppleLossless: .alac,
        kAudioFormatFLAC: .flac, kAudioFormatMPEGLayer3: .mp3,
    ]

    /// Creates the format.
    /// - Throws: `.notAudio` for a file type that cannot be written, `.unsupported` for a format that the type cannot
    ///   contain.
    init(type: AudioFileTypeID, format: AudioStreamBasicDescription, path: String) throws(SyrinxError) {
        guard let container = Self.containers[type] else {
            throw SyrinxError(.notAudio, "This file type cannot be written.", name: path)
        }
        guard let codec = Self.codecs[format.mFormatID], format.mSampleRate >= 1, format.mChannelsPerFrame > 0,
            !format.isPCM || Self.holds(container, format)
        else { throw Self.refusal(path) }
        var settings = MediaWriterSettings(container: container, codec: codec)
        if format.isPCM {
            guard let form = Self.form(format) else { throw Self.refusal(path) }
            settings.sampleFormat = form
        } else if codec == .alac || codec == .flac {
            let flags = [
                kAppleLosslessFormatFlag_16BitSourceData: MediaSampleFormat.s16,
                kAppleLosslessFormatFlag_24BitSourceData: .s24,
            ]
            settings.sampleFormat = format.mBitsPerChannel == 16 ? .s16 : flags[format.mFormatFlags]
        }
        self.settings = settings
    }

    private static func refusal(_ path: String) -> SyrinxError {
        SyrinxError(.unsupported, "This file type does not support the format.", name: path)
    }

    /// Whether the byte order of the format is the container's.
    private static func holds(_ container: String, _ format: AudioStreamBasicDescription) -> Bool {
        let isBigEndian = format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        let isInterleaved = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
        return isBigEndian == OutputContainer.named(container)?.hasBigEndianSamples
            && (isInterleaved || format.mChannelsPerFrame == 1)
    }

    private static func form(_ format: AudioStreamBasicDescription) -> MediaSampleFormat? {
        if format.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
            return [32: .f32, 64: .f64][format.mBitsPerChannel]
        }
        guard format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 else { return nil }
        return [16: .s16, 24: .s24, 32: .s32][format.mBitsPerChannel]
    }
}
