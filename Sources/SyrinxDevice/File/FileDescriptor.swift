// alsa-lib includes the C library, so Swift treats it as the module that defines some C structures.
import CSyrinxALSA
import Glibc
import SyrinxByteStream

/// A file, pipe or device file that is open for writing samples.
final class FileDescriptor {
    /// An error of the system, identified by its `errno`.
    struct Failure: Error {
        let code: Int32

        /// The system's description of the error.
        var reason: String { String(cString: strerror(code)) }
    }

    /// The time in nanoseconds for which a cancelled write waits for a pipe's reader; shorter than `stop()` may take.
    private static let patience: UInt64 = 50_000_000

    private let descriptor: Int32
    /// Whether written bytes can be changed.
    let isRegular: Bool

    /// Opens `path` for writing, creating or truncating the file.
    init(creating path: FilePath) throws(Failure) {
        // Non-blocking, so that opening a pipe without a reader fails instead of waiting.
        descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666) }
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var status = stat()
        isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isRegular else { return }
        guard ftruncate(descriptor, 0) == 0 else { throw Failure(code: errno) }
    }

    deinit { close(descriptor) }

    /// Appends all of `bytes`.
    /// - Parameter isCancelled: Called while a pipe's reader accepts no bytes; if it returns `true`, the write fails
    ///   after 50 ms.
    func append(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws(Failure) {
        if isRegular { return try Self.check(Descriptor.writeAll(bytes, to: descriptor)) }
        var rest = bytes
        var progress = MonotonicClock.now()
        while !rest.isEmpty {
            let (count, code) = Self.writeQuietly(rest, to: descriptor)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                progress = MonotonicClock.now()
            } else if code == EAGAIN {
                if isCancelled(), MonotonicClock.now() &- progress > Self.patience { throw Failure(code: ETIMEDOUT) }
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, 10)
            } else {
                throw Failure(code: code)
            }
        }
    }

    /// Overwrites the first bytes of the file.
    func overwrite(_ bytes: [UInt8]) throws(Failure) {
        try Self.check(Descriptor.writeAll(bytes, to: descriptor, at: 0))
    }

    private static func check(_ code: Int32) throws(Failure) { if code != 0 { throw Failure(code: code) } }

    /// Writes with `SIGPIPE` blocked, so that a broken pipe is reported as `EPIPE`.
    private static func writeQuietly(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: Int32
    ) -> (count: Int, code: Int32) {
        var pipeSignal = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        let count = Descriptor.retrying { write(descriptor, bytes.baseAddress, bytes.count) }
        let code = count < 0 ? errno : 0
        if code == EPIPE {
            var none = timespec()
            _ = Descriptor.retrying { sigtimedwait(&pipeSignal, nil, &none) }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return (count, code)
    }
}
