internal import CoreAudioTypes
internal import Foundation
internal import Synchronization

/// A picture in memory, with attachments.
///
/// Its memory exists as long as the buffer. Any thread may lock the memory and use the attachments. The program must
/// synchronize reads and writes of the pixels.
///
/// ```swift
/// CVPixelBufferLockBaseAddress(picture, .readOnly)
/// if let base = CVPixelBufferGetBaseAddress(picture) {
///     let firstRow = UnsafeRawBufferPointer(start: base, count: CVPixelBufferGetBytesPerRow(picture))
///     print(firstRow.prefix(4).map { $0 }) // blue, green, red, alpha of the first pixel
/// }
/// CVPixelBufferUnlockBaseAddress(picture, .readOnly)
/// ```
public final class CVBuffer: Hashable, @unchecked Sendable {
    // Unchecked: locks guard all mutable state except the pixels, as documented.

    /// A plane of the picture.
    struct Plane {
        let width: Int
        let height: Int
        let bytesPerRow: Int
        let base: UnsafeMutableRawPointer
    }

    let format: OSType
    let width: Int
    let height: Int
    let planes: [Plane]
    let byteCount: Int
    let isPlanar: Bool
    let attributes: NSDictionary?
    private let release: () -> Void
    private let lockCount = Mutex(0)
    private let lock = NSLock()
    private var attachmentValues: [String: (value: Any, mode: CVAttachmentMode)] = [:]

    init(
        format: OSType,
        width: Int,
        height: Int,
        planes: [Plane],
        byteCount: Int,
        isPlanar: Bool,
        attributes: NSDictionary?,
        release: @escaping () -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.planes = planes
        self.byteCount = byteCount
        self.isPlanar = isPlanar
        self.attributes = attributes
        self.release = release
    }

    deinit { release() }

    /// Returns whether both are the same buffer.
    public static func == (lhs: CVBuffer, rhs: CVBuffer) -> Bool { lhs === rhs }

    /// Hashes the identity of the buffer.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether the memory is locked for use.
    var isLocked: Bool { lockCount.withLock { $0 > 0 } }

    func lockMemory() { lockCount.withLock { $0 += 1 } }

    /// Returns whether the memory was locked.
    func unlockMemory() -> Bool {
        lockCount.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }

    // MARK: Attachments

    func attachment(_ key: String) -> (value: Any, mode: CVAttachmentMode)? {
        lock.withLock { attachmentValues[key] }
    }

    func setAttachment(_ key: String, _ value: Any?, _ mode: CVAttachmentMode) {
        lock.withLock { attachmentValues[key] = value.map { ($0, mode) } }
    }

    func attachments(_ mode: CVAttachmentMode) -> [String: Any] {
        lock.withLock { attachmentValues.filter { $0.value.mode == mode }.mapValues(\.value) }
    }

    func removeAttachments() { lock.withLock { attachmentValues = [:] } }
}

/// A buffer that contains a picture.
public typealias CVImageBuffer = CVBuffer
/// A picture whose pixels are in memory.
public typealias CVPixelBuffer = CVImageBuffer
