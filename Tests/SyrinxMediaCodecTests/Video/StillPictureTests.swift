import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Covers and other pictures that do not move.
@Suite("Still pictures") struct StillPictureTests {
    private func bytes(_ name: String, in scratch: ScratchDirectory) throws -> [UInt8] {
        let source = "color=0x2040F0:s=96x64,drawbox=x=48:y=0:w=48:h=64:c=0xE03010:t=fill"
        try FFmpeg.run(["-f", "lavfi", "-i", source, "-frames:v", "1", scratch.file(name)])
        return [UInt8](try Data(contentsOf: scratch.url(name)))
    }

    @Test("A cover is decoded, whatever format it has", arguments: ["a.png", "a.jpg", "a.gif", "a.bmp"])
    func decodes(name: String) throws {
        let reader = try VideoReader.openPicture(try bytes(name, in: try ScratchDirectory()), name: "cover")
        let frame = try #require(try reader.next())
        #expect(frame.width == 96 && frame.height == 64)
        let pixels = try Pixels(frame, .rgb)
        for (x, wanted) in [(12, [0x20, 0x40, 0xF0]), (84, [0xE0, 0x30, 0x10])] {
            let found = pixels[x, 32].map(Int.init)
            let distance = zip(found, wanted).map { abs($0 - $1) }.max() ?? .max
            // GIF is written with a palette of 256 colours.
            #expect(distance <= (name == "a.gif" ? 80 : 24), "\(found)")
        }
    }

    @Test("What is no picture, or the beginning of one, is refused", arguments: [0, 3, 40, 120])
    func refuses(count: Int) throws {
        let picture = try bytes("a.png", in: try ScratchDirectory())
        #expect(throws: SyrinxError.self) {
            let reader = try VideoReader.openPicture(Array(picture.prefix(count)), name: "cover")
            if try reader.next() == nil { throw SyrinxError(.corrupt, "Nothing in it.", name: "cover") }
        }
        #expect(throws: SyrinxError.self) { _ = try VideoReader.openPicture(Array("#EXTM3U".utf8), name: "list") }
    }
}
