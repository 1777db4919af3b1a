import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct FormatTests {
    private func layout(_ tag: AudioChannelLayoutTag) -> AVAudioChannelLayout { AVAudioChannelLayout(layoutTag: tag)! }

    private static let common: [(AVAudioCommonFormat, UInt32, Bool)] = [
        (.pcmFormatFloat32, 4, true), (.pcmFormatFloat64, 8, true), (.pcmFormatInt16, 2, false),
        (.pcmFormatInt32, 4, false),
    ]

    @Test("The stream description agrees with the common format", arguments: common)
    func theDescriptionSaysWhatTheNameSays(_ common: AVAudioCommonFormat, _ bytes: UInt32, _ isFloat: Bool) throws {
        for interleaved in [false, true] {
            let format = try #require(
                AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 2, interleaved: interleaved)
            )
            let description = format.streamDescription.pointee
            #expect(description.mSampleRate == 48_000)
            #expect(description.mFormatID == kAudioFormatLinearPCM)
            #expect(description.mFramesPerPacket == 1)
            #expect(description.mChannelsPerFrame == 2)
            #expect(description.mBitsPerChannel == bytes * 8)
            #expect(description.mBytesPerFrame == bytes * (interleaved ? 2 : 1))
            #expect(description.mBytesPerPacket == description.mBytesPerFrame)
            #expect((description.mFormatFlags & kAudioFormatFlagIsFloat != 0) == isFloat)
            #expect((description.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0) == !isFloat)
            #expect((description.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0) == !interleaved)
            #expect(format.isInterleaved == interleaved)
            #expect(format.commonFormat == common)
            #expect(format.isStandard == (common == .pcmFormatFloat32 && !interleaved))
            // What goes out comes in again.
            var same = description
            let again = try #require(AVAudioFormat(streamDescription: &same))
            #expect(again == format)
            #expect(again.hash == format.hash)
            #expect(again.commonFormat == common)
        }
    }

    @Test("Impossible rates, channel counts and sample types make no format")
    func whatIsNoFormatIsNil() {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 2) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: .nan, channels: 2) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 0) == nil)
        #expect(
            AVAudioFormat(commonFormat: .otherFormat, sampleRate: 44_100, channels: 1, interleaved: false) == nil
        )
        let film = AVAudioFormat(
            standardFormatWithSampleRate: 48_000,
            channelLayout: layout(kAudioChannelLayoutTag_MPEG_5_1_A)
        )
        // The description lives as long as its format.
        var six = withExtendedLifetime(film) { film.streamDescription.pointee }
        #expect(AVAudioFormat(streamDescription: &six) == nil)
        #expect(AVAudioFormat(streamDescription: &six, channelLayout: nil) == nil)
        #expect(AVAudioFormat(streamDescription: &six, channelLayout: layout(kAudioChannelLayoutTag_Stereo)) == nil)
        let dvd = AVAudioFormat(streamDescription: &six, channelLayout: layout(kAudioChannelLayoutTag_DVD_20))
        #expect(dvd?.channelLayout?.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_B)
    }

    @Test("Mono and stereo formats need no channel layout")
    func monoAndStereoNeedNoLayout() throws {
        let plain = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let said = AVAudioFormat(
            standardFormatWithSampleRate: 44_100,
            channelLayout: layout(kAudioChannelLayoutTag_Stereo)
        )
        #expect(plain.channelLayout == nil)
        #expect(said.channelLayout?.layoutTag == kAudioChannelLayoutTag_Stereo)
        #expect(plain == said)
        #expect(plain.hash == said.hash)
        let headphones = AVAudioFormat(
            standardFormatWithSampleRate: 44_100,
            channelLayout: layout(kAudioChannelLayoutTag_StereoHeadphones)
        )
        #expect(plain != headphones)
    }

    @Test("Formats are equal if they describe the same samples")
    func equalIsWhatMeansTheSame() throws {
        let split = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: false)
        )
        let joined = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)
        )
        #expect(split == joined)
        #expect(split.hash == joined.hash)
        var loose = joined.streamDescription.pointee
        loose.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh
        let aligned = try #require(AVAudioFormat(streamDescription: &loose))
        #expect(aligned == joined)
        #expect(aligned.hash == joined.hash)
        #expect(aligned.commonFormat == .pcmFormatInt16)
        // 24 bits in 4 bytes: there it matters on which side they lie.
        loose.mBitsPerChannel = 24
        loose.mBytesPerFrame = 4
        loose.mBytesPerPacket = 4
        let high = try #require(AVAudioFormat(streamDescription: &loose))
        loose.mFormatFlags = kAudioFormatFlagIsSignedInteger
        let low = try #require(AVAudioFormat(streamDescription: &loose))
        #expect(high != low)
        #expect(high.commonFormat == .otherFormat)
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        for other in [
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: true),
            AVAudioFormat(commonFormat: .pcmFormatInt32, sampleRate: 44_100, channels: 2, interleaved: false),
        ] {
            #expect(stereo != other)
        }
    }

    @Test("A format of the other byte order has no common format")
    func theOtherByteOrderHasNoName() throws {
        let own = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        var description = withExtendedLifetime(own) { own.streamDescription.pointee }
        description.mFormatFlags |= kAudioFormatFlagIsBigEndian
        let big = try #require(AVAudioFormat(streamDescription: &description))
        #expect(big.commonFormat == .otherFormat)
        #expect(!big.isStandard)
    }

    @Test("A format survives its settings")
    func settingsGoInAndOut() throws {
        for tag in [kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_MPEG_5_1_C, kAudioChannelLayoutTag_AAC_7_1_B] {
            for (common, _, _) in Self.common {
                let format = AVAudioFormat(
                    commonFormat: common,
                    sampleRate: 22_050,
                    interleaved: true,
                    channelLayout: layout(tag)
                )
                let again = try #require(AVAudioFormat(settings: format.settings))
                #expect(again == format)
                #expect(again.channelLayout == format.channelLayout)
            }
        }
        var settings = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)).settings
        #expect(settings[AVChannelLayoutKey] == nil)
        settings[AVChannelLayoutKey] = layout(kAudioChannelLayoutTag_Binaural).layoutData
        #expect(AVAudioFormat(settings: settings)?.channelLayout?.layoutTag == kAudioChannelLayoutTag_Binaural)
        settings[AVChannelLayoutKey] = layout(kAudioChannelLayoutTag_MPEG_3_0_A).layoutData
        #expect(AVAudioFormat(settings: settings) == nil)
        settings[AVChannelLayoutKey] = Data([1, 2, 3])
        #expect(AVAudioFormat(settings: settings) == nil)
        // Says that a thousand descriptions follow, and has none.
        settings[AVChannelLayoutKey] = Data([0, 0, 0, 0, 0, 0, 0, 0, 0xE8, 3, 0, 0])
        #expect(AVAudioFormat(settings: settings) == nil)
    }

    @Test("An archived format keeps its layout and magic cookie")
    func archivesKeepAllOfIt() throws {
        let format = AVAudioFormat(
            commonFormat: .pcmFormatInt32,
            sampleRate: 96_000,
            interleaved: true,
            channelLayout: layout(kAudioChannelLayoutTag_Atmos_7_1_4)
        )
        format.magicCookie = Data([1, 2, 3])
        let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data))
        #expect(again == format)
        #expect(again.channelLayout == format.channelLayout)
        #expect(again.magicCookie == Data([1, 2, 3]))
        #expect(again.isInterleaved)
        let bare = try #require(AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 1))
        let bareData = try NSKeyedArchiver.archivedData(withRootObject: bare, requiringSecureCoding: true)
        let bareAgain = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: bareData)
        )
        #expect(bareAgain == bare)
        #expect(bareAgain.channelLayout == nil)
        #expect(bareAgain.magicCookie == nil)
    }
}

extension AVAudioChannelLayout {
    /// The bytes of the layout, as `AVChannelLayoutKey` takes them.
    fileprivate var layoutData: Data {
        let count = Int(layout.pointee.mNumberChannelDescriptions)
        return Data(bytes: layout, count: AudioChannelLayout.sizeInBytes(maximumDescriptions: count))
    }
}
