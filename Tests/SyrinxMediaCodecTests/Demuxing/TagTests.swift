import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The way in which the bytes arrive.
private enum Way: CaseIterable {
    case local, ranges, once

    func stream(_ bytes: [UInt8]) -> TestStream {
        let stream = TestStream(bytes)
        guard self != .local else { return stream }
        (stream.isRemote, stream.portion) = (true, 1400)
        // What was read may be read again, as over HTTP.
        (stream.isSeekable, stream.holdsAll) = (self == .ranges, self == .once)
        return stream
    }
}

/// Tags before the sound, and what else stands there.
@Suite struct TagTests {
    /// An ID3v2 tag with a title, and with a picture of so many bytes.
    private func tag(_ version: UInt8 = 3, picture: Int = 0, padding: Int = 0, stating size: Int? = nil) -> [UInt8] {
        let bits = version == 3 ? 8 : 7
        let sized = { (size: Int, bits: Int) -> [UInt8] in
            let mask = 1 << bits - 1
            return (0..<4).reversed().map { (place: Int) -> UInt8 in UInt8(size >> (bits * place) & mask) }
        }
        let frame = { (name: String, body: [UInt8]) -> [UInt8] in
            Array(name.utf8) + sized(body.count, bits) + [0, 0] + body
        }
        var frames = frame("TIT2", [0] + Array("Over".utf8))
        if picture > 0 {
            let head = [0] + Array("image/jpeg".utf8) + [0, 3, 0]
            // Here and there a header of MPEG audio, by chance.
            let body = patternedBytes(picture).enumerated().map { $0 % 900 < 2 ? [0xFF, 0xFB][$0 % 900] : $1 }
            frames += frame("APIC", head + body)
        }
        frames += [UInt8](repeating: 0, count: padding)
        return Array("ID3".utf8) + [version, 0, 0] + sized(size ?? frames.count, 7) + frames
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let recipe = try #require(Recipe.all.first { $0.file == name })
        return [UInt8](try Data(contentsOf: try Library.make(recipe)))
    }

    /// Reads `front` and `sound` in each way, which is to be `sound` alone.
    private func check(_ front: [UInt8], _ sound: [UInt8], _ what: String) throws {
        let plain = try MediaReader.open(TestStream(sound)).readAll()
        for way in Way.allCases {
            do {
                let reader = try MediaReader.open(way.stream(front + sound))
                let whole = try reader.readAll()
                let isSame = whole == plain
                #expect(isSame, "\(what), \(way): \(whole.count) of \(plain.count)")
                // libavformat leaves it out where FLAC has tags of its own.
                if reader.info.container != "flac" { #expect(reader.info.tags["title"] == "Over", "\(what), \(way)") }
                let place = plain.count / 4
                try reader.seek(toFrame: Int64(place))
                let part = try reader.readAll(limit: 3000)
                #expect(largestDifference(part, plain[(2 * place)...]) < 1, "\(what), \(way)")
            } catch {
                Issue.record("\(what), \(way): \(error)")
            }
        }
    }

    @Test(
        "An ID3 tag that misstates its size is skipped",
        arguments: ["cbr.mp3", "bare.mp3", "a.aac", "a.flac"],
        [3, 4] as [UInt8]
    )
    func aTagThatLiesAboutItsSizeIsPassed(_ name: String, _ version: UInt8) throws {
        let sound = try bytes(name)
        for picture in [0, 700, 90_000] {
            let size = tag(version, picture: picture).count - 10
            for stated in [0, 3, size / 2, size - 1, size + 1, size + 500, size + 20_000, size + 2_000_000] {
                let front = tag(version, picture: picture, stating: stated)
                try check(front, sound, "\(name), \(size) stated as \(stated)")
            }
            try check(tag(version, picture: picture, padding: 3000, stating: 200_000_000), sound, "\(name), padded")
        }
    }

    @Test("Several ID3 tags and the padding behind them are skipped", arguments: ["cbr.mp3", "a.flac"])
    func severalTagsAndWhatStandsBehindThemArePassed(_ name: String) throws {
        let sound = try bytes(name)
        let junk = patternedBytes(2500).map { $0 & 0x7F }
        for picture in [0, 20_000] {
            let one = tag(picture: picture)
            try check(one + tag(4), sound, "two tags")
            try check(one + tag(4, padding: 600) + tag(), sound, "three tags")
            try check(one + [UInt8](repeating: 0, count: 3000), sound, "zeros behind it")
            try check(one + junk, sound, "junk behind it")
            try check(one + tag(4, picture: 300, stating: 100_000), sound, "two tags, one of which lies")
            try check(tag(picture: picture, stating: 100_000) + tag(4), sound, "two tags, the first of which lies")
        }
    }

    @Test("Junk before a FLAC marker is skipped")
    func junkBeforeFLACIsPassed() throws {
        let sound = try bytes("a.flac")
        for count in [1, 4, 9, 700, 3500] {
            try check([UInt8](repeating: 0, count: count), sound, "\(count) zeros")
            let junk = patternedBytes(count).map { $0 | 0x80 }
            try check(junk, sound, "\(count) bytes")
        }
    }
}
