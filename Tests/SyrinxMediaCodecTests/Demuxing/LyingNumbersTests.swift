import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// Numbers in files that no recording has: nothing traps, and what can be heard is.
@Suite struct LyingNumbersTests {
    /// Ogg Opus, and where its pages begin.
    private func ogg() throws -> (bytes: [UInt8], pages: [Int]) {
        let scratch = try ScratchDirectory()
        let sound = "aevalsrc=0.4*sin(2*PI*t*(200+30*t)):d=20:s=48000"
        let file = try scratch.make(["-f", "lavfi", "-i", sound, "-c:a", "libopus", "a.opus"])
        let bytes = [UInt8](try Data(contentsOf: file))
        return (bytes, bytes.indices.filter { bytes[$0...].starts(with: OggPage.mark) })
    }

    @Test("Any granule position leaves the process running", arguments: [Int64.min, .max, -2, 1 << 60, 1 << 61, 1, 0])
    func positionsOfOggMayBeAnything(position: Int64)
        throws
    {
        let (bytes, pages) = try ogg()
        let lie = (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * Int64($0))) }
        for page in [pages.count / 2, pages.count - 1, 2] {
            var damaged = bytes
            damaged.replaceSubrange(pages[page] + 6..<pages[page] + 14, with: lie)
            try seekAbout(damaged)
        }
        // What only looks like a page, at the end.
        try seekAbout(bytes + OggPage.mark + [0, 4] + lie + bytes[14..<18] + [UInt8](repeating: 0, count: 9))
    }

    private func seekAbout(_ bytes: [UInt8]) throws {
        for isRemote in [true, false] {
            let stream = TestStream(bytes)
            stream.isRemote = isRemote
            guard let reader = try? MediaReader.open(stream) else { continue }
            for second in [10, 1, 19, 9, 0] {
                // It may refuse; it may not trap.
                guard (try? reader.seek(toFrame: Int64(second) * 48_000)) != nil else { continue }
                _ = try? reader.readAll(limit: 1_000)
            }
        }
    }

    @Test("Time stamps beyond the range of frames are clamped")
    func ticksBeyondAllTimeAreClamped() {
        for rate in [22_050, 44_100, 48_000] as [Int64] {
            let timing = PacketTimeline(method: .grid, sampleRate: rate, tick: (1, 1_000), framesPerPacket: 1_024)
            for ticks in [Int64.max, .min, .max / rate, .max / rate - 1, .min / rate, 1 << 61] {
                #expect(abs(timing.frames(ticks)) <= 1 << 60)
                var other = timing
                _ = other.place(timestamp: ticks, duration: 0, endTrim: 0)
            }
            #expect(timing.frames(10_000) == 10 * rate)
        }
        let late = PacketTimeline(method: .timestamps, sampleRate: 48_000, tick: (1, 48_000), origin: .max - 5)
        #expect(late.timestamp(ofFrame: 100) > 0)
    }

    @Test("Few samples in a large file are found")
    func aFewSamplesInAllBytesThereAreAreLookedForAllTheSame() {
        var search = InterpolationSearch(target: 1, sampleCount: 1, unitSize: 65_535, bytes: 0..<1 << 50)
        #expect(search.found?.offset == 0 && search.next() == nil)
    }
}
