public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// An audio format description.
public typealias CMAudioFormatDescription = CMFormatDescription

/// A set of parts of an audio format description.
public typealias CMAudioFormatDescriptionMask = UInt32
/// The stream description.
public let kCMAudioFormatDescriptionMask_StreamBasicDescription: CMAudioFormatDescriptionMask = 1 << 0
/// The magic cookie: the decoder configuration.
public let kCMAudioFormatDescriptionMask_MagicCookie: CMAudioFormatDescriptionMask = 1 << 1
/// The channel layout.
public let kCMAudioFormatDescriptionMask_ChannelLayout: CMAudioFormatDescriptionMask = 1 << 2
/// The extensions.
public let kCMAudioFormatDescriptionMask_Extensions: CMAudioFormatDescriptionMask = 1 << 3
/// All parts.
public let kCMAudioFormatDescriptionMask_All: CMAudioFormatDescriptionMask = 0xF

/// Creates an audio format description.
/// - Parameters:
///   - allocator: Ignored.
///   - asbd: The stream description.
///   - layoutSize: The size of `layout` in bytes.
///   - layout: The channel layout, or `nil`.
///   - magicCookieSize: The size of `magicCookie` in bytes.
///   - magicCookie: The decoder configuration, or `nil`.
///   - extensions: Further properties, under the keys `kCMFormatDescriptionExtension_…`, or `nil`.
///   - formatDescriptionOut: Receives the description.
/// - Returns: `noErr`, or `kCMFormatDescriptionError_InvalidParameter` if a size is negative, the layout is incomplete,
///   or `magicCookie` is `nil` although its size is not 0.
@discardableResult
public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?,
    asbd: UnsafePointer<AudioStreamBasicDescription>,
    layoutSize: Int,
    layout: UnsafePointer<AudioChannelLayout>?,
    magicCookieSize: Int,
    magicCookie: UnsafeRawPointer?,
    extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    guard layoutSize >= 0, magicCookieSize >= 0, magicCookieSize == 0 || magicCookie != nil else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    var managed: ManagedAudioChannelLayout?
    if let layout, layoutSize > 0 {
        managed = ManagedAudioChannelLayout(bytes: UnsafeRawBufferPointer(start: layout, count: layoutSize))
        guard managed != nil else { return kCMFormatDescriptionError_InvalidParameter }
    }
    let cookie = UnsafeRawBufferPointer(start: magicCookie, count: magicCookie == nil ? 0 : magicCookieSize)
    formatDescriptionOut.pointee = CMFormatDescription(asbd.pointee, managed, cookie, extensions)
    return noErr
}

/// Returns a pointer to the stream description, valid while `desc` exists; `nil` if `desc` does not describe audio.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { desc.sound.map { UnsafePointer($0.format) } }

/// Returns a pointer to the decoder configuration, valid while `desc` exists; `nil` if there is none.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.sound?.cookieSize ?? 0
    return desc.sound?.cookie.map { UnsafeRawPointer($0) }
}

/// Returns a pointer to the channel layout, valid while `desc` exists; `nil` if it is unknown.
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    sizeOut?.pointee = desc.sound?.layoutSize ?? 0
    return desc.sound?.layout.map { UnsafePointer($0) }
}

/// Returns a pointer to the formats to which the packets can be decoded, always one, valid while `desc` exists.
public func CMAudioFormatDescriptionGetFormatList(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
    sizeOut?.pointee = desc.sound == nil ? 0 : MemoryLayout<AudioFormatListItem>.size
    return desc.sound.map { UnsafePointer($0.formatItem) }
}

/// Returns the richest format to which the packets can be decoded.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? { CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil) }

/// Returns the format to which every decoder can decode the packets.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? { CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil) }

