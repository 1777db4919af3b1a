import AudioToolbox
import Testing

@Suite("Foreign magic cookies") struct ForeignCookieTests {
    /// Descriptors of an MP4 file whose lengths nothing has.
    private static let cookies: [[UInt8]] = [3, 4, 5, 6].flatMap { tag -> [[UInt8]] in
        [
            [tag] + [UInt8](repeating: 0xFF, count: 12),
            [3, 0x80, 0x80, 0x80, 22, 0, 0, 0, tag] + [UInt8](repeating: 0xFF, count: 9) + [1, 2],
            [0, 0, 0, 0, 3, 25, 0, 0, 0, tag, 0xFF, 0xFF, 0xFF, 0x7F, 1],
            [3, 25, 0, 0, 0, tag], [tag], [3], [3, 0x80],
        ]
    }

    @Test("A descriptor of any length does not end the process", arguments: cookies)
    func lengths(cookie: [UInt8]) throws {
        var source = AudioStreamBasicDescription()
        source.mSampleRate = 44_100
        source.mFormatID = kAudioFormatMPEG4AAC
        source.mFramesPerPacket = 1_024
        source.mChannelsPerFrame = 2
        var target = AudioStreamBasicDescription(
            mSampleRate: 44_100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 8,
            mFramesPerPacket: 1,
            mBytesPerFrame: 8,
            mChannelsPerFrame: 2,
            mBitsPerChannel: 32,
            mReserved: 0
        )
        var converter: AudioConverterRef?
        try #require(AudioConverterNew(&source, &target, &converter) == noErr)
        let made = try #require(converter)
        // Refused or taken: either way the converter goes on.
        _ = AudioConverterSetProperty(
            made,
            kAudioConverterDecompressionMagicCookie,
            UInt32(cookie.count),
            cookie
        )
        #expect(AudioConverterReset(made) == noErr)
        #expect(AudioConverterDispose(made) == noErr)
    }
}
