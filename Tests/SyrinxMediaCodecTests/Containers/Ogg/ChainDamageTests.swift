import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Damage within a recording of a chain of Ogg that is not the first.
@Suite struct ChainDamageTests {
    private static let rate = 48000
    private static let seconds = 12

    /// Noise, of which every stretch is another.
    private func recording(_ codec: String, _ number: Int, _ scratch: ScratchDirectory, _ options: [String] = []) throws
        -> [UInt8]
    {
        let source = "anoisesrc=d=\(Self.seconds):seed=\(number):r=\(Self.rate):a=0.3"
        let file = try scratch.make(
            ["-f", "lavfi", "-i", source, "-c:a", codec, "-ac", "1"] + options
                + ["-serial_offset", "\(77 * number)", "\(number).ogg"]
        )
        return [UInt8](try Data(contentsOf: file))
    }

    /// The damage of the middle, as a connection or a disk may cause it.
    enum Damage: CaseIterable {
        case zeroes, lostPages

        func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .zeroes:
                var bytes = bytes
                let middle = bytes.count / 2
                bytes.replaceSubrange(middle..<middle + 4096, with: repeatElement(0, count: 4096))
                return bytes
            case .lostPages:
                var pages = OggPages(bytes).pages
                let middle = pages.count / 2
                pages.removeSubrange(middle..<middle + 2)
                return pages.flatMap(\.bytes)
            }
        }
    }

    /// Whether what is heard is what was recorded, but for a stretch in one recording, in which there is silence.
    private func check(_ heard: [Float], _ whole: [Float], from start: Int, damaged: Int, _ what: String) {
        #expect(heard.count == whole.count - start, "\(what): \(heard.count)")
        let step = Self.rate / 10
        var wrong: [Int] = []
        var isSilent = false
        for place in stride(from: 0, through: min(heard.count, whole.count - start) - step, by: step) {
            let part = heard[place..<place + step]
            if largestDifference(part, whole[(start + place)...]) > 1 { wrong.append((start + place) / step) }
            isSilent = isSilent || part.allSatisfy { $0 == 0 }
        }
        // Three pages of a second at the most, and what the codec needs to get going.
        let length = (wrong.last ?? 0) - (wrong.first ?? 0)
        #expect(length < 33, "\(what): tenths of a second \(wrong)")
        #expect(wrong.allSatisfy { $0 / 10 / Self.seconds == damaged }, "\(what): tenths of a second \(wrong)")
        let isBefore = start < damaged * Self.seconds * Self.rate
        #expect(isSilent || !isBefore, "\(what)")
    }

    @Test("A lost page in a chain leaves silence in its place", arguments: ["libvorbis", "libopus", "flac"])
    func leavesSilenceInItsPlace(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let links = try (0..<3).map { try recording(codec, $0, scratch) }
        let whole = try MediaReader.open(TestStream(links.flatMap(\.self))).readAll()
        #expect(whole.count == 3 * Self.seconds * Self.rate)
        for damage in Damage.allCases {
            let bytes = links[0] + damage(links[1]) + links[2]
            try checkDamaged(bytes, whole, 1, "\(codec), \(damage)")
        }
    }

    @Test("A lost page in a chain of several codecs leaves silence in its place")
    func leavesSilenceInItsPlaceAmongOtherCodecs() throws {
        let scratch = try ScratchDirectory()
        let codecs = ["flac", "libopus", "libvorbis"]
        let links = try codecs.enumerated().map { try recording($0.element, $0.offset, scratch) }
        let whole = try MediaReader.open(TestStream(links.flatMap(\.self))).readAll()
        for damage in Damage.allCases {
            try checkDamaged(links[0] + damage(links[1]) + links[2], whole, 1, "second, \(damage)")
            try checkDamaged(links[0] + links[1] + damage(links[2]), whole, 2, "third, \(damage)")
        }
    }

    private func checkDamaged(_ bytes: [UInt8], _ whole: [Float], _ damaged: Int, _ what: String) throws {
        let live = TestStream(bytes)
        (live.isSeekable, live.hidesLength, live.holdsAll) = (false, true, true)
        for stream in [TestStream(bytes), live] {
            let reader = try MediaReader.open(stream)
            check(try reader.readAll(), whole, from: 0, damaged: damaged, what)
            #expect(reader.corruptPacketCount > 0 && reader.concealedFrameCount > 0, "\(what)")
            // Before it in the same recording and in the one before, and behind it.
            for second in [Self.seconds + 2, Self.seconds - 3, 3 * Self.seconds - 2, 0] {
                try reader.seek(toFrame: Int64(second * Self.rate))
                check(
                    try reader.readAll(),
                    whole,
                    from: second * Self.rate,
                    damaged: damaged,
                    "\(what), from \(second) s"
                )
            }
        }
    }

    /// Each begins where it likes, and the silence that is in none is not to be heard.
    @Test("A link that starts above position 0 is not damaged", arguments: ["libvorbis", "libopus", "flac"])
    func aStartElsewhereIsNoDamage(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let starts: [Int64] = [0, 240_000, 48_000_000, 960_000, 624_000]
        let links = try starts.indices.map { number -> [UInt8] in
            OggPages.changed(try recording(codec, number, scratch)) { $0 + starts[number] }
        }
        let count = links.count * Self.seconds * Self.rate
        let live = TestStream(links.flatMap(\.self))
        (live.isSeekable, live.hidesLength) = (false, true)
        for stream in [TestStream(links.flatMap(\.self)), live] {
            let reader = try MediaReader.open(stream)
            let heard = try reader.readAll()
            #expect(heard.count == count, "\(codec): \(heard.count)")
            #expect(reader.concealedFrameCount == 0 && reader.corruptPacketCount == 0, "\(codec)")
        }
    }
}
