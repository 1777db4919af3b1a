public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A byte stream for a file on disk.
///
/// If the file changes, each read returns its current content.
///
/// ```swift
/// let stream = try FileByteStream(path: "/music/song.flac")
/// print(stream.length ?? 0, "bytes")
/// ```
public final class FileByteStream: ByteStream {
    /// The path as given; if it is not UTF-8, its `file:` URL.
    public let name: String

    private struct State {
        var descriptor: Int32
        var isReading = false
        var isCancelled = false
        var lastLength: Int64
    }

    private let state: Monitor<State>

    /// Opens the file at `path` for reading.
    ///
    /// - Throws: `.fileNotFound`, `.filePermissionDenied`, `.fileIsDirectory`, `.outputIsInput` for a file that this
    ///   process is writing, or `.fileReadFailed` for other failures, such as for a pipe or a device.
    public convenience init(path: String) throws(SyrinxError) { try self.init(path: FilePath(path)) }

    /// Opens the file of a `file:` URL for reading.
    ///
    /// Its escapes may encode any bytes: `file:///music/caf%E9.ogg` is a name in Latin-1.
    /// - Throws: `.badURL` for another URL, and the errors of `init(path:)`.
    public convenience init(url: URL) throws(SyrinxError) {
        guard let path = FilePath(url) else {
            throw SyrinxError(.badURL, "is not the URL of a file", name: url.absoluteString)
        }
        try self.init(path: path)
    }

    /// Opens the file at `path` for reading.
    /// - Throws: The errors of `init(path:)` for text.
    package init(path: FilePath) throws(SyrinxError) {
        name = path.name
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw Self.error(errno, path: name) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.error(code, path: name)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where OutputClaim.covers(status):
            close(descriptor)
            throw SyrinxError(.outputIsInput, "is the file that is being written; write to another one", name: name)
        case S_IFREG:
            break
        case S_IFDIR:
            close(descriptor)
            throw SyrinxError(.fileIsDirectory, "is a directory, not an audio file", name: name)
        default:
            close(descriptor)
            throw SyrinxError(.fileReadFailed, "is a pipe or device, not a file; use standard input", name: name)
        }
        state = Monitor(State(descriptor: descriptor, lastLength: Int64(status.st_size)))
    }

    deinit { cancel() }

    /// The current size of the file in bytes.
    public var length: Int64? {
        state.update { state in
            var status = stat()
            if state.descriptor >= 0, fstat(state.descriptor, &status) == 0 { state.lastLength = Int64(status.st_size) }
            return state.lastLength
        }
    }

    /// Always true: every offset can be read at any time.
    public var isSeekable: Bool { true }
    /// Always false.
    public var isRemote: Bool { false }
    /// Always `nil`.
    public var mimeType: String? { nil }

    /// Copies bytes that start at `offset`.
    ///
    /// - Throws: `.fileReadFailed` if the disk fails, `.cancelled` after `cancel()`.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        let descriptor = try state.update { state throws(SyrinxError) in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
            state.isReading = true
            return state.descriptor
        }
        // The system rejects offsets above its maximum, where no file has bytes.
        let isBeyond = offset.addingChecked(Int64(buffer.count)) == nil
        let count = Descriptor.retrying {
            buffer.isEmpty || isBeyond ? 0 : pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
        let code = errno
        let wasCancelled = state.update { state in
            state.isReading = false
            if state.isCancelled { Self.letGo(&state) }
            return state.isCancelled
        }
        guard !wasCancelled else { throw .cancelled(name: name) }
        guard count >= 0 else { throw Self.error(code, path: name) }
        return count
    }

    /// Makes later reads throw `.cancelled`, and closes the file after the current read.
    public func cancel() {
        state.update { state in
            state.isCancelled = true
            if !state.isReading { Self.letGo(&state) }
        }
    }

    private static func letGo(_ state: inout State) {
        if state.descriptor >= 0 { close(state.descriptor) }
        state.descriptor = -1
    }

    private static func error(_ code: Int32, path: String) -> SyrinxError {
        switch code {
        case ENOENT, ENOTDIR: SyrinxError(.fileNotFound, "there is no such file", name: path)
        case EACCES, EPERM: SyrinxError(.filePermissionDenied, "the file may not be read", name: path)
        case EISDIR: SyrinxError(.fileIsDirectory, "is a directory, not an audio file", name: path)
        default: SyrinxError(.fileReadFailed, String(cString: strerror(code)), name: path)
        }
    }
}
