import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The last bytes of a stream that only grows, in a file of limited size.
///
/// The file has no name, so that the system removes it when the process ends. Any thread may call the methods. Bytes are
/// written on a thread of the ring, and can be read once they are written.
package final class ByteRing: Sendable {
    private struct State {
        /// The bytes that are kept, at most as many as the file holds.
        var limit: Int64
        /// The first byte that is not about to be overwritten, and the end of the written bytes.
        var start: Int64
        var end: Int64
        /// The end of the bytes that were appended.
        var appended: Int64
        var pendingCount = 0
        /// Whether writing has failed, after which nothing is kept.
        var isBroken = false
        var onGrowth: (@Sendable () -> Void)?
    }

    /// The file, opened by the first write; used on `queue` and for reading.
    private let file: Mutex<Int32>
    private let folder: FilePath
    private let capacity: Int64
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "syrinx.ring", qos: .userInitiated)

    /// The maximum number of bytes that wait to be written; a disk that hangs longer ends the keeping.
    private static let mostPending = 8 << 20

    /// Creates a ring without bytes.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte in the stream.
    ///   - capacity: The maximum size of the file in bytes, at least 1 MiB.
    ///   - folder: The folder of the file, which is created if it is missing.
    package init(offset: Int64, capacity: Int, in folder: FilePath) {
        self.folder = folder
        self.capacity = Int64(max(capacity, 1 << 20))
        file = Mutex(-1)
        state = Mutex(State(limit: self.capacity, start: offset, end: offset, appended: offset))
    }

    deinit {
        let descriptor = file.withLock { $0 }
        if descriptor >= 0 { close(descriptor) }
    }

    /// The maximum number of kept bytes, at least 1 MiB and at most the capacity.
    package var limit: Int {
        get { state.withLock { Int(clamping: $0.limit) } }
        set { state.withLock { $0.limit = min(max(Int64(newValue), 1 << 20), capacity) } }
    }

    /// The bytes that can be read.
    package var held: Range<Int64> {
        state.withLock { $0.isBroken ? $0.end..<$0.end : $0.start..<max($0.start, $0.end) }
    }

    /// Whether writing has failed, so that nothing is kept.
    package var isBroken: Bool { state.withLock { $0.isBroken } }

    /// Returns whether all bytes of a range can be read.
    package func holds(_ range: Range<Int64>) -> Bool {
        let held = held
        return held.lowerBound <= range.lowerBound && range.upperBound <= held.upperBound
    }

    /// Returns the first offset, starting at `offset`, that cannot be read.
    package func firstMissing(from offset: Int64) -> Int64 {
        let held = held
        return held.contains(offset) ? held.upperBound : offset
    }

    /// Sets a handler that is called when bytes were written, on the ring's thread.
    package func onGrowth(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onGrowth = call } }

    /// Appends bytes, without waiting for the disk.
    ///
    /// Bytes that do not begin at the end of the others are ignored.
    package func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let copy = Array(bytes)
        let isTaken = state.withLock { state in
            guard !state.isBroken, offset == state.appended, !copy.isEmpty else { return false }
            guard state.pendingCount + copy.count <= Self.mostPending else {
                state.isBroken = true
                return false
            }
            state.appended = offset.addingClamped(Int64(copy.count))
            state.pendingCount += copy.count
            return true
        }
        guard isTaken else { return }
        queue.async { [self] in write(copy, at: offset) }
    }

    /// Copies bytes at `offset` that can be read.
    ///
    /// - Returns: The number of copied bytes; 0 if the byte at `offset` cannot be read.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let held = held
        guard held.contains(offset), !buffer.isEmpty else { return 0 }
        let place = offset % capacity
        let count = Int(min(Int64(buffer.count), held.upperBound - offset, capacity - place))
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        let descriptor = file.withLock { $0 }
        let (read, number) = Descriptor.readAll(into: piece, from: descriptor, at: place)
        guard number == 0, read == count else { return 0 }
        // Bytes that were overwritten meanwhile are of another place.
        return self.held.contains(offset) ? count : 0
    }

    private func write(_ bytes: [UInt8], at offset: Int64) {
        let end = offset.addingClamped(Int64(bytes.count))
        let isWanted = state.withLock { state in
            // Announced first, so that a reader notices the change.
            state.start = max(state.start, end - state.limit)
            return !state.isBroken
        }
        let isWritten = isWanted && open() && bytes.withUnsafeBytes { write($0, from: offset) }
        let call = state.withLock { state in
            state.pendingCount -= bytes.count
            if isWritten { state.end = end } else { state.isBroken = true }
            return state.onGrowth
        }
        call?()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, from offset: Int64) -> Bool {
        let descriptor = file.withLock { $0 }
        var done = 0
        while done < bytes.count {
            let place = offset.addingClamped(Int64(done)) % capacity
            let count = Int(min(Int64(bytes.count - done), capacity - place))
            let piece = UnsafeRawBufferPointer(rebasing: bytes[done..<done + count])
            guard Descriptor.writeAll(piece, to: descriptor, at: place) == 0 else { return false }
            done += count
        }
        return true
    }

    /// Opens the file, if that was not done; it has no name from then on.
    private func open() -> Bool {
        file.withLock { file in
            guard file < 0 else { return true }
            guard folder.makeFolder() == 0 else { return false }
            var template = folder.appending(".broadcast-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
            template.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                file = mkstemp(base)
                guard file >= 0 else { return }
                unlink(base)
                _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            }
            return file >= 0
        }
    }
}
