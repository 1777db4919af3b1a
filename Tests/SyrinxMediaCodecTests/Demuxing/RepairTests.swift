import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Files with incomplete headers or a late start")
struct RepairTests {
    private static let tone = "aevalsrc=0.3*sin(2*PI*440*t)|0.3*sin(2*PI*550*t):s=44100:d=1"

    private func make(_ options: [String], _ name: String) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", Self.tone] + options + [name])))
    }

    private func decode(_ stream: TestStream) throws -> (samples: [Float], info: MediaInfo) {
        let reader = try MediaReader.open(stream)
        let info = reader.info
        let planes = Planes(count: info.channelCount, capacity: 4096)
        var samples: [Float] = []
        while case let count = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 4096), count > 0 {
            samples += planes.interleaved(count)
        }
        #expect(reader.shortfall == nil)
        return (samples, info)
    }

    /// Puts a number of four bytes somewhere.
    private func put(_ number: UInt32, at place: Int, into bytes: inout [UInt8], isLittle: Bool = false) {
        let value = isLittle ? number.byteSwapped : number
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }

    private func place(of mark: String, in bytes: [UInt8]) throws -> Int {
        let mark = Array(mark.utf8)
        return try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
    }

    // MARK: AIFF

    @Test(
        "An AIFF file that states no size plays, and tells the frames that it has",
        arguments: [0, 0xFFFF_FFFF] as [UInt32]
    )
    func unsizedAIFF(size: UInt32) throws {
        let whole = try make(["-c:a", "pcm_s16be"], "a.aiff")
        let expected = try decode(TestStream(whole))
        var bytes = whole
        put(size, at: 4, into: &bytes)
        #expect(try decode(TestStream(bytes)).samples == expected.samples)
        put(size, at: try place(of: "SSND", in: bytes) + 4, into: &bytes)
        put(0, at: try place(of: "COMM", in: bytes) + 10, into: &bytes)
        let actual = try decode(TestStream(bytes))
        #expect(actual.samples == expected.samples)
        #expect(actual.info.frameCount == 44100 && actual.info.duration == 1)
        let pipe = TestStream(bytes)
        (pipe.isSeekable, pipe.hidesLength) = (false, true)
        #expect(try decode(pipe).samples == expected.samples)
    }

    @Test("An AIFF file that states its sizes is left as it is")
    func soundAIFF() throws {
        let bytes = try make(["-c:a", "pcm_s16be"], "a.aiff")
        let repair = AIFFRepair(length: Int64(bytes.count)) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
        #expect(repair.corrections().isEmpty)
        let other = AIFFRepair(length: 4) { Array("FORM".utf8.dropFirst(Int($0)).prefix($1)) }
        #expect(other.corrections().isEmpty)
    }

    // MARK: WAV

    @Test(
        "A WAV file that states no size tells the frames that its length gives",
        arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0] as [UInt32]
    )
    func unsizedWAV(size: UInt32) throws {
        let whole = try make(["-c:a", "pcm_s16le", "-bitexact"], "a.wav")
        let expected = try decode(TestStream(whole)).samples
        var bytes = whole
        put(size, at: 4, into: &bytes, isLittle: true)
        put(size, at: try place(of: "data", in: bytes) + 4, into: &bytes, isLittle: true)
        let actual = try decode(TestStream(bytes))
        #expect(actual.info.frameCount == 44100 && actual.info.durationIsExact)
        #expect(actual.samples == expected)
        let pipe = TestStream(bytes)
        (pipe.isSeekable, pipe.hidesLength) = (false, true)
        let piped = try decode(pipe)
        #expect(piped.info.frameCount == nil && piped.samples == expected)
    }

    // MARK: Ogg

    @Test(
        "An Ogg file with noise before its first page plays, from front to end and out of order",
        arguments: [("libvorbis", 100), ("libvorbis", 5000), ("libopus", 60_000), ("flac", 1)]
    )
    func noisyOgg(codec: String, count: Int) throws {
        let whole = try make(["-c:a", codec], "a.ogg")
        let expected = try decode(TestStream(whole))
        // With what looks like pages in it.
        var noise = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        if count > 60 { noise.replaceSubrange(20..<30, with: Array("OggS".utf8) + [0, 2, 0, 0, 0, 0]) }
        let stream = TestStream(noise + whole)
        let actual = try decode(stream)
        #expect(actual.samples == expected.samples)
        #expect(
            actual.info.frameCount == expected.info.frameCount && actual.info.size == Int64(noise.count + whole.count)
        )
        #expect(actual.info.container == "ogg")
        let reader = try MediaReader.open(stream)
        try reader.seek(toFrame: 20_000)
        let planes = Planes(count: reader.info.channelCount, capacity: 1000)
        let got = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 1000)
        #expect(planes.interleaved(got) == Array(expected.samples[40_000..<40_000 + 2 * got]))
        guard count < 4000 else { return }
        let pipe = TestStream(noise + whole)
        (pipe.isSeekable, pipe.hidesLength, pipe.holdsAll) = (false, true, true)
        #expect(try decode(pipe).samples == expected.samples)
    }

    // MARK: Events

    @Test("The last chapter ends with the sound, not with what the encoder added to it")
    func chapterOfOpus() throws {
        let scratch = try ScratchDirectory()
        let chapters =
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
            + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Two\n"
        try Data(chapters.utf8).write(to: scratch.url("chapters.txt"))
        let source = "aevalsrc=0.3*sin(2*PI*440*t):s=48000:d=3"
        let file = try scratch.make(
            [
                "-f", "lavfi", "-i", source, "-i", scratch.url("chapters.txt").path, "-map_metadata", "1", "-c:a",
                "libopus", "a.opus",
            ]
        )
        let info = try MediaDemuxer.open(TestStream(file: file)).info
        #expect(info.chapters.map(\.end) == [1, 3] && info.chapters.map(\.start) == [0, 1])
    }

    @Test(
        "Matroska is called by its own name, whatever it holds",
        arguments: [("a.mkv", "matroska"), ("a.webm", "webm")]
    )
    func documentType(name: String, container: String) throws {
        for codec in ["libvorbis", "libopus"] {
            let bytes = try make(["-c:a", codec], name)
            #expect(try MediaDemuxer.open(TestStream(bytes)).info.container == container)
        }
    }

    @Test("info of Opus has the original rate beside the decoded rate")
    func originalRate() throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*440*t):s=16000:d=1"
        let file = try scratch.make(["-f", "lavfi", "-i", source, "-c:a", "libopus", "a.opus"])
        let info = try MediaDemuxer.open(TestStream(file: file)).info
        #expect(info.sampleRate == 48000 && info.originalSampleRate == 16000)
        #expect(try MediaDemuxer.open(TestStream(try make([], "a.ogg"))).info.originalSampleRate == nil)
    }
}

