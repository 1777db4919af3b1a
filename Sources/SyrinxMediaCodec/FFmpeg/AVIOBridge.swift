internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Connects libavformat to a `ByteStream`.
///
/// Owns the `AVIOContext`. Not thread-safe. FFmpeg's errors are only numbers, so `failure` stores the stream's error
/// for the code that calls FFmpeg. After a failure, every read fails at once, so that FFmpeg returns promptly.
final class AVIOBridge {
    let stream: any ByteStream
    private(set) var failure: SyrinxError?
    /// Whether the last read failed, even if `clearFailure()` was called since.
    private(set) var hasJustFailed = false
    /// The last failure of a read that libavformat did not request, until it is set to `nil`.
    ///
    /// The bytes may nevertheless exist.
    var sideFailure: SyrinxError?
    /// Whether a broken connection counts as the end of the stream, if its length is unknown.
    var endsWhereCut = false
    /// The error of a broken connection that counted as the end of the stream.
    ///
    /// The container may show whether the bytes are complete.
    private(set) var cut: SyrinxError?
    /// Whether libavformat has reached the end of the stream.
    private(set) var hasSeenEnd = false
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The first bytes of the stream, which are not read from the stream again.
    private(set) var head: [UInt8] = []
    /// The number of bytes that libavformat may still read before it gets an end of file.
    private var budget = Int64.max
    /// Whether libavformat tried to read more than its budget.
    private(set) var isOverBudget = false
    /// The bytes at `watchOffset`, recorded when they are read, because the stream may not be seekable.
    private(set) var watched: [UInt8] = []
    private var watchOffset: Int64 = -1
    private var offset: Int64 = 0
    /// The last bytes that libavformat read, if they are needed again.
    private var recent: RecentBytes?
    private var peeked: (offset: Int64, bytes: [UInt8]) = (0, [])
    /// The range that libavformat reads as zeros after a seek to its start.
    private var blank: Range<Int64>?
    private var isInBlank = false

    /// Bytes that replace those of the stream.
    private var replacements: [(offset: Int64, bytes: [UInt8])] = []

    /// The maximum size of `head`, in bytes: it only takes memory in a non-seekable stream, and exceeds tags with a
    /// picture.
    private static let mostHead = 1 << 20
    /// The size of `head`, in bytes, above which it is reduced to `headSize` once the file is open.
    private static let mostHeldHead = 64 << 10
    /// The number of bytes that identify the format of a file.
    private static let headSize = 4096
    /// The number of bytes of an MP4 file that libavformat probes.
    ///
    /// The next bytes that it needs may be at the end of the file.
    private static let shortHeadSize = 2048
    /// libavformat's buffer size for remote streams, in bytes; a small one starts playback earlier, a larger one saves
    /// calls.
    private static let remoteBuffer: Int32 = 4096
    private static let localBuffer: Int32 = 32768
    /// A Xing header with its LAME part ends at most 192 bytes after the start of the first frame.
    private static let watchSize = 512
    /// The number of bytes per peek; the boxes of an MP4 file that are peeked at are close together.
    private static let peekSize = 1024

