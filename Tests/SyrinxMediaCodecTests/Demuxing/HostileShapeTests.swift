import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Big-endian.
private func number(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    number(UInt64(body.count + 8), 4) + Array(kind.utf8) + body
}

private func file(_ name: String) throws -> [UInt8] {
    let recipe = try #require(Recipe.all.first { $0.file == name })
    return [UInt8](try Data(contentsOf: try Library.make(recipe)))
}

/// Files that are made to hurt: sizes that lie, boxes in boxes, tags of megabytes, another rate in the middle.
@Suite struct HostileShapeTests {
    private let fileType = box("ftyp", Array("M4A ".utf8) + number(0, 4))

    @Test("A tag of 10 MB is skipped", arguments: ["cbr.mp3", "bare.mp3", "a.aac"]) func aTagOfTenMegabytes(
        _ name: String
    ) throws {
        let bytes = try file(name)
        let plain = Salvage(bytes)
        let size = 10 << 20
        let sizes = [21, 14, 7, 0].map { UInt8(size >> $0 & 127) }
        let picture =
            Array("APIC".utf8) + number(UInt64(size - 20), 4) + [0, 0, 0] + Array("image/png".utf8) + [0, 3, 0]
        var tag = Array("ID3".utf8) + [3, 0, 0] + sizes + picture
        tag += [UInt8](repeating: 0x5A, count: size + 10 - tag.count)
        // A tag that the file had of its own may stay behind this one.
        let salvage = Salvage(tag + bytes)
        #expect(salvage.frameCount == plain.frameCount)
        #expect(salvage.code == nil && salvage.corruptPacketCount == 0)
    }

    @Test("Garbage before the first frame is skipped", arguments: ["cbr.mp3", "a.aac", "a.flac", "a.ogg", "a.ac3"])
    func garbageAtTheFront(_ name: String) throws {
        let bytes = try file(name)
        let plain = Salvage(bytes)
        var generator = SplitMix64(seed: 5)
        for size in [1, 333, 5000] {
            let garbage = (0..<size).map { _ in UInt8.random(in: 1...0x7F, using: &generator) }
            let salvage = Salvage(garbage + bytes)
            // FLAC and Ogg may be refused: they are known by their first bytes only.
            let mayRefuse = name == "a.flac" || name == "a.ogg"
            #expect(salvage.frameCount >= plain.frameCount * 9 / 10 || mayRefuse && salvage.code != nil, "\(size)")
            #expect(salvage.frameCount <= plain.frameCount * 11 / 10, "\(size)")
        }
    }

    @Test("A change of the sample rate is converted")
    func anotherRateInTheMiddle() throws {
        for name in ["bare.mp3", "a.aac"] {
            let scratch = try ScratchDirectory()
            let slow = try scratch.make(
                ["-f", "lavfi", "-i", "sine=440:r=22050:d=2", "-ac", "1"]
                    + (name == "bare.mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : []) + ["b-\(name)"]
            )
            let first = try file(name)
            let plain = Salvage(first).frameCount
            let second = [UInt8](try Data(contentsOf: slow))
            let salvage = Salvage(first + second)
            // Two more seconds, at the rate that it began with.
            #expect(abs(salvage.frameCount - plain - 2 * 44100) < 4 * 2048, "\(name) \(salvage.frameCount - plain)")
            #expect(salvage.channelCount == 2)
            // What the resampler still has comes before the first rate comes back, and not at the end.
            let again = try MediaReader.open(TestStream(first + second + first)).readAll()
            let own = try MediaReader.open(TestStream(first)).readAll()
            #expect(abs(again.count - 2 * own.count - 2 * 2 * 44100) < 2 * 4 * 2048, "\(name)")
            #expect(largestDifference(again.suffix(2000), own.suffix(2000)) < 0.5, "\(name)")
        }
    }

    @Test("Nested and endless MP4 boxes are refused")
    func boxesInBoxesAndBoxesWithoutEnd() throws {
        var nested: [UInt8] = []
        for _ in 0..<8000 { nested = box("moov", nested) }
        #expect(Salvage(fileType + nested).code != nil)
        nested = []
        for _ in 0..<4000 { nested = box(["udta", "meta", "trak", "moof"][nested.count % 4], nested) }
        #expect(Salvage(fileType + box("moov", nested)).code != nil)
        for size in [0, 1, 7, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt64] {
            let liar = number(size, 4) + Array("moov".utf8) + number(.max, 8)
            #expect(Salvage(fileType + liar).code != nil, "\(size)")
        }
        let many = (0..<60_000).flatMap { _ in box("free", []) }
        #expect(Salvage(fileType + many).code != nil)
    }

    /// Every count of the tables of an MP4 in turn becomes the largest there is.
    @Test(
        "MP4 tables with wrong sizes are refused or clamped",
        arguments: ["stts", "stsz", "stsc", "stco", "elst", "stsd", "mdhd", "mvhd", "esds", "ilst"]
    )
    func tablesThatLie(_ kind: String) throws {
        let bytes = try file("front.m4a")
        let plain = Salvage(bytes).frameCount
        let place = try #require(bytes.firstRange(of: Array(kind.utf8)))
        for (offset, width) in [(4, 4), (8, 4), (12, 4), (16, 4), (-8, 4)] {
            for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt64] {
                var changed = bytes
                changed.replaceSubrange(
                    place.upperBound + offset..<place.upperBound + offset + width,
                    with: number(value, width)
                )
                let salvage = Salvage(changed)
                #expect(salvage.frameCount <= 2 * plain + 4096, "\(kind) \(offset) \(value): \(salvage.frameCount)")
            }
        }
    }

