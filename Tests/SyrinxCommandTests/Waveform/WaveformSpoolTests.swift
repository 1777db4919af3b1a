import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Waveforms larger than memory")
struct WaveformSpoolTests {
    private static func waveform(_ blocks: Range<Int>) -> PeakWaveform {
        let values = blocks.flatMap { [Int16(-($0 % 30_000)), Int16($0 % 20_000), Int16(-1), Int16($0 % 7)] }
        return PeakWaveform(sampleRate: 8000, samplesPerPixel: 10, channelCount: 2, values: values)
    }

    @Test("What lies in the file and what does not are one", arguments: [0, 1000, 100_000, 10 << 20])
    func whole(memoryLimit: Int) throws {
        let scratch = try ScratchDirectory()
        let spool = WaveformSpool(like: Self.waveform(0..<1), folder: FilePath(scratch.path), memoryLimit: memoryLimit)
        var start = 0
        for size in [1, 7, 4000, 30_000, 1, 9000] {
            spool.take(Self.waveform(start..<start + size))
            start += size
        }
        #expect(spool.count == start)
        #expect(spool.extent == (-29_999, 19_999))
        let all = Self.waveform(0..<start)
        #expect(try spool.blocks(0..<start) == all)
        for range in [0..<0, 0..<1, 8..<4008, 34_000..<34_010, start - 1..<start] {
            #expect(try spool.blocks(range) == Self.waveform(range))
        }
        var joined = spool.empty
        try spool.forEachPiece { joined.append($0) }
        #expect(joined == all)
        // Its file has no name: nothing is left behind however this ends.
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }

    @Test("A missing folder is reported, and no folder is created")
    func failure() throws {
        let scratch = try ScratchDirectory()
        let spool = WaveformSpool(like: Self.waveform(0..<1), folder: FilePath(scratch.file("missing")), memoryLimit: 0)
        spool.take(Self.waveform(0..<10))
        #expect(throws: Failure.self) { try spool.check() }
        #expect(throws: Failure.self) { _ = try spool.blocks(0..<1) }
    }
}
