import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Recordings of Ogg one after the other in a file.
@Suite struct ChainTests {
    private static let rate = 48000

    /// Recordings that are as long, and made like this; no two have the same settings of the codec.
    /// - Parameter number: Added to their serial numbers.
    private func links(_ codec: String, _ scratch: ScratchDirectory, number: Int = 0) throws -> [[UInt8]] {
        try [(50_123, "3"), (9_000, "8"), (30_000, "5")].enumerated().map { index, link in
            let length = Double(link.0) / Double(Self.rate)
            let source =
                "aevalsrc=0.3*sin(2*PI*(\(300 + 200 * index)+90*t)*t)|0.3*sin(2*PI*550*t):s=\(Self.rate):d=\(length)"
            let quality = codec == "libvorbis" ? ["-q:a", link.1] : []
            let options = ["-c:a", codec] + quality + ["-serial_offset", "\(index * 77 + number)", "\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
        }
    }

    @Test("The links of a chain are read one after the other", arguments: ["libvorbis", "libopus", "flac"])
    func isOneAfterTheOther(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let links = try links(codec, scratch)
        let expected = try links.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        #expect(expected.count == 2 * (50_123 + 9_000 + 30_000))
        let bytes = links.flatMap(\.self)
        let reader = try MediaReader.open(TestStream(bytes))
        // Each of its recordings states its length.
        #expect(reader.info.frameCount == Int64(expected.count / 2) && reader.info.durationIsExact)
        // To find them all in a remote file costs requests: what there is is an estimate, and says so.
        let remote = TestStream(bytes)
        remote.isRemote = true
        let far = try MediaReader.open(remote).info
        #expect(far.frameCount == nil && !far.durationIsExact)
        let samples = try reader.readAll()
        #expect(samples == expected)
        // Nor are headers in between taken for sound that is damaged.
        #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0)
        #expect(reader.info.frameCount == Int64(expected.count / 2))
        #expect(try MediaReader.countFrames(of: TestStream(bytes)) == Int64(expected.count / 2))
        for place in [60_000, 7, 50_122, 50_123, 59_200, expected.count / 2 - 5, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == 2 * min(2000, expected.count / 2 - place), "at \(place)")
            #expect(largestDifference(part, expected[(2 * place)...]) == 0, "at \(place)")
        }
        // A broadcast is a chain too, and cannot be looked at from its end.
        let live = TestStream(bytes)
        live.isSeekable = false
        live.hidesLength = true
        live.portion = 1000
        #expect(try MediaReader.open(live).readAll() == expected)
    }

    @Test("A seek over a network finds the link of a chain", arguments: ["libvorbis", "libopus", "flac"])
    func overANetworkASeekFindsTheRecording(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let links = try (0..<4).map { index in
            let source = "anoisesrc=d=100:seed=\(index):r=\(Self.rate):a=0.3"
            let options = ["-c:a", codec, "-ac", "1", "-serial_offset", "\(index * 77)", "\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
        }
        let expected = try links.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        let bytes = links.flatMap(\.self)
        for place in [15_120_000, 5_000_000, 4_800_000, 17, expected.count - 700] {
            let remote = TestStream(bytes)
            remote.isRemote = true
            let reader = try MediaReader.open(remote)
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 500)
            #expect(part.count == 500 && largestDifference(part, expected[place...]) == 0, "at \(place)")
            let recordings = place / 4_800_000 + 1
            let most = recordings * 200_000 + bytes.count / 20
            #expect(remote.receivedCount < most, "at \(place): \(remote.receivedCount) of \(bytes.count)")
            #expect(remote.jumpCount < recordings * 40, "at \(place): \(remote.jumpCount)")
            guard place > 10_000_000 else { continue }
            // All that follow are played, too.
            let rest = try reader.readAll()
            #expect(largestDifference(rest, expected[(place + 500)...]) == 0, "at \(place)")
            #expect(reader.info.frameCount == Int64(expected.count) && rest.count == expected.count - place - 500)
        }
    }