/// Compares parts of two audio format descriptions.
/// - Parameters:
///   - formatDescription: The first description.
///   - otherFormatDescription: The second description.
///   - equalityMask: The parts to compare.
///   - equalityMaskOut: Receives the parts that are equal.
/// - Returns: Whether all compared parts are equal.
public func CMAudioFormatDescriptionEqual(
    _ formatDescription: CMAudioFormatDescription,
    otherFormatDescription: CMAudioFormatDescription,
    equalityMask: CMAudioFormatDescriptionMask,
    equalityMaskOut: UnsafeMutablePointer<CMAudioFormatDescriptionMask>?
) -> Bool {
    guard let one = formatDescription.sound, let two = otherFormatDescription.sound else {
        equalityMaskOut?.pointee = 0
        return false
    }
    var equal: CMAudioFormatDescriptionMask = 0
    if one.hasEqualFormat(two) { equal |= kCMAudioFormatDescriptionMask_StreamBasicDescription }
    if one.hasEqualCookie(two) { equal |= kCMAudioFormatDescriptionMask_MagicCookie }
    if one.hasEqualLayout(two) { equal |= kCMAudioFormatDescriptionMask_ChannelLayout }
    if formatDescription.hasEqualExtensions(otherFormatDescription) {
        equal |= kCMAudioFormatDescriptionMask_Extensions
    }
    equalityMaskOut?.pointee = equal & equalityMask
    return equal & equalityMask == equalityMask
}

extension CMFormatDescription {
    /// Creates an audio format description.
    ///
    /// ```swift
    /// import AVFAudio
    ///
    /// let stream = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!.streamDescription.pointee
    /// let format = try CMFormatDescription(audioStreamBasicDescription: stream)
    /// print(format.mediaType, format.mediaSubType) // 'soun' 'lpcm'
    /// ```
    public convenience init(
        audioStreamBasicDescription: AudioStreamBasicDescription,
        layout: ManagedAudioChannelLayout? = nil,
        magicCookie: Data? = nil,
        extensions: [String: Any]? = nil
    ) throws {
        let further = extensions.map { NSDictionary(dictionary: $0) }
        let cookie = [UInt8](magicCookie ?? Data())
        let sound = cookie.withUnsafeBytes {
            SoundDescription(audioStreamBasicDescription, layout: layout, cookie: $0)
        }
        self.init(sound, further)
    }

    /// Creates an audio format description.
    package convenience init(
        sound description: AudioStreamBasicDescription,
        layout: ManagedAudioChannelLayout?,
        magicCookie: Data?
    ) {
        let sound = [UInt8](magicCookie ?? Data()).withUnsafeBytes {
            SoundDescription(description, layout: layout, cookie: $0)
        }
        self.init(sound, nil)
    }

    convenience init(
        _ description: AudioStreamBasicDescription,
        _ layout: ManagedAudioChannelLayout?,
        _ cookie: UnsafeRawBufferPointer,
        _ extensions: NSDictionary?
    ) {
        self.init(SoundDescription(description, layout: layout, cookie: cookie), extensions)
    }

    private convenience init(_ sound: SoundDescription, _ extensions: NSDictionary?) {
        self.init(
            mediaType: kCMMediaType_Audio,
            mediaSubType: sound.format.pointee.mFormatID,
            extensions: extensions,
            sound: sound
        )
    }

    /// The stream description; `nil` if this description does not describe audio.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { sound?.format.pointee }

    /// The decoder configuration; `nil` if there is none.
    public var magicCookie: Data? { sound.flatMap { $0.cookieSize == 0 ? nil : Data($0.cookieBytes) } }

    /// Calls `body` with the decoder configuration, or with `nil`.
    public func withMagicCookie<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(sound.flatMap { $0.cookieSize == 0 ? nil : $0.cookieBytes })
    }

    /// The channel layout, if known.
    public var audioChannelLayout: ManagedAudioChannelLayout? { sound?.managedLayout }

    /// The formats to which the packets can be decoded.
    public var audioFormatList: [AudioFormatListItem] { sound.map { [$0.formatItem.pointee] } ?? [] }
}
