internal import CoreAudioTypes
internal import Foundation

extension AVAudioFormat {
    /// Creates a format from settings: `AVFormatIDKey` (default: uncompressed), `AVSampleRateKey`,
    /// `AVNumberOfChannelsKey`, `AVChannelLayoutKey`, and the keys that begin with `AVLinearPCM`.
    ///
    /// The result is `nil` without a sample rate or channels, with an unsupported bit depth, or with a layout for
    /// another number of channels. More than two channels without a layout get the default layout for their number;
    /// Apple's initializer returns `nil`.
    public convenience init?(settings: [String: Any]) {
        let values = SettingValues(settings)
        guard let rate = values.number(AVSampleRateKey), rate > 0, rate.isFinite,
            let channels = values.number(AVNumberOfChannelsKey).flatMap({ UInt32(exactly: $0) }),
            (1...1024).contains(channels)
        else { return nil }
        var description = AudioStreamBasicDescription()
        description.mSampleRate = rate
        description.mChannelsPerFrame = channels
        description.mFormatID = values.identifier(AVFormatIDKey) ?? kAudioFormatLinearPCM
        if description.mFormatID == kAudioFormatLinearPCM {
            guard description.fillLinearPCM(values) else { return nil }
        }
        guard let layout = values.layout(ofChannels: channels) else { return nil }
        self.init(streamDescription: &description, channelLayout: layout)
    }

    /// The format as settings, for example for `AVAudioFile`.
    ///
    /// Each number is an `NSNumber`, which casts to any type that can represent the value, such as `Int`, `Double` or
    /// `Bool`.
    public var settings: [String: Any] {
        let description = streamDescription.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: description.mFormatID),
            AVSampleRateKey: NSNumber(value: description.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: description.mChannelsPerFrame),
        ]
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.bytes }
        if description.mFormatID == kAudioFormatLinearPCM {
            func flag(_ flag: AudioFormatFlags) -> NSNumber { NSNumber(value: description.mFormatFlags & flag != 0) }
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: description.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = flag(kAudioFormatFlagIsFloat)
            settings[AVLinearPCMIsBigEndianKey] = flag(kAudioFormatFlagIsBigEndian)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !isInterleaved)
        }
        return settings
    }
}

extension AudioStreamBasicDescription {
    fileprivate mutating func fillLinearPCM(_ values: SettingValues) -> Bool {
        let isFloat = values.flag(AVLinearPCMIsFloatKey)
        let bits = values.number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else { return false }
        let isSplit = values.flag(AVLinearPCMIsNonInterleaved)
        mFormatFlags = kAudioFormatFlagIsPacked
        mFormatFlags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if values.flag(AVLinearPCMIsBigEndianKey) { mFormatFlags |= kAudioFormatFlagIsBigEndian }
        if isSplit { mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
        mBitsPerChannel = UInt32(bits)
        mBytesPerFrame = mBitsPerChannel / 8 * (isSplit ? 1 : mChannelsPerFrame)
        mBytesPerPacket = mBytesPerFrame
        mFramesPerPacket = 1
        return true
    }
}

/// Settings from a caller: numbers of any type, or objects that wrap a number.
struct SettingValues {
    private let settings: [String: Any]

    init(_ settings: [String: Any]) {
        self.settings = settings
    }

    func number(_ key: String) -> Double? {
        switch settings[key] {
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as AVAudioQuality: Double(value.rawValue)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    func flag(_ key: String) -> Bool { number(key).map { $0 != 0 } ?? false }

    /// The layout in the settings, or the default layout; `nil` if the settings have a layout for another number of
    /// channels.
    func layout(ofChannels count: AVAudioChannelCount) -> AVAudioChannelLayout? {
        guard let value = settings[AVChannelLayoutKey] else { return .usual(for: count) }
        guard let data = value as? Data, let layout = AVAudioChannelLayout(data: data), layout.channelCount == count
        else { return nil }
        return layout
    }

    /// A four-character code.
    func identifier(_ key: String) -> UInt32? { number(key).flatMap { UInt32(exactly: $0) } }
}
