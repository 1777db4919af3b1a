internal import CoreAudioTypes
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Detects the format of pushed bytes, and divides formats that need a demultiplexer into packets.
///
/// The demultiplexer pulls its data, so it has its own thread. `feed` waits until that thread needs more data, and
/// `finish` waits until it has ended. Feed from one thread at a time.
final class StreamParser: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state except `early`, which belongs to the feeding thread.

    /// The facts that the first packets reveal.
    struct Known {
        var info: MediaInfo
        let cookie: [UInt8]
        /// The offset of the first packet in the file.
        let dataOffset: Int64
        /// Frames of the encoder's delay.
        let delay: Int64
        /// Packets before another that its decoder needs.
        let rollDistance: Int64
        /// Whether decoding may begin with any packet.
        let canBeginAnywhere: Bool
        /// The packets of the whole, if the file states their number.
        let packetCount: Int64?
        /// The offset of each packet, if the file has a table.
        let table: [TableCutter.Entry]?
        /// Cuts the bytes from `dataOffset` on; `nil` if the demultiplexer has to.
        let cutter: (any PacketCutter)?

        init(_ demuxer: MediaDemuxer, first packet: MediaPacket) {
            info = demuxer.info
            cookie = demuxer.magicCookie
            table = demuxer.packetTable
            dataOffset = table?.map(\.offset).min() ?? packet.byteOffset ?? 0
            delay = max(-(packet.startFrame ?? 0), 0)
            rollDistance = demuxer.rollDistance
            canBeginAnywhere = demuxer.canBeginAnywhere
            packetCount = table.map { Int64($0.count) } ?? demuxer.statedPacketCount
            cutter = demuxer.makeCutter(first: packet, table: table)
        }
    }

    private let demuxer = PushDemuxer(name: "parsed bytes", isSeekable: false, threadName: "syrinx.filestream")
    private let lock = NSLock()
    private var facts: Known?
    private var waiting: [PacketCut] = []
    private var failure: SyrinxError?
    /// The number of detections without the demultiplexer, and the number of bytes needed for the next one.
    private var early = (count: 0, next: 0)

    /// Passes bytes to the demultiplexer, and waits until it has extracted all complete packets.
    func feed(_ data: UnsafeRawBufferPointer) {
        demuxer.push(data, for: self)
        lookEarly()
    }

    /// Marks the end of the data, and waits until the demultiplexer has extracted the remaining packets.
    func finish() { demuxer.finish() }

    /// Ends the thread immediately.
    func end() { demuxer.cancel() }

    /// The facts known so far; `nil` before the format is detected.
    var known: Known? { lock.withLock { facts } }

    /// The error, if parsing cannot continue.
    var error: SyrinxError? { lock.withLock { failure } }

    /// The bytes from `offset` on that have been fed.
    func fedBytes(from offset: Int64) -> [UInt8] { demuxer.bytes.pushedBytes(from: offset) }

    /// Returns the packets found since the last call.
    func takePackets() -> [PacketCut] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    // MARK: Short files

    /// The maximum number of bytes that the demultiplexer reads before it reports a result.
    private static let patience = 1 << 17
    /// The number of detections after every new byte.
    ///
    /// Later detections need a quarter more data each.
    private static let eagerLooks = 64

    /// Parses the bytes so far as a complete file, because the end of a short file is not announced.
    private func lookEarly() {
        let count = Int(clamping: demuxer.bytes.appendedByteCount)
        guard known == nil, error == nil, count <= Self.patience, count >= early.next else { return }
        early.count += 1
        // Bounded: at most `patience`.
        early.next = early.count < Self.eagerLooks ? count + 1 : count + count / 4
        let bytes = demuxer.bytes.pushedBytes(from: 0)
        guard RecordingPrefix(bytes).isEnough else { return }
        // The demultiplexer reports any error later.
        guard let prefix = try? MediaDemuxer.open(PrefixBytes(bytes)), let packet = try? prefix.nextPacket() else {
            return
        }
        let known = Known(prefix, first: packet)
        guard known.cutter != nil else { return }
        lock.withLock { facts = facts ?? known }
    }
}

extension StreamParser: PushDemuxerDelegate {
    func opened(_ demuxer: MediaDemuxer) {}

    func found(_ packet: MediaPacket, by demuxer: MediaDemuxer) {
        let first = known == nil ? Known(demuxer, first: packet) : nil
        // In a container with blocks, only the blocks have offsets in the file, not the packets in them.
        let hasPlace = demuxer.info.format.framing != .blocks
        lock.withLock {
            facts = facts ?? first
            facts?.info = demuxer.info
            let count = UInt32(clamping: packet.frameCount ?? 0)
            let offset = hasPlace ? packet.byteOffset : nil
            waiting.append(PacketCut(bytes: packet.data, frameCount: count, offset: offset))
        }
    }

    func ended(_ demuxer: MediaDemuxer) {}

    func failed(_ error: SyrinxError) {
        lock.withLock { if error.code != .cancelled { failure = error } }
    }
}
