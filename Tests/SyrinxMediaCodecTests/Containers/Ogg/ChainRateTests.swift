import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Chains of Ogg of which the recordings differ in their rates.
@Suite struct ChainRateTests {
    private struct Link: Sendable {
        var codec: String
        var rate: Int
        var count: Int
    }

    /// Tones that differ from each other.
    private func recording(_ link: Link, _ number: Int, _ scratch: ScratchDirectory) throws -> [UInt8] {
        let length = Double(link.count) / Double(link.rate)
        let source = "aevalsrc=0.4*cos(2*PI*(\(300 + 100 * number)+40*t)*t):s=\(link.rate):d=\(length)"
        let options = ["-c:a", link.codec, "-serial_offset", "\(77 * number)", "\(number).ogg"]
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
    }

    private static let chains: [[Link]] = [
        [("flac", 48000, 100_123), ("flac", 44100, 90_001), ("flac", 96000, 200_777), ("flac", 22050, 50_011)],
        [("libvorbis", 44100, 100_123), ("libvorbis", 48000, 100_007), ("libvorbis", 32000, 60_001)],
        [("flac", 44100, 60_001), ("libopus", 48000, 100_123), ("libvorbis", 22050, 50_011), ("flac", 44100, 70_000)],
        [("flac", 8000, 20_003), ("flac", 44100, 90_001), ("flac", 8000, 20_001)],
        // Of the lower rates the blocks are shorter.
        [("libvorbis", 11025, 24_010), ("libvorbis", 16000, 32_000), ("libvorbis", 48000, 96_000)],
    ].map { $0.map { Link(codec: $0.0, rate: $0.1, count: $0.2) } }

    @Test("No frame is lost where the sample rate changes", arguments: chains.indices)
    func losesNothingWhereTheRateChanges(_ index: Int) throws {
        let scratch = try ScratchDirectory()
        let links = Self.chains[index]
        let bytes = try links.enumerated().flatMap { try recording($0.element, $0.offset, scratch) }
        let counts = links.map { (Double($0.count) * Double(links[0].rate) / Double($0.rate)).rounded() }
        let count = Int(counts.reduce(0, +))
        let reader = try MediaReader.open(TestStream(bytes))
        let whole = try reader.readAll()
        try #require(whole.count == count, "\(whole.count) of \(count)")
        #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0)
        let live = TestStream(bytes)
        (live.isSeekable, live.hidesLength, live.holdsAll, live.portion) = (false, true, true, 1000)
        let heard = try MediaReader.open(live).readAll()
        #expect(heard.count == count && largestDifference(heard, whole) == 0)
        var start = 0
        for (number, length) in counts.enumerated() {
            // At its first frame the tone is the highest that it gets, and so it begins no frame late.
            let tone = { (frame: Int) in
                let time = Double(frame) / Double(links[0].rate)
                return Float(0.4 * cos(2 * .pi * (Double(300 + 100 * number) + 40 * time) * time))
            }
            for frame in [Int(length) / 2, Int(length) - 1500] {
                let errors = (0..<200).map { abs(whole[start + frame + $0] - tone(frame + $0)) }
                #expect((errors.max() ?? 1) < 0.03, "recording \(number) at \(frame): \(errors.max() ?? 1)")
            }
            start += Int(length)
        }
        for place in stride(from: 17, to: count, by: count / 23).reversed() {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 3000)
            #expect(part.count == min(3000, count - place), "at \(place)")
            let difference = largestDifference(part, whole[place...])
            #expect(difference < 0.5, "at \(place): \(difference)")
        }
        try reader.seek(toFrame: Int64(counts[0]) + 1000)
        let rest = try reader.readAll()
        #expect(rest.count == count - Int(counts[0]) - 1000)
        #expect(largestDifference(rest, whole[(Int(counts[0]) + 1000)...]) < 0.5)
    }

    /// libavformat takes the blocks of the first for those of all.
    @Test("Vorbis links of other block sizes do not count as damage")
    func otherBlocksAreNoDamage() throws {
        let scratch = try ScratchDirectory()
        for rates in [[44100, 24000, 48000], [16000, 48000, 8000], [8000, 96000]] {
            let links = rates.map { Link(codec: "libvorbis", rate: $0, count: 12 * $0) }
            let bytes = try links.enumerated().flatMap { try recording($0.element, $0.offset, scratch) }
            for isSeekable in [true, false] {
                let stream = TestStream(bytes)
                (stream.isSeekable, stream.hidesLength) = (isSeekable, !isSeekable)
                let reader = try MediaReader.open(stream)
                let count = try reader.readAll().count
                // It is not told where the last block ends if those of the first are shorter.
                let tolerance = rates[0] == 8000 ? 100 : 0
                #expect(abs(count - 12 * rates[0] * rates.count) <= tolerance, "\(rates): \(count)")
                #expect(reader.concealedFrameCount == 0 && reader.corruptPacketCount == 0, "\(rates)")
            }
        }
    }

    /// The headers of a Speex recording count as one packet that cannot be decoded, and nothing else does.
    ///
    /// libavcodec 61 (FFmpeg 7) takes the bandwidth of such a header over, and then returns twice as many samples.
    @Test("Speex links of another rate do not count as damage", .enabled(if: FFmpeg.majorVersion < 7))
    func speexOfAnotherRateIsNoDamage() throws {
        let scratch = try ScratchDirectory()
        let links = [8000, 32000, 16000].map { Link(codec: "libspeex", rate: $0, count: 3 * $0) }
        let bytes = try links.enumerated().flatMap { try recording($0.element, $0.offset, scratch) }
        let reader = try MediaReader.open(TestStream(bytes))
        _ = try reader.readAll()
        #expect(reader.concealedFrameCount == 0 && reader.corruptPacketCount < links.count)
    }
}
