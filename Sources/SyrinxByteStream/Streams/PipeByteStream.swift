#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A byte stream for a pipe, a socket or a terminal, such as standard input.
///
/// Reads go forward only. A window behind the reader and the first 256 KiB are kept, so that a format can be detected
/// and the stream started again. The caller owns the descriptor and closes it.
///
/// ```swift
/// import SyrinxStreaming
///
/// let input = try PipeByteStream(fileDescriptor: 0) // standard input
/// let list = try Playlist(reading: input, from: url)
/// ```
public final class PipeByteStream: ByteStream {
    /// The name of the bytes in messages.
    public let name: String

    private struct State {
        var store: SparseBuffer
        var position: Int64 = 0
        var length: Int64?
        var isCancelled = false
    }

    private let state: Monitor<State>
    private let descriptor: Int32
    // A pipe of its own, so that `cancel()` can wake a read that is blocked in `poll`.
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// Creates a stream that reads from `fileDescriptor`.
    ///
    /// - Parameters:
    ///   - fileDescriptor: A descriptor that is open for reading and is read by no other code.
    ///   - name: The name of the bytes in messages.
    ///   - window: The number of bytes kept behind the reader; 1 MiB by default. The first 256 KiB are kept too.
    /// - Throws: `.fileReadFailed` if the process has no free descriptors.
    public init(
        fileDescriptor: Int32,
        name: String = "standard input",
        window: Int = 1 << 20
    ) throws(SyrinxError) {
        self.name = name
        descriptor = fileDescriptor
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SyrinxError(.fileReadFailed, String(cString: strerror(errno)), name: name)
        }
        wakeReader = ends[0]
        wakeWriter = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let head: Int64 = 256 << 10
        let store = SparseBuffer(limit: window + Int(head), behind: Int64(window), pinned: [0..<head])
        state = Monitor(State(store: store))
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// The length in bytes; `nil` until the end was reached.
    public var length: Int64? { state.read { $0.length } }
    /// Always false.
    public var isSeekable: Bool { false }
    /// Always false.
    public var isRemote: Bool { false }
    /// Always `nil`.
    public var mimeType: String? { nil }

    /// Copies bytes that start at `offset`, and skips the bytes before.
    ///
    /// - Throws: `.notSeekable` if the offset precedes the kept bytes, `.fileReadFailed`, `.cancelled`.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        while true {
            if let count = try held(at: offset, into: buffer) { return count }
            try fill()
        }
    }

    private func held(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int? {
        try state.read { state throws(SyrinxError) in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
            if buffer.isEmpty { return 0 }
            state.store.readerOffset = offset
            let count = state.store.copy(at: offset, into: buffer)
            if count > 0 { return count }
            if offset < state.position { throw .notSeekable(name: name, offset: offset) }
            return state.length == nil ? nil : 0
        }
    }

    /// Reads available bytes, or waits for them.
    private func fill() throws(SyrinxError) {
        var polled = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
        ]
        guard Descriptor.retrying({ poll(&polled, 2, -1) }) >= 0 else { throw failure() }
        guard polled[1].revents == 0 else { throw .cancelled(name: name) }
        guard let bytes = Descriptor.readSome(from: descriptor, limit: 65_536) else {
            // If the descriptor is non-blocking, another reader may have taken the bytes since `poll`.
            guard errno == EAGAIN else { throw failure() }
            return
        }
        state.update { state in
            bytes.withUnsafeBytes { state.store.insert($0, at: state.position) }
            state.position += Int64(bytes.count)
            if bytes.isEmpty { state.length = state.position }
        }
    }

    private func failure() -> SyrinxError {
        SyrinxError(.fileReadFailed, String(cString: strerror(errno)), name: name)
    }

    /// Makes the current read and later ones throw `.cancelled`.
    public func cancel() {
        state.update { state in
            guard !state.isCancelled else { return }
            state.isCancelled = true
            var byte: UInt8 = 1
            _ = write(wakeWriter, &byte, 1)
        }
    }
}
