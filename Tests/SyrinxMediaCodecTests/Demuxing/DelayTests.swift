import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Delay and padding that the container does not state plainly")
struct DelayTests {
    private static let tone = "aevalsrc=0.3*sin(2*PI*(300+50*t)*t)|0.3*sin(2*PI*550*t):s="

    @Test(
        "The delay of the decoder of Windows Media Audio is not heard",
        arguments: [("wmav1", 44100), ("wmav2", 44100), ("wmav2", 22050), ("wmav1", 32000), ("wmav2", 16000)]
    )
    func windowsMedia(codec: String, rate: Int) throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make(["-f", "lavfi", "-i", "\(Self.tone)\(rate):d=2", "-c:a", codec, "a.wma"])
        let expected = try FFmpeg.run(["-i", url.path, "-f", "f32le", "-"]).count / 8
        let stream = try TestStream(file: url)
        let reader = try MediaReader.open(stream)
        let all = try reader.readAll()
        #expect(all.count / 2 == expected)
        for place in [0, 12_345, 20_000] {
            try reader.seek(toFrame: Int64(place))
            #expect(try reader.readAll(limit: 3000) == Array(all[(2 * place)..<(2 * place + 6000)]), "\(place)")
        }
    }

    @Test(
        "An end that the last page of Opus states is the end, if it is packets before the last",
        arguments: [500, 3000, 20_000]
    )
    func opusEnd(trim: Int64) throws {
        let scratch = try ScratchDirectory()
        // The last page has 51 packets: its end may not lie before the end of the page before it.
        let options = ["-c:a", "libopus", "-page_duration", "2000000", "a.opus"]
        let url = try scratch.make(["-f", "lavfi", "-i", "\(Self.tone)48000:d=3"] + options)
        let whole = try MediaReader.open(TestStream(file: url)).readAll()
        var pages = OggPages([UInt8](try Data(contentsOf: url))).pages
        let popped = pages.popLast()
        let last = try #require(popped)
        pages.append(last.with(position: last.position - trim))
        let reader = try MediaReader.open(TestStream(pages.flatMap(\.bytes)))
        #expect(reader.info.frameCount == Int64(whole.count / 2) - trim)
        #expect(try reader.readAll() == Array(whole.dropLast(2 * Int(trim))))
        #expect(reader.info.frameCount == Int64(whole.count / 2) - trim && reader.corruptPacketCount == 0)
    }

    @Test("The comment of iTunes in an MP3 without a Xing header counts", arguments: [2, 5])
    func iTunes(paddingPackets: Int) throws {
        let scratch = try ScratchDirectory()
        let options = ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "a.mp3"]
        let url = try scratch.make(["-f", "lavfi", "-i", "\(Self.tone)44100:d=2"] + options)
        let bytes = [UInt8](try Data(contentsOf: url))
        let plain = try MediaReader.open(TestStream(bytes)).readAll()
        let total = plain.count / 2
        // As iTunes counts, the decoder's delay of 529 frames belongs to the padding.
        let (delay, frames) = (576, total - 1152 * paddingPackets - 576)
        let hex = { (value: Int) in
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        let text = " 00000000 \(hex(delay)) \(hex(total - delay - frames)) 00000000\(hex(frames)) 00000000"
        let comment: [UInt8] = [0] + Array("eng".utf8) + Array("iTunSMPB".utf8) + [0] + Array(text.utf8)
        let frame: [UInt8] = Array("COMM".utf8) + [0, 0, 0, UInt8(comment.count), 0, 0] + comment
        let tag: [UInt8] =
            Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 127)] + frame
        let reader = try MediaReader.open(TestStream(tag + bytes))
        #expect(reader.info.frameCount == Int64(frames))
        let start = 2 * (delay + 529)
        #expect(try reader.readAll() == Array(plain[start..<start + 2 * frames]))
        #expect(reader.info.frameCount == Int64(frames))
    }
}
