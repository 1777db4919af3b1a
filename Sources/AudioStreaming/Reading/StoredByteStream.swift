package import ByteStream
internal import Foundation
internal import Synchronization

/// The bytes of a resource that another stream has stored in the disk cache.
///
/// It fetches nothing. A read waits for some time until the bytes have been stored, then it throws `.interrupted`.
package final class StoredByteStream: ByteStream {
    private struct State {
        var isCancelled = false
        /// The block that was read last.
        var block: (start: Int64, bytes: [UInt8])?
    }

    /// Seconds that a read waits.
    private static let patience = 0.25

    private let entry: DiskCacheEntry
    private let state = Mutex(State())
    package let name: String
    package let mimeType: String?

    /// A stream of what `entry` stores, now and later.
    package init(_ entry: DiskCacheEntry, name: String, mimeType: String?) {
        self.entry = entry
        self.name = name
        self.mimeType = mimeType
    }

    package var length: Int64? { entry.resource?.length }
    package var isSeekable: Bool { true }
    package var isRemote: Bool { true }
    package func firstMissing(from offset: Int64) -> Int64 { entry.firstMissing(from: offset) }
    package func cancel() { state.withLock { $0.isCancelled = true } }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while true {
            let (isCancelled, kept) = state.withLock { ($0.isCancelled, $0.block) }
            if isCancelled { throw .cancelled(name: name) }
            if buffer.isEmpty { return 0 }
            if let length, offset >= length { return 0 }
            if let kept, let count = Self.copy(kept, from: offset, into: buffer) { return count }
            if let block = entry.block(containing: offset), let count = Self.copy(block, from: offset, into: buffer) {
                state.withLock { $0.block = block }
                return count
            }
            guard Date() < deadline else {
                throw ByteStreamError(.interrupted, "These bytes have not arrived yet.", name: name)
            }
            usleep(20_000)
        }
    }

    private static func copy(
        _ block: (start: Int64, bytes: [UInt8]),
        from offset: Int64,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let place = offset.subtractingClamped(block.start)
        guard place >= 0, place < block.bytes.count else { return nil }
        let count = min(buffer.count, block.bytes.count - Int(place))
        block.bytes.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(place)..<Int(place) + count]))
        }
        return count
    }
}