    @Test("Each link of a chain may have its own codec")
    func eachRecordingMayHaveACodecOfItsOwn() throws {
        let scratch = try ScratchDirectory()
        var recordings = try ["libvorbis", "flac", "libopus", "libvorbis", "flac"].enumerated().map { index, codec in
            try links(codec, scratch, number: 1000 * index)[index % 3]
        }
        // With the number of the first once more, which nothing but its own headers tells from it.
        recordings.append(recordings[0])
        let expected = try recordings.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        for count in [5, 6] {
            let bytes = recordings[..<count].flatMap(\.self)
            let wanted = count == 6 ? expected[...] : expected.dropLast(2 * 50_123)
            let reader = try MediaReader.open(TestStream(bytes))
            let all = try reader.readAll()
            #expect(all.count == wanted.count && largestDifference(all, wanted) == 0)
            #expect(reader.info.frameCount == Int64(wanted.count / 2) && reader.corruptPacketCount == 0)
            if count == 5 {
                try reader.seek(toFrame: 60_000)
                let rest = try reader.readAll()
                #expect(rest.count == wanted.count - 120_000 && largestDifference(rest, wanted[120_000...]) == 0)
            }
            // What comes once, and is kept for a while.
            let live = TestStream(bytes)
            (live.isSeekable, live.hidesLength, live.holdsAll, live.portion) = (false, true, true, 1000)
            // Ranges are of no use where their extent is not known.
            let endless = TestStream(bytes)
            (endless.isRemote, endless.hidesLength) = (true, true)
            let reached = try MediaReader.open(endless)
            for place in [60_000, 20_000, 55_000] {
                try reached.seek(toFrame: Int64(place))
                let rest = try reached.readAll()
                #expect(rest.count == wanted.count - 2 * place && largestDifference(rest, wanted[(2 * place)...]) == 0)
            }
            let once = try MediaReader.open(live)
            let heard = try once.readAll()
            #expect(heard.count == wanted.count && largestDifference(heard, wanted) == 0)
            #expect(once.corruptPacketCount == 0)
        }
    }

