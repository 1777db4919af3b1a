import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Inputs that libavformat opens or refuses")
struct RefusalTests {
    @Test("Sound in a codec that FFmpeg lacks is named", arguments: [false, true])
    func unknownCodec(hasPictures: Bool) throws {
        let scratch = try ScratchDirectory()
        let pictures = hasPictures ? ["-f", "lavfi", "-i", "color=s=64x64:d=1"] : []
        let sound = ["-f", "lavfi", "-i", "sine=d=1", "-c:v", "mpeg4", "-c:a", "alac", "a.mov"]
        let url = try scratch.make(pictures + sound)
        var bytes = [UInt8](try Data(contentsOf: url))
        // The name of the codec in the sample description, and that of its atom.
        for place in bytes.indices where bytes[place...].starts(with: "alac".utf8) {
            bytes.replaceSubrange(place..<place + 4, with: Array("zyxw".utf8))
        }
        #expect {
            try MediaReader.open(TestStream(bytes))
        } throws: { error in
            let error = error as? SyrinxError
            return error?.code == .unsupported && error?.message.contains("zyxw") == true
        }
    }

    @Test("Pictures alone have no sound")
    func pictures() throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make(["-f", "lavfi", "-i", "color=s=64x64:d=1", "-c:v", "mpeg4", "a.mp4"])
        #expect { try MediaReader.open(TestStream(file: url)) } throws: {
            ($0 as? SyrinxError)?.code == .notAudio && ($0 as? SyrinxError)?.message.contains("no sound") == true
        }
    }

    @Test("DTS-HD is read as the DTS in it")
    func dtsHD() throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make([
            "-f", "lavfi", "-i", "sine=d=1", "-ac", "2", "-c:a", "dca", "-strict", "-2", "a.dts",
        ])
        let plain = [UInt8](try Data(contentsOf: url))
        let expected = try MediaReader.open(TestStream(plain)).readAll()
        let size = (0..<8).reversed().map { UInt8(truncatingIfNeeded: plain.count >> (8 * $0)) }
        let head = Array("DTSHDHDR".utf8) + [0, 0, 0, 0, 0, 0, 0, 16] + [UInt8](repeating: 0, count: 16)
        let reader = try MediaReader.open(TestStream(head + Array("STRMDATA".utf8) + size + plain))
        #expect(reader.info.container == "dtshd" && reader.info.codec == "dts")
        #expect(try reader.readAll() == expected)
    }

    @Test("A single frame of ADTS is one, with a tag before it and without", arguments: [0, 1])
    func singleFrame(tags: Int) throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make(["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", "a.aac"])
        let bytes = [UInt8](try Data(contentsOf: url))
        let frame = try #require(FormatProbe.adtsLength(bytes))
        let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        let before = tags == 0 ? [] : tag
        #expect(try MediaReader.open(TestStream(before + bytes.prefix(frame))).readAll().count == 1024)
    }

    /// A module of ProTracker: a pattern with one note.
    private var module: [UInt8] {
        var bytes = Array("Tune".utf8) + [UInt8](repeating: 0, count: 16)
        for index in 0..<31 {
            bytes += [UInt8](repeating: 0, count: 22)
            bytes += index == 0 ? [0, 32, 0, 64, 0, 0, 0, 16] : [0, 0, 0, 64, 0, 0, 0, 1]
        }
        bytes += [1, 127] + [UInt8](repeating: 0, count: 128) + Array("M.K.".utf8)
        bytes += [0x01, 0xAC, 0x10, 0x00] + [UInt8](repeating: 0, count: 1020)
        return bytes + [UInt8](repeating: 0x40, count: 32) + [UInt8](repeating: 0xC0, count: 32)
    }

    @Test("A module plays where libavformat was built with libopenmpt, and can be gone back in")
    func modules() throws {
        let reader: MediaReader
        do {
            reader = try MediaReader.open(TestStream(module))
        } catch {
            #expect(error.code == .notAudio)
            return
        }
        #expect(
            reader.info.container == "libopenmpt" && reader.info.sampleRate == 48000 && !reader.info.durationIsExact
        )
        let all = try reader.readAll()
        #expect(all.count > 2 * 48000 && all.contains { abs($0) > 0.01 } && reader.corruptPacketCount == 0)
        for place in [100_000, 50_000, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 1000)
            #expect(largestDifference(part, all[(2 * place)..<(2 * place + 2000)]) < 0.01, "\(place)")
        }
    }
}
