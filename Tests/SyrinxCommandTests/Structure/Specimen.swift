import Foundation
import SyrinxTestSupport
import Testing

/// A small recording in one container, and the numbers in it.
struct Specimen: Sendable, CustomTestStringConvertible {
    /// Its file name, whose ending says the container.
    let file: String
    /// The options for ffmpeg.
    var options: [String] = []
    var sampleRate = 8_000
    let find: @Sendable ([UInt8]) -> [NumberField]
    /// Makes of ffmpeg's file what ffmpeg does not write.
    var prepare: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Makes checksums right again.
    var mend: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    var testDescription: String { file }

    /// The recording with one number changed.
    struct Mutant {
        let name: String
        let bytes: [UInt8]
    }

    func make(in scratch: ScratchDirectory) throws -> [UInt8] {
        let path = scratch.file(file)
        let sound = "aevalsrc=0.3*sin(2*PI*500*t):s=\(sampleRate):d=0.25"
        try FFmpeg.run(["-f", "lavfi", "-i", sound, "-metadata", "title=Seed"] + options + [path])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try FileManager.default.removeItem(atPath: path)
        return prepare(bytes)
    }

    /// The recording with each number that is found set to each value, at each sample rate.
    func mutants(of bytes: [UInt8]) -> [Mutant] {
        let fields = find(bytes)
        let rates = fields.filter(\.isRate)
        var mutants: [Mutant] = []
        for rate in [nil] + Set(rates.flatMap(\.rateValues)).sorted().map(Optional.some) {
            var base = bytes
            if let rate {
                for field in rates where field.rateValues.contains(rate) { field.put(rate, into: &base) }
            }
            for field in fields {
                for value in field.values {
                    var changed = base
                    field.put(value, into: &changed)
                    let name = "\(file), \(field.name) = \(value)" + (rate.map { ", at \($0) Hz" } ?? "")
                    mutants.append(Mutant(name: name, bytes: mend(changed)))
                }
            }
        }
        return mutants
    }

    static let all: [Specimen] = [
        Specimen(file: "plain.wav", find: ChunkFields.riff),
        Specimen(file: "float.wav", options: ["-c:a", "pcm_f32le"], find: ChunkFields.riff),
        Specimen(file: "adpcm.wav", options: ["-c:a", "adpcm_ms"], find: ChunkFields.riff),
        Specimen(file: "long.wav", options: ["-rf64", "always"], find: ChunkFields.riff),
        Specimen(file: "a.w64", find: ChunkFields.wave64),
        Specimen(file: "a.aiff", find: ChunkFields.aiff),
        Specimen(file: "float.aiff", options: ["-c:a", "pcm_f32be"], find: ChunkFields.aiff),
        Specimen(file: "pcm.caf", find: ChunkFields.caf),
        Specimen(file: "alac.caf", options: ["-c:a", "alac"], find: ChunkFields.caf),
        Specimen(file: "ima.caf", options: ["-c:a", "adpcm_ima_qt"], find: ChunkFields.caf),
        Specimen(file: "a.au", find: ChunkFields.au),
        Specimen(file: "aac.m4a", options: ["-c:a", "aac"], find: BoxFields.mp4),
        Specimen(file: "alac.m4a", options: ["-c:a", "alac"], find: BoxFields.mp4, prepare: BoxFields.widened),
        Specimen(file: "front.m4a", options: ["-c:a", "aac", "-movflags", "+faststart"], find: BoxFields.mp4),
        Specimen(
            file: "parts.mp4",
            options: ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
            find: BoxFields.mp4
        ),
        Specimen(
            file: "dash.mp4",
            options: ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+dash+global_sidx"],
            find: BoxFields.mp4
        ),
        Specimen(file: "pcm.mov", options: ["-c:a", "pcm_s16le"], find: BoxFields.mp4, prepare: BoxFields.widened),
        Specimen(file: "a.flac", options: ["-frame_size", "256"], find: OggFields.flac),
        Specimen(
            file: "vorbis.ogg",
            options: ["-c:a", "libvorbis", "-page_duration", "20000"],
            find: OggFields.ogg,
            mend: OggFields.mended
        ),
        Specimen(
            file: "opus.ogg",
            options: ["-c:a", "libopus", "-page_duration", "20000"],
            sampleRate: 48_000,
            find: OggFields.ogg,
            mend: OggFields.mended
        ),
        Specimen(
            file: "flac.ogg",
            options: ["-c:a", "flac", "-page_duration", "20000"],
            find: OggFields.ogg,
            mend: OggFields.mended
        ),
        Specimen(file: "a.spx", options: ["-c:a", "libspeex"], find: OggFields.ogg, mend: OggFields.mended),
        Specimen(
            file: "xing.mp3",
            options: ["-metadata", "iTunSMPB=00000000 00000840 000001C4 0000000000000600 00000000"],
            find: FrameFields.mp3
        ),
        Specimen(
            file: "vbri.mp3",
            options: ["-b:a", "32k", "-id3v2_version", "4"],
            sampleRate: 44_100,
            find: FrameFields.mp3,
            prepare: FrameFields.withVBRI
        ),
        Specimen(file: "a.aac", find: FrameFields.adts),
        Specimen(file: "aac.mka", options: ["-c:a", "aac"], find: ElementFields.matroska),
        Specimen(file: "pcm.mka", options: ["-c:a", "pcm_s16le"], find: ElementFields.matroska),
        Specimen(file: "opus.webm", options: ["-c:a", "libopus"], sampleRate: 48_000, find: ElementFields.matroska),
        Specimen(file: "a.ac3", sampleRate: 48_000, find: FrameFields.headerWords),
        Specimen(file: "a.rm", options: ["-c:a", "ac3"], sampleRate: 44_100, find: FrameFields.headerWords),
        Specimen(file: "a.wv", options: ["-c:a", "wavpack"], find: FrameFields.headerWords),
        Specimen(file: "a.tta", find: FrameFields.headerWords),
        Specimen(file: "a.ts", options: ["-c:a", "mp2"], sampleRate: 48_000, find: FrameFields.headerWords),
        Specimen(file: "a.avi", options: ["-c:a", "pcm_s16le"], find: FrameFields.headerWords),
        Specimen(file: "a.flv", options: ["-c:a", "aac"], sampleRate: 44_100, find: FrameFields.headerWords),
        Specimen(file: "a.wma", options: ["-c:a", "wmav2"], sampleRate: 44_100, find: FrameFields.headerWords),
        Specimen(file: "a.voc", options: ["-c:a", "pcm_u8"], find: FrameFields.headerWords),
        Specimen(file: "a.mp2", sampleRate: 48_000, find: FrameFields.headerWords),
    ]
}
