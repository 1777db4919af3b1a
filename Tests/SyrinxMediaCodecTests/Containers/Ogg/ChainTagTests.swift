import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The tags of each recording of a chain, and the place from which they apply.
@Suite struct ChainTagTests {
    private static let rate = 48_000
    /// Frames of each recording.
    private static let length = 62_400
    private static let titles = ["Eins", "Zwölf", "A;b=c"]

    enum Numbers: CaseIterable { case different, same }

    private func chain(_ codecs: [String], _ numbers: Numbers) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return try codecs.enumerated().flatMap { index, codec in
            let source = "anoisesrc=d=1.3:seed=\(index):r=\(Self.rate)"
            let tags = ["-metadata", "title=\(Self.titles[index])", "-metadata", "track=\(index)"]
            let offset = numbers == .same ? 5 : 77 * index
            let options = ["-ac", "1", "-c:a", codec, "-serial_offset", "\(offset)", "\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + tags + options)))
        }
    }

    /// The titles in their order, and the frame by which each was there.
    private func titles(_ reader: MediaReader) throws -> [(frame: Int64, title: String)] {
        var found: [(frame: Int64, title: String)] = []
        var samples = [Float](repeating: 0, count: 480)
        while true {
            let count = try samples.withUnsafeMutableBufferPointer { buffer in
                let first = try #require(buffer.baseAddress)
                return try withUnsafePointer(to: first) { try reader.read(into: $0, frameCount: 480) }
            }
            guard count > 0 else { return found }
            let title = reader.tags["title"] ?? ""
            if title != found.last?.title { found.append((reader.position - Int64(count), title)) }
            #expect(reader.tags["track"] == Self.titles.firstIndex(of: title).map { "\($0)" })
        }
    }

    private func check(_ bytes: [UInt8], isSeekable: Bool) throws {
        let stream = TestStream(bytes)
        (stream.isSeekable, stream.hidesLength) = (isSeekable, !isSeekable)
        let reader = try MediaReader.open(stream)
        let found = try titles(reader)
        #expect(found.map(\.title) == Self.titles)
        // Not earlier than the end of the one before is given out, nor later than the first of its own packets.
        for (index, item) in found.enumerated() {
            let late = item.frame - Int64(index * Self.length)
            #expect((0...4_608).contains(late), "\(item)")
        }
        // That of the whole is the first's.
        #expect(reader.info.tags["title"] == Self.titles[0])
        guard isSeekable else { return }
        for (place, title) in [(70_000, 1), (10, 0), (130_000, 2), (62_000, 0), (0, 0)] {
            try reader.seek(toFrame: Int64(place))
            #expect(reader.tags["title"] == Self.titles[title], "at \(place)")
            #expect(try titles(reader).map(\.title) == Array(Self.titles[title...]), "from \(place)")
        }
    }

    @Test("Each link reports its tags", arguments: ["libvorbis", "libopus", "flac"], Numbers.allCases)
    func eachIsTold(_ codec: String, _ numbers: Numbers) throws {
        let bytes = try chain([codec, codec, codec], numbers)
        try check(bytes, isSeekable: true)
        try check(bytes, isSeekable: false)
    }

    @Test("Each link of another codec reports its tags")
    func eachOfAnotherCodecIsTold() throws {
        try check(try chain(["libvorbis", "flac", "libopus"], .different), isSeekable: true)
    }
}
