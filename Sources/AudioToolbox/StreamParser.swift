internal import ByteStream
internal import CoreAudioTypes
internal import Foundation
internal import MediaCodec

/// Finds packets in bytes that are fed to it in pieces of any size.
///
/// The demultiplexer pulls, so it has a thread of its own; `feed` waits until that waits for more, and `finish` until it has
/// ended. Feeding is for one thread at a time.
final class StreamParser: @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only; the demuxer belongs to the parsing thread alone.

    /// A packet, or several of samples.
    struct Packet {
        var bytes: [UInt8]
        var frameCount: UInt32
        /// Where it begins in the file, if that is known of each packet.
        var offset: Int64?
    }

    /// What the first packets tell.
    struct Known {
        var info: MediaInfo
        let cookie: [UInt8]
        /// Where the first packet begins in the file.
        let dataOffset: Int64
        /// Frames of the encoder's delay.
        let delay: Int64
        /// Packets before another that its decoder needs.
        let rollDistance: Int64
        /// Whether decoding may begin with any packet.
        let canBeginAnywhere: Bool
    }

    private let fed = FedBytes()
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isEnding = false
    private var facts: Known?
    private var waiting: [Packet] = []
    private var failure: MediaError?
    private var hasBegun = false

    deinit { fed.cancel() }

    /// Gives bytes to the demuxer, and waits until it has got out of them what is in them.
    func feed(_ data: UnsafeRawBufferPointer) {
        fed.bytes.append(data)
        begin()
        fed.bytes.waitUntilStarved()
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

    /// What is known by now.
    var known: Known? { lock.withLock { facts } }

    /// Why it cannot go on, if it cannot.
    var error: MediaError? { lock.withLock { failure } }

    /// Takes the packets that have been found since the last time.
    func takePackets() -> [Packet] {
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

    private static func run(_ fed: FedBytes, _ parser: () -> StreamParser?) {
        do throws(MediaError) {
            let demuxer = try MediaDemuxer(stream: fed)
            // What is told of the packets is told once.
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
        // Lets go whoever waits for this thread to wait for bytes.
        fed.bytes.finish()
    }

    private func take(_ packet: MediaPacket, of demuxer: MediaDemuxer, hasPlace: Bool) {
        lock.withLock {
            facts?.info = demuxer.info
            if facts == nil {
                facts = Known(
                    info: demuxer.info,
                    cookie: demuxer.magicCookie,
                    dataOffset: packet.byteOffset ?? 0,
                    delay: max(Int64(0).subtractingClamped(packet.startFrame ?? 0), 0),
                    rollDistance: demuxer.rollDistance,
                    canBeginAnywhere: demuxer.canBeginAnywhere
                )
            }
            let count = UInt32(clamping: packet.frameCount ?? 0)
            let offset = hasPlace ? packet.byteOffset : nil
            waiting.append(Packet(bytes: packet.data, frameCount: count, offset: offset))
        }
    }

    private func fail(_ error: MediaError) {
        lock.withLock { if error.code.rawValue != "usage.cancelled" { failure = error } }
    }
}
