import Foundation
import Synchronization
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@Suite("The waveform of a stream that tells of arrivals") struct ReportedArrivalTests {
    /// A resource of which ranges arrive, and that tells when they do.
    private final class ToldStream: ArrivalReporting {
        private let base: SparseStream
        private let arrivals = Monitor(0)
        /// Calls of `firstHeld`, and waits that began.
        let looks = Atomic(0)
        let waits = Atomic(0)

        init(_ base: SparseStream) { self.base = base }

        var name: String { base.name }
        var mimeType: String? { nil }
        var length: Int64? { base.length }
        var isSeekable: Bool { true }
        var isRemote: Bool { true }
        var arrivalCount: Int { arrivals.read { $0 } }
        func endArrivalWaits() { arrivals.update { $0 += 1 } }
        func firstMissing(from offset: Int64) -> Int64 { base.firstMissing(from: offset) }

        func firstHeld(from offset: Int64) -> Int64? {
            looks.add(1, ordering: .relaxed)
            return base.firstHeld(from: offset)
        }

        func waitForArrival(after count: Int) {
            waits.add(1, ordering: .relaxed)
            arrivals.wait { $0 != count ? () : nil }
        }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
            try base.read(at: offset, into: buffer)
        }

        func arrive(_ range: Range<Int>) {
            base.arrive(range)
            endArrivalWaits()
        }

        func cancel() {
            base.cancel()
            endArrivalWaits()
        }
    }

    private func stream() throws -> (stream: ToldStream, byteCount: Int) {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try FFmpeg.make(path, from: "sine=440:d=20:r=44100", [])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return (ToldStream(SparseStream(bytes)), bytes.count)
    }

    @Test("Nothing is looked at while nothing arrives, and what arrives is analysed")
    func rest() async throws {
        let (stream, byteCount) = try stream()
        stream.arrive(0..<byteCount / 2)
        let analyzer = RecordingAnalyzer()
        let updates = analyzer.waveform(arrivingIn: stream)
        let reading = Task {
            var blockCount = 0
            for try await update in updates {
                if case .blocks(let blocks, _, _) = update { blockCount += blocks.count }
            }
            return blockCount
        }
        #expect(waitUntil { stream.waits.load(ordering: .relaxed) > 0 })
        let looks = stream.looks.load(ordering: .relaxed)
        usleep(300_000)
        #expect(stream.looks.load(ordering: .relaxed) == looks)
        stream.arrive(0..<byteCount)
        #expect(try await reading.value >= 20 * 44_100 / 256)
    }

    @Test("Cancelling ends the wait for what arrives")
    func cancel() async throws {
        let (stream, byteCount) = try stream()
        stream.arrive(0..<byteCount / 2)
        let analyzer = RecordingAnalyzer()
        let updates = analyzer.waveform(arrivingIn: stream)
        let reading = Task { for try await _ in updates {} }
        #expect(waitUntil { stream.waits.load(ordering: .relaxed) > 0 })
        analyzer.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }
}
