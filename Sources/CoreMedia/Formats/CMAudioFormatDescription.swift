public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// The description of sound.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Parts of a description of sound.
public typealias CMAudioFormatDescriptionMask = UInt32
/// The stream description.
public let kCMAudioFormatDescriptionMask_StreamBasicDescription: CMAudioFormatDescriptionMask = 1 << 0
/// The data that a decoder needs beside the packets.
public let kCMAudioFormatDescriptionMask_MagicCookie: CMAudioFormatDescriptionMask = 1 << 1
/// The channel layout.
public let kCMAudioFormatDescriptionMask_ChannelLayout: CMAudioFormatDescriptionMask = 1 << 2
/// Further properties.
public let kCMAudioFormatDescriptionMask_Extensions: CMAudioFormatDescriptionMask = 1 << 3
/// All parts.
public let kCMAudioFormatDescriptionMask_All: CMAudioFormatDescriptionMask = 0xF

/// Makes a description of sound.
/// - Parameters:
///   - allocator: Without effect.
///   - asbd: The stream description.
///   - layoutSize: The size of `layout` in bytes.
///   - layout: The channel layout, if it is known.
///   - magicCookieSize: The size of `magicCookie` in bytes.
///   - magicCookie: The data that a decoder needs beside the packets, if it needs any.
///   - extensions: Further properties.
///   - formatDescriptionOut: Receives the description.
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

/// Returns the stream description, which lives as long as `desc`; `nil` if it is none of sound.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { desc.sound.map { UnsafePointer($0.format) } }

/// Returns the data that a decoder needs beside the packets, which live as long as `desc`; `nil` if it needs none.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.sound?.cookieSize ?? 0
    return desc.sound?.cookie.map { UnsafeRawPointer($0) }
}

/// Returns the channel layout, which lives as long as `desc`; `nil` if it is not known.
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    sizeOut?.pointee = desc.sound?.layoutSize ?? 0
    return desc.sound?.layout.map { UnsafePointer($0) }
}

/// Returns the formats that the packets can be decoded as, of which there is always one, as long as `desc` lives.
public func CMAudioFormatDescriptionGetFormatList(
    _ desc: CMAudioFormatDescription,
    sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
    sizeOut?.pointee = desc.sound == nil ? 0 : MemoryLayout<AudioFormatListItem>.size
    return desc.sound.map { UnsafePointer($0.formatItem) }
}

/// Returns the best format that the packets can be decoded as.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? { CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil) }

/// Returns the format that any decoder of the packets can decode them as.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? { CMAudioFormatDescriptionGetFormatList(desc, sizeOut: nil) }

/// Returns whether parts of two descriptions of sound are equal.
/// - Parameters:
///   - formatDescription: The one.
///   - otherFormatDescription: The other.
///   - equalityMask: The parts to compare.
///   - equalityMaskOut: Receives those of them that are equal.
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
    /// A description of sound.
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

    /// A description of sound.
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

    /// The stream description; `nil` if this is none of sound.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { sound?.format.pointee }

    /// The data that a decoder needs beside the packets; `nil` if it needs none.
    public var magicCookie: Data? { sound.flatMap { $0.cookieSize == 0 ? nil : Data($0.cookieBytes) } }

    /// Lends the data that a decoder needs beside the packets.
    public func withMagicCookie<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(sound.flatMap { $0.cookieSize == 0 ? nil : $0.cookieBytes })
    }

    /// The channel layout, if it is known.
    public var audioChannelLayout: ManagedAudioChannelLayout? { sound?.managedLayout }

    /// The formats that the packets can be decoded as.
    public var audioFormatList: [AudioFormatListItem] { sound.map { [$0.formatItem.pointee] } ?? [] }
}
