import SyrinxByteStream
import SyrinxMediaCodec

/// The bytes of consecutive video segments as one stream: of one rendition, clock and initialization section.
///
/// One thread reads it, forward only.
final class HLSPictureBytes: FormattedByteStream, @unchecked Sendable {
    // Unchecked: used by the thread that decodes only.
    private let loader: HLSLoader
    /// The first segment of the run.
    let first: HLSPlan
    /// The segment that is read.
    private(set) var plan: HLSPlan
    /// The segment that was read before it.
    private(set) var previous: HLSPlan?
    /// Whether the segment that was read last could not be read to its end.
    private(set) var hasFailed = false
    private var bytes: HLSSegmentBytes
    private var pending: [UInt8]
    private var pendingOffset: Int64 = 0
    private var isAtEnd = false

    let name: String
    /// libavformat's name of the format.
    let format: String?
    var length: Int64? { nil }
    var isSeekable: Bool { false }
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    /// The number of bytes kept behind the reader, so that the start can be read again.
    private static let keptBytes: Int64 = 64 << 10

    /// Opens the run that starts with `plan`, which was already taken from the loader.
    init(_ loader: HLSLoader, _ plan: HLSPlan, after previous: HLSPlan?) throws(SyrinxError) {
        self.loader = loader
        self.plan = plan
        self.previous = previous
        first = plan
        name = StreamingInput.url(plan.segment.resource.url).name
        let section = try plan.segment.initialization.map { section throws(SyrinxError) in
            try loader.bytes(of: section)
        }
        bytes = try loader.bytes(of: plan)
        let head = try bytes.next()
        let start = section ?? head
        format =
            SegmentContent.isTransport(head) ? "mpegts" : SegmentContent.isFragmented(start) ? "mov" : nil
        guard format != nil else {
            throw SyrinxError(.notVideo, "its segments have no moving pictures", name: name)
        }
        pending = (section ?? []) + head
    }

    func cancel() { isAtEnd = true }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        while true {
            let start = offset.subtractingClamped(pendingOffset)
            guard start >= 0 else { throw .notSeekable(name: name, offset: offset) }
            if start < Int64(pending.count) {
                let count = min(buffer.count, pending.count - Int(start))
                pending.withUnsafeBytes { source in
                    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[Int(start)..<Int(start) + count]))
                }
                dropPending(before: offset)
                return count
            }
            guard !isAtEnd, !buffer.isEmpty else { return 0 }
            try readOn()
        }
    }

    private func dropPending(before offset: Int64) {
        let old = offset.subtractingClamped(Self.keptBytes).subtractingClamped(pendingOffset)
        guard old > Self.keptBytes else { return }
        pending.removeFirst(Int(clamping: old))
        pendingOffset = pendingOffset.addingClamped(old)
    }

    private func readOn() throws(SyrinxError) {
        do throws(SyrinxError) {
            let piece = try bytes.next()
            if !piece.isEmpty {
                pending += piece
                return
            }
        } catch {
            guard !error.isBreak else { throw error }
            (isAtEnd, hasFailed) = (true, true)
            return loader.failed(plan, after: previous, error)
        }
        try goOn()
    }

    /// Goes on with the next segment, if it belongs to the run.
    private func goOn() throws(SyrinxError) {
        loader.played(plan)
        do throws(SyrinxError) {
            guard let next = try loader.peek(), next.joint == .continuous else {
                isAtEnd = true
                return
            }
            do throws(SyrinxError) {
                bytes = try loader.bytes(of: next)
            } catch {
                guard !error.isBreak else { throw error }
                isAtEnd = true
                return loader.failed(next, after: plan, error)
            }
            loader.take(next)
            (previous, plan) = (plan, next)
        } catch {
            guard !error.isBreak else { throw error }
            // The reader requests the next segment itself and receives the error.
            isAtEnd = true
        }
    }
}