@Suite("Truncated recordings")
struct ShortfallTests {
    private static let tone = "aevalsrc=0.3*sin(2*PI*440*t)+0.1*(random(0)-0.5):s=44100:d=4"

    /// The formats, and whether they state how long they are.
    private static let formats: [(name: String, options: [String], statesLength: Bool)] = [
        ("a.mp3", [], true), ("a.m4a", ["-movflags", "+faststart"], true),
        ("b.m4a", ["-c:a", "alac", "-movflags", "+faststart"], true), ("a.flac", [], true), ("a.wav", [], true),
        ("a.aiff", [], true), ("a.caf", [], true), ("a.w64", [], true), ("a.ogg", [], false), ("a.opus", [], false),
        ("a.mkv", [], false), ("a.webm", [], false),
    ]

    private struct Outcome {
        var count = 0
        var shortfall: SyrinxError?
        var code: SyrinxError.Code?
    }

    private func read(_ stream: TestStream, endsWhereCutOff: Bool) throws -> Outcome {
        let reader = try MediaReader.open(stream)
        reader.endsWhereCutOff = endsWhereCutOff
        let planes = Planes(count: reader.info.channelCount, capacity: 4096)
        var outcome = Outcome()
        do {
            while case let count = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 4096), count > 0 {
                outcome.count += count
            }
        } catch {
            outcome.code = error.code
        }
        outcome.shortfall = reader.shortfall
        return outcome
    }

    @Test("A file that is cut off gives what is there, and says that the rest is missing", arguments: formats.indices)
    func cutOff(index: Int) throws {
        let format = Self.formats[index]
        let scratch = try ScratchDirectory()
        let file = try scratch.make(["-f", "lavfi", "-i", Self.tone] + format.options + [format.name])
        let bytes = [UInt8](try Data(contentsOf: file))
        let whole = try read(TestStream(bytes), endsWhereCutOff: true)
        #expect(whole.shortfall == nil && whole.code == nil, "\(format.name)")
        for isSeekable in [true, false] {
            let stream = { () -> TestStream in
                let stream = TestStream(Array(bytes.prefix(bytes.count * 9 / 10)))
                stream.isSeekable = isSeekable
                return stream
            }
            let cut = try read(stream(), endsWhereCutOff: true)
            #expect(cut.code == nil && cut.shortfall?.code == .truncated, "\(format.name)")
            #expect(cut.shortfall?.message.contains("the rest is missing") == true, "\(format.name)")
            #expect((0.7...0.95).contains(Double(cut.count) / Double(whole.count)), "\(format.name): \(cut.count)")
            let strict = try read(stream(), endsWhereCutOff: false)
            #expect(
                strict.count == cut.count && strict.code == (format.statesLength ? .truncated : nil),
                "\(format.name)"
            )
            #expect(strict.shortfall?.code == .truncated, "\(format.name)")
        }
    }
}