    /// The others are heard, and the missing part is reported.
    /// Its delay at the start may be longer than a packet, and may end with one.
    @Test("Opus packets of any length decode to the right number of frames")
    func packetsOfOpusMayBeOfAnyLength() throws {
        let scratch = try ScratchDirectory()
        let links = try ["2.5", "2.5", "40", "5"].enumerated().map { index, length in
            let source = "anoisesrc=d=1.3:seed=\(index):r=\(Self.rate):a=0.3"
            let application = index < 2 ? "lowdelay" : "audio"
            let options = [
                "-c:a", "libopus", "-application", application, "-frame_duration", length, "-serial_offset",
                "\(index * 77)",
            ]
            let arguments = ["-f", "lavfi", "-i", source, "-ac", "1"] + options + ["\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(arguments)))
        }
        try checkIsAllOf(links)
    }

    /// RFC 3533 forbids it, and `cat` does it all the same.
    @Test("All links may have the same serial number", arguments: ["libvorbis", "libopus", "flac"])
    func allMayHaveTheSameNumber(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let links = try (0..<3).map { index in
            let source = "anoisesrc=d=1.3:seed=\(index):r=\(Self.rate):a=0.3"
            let arguments = ["-f", "lavfi", "-i", source, "-ac", "1", "-c:a", codec, "-serial_offset", "5"]
            return [UInt8](try Data(contentsOf: try scratch.make(arguments + ["\(index).ogg"])))
        }
        try checkIsAllOf(links)
    }

    private func checkIsAllOf(_ links: [[UInt8]]) throws {
        let expected = try links.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        #expect(expected.count == links.count * Self.rate * 13 / 10)
        let live = TestStream(links.flatMap(\.self))
        (live.isSeekable, live.hidesLength) = (false, true)
        for stream in [TestStream(live.bytes), live] {
            let reader = try MediaReader.open(stream)
            let heard = try reader.readAll()
            #expect(heard.count == expected.count)
            #expect(largestDifference(heard, expected[...]) == 0)
            #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0)
        }
    }

    /// So short that it comes in one read with the end of the one before.
    @Test(
        "The last link may be a few packets long",
        arguments: [("libvorbis", "libopus"), ("flac", "libopus"), ("libopus", "flac")]
    )
    func theLastMayBeTiny(_ codec: String, _ lastCodec: String) throws {
        let scratch = try ScratchDirectory()
        let links = try [(codec, 2.0), (lastCodec, 0.05)].enumerated().map { index, link in
            let source = "sine=440:d=\(link.1):r=\(Self.rate)"
            let options = ["-c:a", link.0, "-serial_offset", "\(index * 77)", "\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
        }
        #expect(links[1].count < 3000)
        for hidesLength in [false, true] {
            let live = TestStream(links.flatMap(\.self))
            (live.isSeekable, live.holdsAll, live.hidesLength) = (false, true, hidesLength)
            let reader = try MediaReader.open(live)
            #expect(try reader.readAll().count == Self.rate * 205 / 100)
            #expect(reader.corruptPacketCount == 0)
        }
    }

    @Test("A damaged link leaves the other links audible")
    func aDamagedRecordingDoesNotTakeTheOthersWithIt() throws {
        let scratch = try ScratchDirectory()
        let recordings = try ["libvorbis", "flac", "libopus"].enumerated().map {
            try links($0.element, scratch)[$0.offset]
        }
        let (first, last) = try (
            MediaReader.open(TestStream(recordings[0])).readAll(),
            MediaReader.open(TestStream(recordings[2])).readAll()
        )
        for damage in [Array("OggS".utf8) + [UInt8](repeating: 0, count: 90), [UInt8](repeating: 0, count: 500)] {
            var flac = recordings[1]
            flac.replaceSubrange(28..<28 + damage.count, with: damage)
            let reader = try MediaReader.open(TestStream(recordings[0] + flac + recordings[2]))
            let all = try reader.readAll()
            #expect(all.count == first.count + last.count, "\(all.count)")
            #expect(largestDifference(all, (first + last)[...]) == 0)
            #expect(reader.corruptPacketCount > 0)
            try reader.seek(toFrame: 60_000)
            let part = try reader.readAll(limit: 500)
            #expect(part.count == 1000 && largestDifference(part, (first + last)[120_000...]) == 0)
        }
    }

    @Test("A link that cannot be read is reported")
    func whatCannotBeReadInAChainIsTold() throws {
        let scratch = try ScratchDirectory()
        var links = try links("libvorbis", scratch)
        // Its headers are lost, and with them what its sound is.
        links[1].replaceSubrange(100..<3000, with: repeatElement(0, count: 2900))
        let reader = try MediaReader.open(TestStream(links.flatMap(\.self)))
        do throws(SyrinxError) {
            try reader.seek(toFrame: 7)
            let planes = Planes(count: 2, capacity: 4096)
            while try reader.read(into: planes.pointers, frameCount: 4096) > 0 {}
        } catch {
            #expect(error.code == .corrupt)
            return
        }
        #expect(reader.corruptPacketCount > 0)
    }

    @Test("A link of another sample rate is converted to the first link's rate")
    func anotherRateIsBroughtToTheFirst() throws {
        let scratch = try ScratchDirectory()
        let first = try links("libvorbis", scratch)[0]
        let slow = try scratch.make(
            ["-f", "lavfi", "-i", "sine=440:r=24000:d=1", "-c:a", "libvorbis", "-serial_offset", "9", "slow.ogg"]
        )
        let samples = try MediaReader.open(TestStream(first + [UInt8](try Data(contentsOf: slow)))).readAll()
        #expect(abs(samples.count / 2 - 50_123 - 48_000) < 100, "\(samples.count / 2)")
    }
}
