import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// One kind of file: how `ffmpeg` makes it, and how near to its own decode the reader has to be.
struct Recipe: Sendable, CustomTestStringConvertible {
    let file: String
    var source = "music"
    var options: [String] = []
    /// Frames that the whole decodes to, where `ffmpeg` itself does not trim the padding.
    var frameCount: Int?
    /// Whether the reader's frame count is known before anything has been read.
    var isCounted = true
    /// Bits of 16 that a seek may be off, for codecs whose memory reaches further back than anyone decodes.
    var seekTolerance: Float = 0

    var testDescription: String { file }

    /// Three seconds and a bit, so that no codec's frames fit.
    static let sourceFrames = 132_300 + 77

    static let all: [Recipe] = [
        Recipe(file: "cbr.mp3", options: ["-b:a", "128k"]),
        Recipe(file: "vbr.mp3", options: ["-q:a", "4"]),
        Recipe(
            file: "bare.mp3",
            options: ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"],
            isCounted: false
        ),
        Recipe(file: "barevbr.mp3", options: ["-q:a", "6", "-write_xing", "0"], isCounted: false),
        Recipe(file: "low.mp3", options: ["-ar", "22050", "-ac", "1", "-b:a", "16k"]),
        Recipe(file: "lowest.mp3", options: ["-ar", "8000", "-ac", "1", "-b:a", "8k"]),
        Recipe(file: "tagged.mp3", options: ["-b:a", "192k", "-metadata", "title=T", "-write_id3v1", "1"]),
        Recipe(file: "a.aac", options: ["-c:a", "aac", "-aac_pns", "0"], isCounted: false, seekTolerance: 1),
        Recipe(file: "a.m4a", options: ["-c:a", "aac", "-aac_pns", "0"], frameCount: sourceFrames, seekTolerance: 1),
        Recipe(
            file: "front.m4a",
            options: ["-c:a", "aac", "-aac_pns", "0", "-movflags", "+faststart"],
            frameCount: sourceFrames,
            seekTolerance: 1
        ),
        Recipe(file: "alac.m4a", options: ["-c:a", "alac"]),
        Recipe(file: "a.flac"),
        Recipe(file: "a24.flac", options: ["-sample_fmt", "s32"]),
        Recipe(file: "hi.flac", options: ["-ar", "96000"]),
        Recipe(file: "u8.wav", options: ["-c:a", "pcm_u8"]),
        Recipe(file: "s16.wav"),
        Recipe(file: "s24.wav", options: ["-c:a", "pcm_s24le"]),
        Recipe(file: "s32.wav", options: ["-c:a", "pcm_s32le"]),
        Recipe(file: "f32.wav", options: ["-c:a", "pcm_f32le"]),
        Recipe(file: "f64.wav", options: ["-c:a", "pcm_f64le"]),
        Recipe(file: "mono.wav", options: ["-ac", "1", "-ar", "8000"]),
        Recipe(file: "six.wav", source: "six"),
        Recipe(file: "six.flac", source: "six"),
        Recipe(
            file: "six.m4a",
            source: "six",
            options: ["-c:a", "aac", "-aac_pns", "0"],
            frameCount: sourceFrames,
            seekTolerance: 1
        ),
        Recipe(file: "a.ogg", options: ["-c:a", "libvorbis"]),
        Recipe(file: "six.ogg", source: "six", options: ["-c:a", "libvorbis"]),
        Recipe(file: "a.opus", options: ["-c:a", "libopus"], seekTolerance: 1),
        Recipe(file: "mono.opus", options: ["-c:a", "libopus", "-ac", "1", "-b:a", "24k"], seekTolerance: 64),
        Recipe(file: "flac.ogg", options: ["-c:a", "flac"]),
        Recipe(file: "a.aiff"),
        Recipe(file: "a.caf", options: ["-c:a", "pcm_s24be"]),
        Recipe(file: "alac.caf", options: ["-c:a", "alac"], isCounted: false),
        Recipe(file: "a.webm", options: ["-c:a", "libopus"], isCounted: false, seekTolerance: 1),
        Recipe(file: "vorbis.webm", options: ["-c:a", "libvorbis"], isCounted: false),
        Recipe(file: "a.mkv", options: ["-c:a", "aac", "-aac_pns", "0"], isCounted: false, seekTolerance: 1),
        // Its decoder adds noise of its own, never the same.
        Recipe(file: "a.ac3", options: ["-c:a", "ac3"], isCounted: false, seekTolerance: 2000),
        Recipe(file: "a.ts", options: ["-c:a", "aac", "-aac_pns", "0"], isCounted: false, seekTolerance: 1),
    ]
}

