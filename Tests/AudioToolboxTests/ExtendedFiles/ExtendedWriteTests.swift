import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

/// Files written through `ExtAudioFile`.
@Suite struct ExtendedWriteTests {
    private func format(
        _ id: AudioFormatID = kAudioFormatLinearPCM,
        bits: UInt32,
        isFloat: Bool = false,
        isBigEndian: Bool = false
    ) -> AudioStreamBasicDescription {
        guard id == kAudioFormatLinearPCM else {
            let flags = id == kAudioFormatMPEG4AAC ? 0 : bits == 16 ? 1 : AudioFormatFlags(3)
            return AudioStreamBasicDescription(
                mSampleRate: 44100,
                mFormatID: id,
                mFormatFlags: flags,
                mBytesPerPacket: 0,
                mFramesPerPacket: 0,
                mBytesPerFrame: 0,
                mChannelsPerFrame: 2,
                mBitsPerChannel: 0,
                mReserved: 0
            )
        }
        return AudioStreamBasicDescription(
            mSampleRate: 44100,
            mFormatID: id,
            mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | kAudioFormatFlagIsPacked
                | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
            mBytesPerPacket: bits / 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: bits / 4,
            mChannelsPerFrame: 2,
            mBitsPerChannel: bits,
            mReserved: 0
        )
    }

    /// 44,100 frames of whole numbers of 16 bits.
    private static func makeSamples() -> [Int16] {
        (0..<88200).map { (index: Int) -> Int16 in Int16(truncatingIfNeeded: index * 7919 / 13) }
    }

