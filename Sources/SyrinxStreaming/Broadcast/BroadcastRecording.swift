import Foundation
import Synchronization
package import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The settings of a recording of a station.
package struct RecordingOptions: Sendable {
    /// The parent folder; the files are written to a folder named after the station.
    package var folder: FilePath
    /// The name of the station.
    package var station: String
    /// The maximum size of all files of the recording, in bytes.
    package var maximumByteCount: Int64

    /// Creates the settings; the default limit is 2 GiB.
    package init(folder: FilePath, station: String, maximumByteCount: Int64 = 2 << 30) {
        (self.folder, self.station, self.maximumByteCount) = (folder, station, maximumByteCount)
    }
}

/// The progress of a recording.
package struct RecordingProgress: Equatable, Sendable {
    /// The current file; `nil` before the first frame.
    package var file: FilePath?
    /// The number of files.
    package var fileCount = 0
    /// The size of all files, in bytes.
    package var byteCount: Int64 = 0
    /// The time since the start, in seconds.
    package var seconds = 0.0
    /// Whether the recording has ended.
    package var isOver = false
    /// The error that ended the recording; `nil` if it was stopped.
    package var failure: SyrinxError?

    package static func == (a: Self, b: Self) -> Bool {
        (a.file, a.fileCount, a.byteCount, a.seconds, a.isOver, a.failure?.code)
            == (b.file, b.fileCount, b.byteCount, b.seconds, b.isOver, b.failure?.code)
    }
}

/// Records a broadcast to files on its own thread, independently of the decoder.
///
/// It writes the received bytes unchanged. A failure ends the recording, but not playback.
final class BroadcastRecording: Sendable {
    private struct State {
        var isStopped = false
        var isOver = false
    }

    private let stream: HTTPByteStream
    private let options: RecordingOptions
    private let report: @Sendable (RecordingProgress) -> Void
    private let state = Mutex(State())

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - stream: The broadcast.
    ///   - start: The offset of the first recorded frame.
    ///   - head: The header of the Ogg stream that contains this frame.
    ///   - report: Called with the progress about once a second, and at the end, on the thread of the recording.
    init(
        _ stream: HTTPByteStream,
        from start: Int64,
        head: OggStreamHead?,
        _ options: RecordingOptions,
        _ report: @escaping @Sendable (RecordingProgress) -> Void
    ) {
        (self.stream, self.options, self.report) = (stream, options, report)
        let thread = Thread { [self] in work(from: start, head) }
        thread.name = "syrinx.recording"
        thread.start()
    }

    /// Whether the recording is in progress.
    var isRunning: Bool { state.withLock { !$0.isOver } }

    /// Ends the recording at the last received frame, without waiting.
    func stop() {
        state.withLock { $0.isStopped = true }
        stream.endArrivalWaits()
    }

    private func work(from start: Int64, _ head: OggStreamHead?) {
        var files = RecordingFiles(options)
        do throws(SyrinxError) {
            try follow(from: start, head, &files)
            try files.close()
        } catch {
            files.progress.failure = error
            files.abandon()
        }
        files.progress.isOver = true
        state.withLock { $0.isOver = true }
        report(files.progress)
    }

    /// The maximum number of bytes to process at once.
    private static let pieceSize = 1 << 16
    /// Bytes without a frame after which the format counts as unknown.
    private static let longestSearch: Int64 = 1 << 20

