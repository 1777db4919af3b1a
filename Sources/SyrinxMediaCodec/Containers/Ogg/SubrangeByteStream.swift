internal import SyrinxByteStream

/// A byte stream that reads a range of another stream.
final class SubrangeByteStream: ByteStream {
    private let whole: any ByteStream
    /// The range in the whole stream.
    ///
    /// If the length is unknown, its upper bound is larger than any possible length.
    private let range: Range<Int64>
    private let isOpenEnded: Bool

    init(_ whole: any ByteStream, _ range: Range<Int64>) {
        self.whole = whole
        self.range = range
        isOpenEnded = false
    }

    /// Creates a non-seekable stream of all bytes from offset `start`.
    init(_ whole: any ByteStream, from start: Int64) {
        self.whole = whole
        range = start..<Int64.max / 2
        isOpenEnded = true
    }

    var name: String { whole.name }
    var length: Int64? { isOpenEnded ? nil : range.upperBound - range.lowerBound }
    var isSeekable: Bool { !isOpenEnded && whole.isSeekable }
    var isRemote: Bool { whole.isRemote }
    var mimeType: String? { whole.mimeType }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        let place = range.lowerBound.addingClamped(min(offset, range.upperBound - range.lowerBound))
        let count = min(Int64(buffer.count), range.upperBound - place)
        return try whole.read(at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]))
    }

    func firstMissing(from offset: Int64) -> Int64 {
        let missing = whole.firstMissing(
            from: range.lowerBound.addingClamped(min(offset, range.upperBound - range.lowerBound))
        )
        return missing == .max ? .max : max(missing - range.lowerBound, 0)
    }

    func setInterrupted(_ isInterrupted: Bool) { whole.setInterrupted(isInterrupted) }

    func cancel() { whole.cancel() }
}
