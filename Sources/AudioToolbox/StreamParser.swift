internal import ByteStream
internal import CoreAudioTypes
internal import Foundation
internal import MediaCodec

/// Finds packets in bytes that are fed to it in pieces of any size.
///
/// The demultiplexer pulls, so it has a thread of its own; `feed` waits until that waits for more. Feeding is for one
/// thread at a time.
final class StreamParser: @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only; the demuxer belongs to the parsing thread alone.

    /// A packet, or several of samples.
    struct Packet {
        var bytes: [UInt8]
        var frameCount: UInt32
    }

    private let fed = FedBytes()
    private let lock = NSLock()
    private var info: MediaInfo?
    private var cookie: [UInt8] = []
    private var dataOffset: Int64 = 0
    private var delay: Int64 = 0
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

    /// Says that no more bytes come, and ends the thread.
    func end() { fed.cancel() }

    /// What is known by now.
    var known: (info: MediaInfo, cookie: [UInt8], dataOffset: Int64, delay: Int64)? {
        lock.withLock { info.map { ($0, cookie, dataOffset, delay) } }
    }

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
        let thread = Thread { [weak self] in Self.run(fed, { [weak self] in self }) }
        thread.name = "syrinx.filestream"
        thread.start()
    }

    private static func run(_ fed: FedBytes, _ parser: () -> StreamParser?) {
        do throws(MediaError) {
            let demuxer = try MediaDemuxer(stream: fed)
            let cookie = demuxer.magicCookie
            var isFirst = true
            while let packet = try demuxer.nextPacket() {
                guard let parser = parser() else { return }
                parser.take(packet, demuxer.info, isFirst ? cookie : nil)
                isFirst = false
            }
        } catch {
            parser()?.fail(error)
        }
        // Lets go whoever waits for this thread to wait for bytes.
        fed.bytes.finish()
    }

    private func take(_ packet: MediaPacket, _ info: MediaInfo, _ firstCookie: [UInt8]?) {
        lock.withLock {
            if let firstCookie {
                cookie = firstCookie
                dataOffset = packet.byteOffset ?? 0
                delay = max(-(packet.startFrame ?? 0), 0)
            }
            self.info = info
            waiting.append(Packet(bytes: packet.data, frameCount: UInt32(clamping: packet.frameCount ?? 0)))
        }
    }

    private func fail(_ error: MediaError) {
        lock.withLock { if error.code.rawValue != "usage.cancelled" { failure = error } }
    }
}