    @Test("A table beyond all memory is refused")
    func aTableThatNothingHasRoomFor() throws {
        let scratch = try ScratchDirectory()
        let parts = ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]
        let file = try scratch.make(["-f", "lavfi", "-i", "sine=440:d=1"] + parts + ["a.mp4"])
        var bytes = [UInt8](try Data(contentsOf: file))
        let place = try #require(bytes.firstRange(of: Array("trun".utf8))).upperBound + 4
        // A hundred million packets would be gigabytes of index.
        bytes.replaceSubrange(place..<place + 4, with: number(100_000_000, 4))
        #expect(Salvage(bytes).code == "media.outOfMemory")
    }

    /// An index of ten million packets: 64 hours of AAC, as the tables of the file say.
    @Test("A recording beyond all memory is refused")
    func aRecordingTooLongToBeHeld() throws {
        var bytes = try file("front.m4a")
        let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 4
        let times = try #require(bytes.firstRange(of: Array("stts".utf8))).upperBound + 8
        // All of one size, so that the table itself is not needed.
        bytes.replaceSubrange(sizes..<sizes + 8, with: number(100, 4) + number(10_000_000, 4))
        bytes.replaceSubrange(times..<times + 4, with: number(10_000_000, 4))
        do throws(SyrinxError) {
            _ = try MediaReader.open(TestStream(bytes))
            Issue.record("it opened")
        } catch {
            #expect(error.code == .outOfMemory)
            #expect(error.message.contains("128 MiB") && error.message.contains("cut into parts"), "\(error.message)")
        }
    }

    @Test("Wrong chunk sizes do not overflow")
    func sizesThatLie() throws {
        for (name, mark, width) in [("s16.wav", "data", 4), ("a.aiff", "SSND", 4), ("a.caf", "data", 8)] {
            let bytes = try file(name)
            let plain = Salvage(bytes).frameCount
            let place = try #require(bytes.firstRange(of: Array(mark.utf8)))
            for value in [0, 1, 3, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, .max] as [UInt64] {
                var changed = bytes
                changed.replaceSubrange(place.upperBound..<place.upperBound + width, with: number(value, width))
                #expect(Salvage(changed).frameCount <= plain + 64, "\(name) \(value)")
            }
        }
        // A block of FLAC's metadata that claims to be 16 MB.
        var flac = try file("a.flac")
        for place in 5...7 { flac[place] = 0xFF }
        #expect(Salvage(flac).code != nil)
    }

    @Test("The format is found from the bytes and not from the name")
    func theNameSaysNothing() throws {
        for (name, other) in [("cbr.mp3", "a.flac"), ("a.flac", "a.mp3"), ("a.ogg", "a.wav"), ("front.m4a", "a.ogg")] {
            let bytes = try file(name)
            let reader = try MediaReader.open(TestStream(bytes, name: other))
            #expect(try reader.readAll(limit: 100_000).count == 200_000)
        }
    }
}
