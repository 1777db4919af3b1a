import CoreMedia
import Testing

/// Descriptions of formats.
@Suite struct CMFormatDescriptionTests {
    static var stereo: AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: 44100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: 2,
            mBitsPerChannel: 16,
            mReserved: 0
        )
    }

    @Test("A description of sound gives back what it was made of")
    func sound() throws {
        var format = Self.stereo
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        let cookie: [UInt8] = [1, 2, 3]
        var description: CMAudioFormatDescription?
        #expect(
            CMAudioFormatDescriptionCreate(
                allocator: kCFAllocatorDefault,
                asbd: &format,
                layoutSize: MemoryLayout<AudioChannelLayout>.size,
                layout: &layout,
                magicCookieSize: 3,
                magicCookie: cookie,
                extensions: NSDictionary(dictionary: ["a": 1]),
                formatDescriptionOut: &description
            ) == noErr
        )
        let made = try #require(description)
        #expect(made.mediaType == .audio && made.mediaSubType == .linearPCM)
        #expect(CMFormatDescriptionGetMediaType(made) == kCMMediaType_Audio)
        #expect(made.audioStreamBasicDescription?.mBytesPerFrame == 4)
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(made)?.pointee.mSampleRate == 44100)
        #expect(made.magicCookie == Data(cookie) && made.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
        var size = 0
        #expect(CMAudioFormatDescriptionGetMagicCookie(made, sizeOut: &size) != nil && size == 3)
        #expect(CMAudioFormatDescriptionGetChannelLayout(made, sizeOut: &size)?.pointee.mChannelLayoutTag == 6_619_138)
        #expect(made.extensions["a"] as? Int == 1 && made.dimensions.width == 0)
        #expect(CMFormatDescriptionGetExtension(made, extensionKey: "a") as? Int == 1)
        #expect(made.audioFormatList.first?.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
    }

    @Test("Sizes that do not fit are refused")
    func hostileSizes() {
        var format = Self.stereo
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
        layout.mNumberChannelDescriptions = 1000
        func create(layoutSize: Int, cookieSize: Int) -> OSStatus {
            var description: CMAudioFormatDescription?
            let status = CMAudioFormatDescriptionCreate(
                allocator: nil,
                asbd: &format,
                layoutSize: layoutSize,
                layout: &layout,
                magicCookieSize: cookieSize,
                magicCookie: nil,
                extensions: nil,
                formatDescriptionOut: &description
            )
            #expect((description != nil) == (status == noErr))
            return status
        }
        #expect(create(layoutSize: MemoryLayout<AudioChannelLayout>.size, cookieSize: 0) != noErr)
        #expect(create(layoutSize: 4, cookieSize: 0) == kCMFormatDescriptionError_InvalidParameter)
        #expect(create(layoutSize: -1, cookieSize: 0) == kCMFormatDescriptionError_InvalidParameter)
        #expect(create(layoutSize: 0, cookieSize: 5) == kCMFormatDescriptionError_InvalidParameter)
        #expect(create(layoutSize: 0, cookieSize: 0) == noErr)
    }

    @Test("Descriptions are equal if all parts are, and a mask tells which")
    func equality() throws {
        let one = try CMFormatDescription(audioStreamBasicDescription: Self.stereo)
        let two = try CMFormatDescription(audioStreamBasicDescription: Self.stereo)
        let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        let other = try CMFormatDescription(audioStreamBasicDescription: Self.stereo, layout: layout)
        #expect(one == two && one.hashValue == two.hashValue && one != other)
        var mask: CMAudioFormatDescriptionMask = 0
        #expect(
            !CMAudioFormatDescriptionEqual(
                one,
                otherFormatDescription: other,
                equalityMask: kCMAudioFormatDescriptionMask_All,
                equalityMaskOut: &mask
            )
        )
        #expect(mask == kCMAudioFormatDescriptionMask_All & ~kCMAudioFormatDescriptionMask_ChannelLayout)
        #expect(try one != CMFormatDescription(audioStreamBasicDescription: Self.stereo, magicCookie: Data([1])))
        #expect(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
        #expect(!CMFormatDescriptionEqual(one, otherFormatDescription: nil))
    }

    @Test("A description of pictures has their size, and that at which they are shown")
    func pictures() throws {
        let ratio = NSDictionary(dictionary: [
            kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 4,
            kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 3,
        ])
        let description = try CMVideoFormatDescription(
            videoCodecType: .h264,
            width: 720,
            height: 576,
            extensions: [kCMFormatDescriptionExtension_PixelAspectRatio: ratio]
        )
        #expect(description.mediaType == .video && description.mediaSubType.rawValue == kCMVideoCodecType_H264)
        #expect(CMVideoFormatDescriptionGetDimensions(description).width == 720)
        #expect(description.presentationDimensions() == CGSize(width: 960, height: 576))
        #expect(description.presentationDimensions(usePixelAspectRatio: false) == CGSize(width: 720, height: 576))
        #expect(description.audioStreamBasicDescription == nil && description.magicCookie == nil)
        #expect(throws: NSError.self) {
            try CMVideoFormatDescription(videoCodecType: .h264, width: .max, height: 1)
        }
    }

    @Test("Codes of four characters describe themselves by them")
    func codes() {
        #expect(CMFormatDescription.MediaType.audio.description == "'soun'")
        #expect(CMFormatDescription.MediaSubType(string: "aac").rawValue == kAudioFormatMPEG4AAC)
        #expect(CMFormatDescription.MediaSubType(rawValue: 32).description == "32")
        #expect(kCMMediaType_Video == 1_986_618_469 && kCMMediaType_Metadata == 1_835_365_473)
    }

    @Test("A layout of described channels comes back channel for channel")
    func layouts() throws {
        let channels = [kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center].map {
            AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
        }
        let layout = ManagedAudioChannelLayout(channelDescriptions: channels)
        let description = try CMFormatDescription(audioStreamBasicDescription: Self.stereo, layout: layout)
        #expect(description.audioChannelLayout == layout)
        #expect(layout.channelDescriptions.map(\.mChannelLabel) == channels.map(\.mChannelLabel))
        var size = 0
        let pointer = try #require(CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size))
        #expect(size == layout.sizeInBytes && pointer.pointee.mNumberChannelDescriptions == 3)
    }
}
