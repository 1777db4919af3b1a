import Synchronization
import SyrinxByteStream
import Testing

@testable import SyrinxMediaCodec

@Suite("PushDemuxer") struct PushDemuxerTests {
    /// Records what the demultiplexer reports.
    private final class Recorder: PushDemuxerDelegate {
        struct Report {
            var hasOpened = false
            var frameCount = 0
            var endCount = 0
            var error: SyrinxError?
        }

        let report = Mutex(Report())

        func opened(_ demuxer: MediaDemuxer) { report.withLock { $0.hasOpened = true } }
        func found(_ packet: MediaPacket, by demuxer: MediaDemuxer) {
            report.withLock { $0.frameCount += packet.frameCount ?? 0 }
        }
        func ended(_ demuxer: MediaDemuxer) { report.withLock { $0.endCount += 1 } }
        func failed(_ error: SyrinxError) { report.withLock { $0.error = error } }
    }

    /// A WAV file of one channel of 16-bit silence at 8 kHz.
    private func silence(frameCount: Int) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
        let byteCount = 2 * frameCount
        return Array("RIFF".utf8) + number(36 + byteCount, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
            + number(1, 2) + number(8_000, 4) + number(16_000, 4) + number(2, 2) + number(16, 2) + Array("data".utf8)
            + number(byteCount, 4) + [UInt8](repeating: 0, count: byteCount)
    }

    @Test("Packets are found as their bytes are pushed, and all of them by the end", arguments: [false, true])
    func packets(isSeekable: Bool) {
        let recorder = Recorder()
        let demuxer = PushDemuxer(name: "bytes", isSeekable: isSeekable, threadName: "test")
        let bytes = silence(frameCount: 40_000)
        for start in stride(from: 0, to: bytes.count, by: 9_999) {
            bytes[start..<min(start + 9_999, bytes.count)].withUnsafeBytes { demuxer.push($0, for: recorder) }
        }
        let before = recorder.report.withLock { $0.frameCount }
        #expect(before > 20_000)
        demuxer.finish()
        let report = recorder.report.withLock { $0 }
        #expect(report.hasOpened && report.frameCount == 40_000 && report.endCount == 1 && report.error == nil)
        #expect(demuxer.bytes.pushedBytes(from: 79_000) == Array(bytes[79_000...]))
        #expect(demuxer.bytes.pushedBytes(from: 1 << 40).isEmpty)
    }

    @Test("Bytes that are no audio are an error, and a demultiplexer that has not begun ends at once") func failures() {
        let recorder = Recorder()
        let demuxer = PushDemuxer(name: "bytes", isSeekable: false, threadName: "test")
        [UInt8](repeating: 7, count: 100_000).withUnsafeBytes { demuxer.push($0, for: recorder) }
        demuxer.finish()
        #expect(recorder.report.withLock { $0.error != nil && $0.endCount == 0 })
        PushDemuxer(name: "bytes", isSeekable: false, threadName: "test").finish()
    }

    @Test("A cancelled demultiplexer lets go of whoever pushes") func cancelling() {
        let recorder = Recorder()
        let demuxer = PushDemuxer(name: "bytes", isSeekable: false, threadName: "test")
        silence(frameCount: 4_000).withUnsafeBytes { demuxer.push($0, for: recorder) }
        demuxer.cancel()
        silence(frameCount: 4_000).withUnsafeBytes { demuxer.push($0, for: recorder) }
        demuxer.finish()
        #expect(recorder.report.withLock { $0.error }?.code.rawValue == "usage.cancelled")
    }

    @Test("A read that does not wait says that the bytes have not arrived") func notYet() throws {
        let pushed = PushByteStream(name: "bytes")
        pushed.append([1, 2, 3])
        let bytes = PushedBytes(pushed, isSeekable: true, waits: false)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(try buffer.withUnsafeMutableBytes { try bytes.read(at: 1, into: $0) } == 2)
        let error = #expect(throws: SyrinxError.self) {
            try buffer.withUnsafeMutableBytes { try bytes.read(at: 3, into: $0) }
        }
        #expect(error?.code == PushedBytes.notYet)
        pushed.finish()
        #expect(try buffer.withUnsafeMutableBytes { try bytes.read(at: 3, into: $0) } == 0)
    }
}
