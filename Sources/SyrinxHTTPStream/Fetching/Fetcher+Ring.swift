import Synchronization
import SyrinxByteStream

/// The last bytes of a broadcast on disk, in which its reader can go back.
extension Fetcher {
    /// The bytes of the ring that are not filled ahead of the reader, so that unread bytes are never overwritten.
    static let ringReserve = 256 << 10

    /// Begins to keep the bytes of a broadcast, if the options ask for it.
    func beginRing(_ state: inout State) {
        guard state.machine.isBroadcast, state.ring == nil, let buffer = options.broadcastBuffer, buffer.seconds > 0
        else { return }
        let ring = ByteRing(
            offset: state.machine.position,
            capacity: buffer.maximumByteCount,
            in: buffer.folder
        )
        ring.onGrowth { [weak self, weak ring] in
            guard let self, let ring else { return }
            window.release(near: Self.nearReader) { ring.holds($0) }
            if ring.isBroken { dropRing(ring) }
        }
        state.ring = ring
    }

    /// Goes on in memory alone, because the disk does not take the bytes.
    private func dropRing(_ ring: ByteRing) {
        act { state in
            guard state.ring === ring else { return [] }
            state.ring = nil
            let message = "the station cannot be rewound: its buffer on disk cannot be written"
            return [.emit(.warning(code: .cacheFailed, message: message))]
        }
    }

    /// Limits the ring to the seconds of the options, once the bit rate is known.
    func limitRing(bytesPerSecond: Double) {
        guard let buffer = options.broadcastBuffer else { return }
        state.withLock { $0.ring }?.limit = buffer.byteCount(bytesPerSecond: bytesPerSecond) + Self.ringReserve
    }

    /// Loads bytes at `offset` from the ring into memory; returns false if they are not there.
    func loadFromRing(_ offset: Int64) -> Bool {
        guard let ring = state.withLock({ $0.ring }), ring.held.contains(offset) else { return false }
        let isLoaded = withUnsafeTemporaryAllocation(byteCount: SparseBuffer.segmentSize, alignment: 16) { piece in
            let count = ring.read(at: offset, into: piece)
            window.insert(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: offset)
            return count > 0
        }
        window.release(near: Self.nearReader) { ring.holds($0) }
        return isLoaded
    }

    /// Copies bytes at `offset` from the ring; returns their number.
    func copyFromRing(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { $0.ring }?.read(at: offset, into: buffer) ?? 0
    }

    /// Moves the reader of a broadcast to bytes that are held, and reports the titles from there on again.
    func moveReader(to offset: Int64) {
        state.withLock { $0.titles.replay(from: offset, $0.marks) }
        requestBytes(from: offset)
    }
}
