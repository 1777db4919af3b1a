public import CoreAudioTypes
public import Foundation

/// How samples lie in memory: rate, channels, sample type, interleaved or one buffer a channel.
///
/// Immutable, so that any thread may read it.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    // Unchecked: `description` is written once, before `init` returns, and freed in `deinit`.
    private let storage: UnsafeMutablePointer<AudioStreamBasicDescription>

    /// Which channel is which loudspeaker, if that is known.
    public let channelLayout: AVAudioChannelLayout?

    /// The sample format, if it is one that has a name.
    public let commonFormat: AVAudioCommonFormat

    private init(_ description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: description)
        channelLayout = layout
        commonFormat = Self.commonFormat(of: description)
    }

    deinit { storage.deallocate() }

    /// 32-bit float, one buffer a channel: the format of the engine's connections.
    ///
    /// `nil` for a sample rate that is not above 0 or no channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// 32-bit float, one buffer a channel, of the channels of `channelLayout`.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout) {
        self.init(
            commonFormat: .pcmFormatFloat32,
            sampleRate: sampleRate,
            interleaved: false,
            channelLayout: channelLayout
        )
    }

    /// A format with a name, of the usual channel layout.
    ///
    /// `nil` for a sample rate that is not above 0, no channels, or `.otherFormat`.
    public convenience init?(
        commonFormat: AVAudioCommonFormat,
        sampleRate: Double,
        channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard commonFormat != .otherFormat, sampleRate > 0, sampleRate.isFinite, channels > 0 else { return nil }
        self.init(
            Self.description(commonFormat, sampleRate, channels, interleaved),
            layout: .usual(for: channels)
        )
    }

    /// A format with a name, of the channels of `channelLayout`.
    public convenience init(
        commonFormat: AVAudioCommonFormat,
        sampleRate: Double,
        interleaved: Bool,
        channelLayout: AVAudioChannelLayout
    ) {
        self.init(
            Self.description(commonFormat, sampleRate, channelLayout.channelCount, interleaved),
            layout: channelLayout
        )
    }

    /// Any format, compressed or not, that a stream description can say.
    ///
    /// `nil` for more than two channels, whose order nobody could know: give a layout with them.
    public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
        let description = streamDescription.pointee
        guard description.mChannelsPerFrame <= 2 else { return nil }
        self.init(description, layout: .usual(for: description.mChannelsPerFrame))
    }

    /// Any format that a stream description can say, with its layout.
    ///
    /// `nil` for more than two channels without a layout, or a layout of another number of channels.
    public convenience init?(
        streamDescription: UnsafePointer<AudioStreamBasicDescription>,
        channelLayout: AVAudioChannelLayout?
    ) {
        let description = streamDescription.pointee
        guard let channelLayout else {
            self.init(streamDescription: streamDescription)
            return
        }
        guard channelLayout.channelCount == description.mChannelsPerFrame else { return nil }
        self.init(description, layout: channelLayout)
    }

    /// The format in the words of Core Audio.
    ///
    /// Valid as long as this object lives.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(storage) }

    /// Frames per second.
    public var sampleRate: Double { storage.pointee.mSampleRate }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount { storage.pointee.mChannelsPerFrame }

    /// Whether the channels of a frame lie side by side in one buffer.
    public var isInterleaved: Bool { storage.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// Whether this is 32-bit float with one buffer a channel.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && (!isInterleaved || channelCount == 1) }

    /// Formats of the same description and layout are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        let mine = storage.pointee
        let theirs = other.storage.pointee
        return mine.mSampleRate == theirs.mSampleRate && mine.mFormatID == theirs.mFormatID
            && mine.mFormatFlags == theirs.mFormatFlags && mine.mChannelsPerFrame == theirs.mChannelsPerFrame
            && mine.mBitsPerChannel == theirs.mBitsPerChannel && mine.mBytesPerPacket == theirs.mBytesPerPacket
            && mine.mFramesPerPacket == theirs.mFramesPerPacket && channelLayout == other.channelLayout
    }

    /// Agrees with `isEqual`.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(sampleRate)
        hasher.combine(channelCount)
        hasher.combine(storage.pointee.mFormatID)
        return hasher.finalize()
    }

    /// Rate, channels and sample type, for people.
    open override var description: String {
        let kind =
            switch commonFormat {
            case .otherFormat: "format \(storage.pointee.mFormatID)"
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            }
        return "\(channelCount) ch, \(sampleRate) Hz, \(kind), \(isInterleaved ? "interleaved" : "non-interleaved")"
    }

    private static func description(
        _ common: AVAudioCommonFormat,
        _ sampleRate: Double,
        _ channels: AVAudioChannelCount,
        _ interleaved: Bool
    ) -> AudioStreamBasicDescription {
        let isFloat = common == .pcmFormatFloat32 || common == .pcmFormatFloat64
        let bytes = common.bytesPerSample * (interleaved ? channels : 1)
        var flags = (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
        if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: flags,
            mBytesPerPacket: bytes,
            mFramesPerPacket: 1,
            mBytesPerFrame: bytes,
            mChannelsPerFrame: channels,
            mBitsPerChannel: common.bytesPerSample * 8,
            mReserved: 0
        )
    }

    private static func commonFormat(of description: AudioStreamBasicDescription) -> AVAudioCommonFormat {
        let flags = description.mFormatFlags
        guard description.mFormatID == kAudioFormatLinearPCM, flags & kAudioFormatFlagIsBigEndian == 0,
            flags & kAudioFormatFlagIsPacked != 0
        else { return .otherFormat }
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
        return switch (description.mBitsPerChannel, isFloat, isSigned) {
        case (32, true, _): .pcmFormatFloat32
        case (64, true, _): .pcmFormatFloat64
        case (16, false, true): .pcmFormatInt16
        case (32, false, true): .pcmFormatInt32
        default: .otherFormat
        }
    }
}
