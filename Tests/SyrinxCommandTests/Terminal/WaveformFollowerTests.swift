import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("The waveform of what plays")
struct WaveformFollowerTests {
    /// A resource of which only the first bytes have arrived.
    private final class ArrivingStream: ByteStream {
        private let bytes: [UInt8]
        private let heldCount: Mutex<Int>
        let name = "arriving"
        let mimeType: String? = nil

        init(_ bytes: [UInt8], held: Int) {
            self.bytes = bytes
            heldCount = Mutex(held)
        }

        var length: Int64? { Int64(bytes.count) }
        var isSeekable: Bool { true }
        var isRemote: Bool { true }

        func arrive(_ count: Int) { heldCount.withLock { $0 = count } }
        func firstMissing(from offset: Int64) -> Int64 { max(offset, Int64(heldCount.withLock { $0 })) }
        func cancel() {}

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
            guard offset < Int64(bytes.count) else { return 0 }
            let count = min(buffer.count, heldCount.withLock { $0 } - Int(offset))
            guard count > 0 else { throw SyrinxError(.interrupted, "These bytes have not arrived.", name: name) }
            buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
            return count
        }
    }

    /// Four seconds: quiet, then loud from the middle on.
    private func recording() throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc='if(lt(t,2),0.1,0.8)*sin(2*PI*1000*t)':s=44100:d=4"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.file("a.wav"))))
    }

    @Test("It grows with what arrives, and is whole when all has")
    func growth() throws {
        let bytes = try recording()
        let stream = ArrivingStream(bytes, held: bytes.count / 4)
        let follower = WaveformFollower {}
        follower.follow { stream }
        let known = { follower.peaks.count { $0 >= 0 } }
        let quarter = WaveformFollower.columnCount / 4
        #expect(waitUntil { known() > quarter - 100 })
        #expect(known() <= quarter + 1)
        stream.arrive(bytes.count)
        #expect(waitUntil { known() == WaveformFollower.columnCount })
        let peaks = follower.peaks
        #expect(peaks[10..<980].allSatisfy { abs($0 - 0.1) < 0.01 })
        #expect(peaks[1020..<1990].allSatisfy { abs($0 - 0.8) < 0.01 })
        follower.stop()
        #expect(follower.peaks.isEmpty)
    }

    @Test("The place that is heard is drawn first")
    func place() throws {
        let bytes = try recording()
        let follower = WaveformFollower {}
        let stream = ArrivingStream(bytes, held: bytes.count)
        let isOpen = Mutex(false)
        follower.follow { isOpen.withLock { $0 } ? stream : nil }
        follower.note(place: 0.75)
        isOpen.withLock { $0 = true }
        #expect(waitUntil { follower.peaks.count { $0 >= 0 } > 0 })
        let first = follower.peaks.firstIndex { $0 >= 0 } ?? 0
        #expect(first >= 3 * WaveformFollower.columnCount / 4 - 1 || follower.peaks.allSatisfy { $0 >= 0 })
        #expect(waitUntil { follower.peaks.allSatisfy { $0 >= 0 } })
    }
}
