internal import Foundation
internal import Synchronization
package import SyrinxByteStream
package import SyrinxHTTPStream

/// The bytes of a resource that have arrived for another stream, in its memory and in its disk cache.
///
/// The stream sends no requests and does not move the other stream's reader. A read of missing bytes waits for a
/// limited time, then throws `.interrupted`; while interrupted, it throws at once.
package final class ArrivedByteStream: ArrivalReporting {
    private struct State {
        var isCancelled = false
        var isInterrupted = false
        /// The block that was read from disk last.
        var block: (start: Int64, bytes: [UInt8])?
    }

    /// Seconds that a read waits.
    private static let patience = 0.25
    /// The interval between checks for new bytes in microseconds, short compared to the 100 ms in which a waveform
    /// should appear.
    private static let interval: UInt32 = 10_000

    private let source: HTTPByteStream
    private let state = Mutex(State())

    /// Creates a stream of the bytes that have arrived for `source`, now and later.
    package init(_ source: HTTPByteStream) { self.source = source }

    package var name: String { source.name }
    package var mimeType: String? { source.mimeType }
    package var length: Int64? { source.length ?? source.storedEntry?.resource?.length }
    package var isSeekable: Bool { true }
    package var isRemote: Bool { true }
    package func firstMissing(from offset: Int64) -> Int64 { source.firstMissing(from: offset) }
    package func firstHeld(from offset: Int64) -> Int64? { source.firstHeld(from: offset) }
    package func setInterrupted(_ isInterrupted: Bool) { state.withLock { $0.isInterrupted = isInterrupted } }
    package var arrivalCount: Int { source.arrivalCount }
    package func endArrivalWaits() { source.endArrivalWaits() }

    package func cancel() {
        state.withLock { $0.isCancelled = true }
        source.endArrivalWaits()
    }

    package func waitForArrival(after count: Int) {
        guard !state.withLock({ $0.isCancelled }) else { return }
        source.waitForArrival(after: count)
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while true {
            let (isCancelled, isInterrupted, kept) = state.withLock { ($0.isCancelled, $0.isInterrupted, $0.block) }
            if isCancelled { throw .cancelled(name: name) }
            if buffer.isEmpty { return 0 }
            if let length, offset >= length { return 0 }
            let count = source.copyArrived(at: offset, into: buffer)
            if count > 0 { return count }
            if let kept, let count = Self.copy(kept, from: offset, into: buffer) { return count }
            let block = source.storedEntry?.block(containing: offset)
            if let block, let count = Self.copy(block, from: offset, into: buffer) {
                state.withLock { $0.block = block }
                return count
            }
            guard !isInterrupted, Date() < deadline else {
                throw SyrinxError(.interrupted, "These bytes have not arrived yet.", name: name)
            }
            usleep(Self.interval)
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
