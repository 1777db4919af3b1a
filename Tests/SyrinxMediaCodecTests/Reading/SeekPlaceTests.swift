import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Seeks in containers of all kinds, also where libavformat has no index or wrong times.
@Suite struct SeekPlaceTests {
    /// A file, the channels aside, and the largest difference of the same samples after a seek.
    struct Form: Sendable, CustomTestStringConvertible {
        var file: String
        var options: [String]
        var rate = 44_100
        /// In units of the last bit of 16: some decoders remember more than is decoded before the place.
        var tolerance: Float = 1
        /// Options of a second run, which copies the packets.
        var copied: [String]?

        var testDescription: String { file + " " + (options + (copied ?? [])).joined(separator: " ") }
    }

    private static let aac = ["-c:a", "aac", "-aac_pns", "0"]

    private static let forms = [
        Form(file: "a.m4a", options: aac),
        Form(file: "a.mp4", options: aac + ["-use_editlist", "0"], rate: 22_050),
        Form(file: "a.mp4", options: aac + ["-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "500000"]),
        Form(file: "a.m4a", options: ["-c:a", "alac"]),
        Form(file: "a.mp4", options: ["-c:a", "flac", "-strict", "-2"]),
        Form(file: "a.mp4", options: ["-c:a", "libmp3lame"]),
        Form(file: "a.mov", options: ["-c:a", "pcm_s16le"]),
        Form(file: "a.mka", options: aac),
        Form(file: "a.mka", options: ["-c:a", "libvorbis"]),
        Form(file: "a.webm", options: ["-c:a", "libopus"], rate: 48_000, tolerance: 40),
        Form(file: "a.webm", options: ["-c:a", "libopus", "-live", "1"], rate: 48_000, tolerance: 40),
        Form(file: "a.webm", options: ["-c:a", "libvorbis", "-live", "1", "-cluster_time_limit", "60000"]),
        Form(file: "a.ogg", options: ["-c:a", "libvorbis"]),
        Form(file: "a.ogg", options: ["-c:a", "libvorbis", "-page_duration", "1"]),
        // Copied from Matroska, its positions are rounded to milliseconds.
        Form(file: "a.ogg", options: ["-c:a", "libvorbis"], copied: ["a.mka"]),
        Form(file: "a.opus", options: ["-c:a", "libopus"], rate: 48_000, tolerance: 40),
        Form(file: "a.ogg", options: ["-c:a", "flac"]),
        Form(file: "a.flac", options: []),
        Form(file: "a.mp3", options: ["-c:a", "libmp3lame", "-q:a", "4"]),
        Form(file: "a.aac", options: aac),
        Form(file: "a.ts", options: aac),
        Form(file: "a.avi", options: ["-c:a", "libmp3lame"]),
        Form(file: "a.wav", options: ["-c:a", "adpcm_ms"]),
        Form(file: "a.wav", options: ["-c:a", "adpcm_ima_wav"]),
        Form(file: "a.caf", options: ["-c:a", "alac"]),
        Form(file: "a.aiff", options: []),
        Form(file: "a.wv", options: []),
    ]

    private static func make(_ form: Form, in scratch: ScratchDirectory) throws -> URL {
        let sound = "aevalsrc=0.3*sin(2*PI*(300+90*t)*t)+0.2*(random(0)-0.5)|0.3*sin(2*PI*(900-60*t)*t)"
        let source = ["-f", "lavfi", "-i", "\(sound):s=\(form.rate):d=9.37"]
        guard let copied = form.copied else { return try scratch.make(source + form.options + [form.file]) }
        let between = try scratch.make(source + form.options + copied)
        return try scratch.make(["-i", between.path, "-c", "copy", form.file])
    }

    /// Checks the samples after seeks to twenty places against the samples of the whole.
    private func check(_ stream: TestStream, _ tolerance: Float) throws {
        let reader = try MediaReader.open(stream)
        let channels = reader.info.channelCount
        let whole = try reader.readAll()
        let count = whole.count / channels
        #expect(reader.shortfall == nil && reader.corruptPacketCount == 0)
        #expect(reader.info.isSeekable)
        var chance = SplitMix64(seed: 9)
        for _ in 0..<20 {
            let place = Int.random(in: 0..<count, using: &chance)
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 1500)
            #expect(part.count == min(1500, count - place) * channels, "at \(place)")
            let difference = largestDifference(part, whole[(place * channels)...])
            #expect(difference <= tolerance, "\(difference) at \(place)")
        }
    }

    @Test("Each of twenty seeks lands on its frame", arguments: forms)
    func seeksLandOnTheirFrame(_ form: Form) throws {
        let scratch = try ScratchDirectory()
        try check(TestStream(file: Self.make(form, in: scratch)), form.tolerance)
    }

    /// Packets of 60 ms and of 20 ms take turns. In Matroska their times are rounded to milliseconds, too.
    @Test("A seek in Opus lands on its frame though packets differ in length", arguments: ["a.opus", "a.mka"])
    func opusOfSeveralLengths(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let sound = ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*(300+90*t)*t):s=48000:d=12"]
        let encoder = ["-c:a", "libopus", "-page_duration", "1"]
        // A page for each packet; the first two hold headers.
        let (long, short) = (
            OggPages(try bytes(scratch.make(sound + encoder + ["-frame_duration", "60", "60.opus"]))).pages,
            OggPages(try bytes(scratch.make(sound + encoder + ["-frame_duration", "20", "20.opus"]))).pages
        )
        var file = long[0].bytes + long[1].bytes
        for turn in 0..<90 {
            let packets = [long[2 + 2 * turn]] + short[(5 + 6 * turn)..<(8 + 6 * turn)]
            file +=
                OggPages.joined(packets, number: 2 + turn, position: Int64(5760 * (turn + 1)), isLast: turn == 89).bytes
        }
        try Data(file).write(to: URL(fileURLWithPath: scratch.file("mixed.opus")))
        var copy = file
        if name != "a.opus" {
            copy = try bytes(scratch.make(["-i", scratch.file("mixed.opus"), "-c", "copy", name]))
        }
        #expect(try MediaReader.open(TestStream(copy)).readAll().count == 90 * 5760 - 312)
        try check(TestStream(copy), 40)
    }