    private func write(_ file: ExtAudioFileRef, later: Bool = false) -> OSStatus {
        var samples = Self.makeSamples()
        var client = format(bits: 16)
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let status = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &client)
        guard status == noErr else { return status }
        if later { #expect(ExtAudioFileWriteAsync(file, 0, nil) == noErr) }
        return samples.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 4 * 1000) {
                let count = min(4 * 1000, bytes.count - start)
                var list = AudioBufferList()
                list.mNumberBuffers = 1
                list.mBuffers = AudioBuffer(
                    mNumberChannels: 2,
                    mDataByteSize: UInt32(count),
                    mData: bytes.baseAddress.map { $0 + start }
                )
                let status =
                    later
                    ? ExtAudioFileWriteAsync(file, UInt32(count / 4), &list)
                    : ExtAudioFileWrite(file, UInt32(count / 4), &list)
                if status != noErr { return status }
            }
            return noErr
        }
    }

    private func read(_ url: URL) throws -> [Int16] {
        var ref: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(url as CFURL, &ref) == noErr)
        let file = try #require(ref)
        defer { ExtAudioFileDispose(file) }
        var client = format(bits: 16)
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &client) == noErr)
        var all: [Int16] = []
        var block = [Int16](repeating: 0, count: 8192)
        while true {
            var count: UInt32 = 4096
            let status = block.withUnsafeMutableBytes { bytes -> OSStatus in
                var list = AudioBufferList()
                list.mNumberBuffers = 1
                list.mBuffers = AudioBuffer(mNumberChannels: 2, mDataByteSize: 16384, mData: bytes.baseAddress)
                return ExtAudioFileRead(file, &count, &list)
            }
            #expect(status == noErr)
            if count == 0 || status != noErr { return all }
            all += block[..<(2 * Int(count))]
        }
    }

    @Test("What is written without loss is read again", arguments: [false, true])
    func lossless(later: Bool) throws {
        let folder = try ScratchDirectory()
        let kinds: [(String, AudioFileTypeID, AudioStreamBasicDescription)] = [
            ("a.wav", kAudioFileWAVEType, format(bits: 16)), ("b.wav", kAudioFileWAVEType, format(bits: 24)),
            ("f.wav", kAudioFileWAVEType, format(bits: 32, isFloat: true)),
            ("a.caf", kAudioFileCAFType, format(bits: 32, isFloat: true)),
            ("a.aiff", kAudioFileAIFFType, format(bits: 16, isBigEndian: true)),
            ("a.flac", kAudioFileFLACType, format(kAudioFormatFLAC, bits: 16)),
            ("a.m4a", kAudioFileM4AType, format(kAudioFormatAppleLossless, bits: 16)),
            // The name has no say.
            ("noending", kAudioFileWAVEType, format(bits: 16)),
        ]
        for (name, type, format) in kinds {
            let url = folder.url(name)
            var format = format
            var ref: ExtAudioFileRef?
            #expect(ExtAudioFileCreateWithURL(url as CFURL, type, &format, nil, 0, &ref) == noErr, "\(name)")
            let file = try #require(ref)
            #expect(write(file, later: later) == noErr, "\(name)")
            if !later {
                var frames: Int64 = 0
                #expect(ExtAudioFileTell(file, &frames) == noErr && frames == 44100)
            }
            #expect(ExtAudioFileDispose(file) == noErr, "\(name)")
            #expect(try read(url) == Self.makeSamples(), "\(name)")
            // It is there already.
            #expect(ExtAudioFileCreateWithURL(url as CFURL, type, &format, nil, 0, &ref) == kAudioFilePermissionsError)
            let flags = AudioFileFlags.eraseFile.rawValue
            #expect(ExtAudioFileCreateWithURL(url as CFURL, type, &format, nil, flags, &ref) == noErr)
            #expect(ExtAudioFileDispose(try #require(ref)) == noErr)
        }
    }

    @Test("The file exists from the beginning, and holds each write", arguments: ["wav", "aiff", "caf"])
    func whole(ending: String) throws {
        let folder = try ScratchDirectory()
        let url = folder.url("a.\(ending)")
        let types = ["wav": kAudioFileWAVEType, "aiff": kAudioFileAIFFType, "caf": kAudioFileCAFType]
        var format = format(bits: 16, isBigEndian: ending == "aiff")
        var ref: ExtAudioFileRef?
        let type = try #require(types[ending])
        #expect(ExtAudioFileCreateWithURL(url as CFURL, type, &format, nil, 0, &ref) == noErr)
        let file = try #require(ref)
        #expect(try read(url) == [])
        #expect(write(file) == noErr)
        #expect(try read(url) == Self.makeSamples())
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(try read(url) == Self.makeSamples())
    }

    @Test("AAC is encoded once the client has said its format")
    func encoded() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("a.m4a")
        var target = format(kAudioFormatMPEG4AAC, bits: 0)
        var ref: ExtAudioFileRef?
        #expect(ExtAudioFileCreateWithURL(url as CFURL, kAudioFileM4AType, &target, nil, 0, &ref) == noErr)
        let file = try #require(ref)
        var list = AudioBufferList()
        #expect(ExtAudioFileWrite(file, 0, &list) == kExtAudioFileError_InvalidOperationOrder)
        var frames: UInt32 = 1
        #expect(ExtAudioFileRead(file, &frames, &list) == kExtAudioFileError_InvalidOperationOrder)
        var codec: UInt32 = kAppleSoftwareAudioCodecManufacturer
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_CodecManufacturer, 4, &codec) == noErr)
        #expect(write(file) == noErr)
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(try read(url).count == 88200)
        for (type, format) in [
            (kAudioFileWAVEType, target), (kAudioFileWAVEType, format(bits: 16, isBigEndian: true)),
            (kAudioFileAIFFType, format(bits: 16)), (kAudioFileWAVEType, format(bits: 12)),
        ] {
            var format = format
            let other = folder.url("other") as CFURL
            #expect(
                ExtAudioFileCreateWithURL(other, type, &format, nil, 0, &ref) == kAudioFileUnsupportedDataFormatError
            )
        }
        let missing = folder.url("no/such/folder.wav") as CFURL
        var pcm = format(bits: 16)
        #expect(ExtAudioFileCreateWithURL(missing, kAudioFileWAVEType, &pcm, nil, 0, &ref) == kAudio_FileNotFoundError)
    }
}