    init(stream: any ByteStream) throws(SyrinxError) {
        self.stream = stream
        try readHead()
        let size = stream.isRemote ? Self.remoteBuffer : Self.localBuffer
        guard let buffer = av_malloc(Int(size)) else { throw SyrinxError.outOfMemory(stream.name) }
        // Unretained: this object owns the context and frees it.
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        guard
            let context = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self),
                size,
                0,
                opaque,
                { AVIOBridge.from($0)?.read(into: $1, count: $2) ?? syrinx_error_external() },
                nil,
                { AVIOBridge.from($0)?.seek(to: $1, whence: $2) ?? -1 }
            )
        else {
            av_free(buffer)
            throw SyrinxError.outOfMemory(stream.name)
        }
        self.context = context
        setSeekable(stream.isSeekable)
    }

    deinit {
        // FFmpeg may have replaced the first buffer.
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Sets whether libavformat may seek.
    func setSeekable(_ seekable: Bool) {
        context?.pointee.seekable = seekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    /// Limits the number of bytes that libavformat may read from now on.
    func limitReading(to count: Int64) { budget = count }

    /// Makes libavformat read zeros in `range`, without fetching bytes, if it seeks to the start of the range.
    ///
    /// Sequential reads into the range return the real bytes. Pass `nil` to return to real bytes everywhere.
    func setBlank(_ range: Range<Int64>?) {
        blank = range
        isInBlank = false
    }

    /// Keeps the last `count` bytes that libavformat reads from now on, for `recentBytes(at:count:)`.
    func keepRecentBytes(_ count: Int) { recent = RecentBytes(count: count) }

    /// Calls libavformat in a way that lets it seek.
    ///
    /// libavformat reads through to a position that is near ahead. After a failure it must seek instead, because the
    /// bytes between may be unreadable.
    func jump<Result>(_ body: () -> Result) -> Result {
        context?.pointee.direct = hasJustFailed && stream.isSeekable ? 1 : 0
        defer { context?.pointee.direct = 0 }
        return body()
    }

    /// Clears an earlier failure, so that reading can be retried.
    func clearFailure() {
        failure = nil
        cut = nil
        context?.pointee.error = 0
        context?.pointee.eof_reached = 0
    }

    /// Records the bytes at `offset` when libavformat reads them.
    func watch(at offset: Int64) {
        watchOffset = offset
        let start = min(Int(clamping: offset), head.count)
        watched = Array(head[start..<min(start + Self.watchSize, head.count)])
    }

    /// Reads up to 1,024 bytes at an offset, independently of libavformat; fewer if they are unavailable.
    func peek(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0, count <= Self.peekSize, let end = offset.addingChecked(Int64(count)) else {
            return []
        }
        if end <= Int64(head.count) { return Array(head[Int(offset)...].prefix(count)) }
        let peekedEnd = peeked.offset.addingClamped(Int64(peeked.bytes.count))
        if offset < peeked.offset || end > peekedEnd { peeked = (offset, page(at: offset)) }
        return Array(peeked.bytes.dropFirst(Int(clamping: offset.subtractingClamped(peeked.offset))).prefix(count))
    }

    /// Reads like `peek(at:count:)`, but reads a non-seekable stream up to the offset, if that is at most 1 MiB.
    func look(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, let end = offset.addingChecked(Int64(count)) else { return [] }
        if !stream.isSeekable, end <= Self.mostHead { growHead(to: Int(end)) }
        guard offset < Int64(head.count) else { return peek(at: offset, count: count) }
        let bytes = head[Int(offset)...].prefix(count)
        return bytes.count == count || !stream.isSeekable ? Array(bytes) : peek(at: offset, count: count)
    }

    /// Reads like `look(at:count:)`, but any number of bytes of a seekable stream.
    func lookFar(at offset: Int64, count: Int) -> [UInt8] {
        stream.isSeekable && count > Self.peekSize
            ? read(at: max(offset, 0), count: count) : look(at: offset, count: count)
    }

    private func growHead(to count: Int) {
        guard count > head.count else { return }
        head += read(at: Int64(head.count), count: count - head.count)
    }

    /// Returns up to `count` bytes from the start, which libavformat then gets without another read.
    func front(_ count: Int) -> [UInt8] {
        growHead(to: count)
        return Array(head.prefix(count))
    }

    /// Discards the bytes that `front(_:)` read, unless they are still needed and cannot be read again.
    func forgetFront() {
        guard head.count > Self.mostHeldHead, stream.isSeekable || offset >= Int64(head.count) else { return }
        head = Array(head.prefix(Self.headSize))
    }

    /// Replaces the bytes that libavformat reads at an offset.
    func replace(_ bytes: [UInt8], at offset: Int64) { replacements.append((offset, bytes)) }

    /// Returns up to `count` bytes from the end; none if the stream is not seekable or its length is unknown.
    func tail(_ count: Int) -> [UInt8] {
        guard let length = stream.length, length > 0 else { return [] }
        if length <= Int64(head.count) { return head.suffix(count) }
        guard stream.isSeekable else { return [] }
        let start = max(length - Int64(count), 0)
        return read(at: start, count: Int(length - start))
    }

    private func page(at offset: Int64) -> [UInt8] {
        guard stream.isSeekable, offset < stream.length ?? .max else { return [] }
        return read(at: offset, count: Self.peekSize)
    }

    /// Returns bytes that libavformat has just read; fewer if they are no longer available, or the file ends.
    func recentBytes(at offset: Int64, count: Int) -> [UInt8] {
        let held = [(recent?.offset ?? 0, recent?.bytes ?? []), (0, head)].map { start, bytes -> ArraySlice<UInt8> in
            let place = offset.subtractingClamped(start)
            return 0..<Int64(bytes.count) ~= place ? bytes[Int(place)...].prefix(count) : []
        }
        if let whole = held.first(where: { $0.count == count }) { return Array(whole) }
        let isAtHand = !stream.isRemote || stream.firstMissing(from: offset) >= offset.addingClamped(Int64(count))
        if stream.isSeekable, isAtHand { return read(at: offset, count: count) }
        return held.max { $0.count < $1.count }.map(Array.init) ?? []
    }

    /// Reads any number of bytes at an offset, independently of libavformat; fewer if they are unavailable.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { bytes.deallocate() }
        var filled = 0
        do throws(SyrinxError) {
            while filled < bytes.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                let got = try stream.read(at: offset.addingClamped(Int64(filled)), into: rest)
                if got == 0 { break }
                filled += got
            }
        } catch {
            // libavformat's own read of these bytes usually fails too, and reports the error.
            sideFailure = error
        }
        return [UInt8](bytes.prefix(filled))
    }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> AVIOBridge? {
        opaque.map { Unmanaged<AVIOBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    private func readHead() throws(SyrinxError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headSize, alignment: 1)
        defer { bytes.deallocate() }
        var count = 0
        while count < bytes.count {
            let got: Int
            do throws(SyrinxError) {
                let end = stream.isRemote && count < Self.shortHeadSize ? Self.shortHeadSize : bytes.count
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<end])
                got = try stream.read(at: Int64(count), into: rest)
            } catch {
                // Use the bytes that were read before the failure; the next read fails again.
                if count > 0 && error.code != .cancelled { break }
                throw error
            }
            if got == 0 { break }
            count += got
            if stream.isRemote, count >= Self.shortHeadSize, bytes[4..<8].elementsEqual("ftyp".utf8) { break }
        }
        head = [UInt8](bytes.prefix(count))
    }

    private func read(into target: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
        guard failure == nil, let target, count > 0 else { return syrinx_error_external() }
        guard budget > 0 else {
            isOverBudget = true
            return syrinx_error_eof()
        }
        var got = 0
        if isInBlank, let end = blank?.upperBound, offset < end {
            got = Int(min(Int64(count), end - offset))
            target.update(repeating: 0, count: got)
        } else if offset < Int64(head.count) {
            got = min(head.count - Int(offset), Int(count))
            head.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                target.update(from: base + Int(offset), count: got)
            }
        } else {
            do throws(SyrinxError) {
                got = try stream.read(at: offset, into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
            } catch {
                guard endsWhereCut, error.code == .connectionLost, stream.length == nil else {
                    failure = error
                    hasJustFailed = true
                    return syrinx_error_external()
                }
                cut = error
            }
        }
        hasJustFailed = false
        guard got > 0 else {
            hasSeenEnd = true
            return syrinx_error_eof()
        }
        for (place, bytes) in replacements {
            for (index, byte) in bytes.enumerated() where offset..<offset + Int64(got) ~= place + Int64(index) {
                target[Int(place - offset) + index] = byte
            }
        }
        budget -= Int64(got)
        note(UnsafeBufferPointer(start: target, count: got))
        recent?.keep(UnsafeBufferPointer(start: target, count: got), at: offset)
        offset += Int64(got)
        return Int32(got)
    }

    private func note(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard watchOffset >= 0, watched.count < Self.watchSize else { return }
        let next = watchOffset + Int64(watched.count)
        guard next >= offset, next < offset + Int64(bytes.count) else { return }
        let from = Int(next - offset)
        watched += bytes[from..<min(from + Self.watchSize - watched.count, bytes.count)]
    }

    private func seek(to position: Int64, whence: Int32) -> Int64 {
        let target: Int64?
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return stream.length ?? Int64(syrinx_error_unsupported())
        case SEEK_SET: target = position
        case SEEK_CUR: target = offset.addingChecked(position)
        case SEEK_END: target = stream.length.flatMap { $0.addingChecked(position) }
        default: target = nil
        }
        guard let target, target >= 0 else { return -1 }
        offset = target
        isInBlank = target == blank?.lowerBound
        return target
    }
}
