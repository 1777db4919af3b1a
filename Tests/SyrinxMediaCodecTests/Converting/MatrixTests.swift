import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// One file of the matrix: codec × container × rate × channels × tag.
struct MatrixCase: Sendable, CustomTestStringConvertible {
    var file: String
    var rate = 44100
    var channels = 2
    var options: [String] = []
    /// Whether the headers tell the number of frames.
    var isCounted = true
    /// Whether the container has room for tags, and `ffmpeg` writes them.
    var isTagged = true
    /// Bits of 16 that a seek may be off, for codecs that never forget.
    var seekTolerance: Float = 0

    var testDescription: String { "\(channels) × \(rate) \(file)" }

    /// No codec's frames fit it.
    static let seconds = 0.737

    var sourceFrames: Int { Int((Self.seconds * Double(rate)).rounded()) }
}

private func aac(_ file: String, _ rate: Int, _ channels: Int, _ options: [String] = []) -> MatrixCase {
    // Noise that the decoder makes up is another at each place.
    MatrixCase(
        file: file,
        rate: rate,
        channels: channels,
        options: ["-c:a", "aac", "-aac_pns", "0"] + options,
        seekTolerance: 1
    )
}

private func pcm(_ file: String, _ codec: String, _ rate: Int = 44100, _ channels: Int = 2) -> MatrixCase {
    MatrixCase(file: file, rate: rate, channels: channels, options: ["-c:a", codec], isTagged: !file.hasSuffix("w64"))
}

extension MatrixCase {
    static let all: [MatrixCase] =
        [
            aac("a.m4a", 44100, 1), aac("a.m4a", 96000, 2), aac("a.m4a", 48000, 6), aac("a.m4a", 48000, 8),
            aac("a.m4a", 8000, 1), aac("a.m4a", 16000, 2), aac("a.m4a", 44100, 5), aac("a.m4b", 22050, 2),
            aac("a.mp4", 44100, 2), aac("a.mov", 44100, 2), aac("a.m4a", 32000, 2, ["-movflags", "+faststart"]),
            aac("fragmented.mp4", 44100, 2, ["-movflags", "+frag_keyframe+empty_moov+delay_moov"] + fragments),
            MatrixCase(file: "alac.m4a", channels: 1, options: ["-c:a", "alac"]),
            MatrixCase(file: "alac.m4a", rate: 192_000, options: ["-c:a", "alac"]),
            MatrixCase(file: "alac24.m4a", rate: 96000, options: ["-c:a", "alac", "-sample_fmt", "s32p"]),
            MatrixCase(file: "alac.m4a", rate: 48000, channels: 6, options: ["-c:a", "alac"]),
            MatrixCase(file: "alac.caf", rate: 48000, options: ["-c:a", "alac"], isCounted: false),
            MatrixCase(file: "flac.mp4", options: ["-c:a", "flac", "-strict", "-2"]),
            MatrixCase(file: "a.flac", rate: 8000, channels: 1), MatrixCase(file: "a.flac", rate: 22050),
            MatrixCase(file: "a.flac", rate: 48000, channels: 6), MatrixCase(file: "a.flac", rate: 48000, channels: 8),
            MatrixCase(file: "a.flac", rate: 192_000, options: ["-sample_fmt", "s32"]),
            MatrixCase(file: "a.flac", channels: 3), MatrixCase(file: "a.flac", channels: 7),
            MatrixCase(file: "flac.oga", options: ["-c:a", "flac"]),
            MatrixCase(file: "flac.mka", options: ["-c:a", "flac"], isCounted: false),
            pcm("u8.wav", "pcm_u8"), pcm("s16.wav", "pcm_s16le", 48000, 8), pcm("s24.wav", "pcm_s24le", 192_000, 6),
            pcm("s32.wav", "pcm_s32le"), pcm("s64.wav", "pcm_s64le"), pcm("f32.wav", "pcm_f32le", 8000, 1),
            pcm("f64.wav", "pcm_f64le", 96000), pcm("alaw.wav", "pcm_alaw", 8000, 1), pcm("ulaw.wav", "pcm_mulaw"),
            MatrixCase(file: "rf64.wav", options: ["-rf64", "always"]),
            pcm("s16.w64", "pcm_s16le"), pcm("f32.w64", "pcm_f32le", 48000, 6),
            pcm("s8.aiff", "pcm_s8"), pcm("s16.aiff", "pcm_s16be", 8000, 1), pcm("s24.aiff", "pcm_s24be", 48000, 6),
            pcm("f32.aiff", "pcm_f32be"), pcm("f64.aifc", "pcm_f64be"), pcm("little.aifc", "pcm_s16le"),
            pcm("s16.caf", "pcm_s16be", 48000, 6), pcm("s24.caf", "pcm_s24le"), pcm("f32.caf", "pcm_f32be", 96000),
            pcm("s24.mov", "pcm_s24le"),
            MatrixCase(file: "s16.mka", options: ["-c:a", "pcm_s16le"], isCounted: false),
            MatrixCase(file: "a.ogg", channels: 1, options: vorbis),
            MatrixCase(file: "a.ogg", rate: 96000, options: vorbis),
            MatrixCase(file: "a.ogg", rate: 48000, channels: 6, options: vorbis),
            MatrixCase(file: "a.ogg", rate: 8000, options: vorbis),
            MatrixCase(file: "a.opus", rate: 48000, channels: 6, options: opus, seekTolerance: 64),
            MatrixCase(file: "a.opus", rate: 48000, channels: 8, options: opus, seekTolerance: 64),
            MatrixCase(file: "long.opus", rate: 48000, options: opus + ["-frame_duration", "60"], seekTolerance: 64),
            MatrixCase(file: "short.opus", rate: 48000, options: opus + ["-frame_duration", "2.5"], seekTolerance: 64),
            MatrixCase(file: "opus.ogg", rate: 48000, channels: 1, options: opus, seekTolerance: 64),
            MatrixCase(file: "opus.mp4", rate: 48000, options: opus, seekTolerance: 64),
            MatrixCase(file: "a.webm", rate: 48000, options: opus, isCounted: false, seekTolerance: 64),
            MatrixCase(file: "opus.mka", rate: 48000, channels: 6, options: opus, isCounted: false, seekTolerance: 64),
            MatrixCase(file: "a.mp3", channels: 1), MatrixCase(file: "a.mp3", rate: 48000),
            MatrixCase(file: "a.mp3", rate: 32000, options: ["-q:a", "5"]),
            MatrixCase(file: "a.mp3", rate: 22050, channels: 1),
            MatrixCase(file: "a.mp3", rate: 16000), MatrixCase(file: "a.mp3", rate: 11025),
            MatrixCase(file: "a.mp3", rate: 8000, channels: 1),
            MatrixCase(file: "v24.mp3", options: ["-id3v2_version", "4", "-write_id3v1", "1"]),
            MatrixCase(file: "mp3.mp4", options: ["-c:a", "libmp3lame"]),
            MatrixCase(file: "a.wv", options: ["-c:a", "wavpack"]),
            MatrixCase(file: "six.wv", rate: 48000, channels: 6, options: ["-c:a", "wavpack"]),
            MatrixCase(file: "a.tta", options: ["-c:a", "tta"]), MatrixCase(file: "a.au", isTagged: false),
        ]

