import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Holes in the timestamps that the maker of the file has meant.
@Suite struct GapTests {
    private static let rate = 48000

    /// A tone of two seconds, of which what comes after the first is half a second late.
    private func make(_ name: String, _ options: [String], _ scratch: ScratchDirectory) throws -> [UInt8] {
        let source = "aevalsrc=0.3*cos(2*PI*(300+90*t)*t)|0.3*cos(2*PI*550*t):s=\(Self.rate):n=960:d=2"
        let late = ["-af", "asetpts='if(gte(T,1),PTS+0.5/TB,PTS)'"]
        let pictures = name.hasSuffix(".mkv") ? ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2.5"] : []
        let arguments = ["-f", "lavfi", "-i", source] + pictures + late + options + [name]
        return [UInt8](try Data(contentsOf: try scratch.make(arguments)))
    }

    @Test(
        "Gaps in the timestamps are silence and no damage",
        arguments: [
            ("a.mka", ["-c:a", "pcm_s16le"]), ("b.mka", ["-c:a", "flac"]), ("a.webm", ["-c:a", "libopus"]),
            ("a.mkv", ["-c:a", "pcm_s16le", "-c:v", "mpeg4"]),
        ]
    )
    func areSilenceAndNoDamage(_ name: String, _ options: [String]) throws {
        let scratch = try ScratchDirectory()
        let bytes = try make(name, options, scratch)
        let reader = try MediaReader.open(TestStream(bytes))
        let samples = try reader.readAll()
        #expect(abs(samples.count / 2 - 5 * Self.rate / 2) < 2000, "\(samples.count / 2)")
        #expect(reader.corruptPacketCount == 0)
        #expect(reader.concealedFrameCount == 0)
        // A block may hold what lies on both sides; what surrounds the middle of the hole is in it.
        let hole = samples[(2 * (5 * Self.rate / 4 - 4000))..<(2 * (5 * Self.rate / 4 + 4000))]
        #expect(hole.allSatisfy { $0 == 0 })
        let after = samples[(2 * (8 * Self.rate / 5))...].prefix(9600)
        #expect(after.contains { abs($0) > 0.25 })
        // What is sent once cannot be looked at again: there it counts.
        let live = TestStream(bytes)
        live.isSeekable = false
        let other = try MediaReader.open(live)
        #expect(try other.readAll().count == samples.count)
        #expect(other.corruptPacketCount == 1)
    }

    /// The same hole, but one packet before it is damaged in its head, so that the two do not follow each other.
    @Test("Damage beside a gap in Matroska counts as damage")
    func damageBesideAHoleIsDamage() throws {
        let scratch = try ScratchDirectory()
        // What follows the damage is found at the next cluster.
        var bytes = try make("a.mka", ["-c:a", "pcm_s16le", "-cluster_time_limit", "100"], scratch)
        let demuxer = try MediaDemuxer.open(TestStream(bytes))
        var places: [(start: Int64, offset: Int64)] = []
        while let packet = try demuxer.nextPacket() {
            places.append((try #require(packet.startFrame), try #require(packet.byteOffset)))
        }
        let after = try #require(places.firstIndex { $0.start >= Int64(Self.rate) })
        // The block before the hole: what stands before its content says what it is and how long.
        let lost = Int(places[after - 1].offset)
        for place in lost - 4..<lost { bytes[place] = 0 }
        let reader = try MediaReader.open(TestStream(bytes))
        _ = try reader.readAll()
        #expect(reader.corruptPacketCount > 0)
        #expect(reader.concealedFrameCount > 0)
    }

    /// The sentence describes both.
    @Test("A damaged and truncated recording keeps its intact parts")
    func damagedAndCutOff() throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*(300+90*t)*t)+0.1*(random(0)-0.5):s=\(Self.rate):d=4"
        let file = try scratch.make(["-f", "lavfi", "-i", source, "a.flac"])
        var bytes = [UInt8](try Data(contentsOf: file))
        bytes.removeLast(bytes.count / 4)
        func message(_ bytes: [UInt8]) -> String? {
            do throws(SyrinxError) {
                let reader = try MediaReader.open(TestStream(bytes))
                let planes = Planes(count: 1, capacity: 4096)
                while try reader.read(into: planes.pointers, frameCount: 4096) > 0 {}
                return nil
            } catch {
                return error.code == .truncated ? error.message : nil
            }
        }
        #expect(message(bytes)?.hasSuffix("the rest is missing.") == true)
        for place in bytes.count / 3..<bytes.count / 3 + 20_000 { bytes[place] = 0x55 }
        #expect(message(bytes)?.contains("the rest is missing, and ") == true)
        #expect(message(bytes)?.hasSuffix("damaged.") == true)
    }
}
