import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite struct FLACFrameHeaderTests {
    private static let files = [
        ["-ac", "2", "-ar", "44100"], ["-ac", "1", "-ar", "8000"], ["-ac", "6", "-ar", "96000", "-sample_fmt", "s32"],
        ["-ac", "2", "-ar", "11025", "-frame_size", "1000"],
    ]

    @Test("FLAC frame headers are found at frames and nowhere else", arguments: files)
    func headsAreFoundWhereFramesAreAndNowhereElse(_ options: [String]) throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*(300+20*t)*t)+0.1*(random(0)-0.5):s=44100:d=6"
        let file = try scratch.make(["-f", "lavfi", "-i", source] + options + ["a.flac"])
        let bytes = [UInt8](try Data(contentsOf: file))
        let demuxer = try MediaDemuxer.open(TestStream(bytes))
        let info = try #require(FLACStreamInfo(demuxer.magicCookie))
        var packets: [Int: FLACFrameHeader] = [:]
        while let packet = try demuxer.nextPacket() {
            let offset = Int(try #require(packet.byteOffset))
            let frame = try #require(FLACFrameHeader(bytes[...], at: offset, of: info))
            #expect(frame.start == packet.startFrame)
            #expect(frame.count == packet.frameCount)
            packets[offset] = frame
        }
        #expect(packets.count > 5)
        let first = try #require(packets.keys.min())
        let found = (first..<bytes.count).filter { FLACFrameHeader(bytes[...], at: $0, of: info) != nil }
        // Of chance hits a few are to be expected in so many bytes; the search knows them by their time.
        #expect(found.filter { packets[$0] != nil }.count == packets.count)
        #expect(found.count <= packets.count + 2)
        #expect(FLACFrameHeader(bytes[..<(first + 5)], at: first, of: info) == nil)
    }

    @Test("An impossible STREAMINFO is ignored")
    func streamInfosThatCannotBe() {
        #expect(FLACStreamInfo([]) == nil)
        #expect(FLACStreamInfo([UInt8](repeating: 0, count: 34)) == nil)
    }

    /// A recording of frames of `size` samples, each of so many bytes.
    private struct Recording {
        let size: Int64
        let offsets: [Int64]
        let end: Int64

        init(size: Int64, lengths: [Int64]) {
            self.size = size
            var place: Int64 = 8000
            offsets = lengths.map { length in
                defer { place += length }
                return place
            }
            end = place
        }

        /// Returns the frame found and the number of looks.
        func search(_ target: Int64) -> (offset: Int64?, looks: Int) {
            var search = InterpolationSearch(
                target: target,
                sampleCount: size * Int64(offsets.count),
                unitSize: size,
                bytes: offsets[0]..<end
            )
            var looks = 0
            while let range = search.next() {
                looks += 1
                let index = offsets.firstIndex { range.contains($0) }
                search.see(index.map { Int64($0) * size }, at: index.map { offsets[$0] } ?? range.upperBound, in: range)
            }
            return (search.found?.offset, looks)
        }
    }

    @Test("A FLAC seek needs few probes to reach the frame or the one before")
    func aFewLooksLeadToTheFrameOrJustBeforeIt() {
        var chance = SplitMix64(seed: 7)
        var total = 0
        for _ in 0..<200 {
            // Loud and quiet parts, each of some seconds.
            var level: Int64 = 4000
            let recording = Recording(
                size: 4096,
                lengths: (0..<2000).map { index in
                    if index % 100 == 0 { level = Int64.random(in: 500...12_000, using: &chance) }
                    return level + Int64.random(in: 0...2000, using: &chance)
                }
            )
            let target = Int64.random(in: 0..<4096 * 2000, using: &chance)
            let (offset, looks) = recording.search(target)
            let index = recording.offsets.firstIndex { $0 == offset } ?? .max
            let wanted = Int(target / 4096)
            #expect(index <= wanted && index > wanted - 5, "\(index) for \(wanted)")
            #expect(looks <= 20)
            total += looks
        }
        #expect(total <= 200 * 7, "\(Double(total) / 200) looks")
    }

    @Test("A FLAC seek among frames of equal size needs one probe")
    func evenFramesAreFoundAtOnce() {
        let recording = Recording(size: 1152, lengths: Array(repeating: 3000, count: 5000))
        #expect(recording.search(1152 * 2500 + 7).looks == 1)
        #expect(recording.search(0).offset == 8000)
        #expect(recording.search(1152 * 5000).offset ?? 0 > recording.end - 5 * 3000)
    }

    @Test("A frame with a wrong number does not mislead a seek")
    func whatLiesAboutItsTimeLeadsNowhereElse() {
        let recording = Recording(size: 4096, lengths: Array(repeating: 5000, count: 100))
        let bytes = 8000..<recording.end
        var search = InterpolationSearch(target: 200_000, sampleCount: 409_600, unitSize: 4096, bytes: bytes)
        var looks = 0
        while let range = search.next() {
            looks += 1
            // Each frame says it is the first.
            search.see(0, at: range.lowerBound, in: range)
        }
        #expect(looks <= 24)
        #expect(search.found == nil || search.found?.offset == 8000)
    }
}
