import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Opens the segments of pictures: those that the sound of the same presentation has fetched are not fetched once more.
struct HLSPictureTransport: HLSTransport {
    let base: any HLSTransport
    /// The presentation whose sound is played, if there is one.
    let presentation: @Sendable () -> HLSStream?

    var clock: any HLSClock { base.clock }
    var patience: Double { base.patience }
    var allowsInsecure: Bool { base.allowsInsecure }

    func open(_ url: URL, _ purpose: HLSPurpose) throws(SyrinxError) -> any ByteStream {
        guard case .segment = purpose, let fetched = presentation()?.fetchedSegment(at: url) else {
            return try base.open(url, purpose)
        }
        return HLSBorrowedStream(
            fetched,
            isFetched: { [presentation] in presentation()?.fetchedSegment(at: url) === fetched },
            anew: { [base] () throws(SyrinxError) in try base.open(url, purpose) }
        )
    }
}

/// The bytes of a segment that another loader fetches; if that lets go of it, they are fetched anew.
///
/// Another thread reads the same stream. Reading waits until that is at hand as a whole: then neither moves the other's window.
final class HLSBorrowedStream: ByteStream, @unchecked Sendable {
    // Unchecked: what changes is under `lock`.
    private let fetched: HTTPByteStream
    private let isFetched: @Sendable () -> Bool
    private let anew: @Sendable () throws(SyrinxError) -> any ByteStream
    private let lock = NSLock()
    private var own: (any ByteStream)?
    private var isCancelled = false
    private var isInterrupted = false

    /// Microseconds between two looks at what has come.
    private static let interval: UInt32 = 10_000
    /// Bytes of which all are at hand at one time: the window of a segment.
    private static let largestSegment: Int64 = 4 << 20

    /// - Parameters:
    ///   - fetched: The stream that the other loader reads.
    ///   - isFetched: Whether that loader still has it.
    ///   - anew: Opens a stream of the same bytes.
    init(
        _ fetched: HTTPByteStream,
        isFetched: @escaping @Sendable () -> Bool,
        anew: @escaping @Sendable () throws(SyrinxError) -> any ByteStream
    ) {
        self.fetched = fetched
        self.isFetched = isFetched
        self.anew = anew
    }

    var name: String { fetched.name }
    var length: Int64? { lock.withLock { own }?.length ?? fetched.length }
    var isSeekable: Bool { true }
    var isRemote: Bool { true }
    var mimeType: String? { fetched.mimeType }

    func firstMissing(from offset: Int64) -> Int64 {
        lock.withLock { own }?.firstMissing(from: offset) ?? fetched.firstMissing(from: offset)
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        while true {
            try check()
            if let own = lock.withLock({ own }) { return try own.read(at: offset, into: buffer) }
            let length = fetched.length
            let isWhole = length.map { fetched.firstMissing(from: 0) >= $0 } ?? false
            if isWhole {
                do throws(SyrinxError) {
                    return try fetched.read(at: offset, into: buffer)
                } catch {
                    try fetchAnew()
                }
            } else if length ?? 0 > Self.largestSegment || !isFetched() {
                try fetchAnew()
            } else {
                usleep(Self.interval)
            }
        }
    }

    private func check() throws(SyrinxError) {
        let (isCancelled, isInterrupted) = lock.withLock { (self.isCancelled, self.isInterrupted) }
        if isCancelled { throw .cancelled(name: name) }
        if isInterrupted { throw .interrupted(name: name) }
    }

    private func fetchAnew() throws(SyrinxError) {
        let stream = try anew()
        let isCancelled = lock.withLock {
            own = stream
            return self.isCancelled
        }
        if isCancelled { stream.cancel() }
    }

    func setInterrupted(_ isInterrupted: Bool) {
        lock.withLock {
            self.isInterrupted = isInterrupted
            return own
        }?.setInterrupted(isInterrupted)
    }

    func cancel() {
        lock.withLock {
            isCancelled = true
            return own
        }?.cancel()
    }
}
