import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream

/// A stream of the bytes of a broadcast from a frame on; this frame is at offset 0.
///
/// The header of an Ogg stream comes first, if the frame is in its middle. Cancelling the view does not cancel the broadcast.
final class BroadcastView: ByteStream {
    private let stream: HTTPByteStream
    private let head: [UInt8]
    private let start: Int64
    private let isCancelled = Atomic(false)

    /// Creates a view; the reader of the broadcast is moved to its start.
    /// - Parameters:
    ///   - start: The offset of a frame.
    ///   - head: The header of the stream to which the frame belongs.
    init(_ stream: HTTPByteStream, from start: Int64, head: [UInt8]) {
        (self.stream, self.start, self.head) = (stream, start, head)
        stream.moveReader(to: start)
    }

    var name: String { stream.name }
    var length: Int64? { nil }
    var isSeekable: Bool { false }
    var isRemote: Bool { true }
    var mimeType: String? { stream.mimeType }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard !isCancelled.load(ordering: .acquiring) else { throw .cancelled(name: name) }
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        guard offset < Int64(head.count) else {
            return try stream.read(at: offset.subtractingClamped(Int64(head.count)).addingClamped(start), into: buffer)
        }
        let rest = head[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }

    func firstMissing(from offset: Int64) -> Int64 {
        let place = max(offset.subtractingClamped(Int64(head.count)), 0).addingClamped(start)
        let missing = stream.firstMissing(from: place)
        return missing == place ? offset : missing.subtractingClamped(start).addingClamped(Int64(head.count))
    }

    func firstHeld(from offset: Int64) -> Int64? { firstMissing(from: offset) > offset ? offset : nil }

    func setInterrupted(_ isInterrupted: Bool) { stream.setInterrupted(isInterrupted) }

    func cancel() { isCancelled.store(true, ordering: .releasing) }
}