    private static let fragments = ["-frag_duration", "300000"]
    private static let vorbis = ["-c:a", "libvorbis"]
    private static let opus = ["-c:a", "libopus"]
    private static let layouts = [1: "mono", 2: "stereo", 3: "2.1", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]

    func make(in scratch: ScratchDirectory) throws -> URL {
        let tones = (0..<channels).map { "0.3*sin(2*PI*(\(200 + 150 * $0)+60*t)*t)+0.05*(random(\($0))-0.5)" }
        let layout = Self.layouts[channels] ?? ""
        let source = "aevalsrc=\(tones.joined(separator: "|")):s=\(rate):n=1024:d=\(Self.seconds):c=\(layout)"
        let tags = ["-metadata", "title=Ein Stück ☃", "-metadata", "artist=Ørsted"]
        return try scratch.make(["-f", "lavfi", "-i", source] + tags + options + [file])
    }
}

@Suite struct MatrixTests {
    /// Whole, tags and all, and from a seek.
    @Test("Each combination of format and read size decodes to the recording", arguments: MatrixCase.all)
    func isTheRecording(_ row: MatrixCase) throws {
        let scratch = try ScratchDirectory()
        let file = try row.make(in: scratch)
        let frames = row.sourceFrames
        let stream = try TestStream(file: file)
        let reader = try MediaReader.open(stream)
        #expect(reader.info.sampleRate == Double(row.rate))
        #expect(reader.info.channelCount == row.channels)
        #expect(reader.info.frameCount == (row.isCounted ? Int64(frames) : nil))
        if row.isCounted { #expect(reader.info.duration == Double(frames) / Double(row.rate)) }
        if row.isTagged {
            #expect(reader.info.tags["title"] == "Ein Stück ☃")
            // In AIFF there is no room for it.
            #expect(reader.info.tags["artist"] == (file.path.contains(".aif") ? nil : "Ørsted"))
        }
        let whole = try reader.readAll()
        #expect(whole.count == frames * row.channels)
        #expect(reader.corruptPacketCount == 0)
        // `ffmpeg` leaves the padding of an MP4 at the end, and up to version 6 the delay of a fragmented one at the start.
        let theirs = try FFmpeg.decode(file.path)
        let isFragmented = row.options.contains("-frag_duration")
        let delay = 1024 * row.channels
        let start = isFragmented && theirs.count >= delay + whole.count ? delay : 0
        #expect(theirs.count >= start + whole.count)
        // Nor does it trim Vorbis in a single page.
        if !file.path.contains(".m"), !file.path.hasSuffix("a.ogg") { #expect(theirs.count == whole.count) }
        #expect(largestDifference(whole, theirs.dropFirst(start)) == 0)
        for place in [frames / 2, 3, frames - 1, frames / 3 + 1, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == min(2000, frames - place) * row.channels, "at \(place)")
            let difference = largestDifference(part, whole[(place * row.channels)...])
            #expect(difference <= row.seekTolerance, "at \(place)")
        }
    }
}
