internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Lets libavformat read from a `ByteStream`.
///
/// Owns the `AVIOContext`. One thread at a time. FFmpeg has only numbers for errors, so the stream's own error is kept in
/// `failure` for the caller of FFmpeg; once there is one, every read fails at once, so that FFmpeg gives up promptly.
final class AVIOBridge {
    let stream: any ByteStream
    private(set) var failure: SyrinxError?
    /// Whether the last read failed, also when that has been forgotten.
    private(set) var hasJustFailed = false
    /// The failure of a read beside libavformat's, until it is set to `nil`.
    ///
    /// The bytes may exist all the same.
    var sideFailure: SyrinxError?
    /// Whether a connection that is cut ends the bytes there, if their number is not known.
    var endsWhereCut = false
    /// The error that the bytes ended with.
    ///
    /// The container may reveal whether they are complete.
    private(set) var cut: SyrinxError?
    /// Whether libavformat has read all that there is.
    private(set) var hasSeenEnd = false
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The first bytes, read for a look at what this is; they are not read from the stream again.
    private(set) var head: [UInt8] = []
    /// So many bytes libavformat may still read; behind them it finds the end.
    private var budget = Int64.max
    /// Whether it wanted more than that.
    private(set) var isOverBudget = false
    /// The bytes at `watchOffset`, noted down as they pass, for a stream that cannot go back to them.
    private(set) var watched: [UInt8] = []
    private var watchOffset: Int64 = -1
    private var offset: Int64 = 0
    /// The last of what libavformat has read, where it is needed again.
    private var recent: RecentBytes?
    private var peeked: (offset: Int64, bytes: [UInt8]) = (0, [])
    /// The range that libavformat gets as zeros after a jump to its start.
    private var blank: Range<Int64>?
    private var isInBlank = false

    /// Bytes that libavformat gets in place of those of the stream.
    private var replacements: [(offset: Int64, bytes: [UInt8])] = []

    /// So far `head` grows for a look, which in a stream that cannot go back costs nothing but memory: tags with a picture are
    /// shorter.
    private static let mostHead = 1 << 20
    /// A longer head is cut down to `headSize` when the file is open.
    private static let mostHeldHead = 64 << 10
    /// As much as decides between the kinds of file.
    private static let headSize = 4096
    /// The number of bytes of an MP4 that libavformat probes.
    ///
    /// What comes then may lie at the end of the file.
    private static let shortHeadSize = 2048
    /// Small where each byte costs time, so that the first sound needs few; the larger one saves calls.
    private static let remoteBuffer: Int32 = 4096
    private static let localBuffer: Int32 = 32768
    /// A Xing header with its LAME part ends 192 bytes into the first frame at the latest.
    private static let watchSize = 512
    /// The boxes of an MP4 that are peeked at lie close together.
    private static let peekSize = 1024

    init(stream: any ByteStream) throws(SyrinxError) {
        self.stream = stream
        try readHead()
        let size = stream.isRemote ? Self.remoteBuffer : Self.localBuffer
        guard let buffer = av_malloc(Int(size)) else { throw SyrinxError.outOfMemory(stream.name) }
        // Unretained: the context lives inside this object, and is freed with it.
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
        // FFmpeg may have put a buffer of another size in place of the first one.
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Whether libavformat may look at other places than the next.
    func setSeekable(_ seekable: Bool) {
        context?.pointee.seekable = seekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    /// Lets libavformat read so many bytes from here on and no more.
    func limitReading(to count: Int64) { budget = count }

    /// Gives libavformat zeros, and fetches nothing, where it jumps to the start of `range`; `nil` for nowhere.
    ///
    /// What passes on the way from elsewhere is what it is.
    func setBlank(_ range: Range<Int64>?) {
        blank = range
        isInBlank = false
    }

    /// Keeps the last `count` bytes that libavformat reads from now on, for `recentBytes`.
    func keepRecentBytes(_ count: Int) { recent = RecentBytes(count: count) }

    /// Has libavformat go elsewhere, or read what lies elsewhere.
    ///
    /// To a place near ahead it reads on; not after a failure, because that would read through what cannot be had.
    func jump<Result>(_ body: () -> Result) -> Result {
        context?.pointee.direct = hasJustFailed && stream.isSeekable ? 1 : 0
        defer { context?.pointee.direct = 0 }
        return body()
    }

    /// Forgets an earlier failure, so that reading can be tried again.
    func clearFailure() {
        failure = nil
        cut = nil
        context?.pointee.error = 0
        context?.pointee.eof_reached = 0
    }

    /// Notes down the bytes at `offset` when they pass.
    func watch(at offset: Int64) {
        watchOffset = offset
        let start = min(Int(clamping: offset), head.count)
        watched = Array(head[start..<min(start + Self.watchSize, head.count)])
    }

    /// Reads bytes at some place, aside from what libavformat reads; fewer where they cannot be had.
    func peek(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0, count <= Self.peekSize, let end = offset.addingChecked(Int64(count)) else {
            return []
        }
        if end <= Int64(head.count) { return Array(head[Int(offset)...].prefix(count)) }
        let peekedEnd = peeked.offset.addingClamped(Int64(peeked.bytes.count))
        if offset < peeked.offset || end > peekedEnd { peeked = (offset, page(at: offset)) }
        return Array(peeked.bytes.dropFirst(Int(clamping: offset.subtractingClamped(peeked.offset))).prefix(count))
    }

    /// As `peek`, but of a stream that cannot go back it reads on to that place, as far as that is not too much to keep.
    func look(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, let end = offset.addingChecked(Int64(count)) else { return [] }
        if !stream.isSeekable, end <= Self.mostHead { growHead(to: Int(end)) }
        guard offset < Int64(head.count) else { return peek(at: offset, count: count) }
        let bytes = head[Int(offset)...].prefix(count)
        return bytes.count == count || !stream.isSeekable ? Array(bytes) : peek(at: offset, count: count)
    }

    /// As `look`, but any number of bytes of a stream that can go back.
    func lookFar(at offset: Int64, count: Int) -> [UInt8] {
        stream.isSeekable && count > Self.peekSize
            ? read(at: max(offset, 0), count: count) : look(at: offset, count: count)
    }

    private func growHead(to count: Int) {
        guard count > head.count else { return }
        head += read(at: Int64(head.count), count: count - head.count)
    }

    /// The first bytes, as many as there are, which libavformat then gets without another read.
    func front(_ count: Int) -> [UInt8] {
        growHead(to: count)
        return Array(head.prefix(count))
    }

    /// Lets go of the first bytes that were read by `front`, except those that cannot be had again and are still needed.
    func forgetFront() {
        guard head.count > Self.mostHeldHead, stream.isSeekable || offset >= Int64(head.count) else { return }
        head = Array(head.prefix(Self.headSize))
    }

    /// Gives libavformat other bytes at some place than the stream has.
    func replace(_ bytes: [UInt8], at offset: Int64) { replacements.append((offset, bytes)) }

    /// The last bytes of the stream, up to `count` of them; none where they cannot be had without waiting for all of it.
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

    /// Bytes that libavformat has just read; fewer where they are not at hand, or the file ends.
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

    /// Reads any number of bytes at some place, aside from what libavformat reads; fewer where they cannot be had.
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
            // Mostly it fails again where it matters, and is reported there.
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
                // What was read before the failure may be worth hearing; the failure comes again when it is gone.
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
