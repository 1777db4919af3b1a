internal import CoreAudioTypes
internal import Foundation

/// The audio-specific parts of a format description, in memory that C code can point to.
final class SoundDescription: Equatable {
    let format: UnsafeMutablePointer<AudioStreamBasicDescription>
    let formatItem: UnsafeMutablePointer<AudioFormatListItem>
    let layout: UnsafeMutablePointer<AudioChannelLayout>?
    let layoutSize: Int
    let cookie: UnsafeMutableRawPointer?
    let cookieSize: Int

    init(
        _ description: AudioStreamBasicDescription,
        layout: ManagedAudioChannelLayout?,
        cookie bytes: UnsafeRawBufferPointer
    ) {
        format = .allocate(capacity: 1)
        format.initialize(to: description)
        formatItem = .allocate(capacity: 1)
        formatItem.initialize(
            to: AudioFormatListItem(
                mASBD: description,
                mChannelLayoutTag: layout?.tag ?? kAudioChannelLayoutTag_Unknown | description.mChannelsPerFrame
            )
        )
        layoutSize = layout?.sizeInBytes ?? 0
        self.layout = layout.map { layout in
            layout.withUnsafePointer { source in
                let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.sizeInBytes, alignment: 16)
                memory.copyMemory(from: source, byteCount: layout.sizeInBytes)
                return memory.bindMemory(to: AudioChannelLayout.self, capacity: 1)
            }
        }
        cookieSize = bytes.count
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            cookie = nil
            return
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: base, byteCount: bytes.count)
        cookie = memory
    }

    deinit {
        format.deallocate()
        formatItem.deallocate()
        layout?.deallocate()
        cookie?.deallocate()
    }

    var managedLayout: ManagedAudioChannelLayout? { layout.map { ManagedAudioChannelLayout(UnsafePointer($0)) } }

    var cookieBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: cookie, count: cookieSize) }

    func hasEqualFormat(_ other: SoundDescription) -> Bool {
        memcmp(format, other.format, MemoryLayout<AudioStreamBasicDescription>.size) == 0
    }

    func hasEqualCookie(_ other: SoundDescription) -> Bool { cookieBytes.elementsEqual(other.cookieBytes) }

    func hasEqualLayout(_ other: SoundDescription) -> Bool { managedLayout == other.managedLayout }

    static func == (lhs: SoundDescription, rhs: SoundDescription) -> Bool {
        lhs.hasEqualFormat(rhs) && lhs.hasEqualCookie(rhs) && lhs.hasEqualLayout(rhs)
    }
}
