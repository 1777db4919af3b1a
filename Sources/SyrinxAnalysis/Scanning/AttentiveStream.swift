internal import Foundation
internal import Synchronization
package import SyrinxByteStream

/// A stream in front of another one that notes where it is read, and can wait for bytes that have not arrived.
package final class AttentiveStream: ByteStream {
    private struct State {
        /// The offset behind the last read that gave bytes.
        var next: Int64 = 0
        /// The offset of the last read that did not follow on the one before.
        var runStart: Int64 = 0
        /// The offset of the last read that failed.
        var missing: Int64 = 0
        var waits = true
        var isCancelled = false
    }

    /// Seconds between attempts to read what has not arrived, at first and in the end.
    private static let intervals = (least: 0.01, greatest: 0.25)

    private let stream: any ByteStream
    /// The stream, if it tells when more has arrived.
    let reporting: (any ArrivalReporting)?
    private let state = Mutex(State())

    /// Creates a stream in front of another one.
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

    /// Whether reads wait without limit for bytes that have not arrived; else they throw `.interrupted` after a moment.
    var waits: Bool {
        get { state.withLock { $0.waits } }
        set { state.withLock { $0.waits = newValue } }
    }

    /// The offset of the last read that did not follow on the one before.
    var runStart: Int64 { state.withLock { $0.runStart } }
    /// The offset of the last read that failed.
    var missing: Int64 { state.withLock { $0.missing } }

    /// The ranges that have arrived, in order and apart from each other; those of a resource in very many pieces are cut short.
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
