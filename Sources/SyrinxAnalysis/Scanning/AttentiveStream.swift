internal import Foundation
internal import Synchronization
package import SyrinxByteStream

/// A stream that forwards to another one, records the offsets of reads, and can wait for bytes that have not arrived.
package final class AttentiveStream: ByteStream {
    private struct State {
        /// The offset after the last successful read.
        var next: Int64 = 0
        /// The offset of the last read that was not contiguous with the read before it.
        var runStart: Int64 = 0
        /// The offset of the last failed read.
        var missing: Int64 = 0
        var waits = true
        var isCancelled = false
    }

    /// The interval between attempts to read missing bytes in seconds, which grows from `least` to `greatest`.
    private static let intervals = (least: 0.01, greatest: 0.25)

    private let stream: any ByteStream
    /// The stream, if it reports arrivals.
    let reporting: (any ArrivalReporting)?
    private let state = Mutex(State())

    /// Creates a stream that forwards to `stream`.
    package init(_ stream: any ByteStream) {
        self.stream = stream
        reporting = stream as? any ArrivalReporting
    }

    package var name: String { stream.name }
    package var length: Int64? { stream.length }
    package var isSeekable: Bool { stream.isSeekable }
    package var isRemote: Bool { stream.isRemote }
    package var mimeType: String? { stream.mimeType }
    package func firstMissing(from offset: Int64) -> Int64 { stream.firstMissing(from: offset) }
    package func firstHeld(from offset: Int64) -> Int64? { stream.firstHeld(from: offset) }
    package func setInterrupted(_ isInterrupted: Bool) { stream.setInterrupted(isInterrupted) }

    package func cancel() {
        state.withLock { $0.isCancelled = true }
        stream.cancel()
    }

    /// Whether reads wait indefinitely for missing bytes; otherwise they throw `.interrupted` after a short wait.
    var waits: Bool {
        get { state.withLock { $0.waits } }
        set { state.withLock { $0.waits = newValue } }
    }

    /// The offset of the last read that was not contiguous with the read before it.
    var runStart: Int64 { state.withLock { $0.runStart } }
    /// The offset of the last failed read.
    var missing: Int64 { state.withLock { $0.missing } }

    /// The byte ranges that have arrived, ascending and disjoint; for a very fragmented resource, only the first
    /// ranges.
    var heldRanges: [Range<Int64>] {
        guard let length else { return [] }
        var ranges: [Range<Int64>] = []
        var offset: Int64 = 0
        while ranges.count < 1024, offset < length, let start = stream.firstHeld(from: offset) {
            let end = min(stream.firstMissing(from: start), length)
            guard end > start else { break }
            ranges.append(start..<end)
            offset = end
        }
        return ranges
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        var pause = Self.intervals.least
        while true {
            let arrivals = reporting?.arrivalCount ?? 0
            do {
                let count = try stream.read(at: offset, into: buffer)
                state.withLock { state in
                    if state.next != offset { state.runStart = offset }
                    state.next = offset.addingClamped(Int64(count))
                }
                return count
            } catch {
                let goesOn = state.withLock { state in
                    state.missing = offset
                    return state.waits && !state.isCancelled
                }
                guard error.code == .interrupted, goesOn else { throw error }
            }
            reporting?.waitForArrival(after: arrivals)
            Thread.sleep(forTimeInterval: pause)
            pause = min(pause * 1.5, Self.intervals.greatest)
        }
    }
}
