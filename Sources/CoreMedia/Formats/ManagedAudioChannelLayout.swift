public import CoreAudioTypes
internal import Foundation

/// A channel layout as a value: a layout tag, a channel bitmap, or a description of each channel.
public struct ManagedAudioChannelLayout: Hashable, Sendable {
    /// The layout tag; it may refer to the bitmap or to the channel descriptions.
    public let tag: AudioChannelLayoutTag
    /// The channel bitmap, if the tag is `kAudioChannelLayoutTag_UseChannelBitmap`.
    public let bitmap: AudioChannelBitmap
    private let bytes: [UInt8]

    /// Creates a layout from a tag.
    public init(tag: AudioChannelLayoutTag) {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = tag
        self.init(header: layout, descriptions: [])
    }

    /// Creates a layout from a channel bitmap.
    public init(bitmap: AudioChannelBitmap) {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        layout.mChannelBitmap = bitmap
        self.init(header: layout, descriptions: [])
    }

    /// Creates a layout from descriptions of the channels.
    public init(channelDescriptions: [AudioChannelDescription]) {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
        self.init(header: layout, descriptions: channelDescriptions)
    }

    /// Copies the layout at `pointer`.
    public init(_ pointer: UnsafePointer<AudioChannelLayout>) {
        self.init(header: pointer.pointee, descriptions: pointer.descriptions)
    }

    /// Copies the layout in `bytes`; returns `nil` if the bytes are incomplete.
    init?(bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count >= AudioChannelLayout.sizeInBytes(maximumDescriptions: 0) else {
            return nil
        }
        var header = AudioChannelLayout()
        withUnsafeMutableBytes(of: &header) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: base, count: min($0.count, bytes.count)))
        }
        let count = Int(header.mNumberChannelDescriptions)
        guard bytes.count >= AudioChannelLayout.sizeInBytes(maximumDescriptions: count) else { return nil }
        let first = base + AudioChannelLayout.sizeInBytes(maximumDescriptions: 0)
        let descriptions = (0..<count).map {
            first.loadUnaligned(
                fromByteOffset: $0 * MemoryLayout<AudioChannelDescription>.stride,
                as: AudioChannelDescription.self
            )
        }
        self.init(header: header, descriptions: descriptions)
    }

    private init(header: AudioChannelLayout, descriptions: [AudioChannelDescription]) {
        tag = header.mChannelLayoutTag
        bitmap = header.mChannelBitmap
        let memory = AudioChannelLayout.allocate(maximumDescriptions: descriptions.count)
        defer { memory.deallocate() }
        memory.pointee.mChannelLayoutTag = header.mChannelLayoutTag
        memory.pointee.mChannelBitmap = header.mChannelBitmap
        for (index, description) in descriptions.enumerated() { memory.setDescription(description, at: index) }
        let size = max(
            AudioChannelLayout.sizeInBytes(maximumDescriptions: descriptions.count),
            MemoryLayout<AudioChannelLayout>.size
        )
        bytes = [UInt8](UnsafeRawBufferPointer(start: memory, count: size))
    }

    /// Returns whether both layouts have the same bytes as C structures.
    public static func == (lhs: ManagedAudioChannelLayout, rhs: ManagedAudioChannelLayout) -> Bool {
        lhs.bytes == rhs.bytes
    }

    /// Hashes the bytes of the C structure.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// The size of the layout as a C structure, in bytes.
    public var sizeInBytes: Int { bytes.count }

    /// The descriptions of the channels, if the tag is `kAudioChannelLayoutTag_UseChannelDescriptions`.
    public var channelDescriptions: [AudioChannelDescription] { withUnsafePointer(\.descriptions) }

    /// Calls `body` with a pointer to the layout as a C structure.
    public func withUnsafePointer<R>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes { bytes in
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: bytes.count,
                alignment: MemoryLayout<AudioChannelLayout>.alignment
            )
            defer { memory.deallocate() }
            UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: bytes)
            return try body(UnsafePointer(memory.bindMemory(to: AudioChannelLayout.self, capacity: 1)))
        }
    }
}
