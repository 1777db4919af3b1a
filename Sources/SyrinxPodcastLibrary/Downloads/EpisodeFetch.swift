import Foundation
import Synchronization

/// Fetches a recording into a file, and goes on where an earlier attempt broke off, on a thread that may wait.
///
/// Until it is whole the file has `.part` behind its name. Only one process fetches it at a time.
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

    /// Ends it from any thread.
    func cancel() {
        stream.withLock { stream in
            stream.isCancelled = true
            stream.current?.cancel()
        }
    }

    /// Waits until all of it is there, and returns its size.
    /// - Parameters:
    ///   - validator: That of the version of which there is a part.
    ///   - begun: Called with the version and its length when they are known.
    ///   - progress: Called with the bytes that are there, and the length as far as it is known.
    func run(
        validator: String?,
        begun: (String?, Int64?) throws(PodcastError) -> Void,
        progress: (Int64, Int64?) -> Void
    ) throws(PodcastError) -> Int64 {
        let descriptor = file.openPart()
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        // Another process may have given the part its name between the two calls.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, file.isPart(descriptor) else {
            throw PodcastError(.downloadInUse, "another process downloads this episode at the moment", name: url)
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
                // What is there would take space until it is removed by hand.
                if error.code == .recordingTooLarge { file.remove() }
                // The server gives no ranges, or has another version now.
                guard start > 0, [.notSeekable, .resourceChanged].contains(error.code) else {
                    throw LibraryDatabase.failure(error.underlying as? PodcastError ?? error, name: url)
                }
                start = 0
            }
        }
    }

    /// Returns the size; `nil` if what is there is of another version.
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
        // A part of an earlier attempt may be longer than the whole.
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
                "the disk is full; what has been downloaded stays, and goes on when there is space",
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
