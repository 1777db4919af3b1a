internal import CSyrinxFFmpeg
internal import SyrinxByteStream

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A `PendingFile` that libavformat writes to, with its `AVIOContext`.
final class AVIOOutputFile {
    /// The path as messages have it.
    let path: String
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The reason why writing failed.
    ///
    /// After a failure everything fails.
    private(set) var failure: SyrinxError?
    private let file: PendingFile
    private var offset: Int64 = 0
    private var readOffset: Int64 = 0

    private static let bufferSize: Int32 = 65536

    /// - Parameter isInPlace: Whether a plain file is written under its own name. One that is there keeps its content until
    ///   `begin()`.
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
        // Unretained: the context lives inside this object, and is freed with it.
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            1,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            // FFmpeg 7.0 made the buffer constant; Swift passes either kind of pointer.
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

    /// Whether what has been written can be read again.
    var canBeReadBack: Bool { file.isPlain }

    /// Empties a file that is written in place.
    func begin() throws(SyrinxError) {
        do throws(PendingFile.Failure) { try file.begin() } catch { throw Self.error(error.number, path) }
    }

    /// Lets `muxer` open the file a second time, to move what is in it: so MP4 gets its index to the front.
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

    /// Reads what has been written; fewer bytes where there are fewer.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = Descriptor.readAll(into: UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset).count
        }
    }

    /// Writes over what has been written.
    func overwrite(_ bytes: [UInt8], at offset: Int64) throws(SyrinxError) {
        let number = Descriptor.writeAll(bytes, to: descriptor, at: offset)
        guard number == 0 else { throw Self.error(number, path) }
    }

    /// Puts the file in its place.
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
    /// One that was begun in place stays; any other that has not been committed is removed.
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

    /// Bytes of the file; −1 where that is not known.
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
