import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Frames of a broadcast") struct StreamSplitterTests {
    /// An MPEG frame of layer 3 at 128 kbit/s and 44.1 kHz, 417 bytes with zeros as content.
    private static func frame(_ content: UInt8 = 0) -> [UInt8] {
        [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: content, count: 413)
    }

    /// An ADTS frame at 44.1 kHz of `size` bytes.
    private static func adts(_ size: Int) -> [UInt8] {
        let length = [0x80 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF), UInt8(size & 7) << 5 | 0x1F]
        return [0xFF, 0xF1, 0x50] + length + [0xFC] + [UInt8](repeating: 1, count: size - 7)
    }

    private static func pushed(
        _ bytes: [UInt8],
        pieces: Int
    ) -> (units: [StreamSplitter.Unit], splitter: StreamSplitter) {
        var (splitter, units) = (StreamSplitter(), [StreamSplitter.Unit]())
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            units += splitter.push(bytes[start..<min(start + pieces, bytes.count)])
        }
        return (units + splitter.finish(), splitter)
    }

    @Test("Every frame is a unit, in pieces of any size", arguments: [1, 7, 416, 417, 5_000])
    func frames(pieces: Int) {
        let bytes = (0..<20).flatMap { Self.frame(UInt8($0)) }
        let (units, splitter) = Self.pushed(bytes, pieces: pieces)
        #expect(units.map(\.bytes) == (0..<20).map { Self.frame(UInt8($0)) })
        #expect(units.allSatisfy { $0.isFrame && abs($0.duration - 1_152 / 44_100) < 1e-9 })
        #expect(splitter.pathExtension == "mp3")
        let (aac, other) = Self.pushed((10..<40).flatMap { Self.adts($0 * 9) }, pieces: pieces)
        #expect(aac.map(\.bytes.count) == (10..<40).map { $0 * 9 } && other.pathExtension == "aac")
        #expect(abs(aac[0].duration - 1_024 / 44_100) < 1e-9)
    }

    @Test("A frame that began earlier is left out, and a damaged stretch is kept between frames")
    func damage() {
        let good = (0..<6).flatMap { _ in Self.frame() }
        // A frame without its start, a stretch with a header that leads to none, and half a frame.
        let head: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
        let junk: [UInt8] = [UInt8](repeating: 0x55, count: 700) + head + Array(Self.frame()[..<200])
        let bytes: [UInt8] = Array(Self.frame()[100...]) + good + junk + good
        let (units, _) = Self.pushed(bytes, pieces: 100)
        #expect(units.flatMap(\.bytes) == good + junk + good)
        #expect(units.filter { !$0.isFrame }.map(\.duration) == [0])
    }

    @Test("A long stretch without frames is passed on, and is not held")
    func longDamage() {
        let junk = [UInt8](repeating: 0x55, count: 200_000)
        var splitter = StreamSplitter()
        var units = splitter.push((0..<6).flatMap { _ in Self.frame() })
        units += splitter.push(junk)
        #expect(splitter.unfinishedByteCount <= StreamSplitter.largestGap)
        #expect(units.reduce(0) { $0 + $1.bytes.count } + splitter.unfinishedByteCount == 6 * 417 + junk.count)
        var other = StreamSplitter()
        #expect(other.push(junk).isEmpty && other.unfinishedByteCount <= StreamSplitter.largestGap)
    }

    @Test("The streams of a chain begin with a unit that has their header and their title")
    func chain() throws {
        let scratch = try ScratchDirectory()
        for (codec, ending) in [("libopus", "opus"), ("libvorbis", "ogg"), ("flac", "oga")] {
            var bytes: [UInt8] = []
            for title in ["One", "Two"] {
                let file = scratch.file("\(title).\(ending)")
                let tags = ["-metadata", "title=\(title)", "-metadata", "artist=A"]
                try FFmpeg.make(file, from: "sine=d=4", ["-c:a", codec, "-f", "ogg"] + tags)
                bytes += try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
            }
            let (units, splitter) = Self.pushed(bytes, pieces: 999)
            #expect(units.flatMap(\.bytes) == bytes, "\(codec)")
            #expect(units.compactMap { $0.head?.title } == ["A - One", "A - Two"])
            #expect(splitter.pathExtension == ending)
            #expect(abs(units.reduce(0) { $0 + $1.duration } - 8) < 0.2)
        }
    }
}
