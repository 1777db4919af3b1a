import AVFoundation
import SyrinxTestSupport
import Testing

@testable import syrinx_examples

/// The examples of moving pictures do what they say.
@Suite struct PictureExampleTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func film() throws -> URL {
        let source = NumberedPictures.source(seconds: 4)
        let encoding = [
            "-c:v", "libx264", "-bf", "2", "-g", "50", "-sc_threshold", "0", "-crf", "8", directory.file("film.mp4"),
        ]
        try FFmpeg.run(["-f", "lavfi", "-i", source, "-f", "lavfi", "-i", "sine=d=4"] + encoding)
        return directory.url("film.mp4")
    }

    @Test("The pictures of some times are written")
    func picturesAreWritten() async throws {
        let files = try await writeFrames(
            of: film(),
            at: [0, 3.5, 1.25, 99],
            to: directory.url(""),
            with: AVPlayer(device: NullOutput())
        )
        var numbers: [Int] = []
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            let header = Array("P6\n64 48\n255\n".utf8)
            #expect(bytes.starts(with: header) && bytes.count == header.count + 64 * 48 * 3)
            let row = header.count + 24 * 64 * 3
            numbers.append(NumberedPictures.number(leftGrey: bytes[row + 16 * 3], rightGrey: bytes[row + 48 * 3]))
        }
        #expect(numbers == [0, 87, 31, 99])
    }

    @Test("The brightness of each picture is measured")
    func brightnessIsMeasured() async throws {
        try FFmpeg.run([
            "-f", "lavfi", "-i", "color=white:s=64x48:d=1,fade=out:st=0.5:d=0.2", "-c:v", "libx264", "-qp", "1",
            directory.file("fade.mp4"),
        ])
        let range = CMTimeRange(start: CMTime(value: 2, timescale: 5), end: CMTime(value: 4, timescale: 5))
        let levels = try await brightness(of: AVURLAsset(url: directory.url("fade.mp4")), in: range)
        #expect(levels.map(\.time) == (10..<20).map { CMTime(value: $0, timescale: 25) })
        let values = levels.map(\.level)
        #expect(abs(values[0] - 1) < 0.02 && values[9] < 0.02 && values == values.sorted(by: >))
    }

    @Test("Thumbnails are spread over the film")
    func thumbnailsAreSpread() async throws {
        let made = try await thumbnails(of: film(), count: 2, width: 32)
        // The pictures that need no other, at or before 1 and 3 seconds.
        #expect(made.map(\.time) == [.zero, CMTime(value: 2, timescale: 1)])
        #expect(made.allSatisfy { CVPixelBufferGetWidth($0.picture) == 32 && CVPixelBufferGetHeight($0.picture) == 24 })
    }
}
