public import CoreAudioTypes
public import Foundation

/// The assignment of channels to loudspeakers: a tag for a standard order, a bitmap, or a description of each channel.
///
/// Immutable, so any thread may read it.
///
/// ```swift
/// let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A)!
/// let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
/// print(format.channelCount)  // 6
/// ```
open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked: `storage` is written once, before `init` returns, and freed in `deinit`.
    private let storage: UnsafeMutablePointer<AudioChannelLayout>

    /// Creates the layout of `layoutTag`.
    ///
    /// The low 16 bits of a tag are its number of channels.
    ///
    /// The result is `nil` for `kAudioChannelLayoutTag_UseChannelDescriptions` and
    /// `kAudioChannelLayoutTag_UseChannelBitmap`, which refer to separate channel descriptions.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
            layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
        else { return nil }
        storage = Self.allocate(layoutTag)
    }

    /// Creates a copy of `layout`.
    ///
    /// Channel descriptions in an order that has a tag are replaced by that tag.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        let descriptions = layout.descriptions
        switch layout.pointee.mChannelLayoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            let isByLabel = descriptions.allSatisfy { $0.mChannelLabel != kAudioChannelLabel_UseCoordinates }
            if isByLabel, let tag = ChannelOrder.tag(of: descriptions.map(\.mChannelLabel)) {
                storage = Self.allocate(tag)
            } else {
                storage = Self.allocate(kAudioChannelLayoutTag_UseChannelDescriptions, descriptions: descriptions)
            }
        case let tag:
            storage = Self.allocate(tag, bitmap: layout.pointee.mChannelBitmap)
        }
    }

    deinit { UnsafeMutableRawPointer(storage).deallocate() }

    /// The tag of the layout.
    public var layoutTag: AudioChannelLayoutTag { storage.pointee.mChannelLayoutTag }

    /// The layout in the words of Core Audio.
    ///
    /// Valid as long as this object exists.
    public var layout: UnsafePointer<AudioChannelLayout> { UnsafePointer(storage) }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: storage.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap: UInt32(storage.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        case let tag: AudioChannelLayoutTag_GetNumberOfChannels(tag)
        }
    }

    /// Returns whether `object` is a layout with the same tag, bitmap and channel descriptions.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return other === self || bytes == other.bytes
    }

    /// The hash value, equal for equal layouts.
    open override var hash: Int { bytes.hashValue }

    // MARK: Archives

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Creates a layout from an archive; `nil` if the archive has no layout.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.key) as Data? else { return nil }
        self.init(data: data)
    }

    /// Writes the layout into an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(bytes as NSData, forKey: Self.key)
    }

    private static let key = "layout"

    /// Creates a layout from the bytes of an `AudioChannelLayout`, as in `AVChannelLayoutKey`; `nil` if `data` is too
    /// short.
    convenience init?(data: Data) {
        let size = data.count
        guard size >= AudioChannelLayout.sizeInBytes(maximumDescriptions: 0) else { return nil }
        // A truncated header is extended with zeros.
        let room = max(size, MemoryLayout<AudioChannelLayout>.size)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: room,
            alignment: MemoryLayout<AudioChannelLayout>.alignment
        )
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: room)
        data.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: size) }
        let layout = UnsafePointer(memory.bindMemory(to: AudioChannelLayout.self, capacity: 1))
        let isDescribed = layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions
        let count = isDescribed ? Int(layout.pointee.mNumberChannelDescriptions) : 0
        guard AudioChannelLayout.sizeInBytes(maximumDescriptions: count) <= size else { return nil }
        self.init(layout: layout)
    }

    /// The `AudioChannelLayout`, with its descriptions.
    var bytes: Data {
        let count = Int(storage.pointee.mNumberChannelDescriptions)
        return Data(bytes: storage, count: AudioChannelLayout.sizeInBytes(maximumDescriptions: count))
    }

    private static func allocate(
        _ tag: AudioChannelLayoutTag,
        bitmap: AudioChannelBitmap = [],
        descriptions: [AudioChannelDescription] = []
    ) -> UnsafeMutablePointer<AudioChannelLayout> {
        let layout = AudioChannelLayout.allocate(maximumDescriptions: descriptions.count)
        layout.pointee.mChannelLayoutTag = tag
        layout.pointee.mChannelBitmap = tag == kAudioChannelLayoutTag_UseChannelBitmap ? bitmap : []
        for (index, description) in descriptions.enumerated() { layout.setDescription(description, at: index) }
        return layout
    }

    /// The default layout for a number of channels: the order of WAVE files, which devices use too.
    static func usual(for channelCount: AVAudioChannelCount) -> AVAudioChannelLayout? {
        let tag: AudioChannelLayoutTag =
            switch channelCount {
            case 1: kAudioChannelLayoutTag_Mono
            case 2: kAudioChannelLayoutTag_Stereo
            case 3: kAudioChannelLayoutTag_MPEG_3_0_A
            case 4: kAudioChannelLayoutTag_Quadraphonic
            case 5: kAudioChannelLayoutTag_MPEG_5_0_A
            case 6: kAudioChannelLayoutTag_MPEG_5_1_A
            case 7: kAudioChannelLayoutTag_WAVE_6_1
            case 8: kAudioChannelLayoutTag_WAVE_7_1
            default: kAudioChannelLayoutTag_DiscreteInOrder | channelCount
            }
        return AVAudioChannelLayout(layoutTag: tag)
    }
}
