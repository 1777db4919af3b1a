import Foundation
import Synchronization
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Indexes the frames of a broadcast as they arrive, on its own thread, until the stream ends.
final class BroadcastFollower: Sendable {
    private let stream: HTTPByteStream
    private let state = Mutex(BroadcastIndex())

    /// Starts to follow a broadcast.
    init(_ stream: HTTPByteStream) {
        self.stream = stream
        let thread = Thread { [weak self, stream] in
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
            defer { piece.deallocate() }
            var (splitter, offset, hasBegun): (StreamSplitter, Int64, Bool) = (StreamSplitter(), 0, false)
            while true {
                let arrivals = stream.arrivalCount
                let count = stream.copyArrived(at: offset, into: piece)
                if count == 0 {
                    if let held = stream.firstHeld(from: offset), held > offset {
                        // Bytes were dropped before they were seen.
                        self?.state.withLock { $0.skip(held - offset) }
                        offset = held
                    } else if stream.hasEnded || self == nil {
                        return
                    } else {
                        stream.waitForArrival(after: arrivals)
                    }
                    continue
                }
                offset += Int64(count)
                let units = splitter.push(UnsafeRawBufferPointer(rebasing: piece[..<count]))
                // Before the first frame there is nothing to index, and nothing that is kept.
                guard !units.isEmpty else {
                    if !hasBegun, offset > Self.longestSearch { return }
                    continue
                }
                let start = offset - Int64(splitter.unfinishedByteCount + units.reduce(0) { $0 + $1.bytes.count })
                self?.state.withLock { index in
                    if !hasBegun { index.skip(start) }
                    for unit in units { index.append(unit) }
                }
                hasBegun = true
            }
        }
        thread.name = "syrinx.follower"
        thread.start()
    }

    private static let pieceSize = 1 << 16
    /// Bytes without a frame after which the format counts as unknown.
    private static let longestSearch: Int64 = 1 << 20

    /// The seconds of sound that have arrived.
    var seconds: Double { state.withLock { $0.seconds } }

    /// Returns the last frame at or before a time that is still held, in seconds from the start of the broadcast.
    ///
    /// - Returns: The first held frame if the time precedes all; `nil` if none is held, or the format is unknown.
    func mark(at seconds: Double) -> BroadcastIndex.Mark? {
        let first = stream.firstHeldOfEnd
        return state.withLock { $0.mark(at: seconds, from: first) }
    }

    /// Returns the header of the Ogg stream to which the byte at `offset` belongs; `nil` if there is none.
    func head(at offset: Int64) -> OggStreamHead? { state.withLock { $0.head(at: offset) } }
}

extension HTTPByteStream {
    /// The offset from which on all bytes that have arrived are held.
    fileprivate var firstHeldOfEnd: Int64 { heldRanges.last?.lowerBound ?? 0 }
}
