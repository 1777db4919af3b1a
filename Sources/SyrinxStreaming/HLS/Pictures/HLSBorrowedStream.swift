import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Opens video segments; segments that were already fetched for the audio of the presentation are shared.
struct HLSPictureTransport: HLSTransport {
    let base: any HLSTransport
    /// Returns the presentation whose audio is being played.
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

/// The bytes of a segment that another loader fetches; if that loader discards them, they are fetched again.
///
/// Another thread reads the same stream. A read waits until the whole segment has arrived, so that neither reader moves
/// the other's window.
final class HLSBorrowedStream: ByteStream, @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state.
    private let fetched: HTTPByteStream
    private let isFetched: @Sendable () -> Bool
    private let anew: @Sendable () throws(SyrinxError) -> any ByteStream
    private let lock = NSLock()
    private var own: (any ByteStream)?
    private var isCancelled = false
    private var isInterrupted = false

    /// The interval between checks for new bytes, in microseconds.
    private static let interval: UInt32 = 10_000
    /// The maximum size of a segment that can be shared, in bytes: the window of a segment.
    private static let largestSegment: Int64 = 4 << 20

    /// - Parameters:
    ///   - fetched: The stream that the other loader reads.
    ///   - isFetched: Returns whether that loader still holds it.
    ///   - anew: Opens a new stream of the same bytes.
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
