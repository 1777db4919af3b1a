import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Moving pictures of damaged and hostile files.
@Suite struct VideoDamageTests {
    private func bytes(_ name: String, in scratch: ScratchDirectory) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: VideoFiles.make(name, in: scratch, seconds: 4)))
    }

    @Test("A file without its index is reported as truncated")
    func aFileWithoutItsIndexIsTruncated() throws {
        let bytes = try bytes("b-frames.mp4", in: ScratchDirectory())
        let index = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == Array("moov".utf8) })
        let stream = TestStream(Array(bytes.prefix(index - 4)))
        #expect { try VideoReader.open(stream) } throws: { ($0 as? SyrinxError)?.code == .truncated }
    }

    @Test("A truncated file ends where it was cut")
    func aFileThatIsCutOffEndsThere() throws {
        let bytes = try bytes("open-groups.mkv", in: ScratchDirectory())
        let reader = try VideoReader.open(TestStream(Array(bytes.dropLast(bytes.count / 3))))
        let numbers = try reader.readAll().map { try $0.number() }
        #expect(numbers.count > 10 && numbers.count < 95)
        // The last may need one that is cut off.
        #expect(numbers.dropLast(6) == ArraySlice(0..<numbers.count - 6) && numbers == numbers.sorted())
    }

    @Test("Frames that are too large are rejected")
    func picturesThatAreTooLargeAreRefused() throws {
        let scratch = try ScratchDirectory()
        for size in ["16386x16", "16x16386"] {
            let url = try scratch.make([
                "-f", "lavfi", "-i", "color=black:s=\(size):d=0.04", "-c:v", "ffv1", "\(size).mkv",
            ])
            #expect { try VideoReader.open(url) } throws: { ($0 as? SyrinxError)?.code == .unsupported }
        }
    }

    /// A file whose header states 16384 × 16384 pixels, which its data do not have.
    @Test("A false frame size is not allocated")
    func aSizeThatIsNotTrueIsNotAllocated() throws {
        let source = NumberedPictures.source(seconds: 1)
        let scratch = try ScratchDirectory()
        let url = try scratch.make(["-f", "lavfi", "-i", source, "-c:v", "ffv1", "lie.avi"])
        var bytes = [UInt8](try Data(contentsOf: url))
        // The sizes in the header of the stream's format, after `strf`, its length and that of the structure.
        let place = try #require(bytes.indices.dropLast(20).first { Array(bytes[$0..<$0 + 4]) == Array("strf".utf8) })
        bytes.replaceSubrange((place + 12)..<(place + 20), with: [0, 64, 0, 0, 0, 64, 0, 0])
        #expect { try VideoReader.open(TestStream(bytes)).readAll() } throws: {
            let code = ($0 as? SyrinxError)?.code
            return code == .unsupported || code == .corrupt
        }
    }

    @Test("A file that is not a movie is rejected")
    func whatIsNoFilmIsRefused() throws {
        for (bytes, code) in [([UInt8](), ErrorCode.empty), (Array("<!doctype html><html>".utf8), .notAudio)] {
            #expect { try VideoReader.open(TestStream(bytes)) } throws: { ($0 as? SyrinxError)?.code == code }
        }
    }

    @Test(
        "Damaged movies never crash",
        arguments: ["b-frames.mp4", "open-groups.mkv", "vp9.webm", "old.avi", "stream.ts", "mpeg2.mpg"]
    )
    func noDamageEndsTheProcess(_ name: String) throws {
        let bytes = try bytes(name, in: ScratchDirectory())
        var random = SplitMix64(seed: 11)
        for round in 0..<24 {
            var damaged = bytes
            for _ in 0..<(1 << (round % 8)) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                let reader = try VideoReader.open(TestStream(damaged))
                let frames = try reader.readAll(limit: 80)
                if let frame = frames.last { _ = try Pixels(frame, width: 64, height: 48) }
                try reader.seek(to: Int64.random(in: .min ... .max, using: &random))
                try reader.seek(to: reader.info.ticks(Double.random(in: -1...3, using: &random)))
                _ = try reader.next()
            } catch {
                #expect(error is SyrinxError)
            }
        }
    }

    @Test("An error of the byte stream keeps its code")
    func aFailureOfTheStreamKeepsItsCode() throws {
        // Larger than what is read ahead.
        let source = "testsrc2=s=640x360:d=2"
        let scratch = try ScratchDirectory()
        let url = try scratch.make(["-f", "lavfi", "-i", source, "-c:v", "libx264", "-crf", "8", "long.mp4"])
        let stream = try TestStream(file: url)
        let reader = try VideoReader.open(stream)
        #expect(try reader.next() != nil)
        stream.cancel()
        #expect { try reader.readAll() } throws: { ($0 as? SyrinxError)?.code == .cancelled }
    }

    @Test("A non-seekable stream is read once")
    func aStreamThatCannotGoBackIsReadOnce() throws {
        let scratch = try ScratchDirectory()
        let stream = TestStream(try bytes("open-groups.mkv", in: scratch))
        stream.isSeekable = false
        let reader = try VideoReader.open(stream)
        try reader.seek(to: reader.info.ticks(1))
        #expect(try reader.next()?.number() == 25)
        #expect { try reader.seek(to: 0) } throws: { ($0 as? SyrinxError)?.code == .notSeekable }
    }

    @Test("Memory does not grow with the length of the movie")
    func memoryDoesNotGrowWithTheLength() throws {
        let scratch = try ScratchDirectory()
        let source = "testsrc2=s=640x360:r=25:d=40"
        let url = try scratch.make([
            "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "long.mp4",
        ])
        let reader = try VideoReader.open(url)
        for _ in 0..<100 { _ = try reader.next() }
        let before = try residentSize()
        var count = 100
        while let frame = try reader.next() {
            count += 1
            _ = try Pixels(frame)
        }
        #expect(count == 1000)
        // Held, 900 pictures would take 311 MB.
        #expect(try residentSize() - before < 40 << 20)
    }

    private func residentSize() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
    }
}
