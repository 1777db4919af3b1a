internal import CSyrinxFFmpeg
internal import SyrinxByteStream

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Connects libavformat's `AVIOContext` to a `PendingFile`.
final class AVIOOutputFile {
    /// The path as it appears in error messages.
    let path: String
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The first write error.
    ///
    /// All later operations fail too.
    private(set) var failure: SyrinxError?
    private let file: PendingFile
    private var offset: Int64 = 0
    private var readOffset: Int64 = 0

    private static let bufferSize: Int32 = 65536

    /// - Parameter isInPlace: Whether a regular file is written under its final name. An existing file keeps its
    ///   contents until `begin()`.
    init(path: FilePath, isInPlace: Bool = false) throws(SyrinxError) {
        self.path = path.name
        do throws(PendingFile.Failure) {
            file = try PendingFile(path: path, isInPlace: isInPlace)
        } catch {
            throw Self.error(error.number, path.name)
        }
        guard let buffer = av_malloc(Int(Self.bufferSize)) else {
            abandon()
            throw SyrinxError.outOfMemory(path.name)
        }
        // Unretained: this object owns the context and frees it.
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            1,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            // Since FFmpeg 7.0 the buffer is constant; Swift passes either kind of pointer.
            { AVIOOutputFile.from($0)?.append($1, Int($2)) ?? -1 },
            { AVIOOutputFile.from($0)?.seek($1, $2) ?? -1 }
        )
        guard let context else {
            av_free(buffer)
            abandon()
            throw SyrinxError.outOfMemory(path.name)
        }
        context.pointee.seekable = file.isPlain ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        abandon()
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Whether the file can be read while it is written.
    var canBeReadBack: Bool { file.isPlain }

    /// Truncates a file that is written in place.
    func begin() throws(SyrinxError) {
        do throws(PendingFile.Failure) { try file.begin() } catch { throw Self.error(error.number, path) }
    }

    /// Lets `muxer` open the file a second time to move its contents, which MP4 needs to move the index to the front.
    ///
    /// The muxer must not outlive this object.
    func letReadBack(_ muxer: UnsafeMutablePointer<AVFormatContext>) {
        muxer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        muxer.pointee.io_open = { muxer, context, _, _, _ in
            guard let file = AVIOOutputFile.from(muxer?.pointee.opaque), let context else { return -1 }
            context.pointee = file.readingContext()
            return context.pointee == nil ? syrinx_error_out_of_memory() : 0
        }
        muxer.pointee.io_close2 = { _, context in
            var context = context
            if let open = context { av_freep(&open.pointee.buffer) }
            avio_context_free(&context)
            return 0
        }
    }

    private func readingContext() -> UnsafeMutablePointer<AVIOContext>? {
        guard let buffer = av_malloc(Int(Self.bufferSize)) else { return nil }
        readOffset = 0
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            { AVIOOutputFile.from($0)?.readBack($1, Int($2)) ?? -1 },
            nil,
            { opaque, position, whence in
                guard let file = AVIOOutputFile.from(opaque), whence & ~AVSEEK_FORCE == SEEK_SET else { return -1 }
                file.readOffset = position
                return position
            }
        )
        if context == nil { av_free(buffer) }
        return context
    }

    private func readBack(_ target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int32 {
        guard descriptor >= 0, let target else { return syrinx_error_external() }
        let got = pread(descriptor, target, count, off_t(readOffset))
        guard got > 0 else { return got == 0 ? syrinx_error_eof() : syrinx_error_external() }
        readOffset += Int64(got)
        return Int32(got)
    }

    /// Reads bytes that have been written; fewer at the end of the file.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = Descriptor.readAll(into: UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset).count
        }
    }

    /// Overwrites bytes that have been written.
    func overwrite(_ bytes: [UInt8], at offset: Int64) throws(SyrinxError) {
        let number = Descriptor.writeAll(bytes, to: descriptor, at: offset)
        guard number == 0 else { throw Self.error(number, path) }
    }

    /// Moves the finished file to its final name.
    func commit() throws(SyrinxError) {
        if let context { avio_flush(context) }
        if let failure { throw failure }
        do throws(PendingFile.Failure) {
            try file.commit()
        } catch {
            throw Self.error(error.number, path)
        }
    }

    /// Closes the file.
    ///
    /// A file that was started in place is kept; any other is removed unless it was committed.
    func abandon() { file.abandon() }

    private var descriptor: Int32 { file.descriptor }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> AVIOOutputFile? {
        opaque.map { Unmanaged<AVIOOutputFile>.fromOpaque($0).takeUnretainedValue() }
    }

    private func append(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        guard failure == nil, descriptor >= 0, let bytes else { return syrinx_error_external() }
        let all = UnsafeRawBufferPointer(start: bytes, count: count)
        let number = Descriptor.writeAll(all, to: descriptor, at: file.isPlain ? offset : nil)
        guard number == 0 else {
            failure = Self.error(number, path)
            return syrinx_error_external()
        }
        offset += Int64(count)
        return Int32(count)
    }

    private func seek(_ position: Int64, _ whence: Int32) -> Int64 {
        guard file.isPlain, descriptor >= 0 else { return -1 }
        let target: Int64?
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size
        case SEEK_SET: target = position
        case SEEK_CUR: target = offset.addingChecked(position)
        case SEEK_END: target = size.addingChecked(position)
        default: target = nil
        }
        guard let target, target >= 0 else { return -1 }
        offset = target
        return target
    }

    /// The size of the file in bytes; −1 if it is unknown.
    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
    }

    private static func error(_ number: Int32, _ path: String) -> SyrinxError {
        switch number {
        case ENOENT, ENOTDIR: SyrinxError(.fileNotFound, "The folder to write it in does not exist.", name: path)
        case EISDIR: SyrinxError(.fileIsDirectory, "It is a folder, and cannot be written to.", name: path)
        case EACCES, EPERM, EROFS: SyrinxError(.filePermissionDenied, "It may not be written here.", name: path)
        case ENOSPC, EDQUOT: SyrinxError(.fileWriteFailed, "The disk is full.", name: path)
        default: SyrinxError(.fileWriteFailed, "Writing failed: \(String(cString: strerror(number))).", name: path)
        }
    }
}