    private func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }

    /// Without key frames libavformat finds no place at all. In AVI it takes all for key frames, unless some are marked.
    @Test("A seek in the sound of an AVI without key frames reads on from the start")
    func aviWithoutKeyFrames() throws {
        let scratch = try ScratchDirectory()
        let pictures = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=6", "-c:v", "mpeg4"]
        let form = Form(file: "a.avi", options: pictures + ["-c:a", "libmp3lame"])
        var bytes = [UInt8](try Data(contentsOf: Self.make(form, in: scratch)))
        let index = try #require((0..<bytes.count - 4).last { bytes[$0..<$0 + 4].elementsEqual("idx1".utf8) })
        for place in stride(from: index + 8, to: bytes.count - 16, by: 16)
        where bytes[place..<place + 4].elementsEqual("01wb".utf8) {
            bytes[place + 4] = 0
        }
        try check(TestStream(bytes), form.tolerance)
    }

    @Test("A seek in Matroska without cues and key frames reads on from the start", arguments: ["libvorbis", "aac"])
    func matroskaWithoutKeyFrames(_ codec: String) throws {
        let scratch = try ScratchDirectory()
        let form = Form(
            file: "a.mka",
            options: ["-c:a", codec, "-live", "1"] + (codec == "aac" ? ["-aac_pns", "0"] : [])
        )
        var bytes = [UInt8](try Data(contentsOf: Self.make(form, in: scratch)))
        var place = 0
        while place < bytes.count {
            let (element, start, size) = Self.element(of: bytes, at: place)
            // A simple block: the number of the track, two bytes of time, and the flags.
            if element == 0xA3 { bytes[start + 3] &= 0x7F }
            // The segment and the clusters hold what follows.
            place = [0x1853_8067, 0x1F43_B675].contains(element) ? start : start + size
        }
        try check(TestStream(bytes), form.tolerance)
    }

    /// The element of EBML at a place, where its contents begin, and how long they are (RFC 8794, section 6).
    private static func element(of bytes: [UInt8], at place: Int) -> (element: Int, start: Int, size: Int) {
        let width = bytes[place].leadingZeroBitCount + 1
        let element = bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
        let second = bytes[place + width]
        let start = place + width + second.leadingZeroBitCount + 1
        let rest = bytes[place + width + 1..<start].reduce(0) { $0 << 8 | Int($1) }
        let bits = 8 * second.leadingZeroBitCount
        return (element, start, Int(second ^ (0x80 >> UInt8(second.leadingZeroBitCount))) << bits | rest)
    }
}