/// The files of all recipes, made once.
enum Library {
    static let scratch: Result<ScratchDirectory, any Error> = Result {
        let scratch = try ScratchDirectory()
        // A global is never let go, but its folder should be.
        atexit {
            if let scratch = try? Library.scratch.get() { try? FileManager.default.removeItem(atPath: scratch.path) }
        }
        return scratch
    }

    static let sources = Result {
        let scratch = try Self.scratch.get()
        let length = "\(Double(Recipe.sourceFrames) / 44100)"
        let tones =
            "0.4*sin(2*PI*(300+200*t)*t)+0.1*(random(0)-0.5)|0.3*sin(2*PI*997*t)*(1+sin(9*t))/2+0.1*(random(1)-0.5)"
        try scratch.make([
            "-f", "lavfi", "-i", "aevalsrc=\(tones):s=44100:d=\(length)", "-c:a", "pcm_f32le", "music.wav",
        ])
        let six = (0..<6).map { "0.2*sin(2*PI*\(200 + 150 * $0)*t)" }.joined(separator: "|")
        try scratch.make([
            "-f", "lavfi", "-i", "aevalsrc=\(six):s=44100:d=\(length):c=5.1", "-c:a", "pcm_s24le", "source-six.wav",
        ])
        try FileManager.default.moveItem(at: scratch.url("source-six.wav"), to: scratch.url("six-source.wav"))
        return scratch
    }

    static func make(_ recipe: Recipe) throws -> URL {
        let scratch = try sources.get()
        let source = scratch.url(recipe.source == "six" ? "six-source.wav" : "music.wav")
        // A folder of its own: tests that use the same recipe run side by side.
        let folder = UUID().uuidString
        try FileManager.default.createDirectory(at: scratch.url(folder), withIntermediateDirectories: true)
        return try scratch.make(["-i", source.path] + recipe.options + ["\(folder)/\(recipe.file)"])
    }
}

@Suite struct ReaderTests {
    @Test("Each format decodes to the samples of ffmpeg", arguments: Recipe.all) func decodesLikeFFmpeg(
        _ recipe: Recipe
    ) throws {
        let file = try Library.make(recipe)
        var expected = try FFmpeg.decode(file.path)
        let reader = try MediaReader.open(TestStream(file: file))
        let channels = reader.info.channelCount
        if let count = recipe.frameCount {
            #expect(expected.count >= count * channels)
            expected.removeLast(expected.count - count * channels)
        }
        #expect((reader.info.frameCount != nil) == recipe.isCounted)
        let stated = reader.info.frameCount
        let actual = try reader.readAll()
        #expect(actual.count == expected.count, "\(actual.count / channels) \(expected.count / channels)")
        #expect(largestDifference(actual, expected) == 0)
        #expect(reader.corruptPacketCount == 0)
        #expect(reader.position == Int64(expected.count / channels))
        if recipe.isCounted { #expect(stated == reader.position) }
        #expect(reader.info.frameCount == reader.position)
    }

    @Test("A seek lands on the exact frame in every format", arguments: Recipe.all) func seeksToTheVeryFrame(
        _ recipe: Recipe
    ) throws {
        let file = try Library.make(recipe)
        let stream = try TestStream(file: file)
        let whole = try MediaReader.open(stream).readAll()
        let reader = try MediaReader.open(stream)
        let channels = reader.info.channelCount
        let total = whole.count / channels
        let places = [total / 2, 0, 1, total - 1, total / 3 + 7, total / 3 + 8, 2000, total - 3000, total * 9 / 10, 5]
        for place in places {
            try reader.seek(toFrame: Int64(place))
            #expect(reader.position == Int64(place))
            let count = min(6000, total - place)
            let part = try reader.readAll(limit: 6000)
            #expect(part.count == count * channels, "at \(place)")
            let difference = largestDifference(part, whole[(place * channels)...])
            #expect(difference <= recipe.seekTolerance, "at \(place)")
        }
        try reader.seek(toFrame: Int64(total) + 100_000)
        #expect(reader.position == Int64(total))
        #expect(try reader.readAll().isEmpty)
        try reader.seek(toFrame: 0)
        #expect(try reader.readAll().count == whole.count)
    }
}
