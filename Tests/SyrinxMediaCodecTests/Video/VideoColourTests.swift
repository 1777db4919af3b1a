import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The colours of converted pictures.
@Suite struct VideoColourTests {
    /// The statement of a stream about its colours: the matrix and the range, and the rows, by which unstated ones are guessed.
    struct Encoding: CustomTestStringConvertible {
        let matrix: String
        let range: String
        let flags: [String]
        var height = 96
        var testDescription: String { "\(matrix) \(range) \(flags.count) \(height)" }
    }

    static let encodings = [
        Encoding(matrix: "bt601", range: "tv", flags: ["-colorspace", "smpte170m", "-color_range", "tv"]),
        Encoding(matrix: "bt709", range: "tv", flags: ["-colorspace", "bt709", "-color_range", "tv"]),
        Encoding(matrix: "bt709", range: "pc", flags: ["-colorspace", "bt709", "-color_range", "pc"]),
        Encoding(matrix: "bt601", range: "tv", flags: []),
        Encoding(matrix: "bt709", range: "tv", flags: [], height: 720),
        Encoding(matrix: "bt2020", range: "tv", flags: ["-colorspace", "bt2020nc", "-color_range", "tv"]),
    ]

    private func frame(_ colour: String, _ encoding: Encoding, _ scratch: ScratchDirectory) throws -> VideoFrame {
        let scale = "scale=out_color_matrix=\(encoding.matrix):out_range=\(encoding.range):flags=accurate_rnd"
        let url = try scratch.make(
            [
                "-f", "lavfi", "-i", "color=\(colour):s=160x\(encoding.height):d=0.04,format=rgb24",
                "-vf", "\(scale),format=yuv420p", "-c:v", "libx264", "-qp", "1",
            ] + encoding.flags + ["\(colour.dropFirst(2)).mp4"]
        )
        return try #require(try VideoReader.open(url).next())
    }

    @Test("Decoded colors equal those of the source", arguments: encodings)
    func coloursAreThoseOfTheSource(_ encoding: Encoding) throws {
        let scratch = try ScratchDirectory()
        for (red, green, blue) in [
            (224, 48, 16), (16, 200, 64), (32, 64, 240), (255, 255, 255), (0, 0, 0), (128, 128, 128),
        ] {
            let colour = "0x" + [red, green, blue].map { String(format: "%02X", $0) }.joined()
            let frame = try frame(colour, encoding, scratch)
            let wanted: [(PictureFormat, [Int])] = [
                (.bgra, [blue, green, red, 255]), (.argb, [255, red, green, blue]), (.rgb, [red, green, blue]),
                (.rgba, [red, green, blue, 255]), (.abgr, [255, blue, green, red]), (.bgr, [blue, green, red]),
            ]
            for (format, samples) in wanted {
                let pixels = try Pixels(frame, format)
                for (x, y) in [(0, 0), (80, 48), (159, encoding.height - 1)] {
                    let found = pixels[x, y].map(Int.init)
                    let distance = zip(found, samples).map { abs($0 - $1) }.max() ?? .max
                    #expect(distance <= 3, "\(format) at \(x), \(y): \(found) for \(samples)")
                }
            }
        }
    }

    @Test("Luma and chroma have the range of the pixel format")
    func lumaAndChromaHaveTheRangeOfTheFormat() throws {
        let scratch = try ScratchDirectory()
        let white = try frame("0xFFFFFF", Self.encodings[1], scratch)
        let red = try frame("0xFF0000", Self.encodings[1], scratch)
        // White, and red by BT.709: Y 63, Cb 102, Cr 240 of the narrow range.
        for (isFull, levels) in [(false, [235, 63, 102, 240]), (true, [255, 54, 99, 255])] {
            let luma = try planes(white, isFull).luma
            #expect(abs(Int(luma) - levels[0]) <= 2, "white \(luma)")
            let (y, cb, cr) = try planes(red, isFull)
            let found = [y, cb, cr].map(Int.init)
            let distance = zip(found, levels.dropFirst()).map { abs($0 - $1) }.max() ?? .max
            #expect(distance <= 3, "full \(isFull): \(found)")
        }
    }

    private func planes(_ frame: VideoFrame, _ isFull: Bool) throws -> (luma: UInt8, cb: UInt8, cr: UInt8) {
        var luma = [UInt8](repeating: 0, count: 192 * frame.height + 64)
        var chroma = [UInt8](repeating: 0, count: 192 * (frame.height / 2) + 64)
        try luma.withUnsafeMutableBytes { luma in
            try chroma.withUnsafeMutableBytes { chroma in
                let planes = [luma.baseAddress, chroma.baseAddress].compactMap { base in
                    base.map { PicturePlane(base: $0, bytesPerRow: 192) }
                }
                try PictureConverter(name: "test").convert(
                    frame,
                    to: .biplanar420(isFullRange: isFull),
                    width: frame.width,
                    height: frame.height,
                    planes: planes
                )
            }
        }
        return (luma[192 * 10 + 10], chroma[192 * 10 + 10], chroma[192 * 10 + 11])
    }

    @Test("Frames are scaled")
    func picturesAreScaled() throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make([
            "-f", "lavfi", "-i", "color=red:s=64x64:d=0.04[a];color=blue:s=64x64:d=0.04[b];[a][b]hstack", "-c:v",
            "libx264",
            "-qp", "1", "-pix_fmt", "yuv444p", "a.mkv",
        ])
        let frame = try #require(try VideoReader.open(url).next())
        let pixels = try Pixels(frame, width: 33, height: 17)
        #expect(pixels[4, 8][2] > 250 && pixels[4, 8][0] < 5)
        #expect(pixels[28, 8][0] > 250 && pixels[28, 8][2] < 5)
    }

    @Test("Scaling writes nothing outside the frame")
    func nothingIsWrittenBesideThePicture() throws {
        let scratch = try ScratchDirectory()
        let source = "testsrc=s=101x37:d=0.04"
        let url = try scratch.make(["-f", "lavfi", "-i", source, "-c:v", "ffv1", "-pix_fmt", "yuv420p", "odd.mkv"])
        let frame = try #require(try VideoReader.open(url).next())
        #expect(frame.width == 101 && frame.height == 37)
        for format in [PictureFormat.bgra, .rgb, .gray] {
            let pixels = try Pixels(frame, format)
            // The memory behind the last row: 64 bytes are the converter's.
            let end = pixels.bytesPerRow * 36 + 101 * pixels.pixelSize
            #expect(pixels.bytes[(end - pixels.pixelSize)..<end].contains { $0 != 0xA5 })
        }
    }
}
