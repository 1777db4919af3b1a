internal import ByteStream
internal import CoreAudioTypes
internal import Foundation
internal import MediaCodec

/// Finds out what bytes are that are fed to it in pieces of any size, and cuts those that only a demultiplexer can cut.
///
/// The demultiplexer pulls, so it has a thread of its own; `feed` waits until that waits for more, and `finish` until it has
/// ended. Feeding is for one thread at a time.
final class StreamParser: @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only, but for `early`, which belongs to the feeding thread; the demuxer
    // belongs to the parsing thread alone.

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

    private let fed = FedByteQueue()
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isEnding = false
    private var facts: Known?
    private var waiting: [PacketCut] = []
    private var failure: MediaError?
    private var hasBegun = false
    /// Looks at the bytes without the demultiplexer's thread, and what has come when it looks again.
    private var early = (count: 0, next: 0)

    deinit { fed.cancel() }

    /// Gives bytes to the demuxer, and waits until it has got out of them what is in them.
    func feed(_ data: UnsafeRawBufferPointer) {
        fed.bytes.append(data)
        begin()
        fed.bytes.waitUntilStarved()
        lookEarly()
    }

    /// Says that these were all bytes, and waits until what is left in them has been got out.
    func finish() {
        fed.bytes.finish()
        let isRunning = lock.withLock {
            defer { isEnding = true }
            return hasBegun && !isEnding
        }
        if isRunning { ended.wait() }
    }

    /// Ends the thread, whatever it does.
    func end() { fed.cancel() }

    /// The facts known so far.
    var known: Known? { lock.withLock { facts } }

    /// The error, if parsing cannot continue.
    var error: MediaError? { lock.withLock { failure } }

    /// The bytes from `offset` on that have been fed.
    func fedBytes(from offset: Int64) -> [UInt8] { fed.arrived(from: offset) }

    /// Takes the packets that have been found since the last time.
    func takePackets() -> [PacketCut] {
        lock.withLock {
            defer { waiting = [] }
            return waiting
        }
    }

    private func begin() {
        let begins = lock.withLock {
            defer { hasBegun = true }
            return !hasBegun
        }
        guard begins else { return }
        let fed = fed
        let ended = ended
        let thread = Thread { [weak self] in
            Self.run(fed, { [weak self] in self })
            ended.signal()
        }
        thread.name = "syrinx.filestream"
        thread.start()
    }

    private static func run(_ fed: FedByteQueue, _ parser: () -> StreamParser?) {
        do throws(MediaError) {
            let demuxer = try MediaDemuxer(stream: fed)
            // The properties of the packets are reported once.
            demuxer.goesOnInChain = false
            // Of the others only what is around packets has places.
            let hasPlaces = ["mp3", "aac", "ac3", "eac3", "flac", "mp4", "caf"].contains(demuxer.info.container)
            while let packet = try demuxer.nextPacket() {
                guard let parser = parser() else { return }
                parser.take(packet, of: demuxer, hasPlace: hasPlaces)
            }
        } catch {
            parser()?.fail(error)
        }
        // Releases the thread that waits for this thread to wait for bytes.
        fed.bytes.finish()
    }

    private func take(_ packet: MediaPacket, of demuxer: MediaDemuxer, hasPlace: Bool) {
        let first = known == nil ? Known(demuxer, first: packet) : nil
        lock.withLock {
            facts = facts ?? first
            facts?.info = demuxer.info
            let count = UInt32(clamping: packet.frameCount ?? 0)
            let offset = hasPlace ? packet.byteOffset : nil
            waiting.append(PacketCut(bytes: packet.data, frameCount: count, offset: offset))
        }
    }

    private func fail(_ error: MediaError) {
        lock.withLock { if error.code != .cancelled { failure = error } }
    }

    // MARK: Short files

    /// The largest number of bytes that the demultiplexer reads before it reports its result.
    private static let patience = 1 << 17
    /// So often every new byte is worth a look, and then only where there is a quarter more.
    private static let eagerLooks = 64

    /// Parses the bytes so far as if they were all, because a short file does not say so.
    private func lookEarly() {
        let count = Int(clamping: fed.bytes.appendedByteCount)
        guard known == nil, error == nil, count <= Self.patience, count >= early.next else { return }
        early.count += 1
        // Bounded: at most `patience`.
        early.next = early.count < Self.eagerLooks ? count + 1 : count + count / 4
        let bytes = fed.arrived(from: 0)
        guard RecordingPrefix(bytes).isEnough else { return }
        // Whatever is wrong with it, the demultiplexer will say.
        guard let demuxer = try? MediaDemuxer(stream: PrefixBytes(bytes)), let packet = try? demuxer.nextPacket() else {
            return
        }
        let known = Known(demuxer, first: packet)
        guard known.cutter != nil else { return }
        lock.withLock { facts = facts ?? known }
    }
}
