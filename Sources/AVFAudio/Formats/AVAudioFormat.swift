public import CoreAudioTypes
public import Foundation
import Synchronization

/// A format of audio data: sample rate, channels, and sample type or codec.
///
/// Immutable except for `magicCookie`, and safe to use from any thread.
///
/// ```swift
/// let float = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
/// let integer = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)!
/// let flac = AVAudioFormat(settings: [
///     AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
/// ])
/// ```
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: `storage` is written once in `init` and freed in `deinit`; a lock guards the cookie.
    private let storage: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let cookie = Mutex<Data?>(nil)

    /// The assignment of channels to loudspeakers, if it is known.
    ///
    /// May be `nil` for mono and stereo. A format with more than two channels always has a layout.
    public let channelLayout: AVAudioChannelLayout?

    /// The sample type, or `.otherFormat` if the format has none of the named types.
    public let commonFormat: AVAudioCommonFormat

    private init(_ description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: description)
        channelLayout = layout
        commonFormat = description.commonFormat
    }

    deinit { storage.deallocate() }

    /// Whether there is a rate and a channel.
    var isValid: Bool { sampleRate > 0 && channelCount > 0 }

    // MARK: Making

    /// Creates an empty format with 0 Hz and 0 channels.
    public override convenience init() { self.init(AudioStreamBasicDescription(), layout: nil) }

    /// Creates the format of the engine's connections: 32-bit float, one buffer per channel.
    ///
    /// The result is `nil` if the sample rate is not above 0 or if there are no channels. More than two channels get
    /// the default layout for their number (WAVE order); Apple's initializer returns `nil`.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Creates a format of 32-bit float with one buffer per channel, for the channels of `channelLayout`.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout) {
        self.init(
            commonFormat: .pcmFormatFloat32,
            sampleRate: sampleRate,
            interleaved: false,
            channelLayout: channelLayout
        )
    }

    /// Creates an uncompressed format with a common sample type.
    ///
    /// The result is `nil` if the sample rate is not above 0, if there are no channels, or for `.otherFormat`. More
    /// than two channels get the default layout for their number (WAVE order); Apple's initializer returns `nil`.
    public convenience init?(
        commonFormat: AVAudioCommonFormat,
        sampleRate: Double,
        channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard commonFormat != .otherFormat, sampleRate > 0, sampleRate.isFinite, channels > 0 else { return nil }
        self.init(
            AudioStreamBasicDescription(commonFormat, sampleRate, channels, interleaved: interleaved),
            layout: channels > 2 ? .usual(for: channels) : nil
        )
    }

    /// Creates an uncompressed format with a common sample type, for the channels of `channelLayout`.
    public convenience init(
        commonFormat: AVAudioCommonFormat,
        sampleRate: Double,
        interleaved: Bool,
        channelLayout: AVAudioChannelLayout
    ) {
        require(
            commonFormat != .otherFormat,
            "Another format than the common ones is made of a stream description."
        )
        require(channelLayout.channelCount > 0, "A format has at least one channel, its layout has none.")
        let channels = channelLayout.channelCount
        self.init(
            AudioStreamBasicDescription(commonFormat, sampleRate, channels, interleaved: interleaved),
            layout: channelLayout
        )
    }

    /// Creates a format from a stream description, compressed or not.
    ///
    /// The result is `nil` for no channels, and for more than two channels. Pass a layout with those.
    public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
        let description = streamDescription.pointee
        guard (1...2).contains(description.mChannelsPerFrame) else { return nil }
        self.init(description, layout: nil)
    }

    /// Creates a format from a stream description and a layout.
    ///
    /// The result is `nil` for more than two channels without a layout, and for a layout with another number of
    /// channels.
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

    /// Creates a format from any stream description.
    ///
    /// Without a layout, more than two channels have an unknown order.
    package convenience init(describing description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        let count = description.mChannelsPerFrame
        let fits = layout.flatMap { $0.channelCount == count ? $0 : nil }
        let unordered = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | count & 0xFFFF)
        self.init(description, layout: fits ?? (count > 2 ? unordered : nil))
    }

    // MARK: Asking

    /// The format in the words of Core Audio.
    ///
    /// Valid as long as this object exists.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(storage) }

    /// The same, as a copy, for expressions that keep no reference to the format.
    var basicDescription: AudioStreamBasicDescription { storage.pointee }

    /// The sample rate in Hz.
    public var sampleRate: Double { storage.pointee.mSampleRate }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount { storage.pointee.mChannelsPerFrame }

    /// Whether one buffer has the samples of all channels, frame by frame.
    public var isInterleaved: Bool { storage.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// Whether the format is 32-bit float with one buffer per channel.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && (!isInterleaved || channelCount == 1) }

    /// The magic cookie: data that a decoder needs in addition to the format, or that an encoder produces; `nil` if
    /// none.
    public var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// Returns whether both formats describe the same data.
    ///
    /// Interleaving makes no difference for one channel, and packing none for samples that fill their bytes. A missing
    /// layout equals that of mono or stereo. Magic cookies are not compared.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other === self
            || storage.pointee.meaning == other.storage.pointee.meaning && significantLayout == other.significantLayout
    }

    /// The hash value, equal for equal formats.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(storage.pointee.meaning)
        hasher.combine(significantLayout)
        return hasher.finalize()
    }

    private var significantLayout: AVAudioChannelLayout? {
        switch channelLayout?.layoutTag {
        case kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo: nil
        default: channelLayout
        }
    }

    /// A readable text with sample rate, channels and sample type.
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

    // MARK: Archives

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Creates a format from an archive; `nil` if the archive has no format.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.descriptionKey) as Data?,
            data.count == MemoryLayout<AudioStreamBasicDescription>.size
        else { return nil }
        let description = data.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
        let layout = coder.decodeObject(of: AVAudioChannelLayout.self, forKey: Self.layoutKey)
        guard description.mChannelsPerFrame > 0,
            layout.map({ $0.channelCount == description.mChannelsPerFrame }) ?? true
        else { return nil }
        self.init(description, layout: layout)
        magicCookie = coder.decodeObject(of: NSData.self, forKey: Self.cookieKey) as Data?
    }

    /// Writes the format into an archive.
    public func encode(with coder: NSCoder) {
        let description = Data(bytes: storage, count: MemoryLayout<AudioStreamBasicDescription>.size)
        coder.encode(description as NSData, forKey: Self.descriptionKey)
        coder.encode(channelLayout, forKey: Self.layoutKey)
        coder.encode(magicCookie.map { $0 as NSData }, forKey: Self.cookieKey)
    }

    private static let descriptionKey = "streamDescription"
    private static let layoutKey = "channelLayout"
    private static let cookieKey = "magicCookie"
}