    private func follow(
        from start: Int64,
        _ head: OggStreamHead?,
        _ files: inout RecordingFiles
    ) throws(SyrinxError) {
        var (cutter, offset) = (RecordingCutter(offset: start, head: head), start)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        let begin = ContinuousClock.now
        var reported = -1.0
        while true {
            let arrivals = stream.arrivalCount
            let isStopped = state.withLock { $0.isStopped }
            let count = stream.copyArrived(at: offset, into: piece)
            if count == 0, let held = stream.firstHeld(from: offset), held > offset {
                // The recording was too slow, as on a disk that hangs: the file goes on behind the missing bytes.
                cutter.skip(held - offset)
                offset = held
                continue
            }
            if count > 0 {
                offset += Int64(count)
                let actions = cutter.push(Array(piece[..<count]), titles: stream.titleMarks)
                try files.perform(actions, pathExtension: cutter.pathExtension)
                guard cutter.hasBegun || offset - start < Self.longestSearch else {
                    let message = "The station sends neither MPEG audio nor AAC nor Ogg, which alone can be recorded."
                    throw SyrinxError(.unsupported, message, name: options.station)
                }
            } else if isStopped || stream.hasEnded {
                try files.perform(cutter.finish(titles: stream.titleMarks), pathExtension: cutter.pathExtension)
                return
            }
            let seconds = (ContinuousClock.now - begin).seconds
            if seconds - reported >= 1 {
                reported = seconds
                files.progress.seconds = seconds
                report(files.progress)
            }
            if count == 0 { stream.waitForArrival(after: arrivals) }
        }
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// The files of a recording, on disk.
struct RecordingFiles {
    var progress = RecordingProgress()
    private let options: RecordingOptions
    private let folder: FilePath
    private var descriptor: Int32 = -1
    /// The title whose file is created with its first bytes.
    private var title: String?
    private var opensFile = false

    /// The maximum number of files with the same name.
    private static let mostNumbers = 10_000

    init(_ options: RecordingOptions) {
        self.options = options
        folder = options.folder.appending(RecordingName.clean(options.station, fallback: "Station"))
    }

    /// Performs the steps of a cutter.
    mutating func perform(_ actions: [RecordingCutter.Action], pathExtension: String?) throws(SyrinxError) {
        for action in actions {
            switch action {
            case .begin(let title):
                try close()
                (self.title, opensFile) = (title, true)
            case .write(let bytes):
                guard progress.byteCount.addingClamped(Int64(bytes.count)) <= options.maximumByteCount else {
                    let size = "\(options.maximumByteCount >> 20) MiB"
                    let message =
                        "The recording has reached its limit of \(size): start another one, or raise the limit."
                    throw SyrinxError(.recordingLimit, message, name: options.station)
                }
                if opensFile { try open(pathExtension ?? "audio") }
                let number = Descriptor.writeAll(bytes, to: descriptor)
                guard number == 0 else { throw failure(number, progress.file ?? folder) }
                progress.byteCount += Int64(bytes.count)
            }
        }
    }

    /// Creates a file with an unused name.
    private mutating func open(_ pathExtension: String) throws(SyrinxError) {
        let number = folder.makeFolder()
        guard number == 0 else { throw failure(number, folder) }
        let name = RecordingName.clean(title, fallback: RecordingName.clean(options.station, fallback: "Station"))
        for count in 1...Self.mostNumbers {
            let path = folder.appending(RecordingName.numbered(name, count, pathExtension: pathExtension))
            // A file is never replaced.
            descriptor = path.withCString { Self.create($0) }
            if descriptor >= 0 {
                (progress.file, opensFile) = (path, false)
                progress.fileCount += 1
                return
            }
            guard errno == EEXIST else { throw failure(errno, path) }
        }
        throw failure(EEXIST, folder.appending(name))
    }

    private static func create(_ path: UnsafePointer<CChar>) -> Int32 {
        open_(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }

    /// Closes the current file; a network file system reports a full disk only then.
    mutating func close() throws(SyrinxError) {
        guard descriptor >= 0 else { return }
        let result = close_(descriptor)
        descriptor = -1
        if result != 0 { throw failure(errno, progress.file ?? folder) }
    }

    /// Closes the current file, after a failure.
    mutating func abandon() {
        if descriptor >= 0 { _ = close_(descriptor) }
        descriptor = -1
    }

    private func failure(_ number: Int32, _ path: FilePath) -> SyrinxError {
        let isDenied = [EACCES, EPERM, EROFS].contains(number)
        return SyrinxError(
            isDenied ? .filePermissionDenied : .fileWriteFailed,
            "The recording cannot be written: \(Descriptor.sentence(number)).",
            name: path.name
        )
    }
}

/// The calls of the system, whose names are those of methods here.
private func open_(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func close_(_ descriptor: Int32) -> Int32 { close(descriptor) }

extension ErrorCode {
    /// A recording of a broadcast has reached its limit of size.
    package static let recordingLimit = ErrorCode(rawValue: "file.recordingLimit")
}
