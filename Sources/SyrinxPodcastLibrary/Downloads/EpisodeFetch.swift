import Foundation
import Synchronization

/// Downloads a recording to a file, and resumes an incomplete download.
///
/// The incomplete file has `.part` appended to its name. Only one process can download a file at a time. `run` blocks,
/// so call it on a thread that may wait.
final class EpisodeFetch: Sendable {
    private let url: String
    private let file: DownloadFile
    private let space: DownloadSpace
    private let options: HTTPByteStream.Options
    private let stream = Mutex<(current: HTTPByteStream?, isCancelled: Bool)>((nil, false))

    init(url: String, file: DownloadFile, space: DownloadSpace, options: HTTPByteStream.Options) {
        self.url = url
        self.file = file
        self.space = space
        var options = options
        options.isInTheBackground = true
        options.windowAhead = 1 << 20
        options.windowBehind = 0
        options.pinnedHead = 0
        self.options = options
    }

    /// Cancels the download.
    ///
    /// May be called from any thread.
    func cancel() {
        stream.withLock { stream in
            stream.isCancelled = true
            stream.current?.cancel()
        }
    }

    /// Downloads the recording, and returns its size in bytes.
    /// - Parameters:
    ///   - validator: The version, such as an `ETag`, of the incomplete file.
    ///   - begun: Called with the version and the length in bytes, once they are known.
    ///   - progress: Called with the number of downloaded bytes, and the length if it is known.
    func run(
        validator: String?,
        begun: (String?, Int64?) throws(PodcastError) -> Void,
        progress: (Int64, Int64?) -> Void
    ) throws(PodcastError) -> Int64 {
        let descriptor = file.openPart()
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        // Another process may have renamed the file between opening and locking it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, file.isPart(descriptor) else {
            throw PodcastError(.downloadInUse, "another process is downloading this episode", name: url)
        }
        let size = lseek(descriptor, 0, SEEK_END)
        var start = validator == nil ? 0 : max(0, Int64(size))
        while true {
            do throws(SyrinxError) {
                let count = try fetch(descriptor, from: start, validator, begun, progress)
                guard let count else {
                    start = 0
                    continue
                }
                guard fsync(descriptor) == 0, file.commitPart() == 0 else { throw fileError(errno) }
                return count
            } catch {
                // A partial file of this size would take disk space until the user removed it.
                if error.code == .recordingTooLarge { file.remove() }
                // The server does not support ranges, or the recording has changed.
                guard start > 0, [.notSeekable, .resourceChanged].contains(error.code) else {
                    throw LibraryDatabase.failure(error.underlying as? PodcastError ?? error, name: url)
                }
                start = 0
            }
        }
    }

    /// Returns the size in bytes; `nil` if the incomplete file has another version.
    private func fetch(
        _ descriptor: Int32,
        from start: Int64,
        _ validator: String?,
        _ begun: (String?, Int64?) throws(PodcastError) -> Void,
        _ progress: (Int64, Int64?) -> Void
    ) throws(SyrinxError) -> Int64? {
        let stream = try HTTPByteStream(url: url, options: options)
        defer { stream.cancel() }
        let isCancelled = self.stream.withLock { state in
            state.current = stream
            return state.isCancelled
        }
        if isCancelled { throw SyrinxError(.cancelled, "this was cancelled", name: url) }
        var offset = start
        var hasBegun = false
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var lastReport = ContinuousClock.now
        var checkedOffset = start
        while true {
            let count = try stream.read(at: offset, into: buffer)
            if !hasBegun {
                hasBegun = true
                if start > 0, stream.validator == nil || stream.validator != validator { return nil }
                if start == 0, ftruncate(descriptor, 0) != 0 { throw fileError(errno) }
                do throws(PodcastError) { try begun(stream.validator, stream.length) } catch {
                    throw SyrinxError(error.code, error.message, name: error.name, underlying: error)
                }
                try space.check(
                    size: stream.length ?? start,
                    missing: stream.length.map { $0 - start },
                    descriptor,
                    url
                )
            }
            if count == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let number = Descriptor.writeAll(bytes, to: descriptor, at: offset)
            guard number == 0 else { throw fileError(number) }
            offset = offset.addingClamped(Int64(count))
            if offset > space.largestSize || offset.subtractingClamped(checkedOffset) >= DownloadSpace.step {
                checkedOffset = offset
                try space.check(size: offset, missing: nil, descriptor, url)
            }
            if ContinuousClock.now - lastReport > .milliseconds(100) {
                lastReport = .now
                progress(offset, stream.length)
            }
        }
        // The incomplete file may be longer than the new version.
        if ftruncate(descriptor, off_t(offset)) != 0 { throw fileError(errno) }
        progress(offset, offset)
        return offset
    }

    private func failure(_ number: Int32) -> PodcastError {
        LibraryDatabase.failure(fileError(number), name: file.path.name)
    }

    private func fileError(_ number: Int32) -> SyrinxError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            SyrinxError(
                .diskFull,
                "the disk is full; the incomplete download is kept, and can be resumed when there is space",
                name: file.path.name
            )
        case ELOOP, ENOTDIR:
            SyrinxError(
                .filePermissionDenied,
                "the download is not written through a link: move the link away",
                name: file.path.name
            )
        case EACCES, EPERM, EROFS:
            SyrinxError(.filePermissionDenied, "the download may not be written", name: file.path.name)
        default:
            SyrinxError(
                .libraryFailed,
                "the download cannot be written: \(String(cString: strerror(number)))",
                name: file.path.name
            )
        }
    }
}
