import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS segments")
struct HLSDemuxingTests {
    private func push(_ bytes: [UInt8], to demuxer: inout TransportStreamDemuxer, step: Int) {
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { demuxer.push($0) }
        }
    }

    @Test(
        "The sound of a transport stream is what ffmpeg takes out of it, in pieces of any size",
        arguments: [
            ("aac", "adts", TransportStreamDemuxer.Codec.aac), ("libmp3lame", "mp3", .mpegAudio), ("ac3", "ac3", .ac3),
            ("eac3", "eac3", .eac3),
        ]
    )
    func transport(encoder: String, format: String, codec: TransportStreamDemuxer.Codec) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.ts")
        let pictures = ["-f", "lavfi", "-i", "testsrc=d=2:s=64x64"]
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=440:d=2:r=48000"] + pictures
                + ["-c:a", encoder, "-b:a", "96k", "-c:v", "mpeg2video", "-f", "mpegts", path]
        )
        let expected = try FFmpeg.run(
            ["-i", path, "-vn", "-c", "copy", "-f", format]
                + (format == "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : []) + ["-"]
        )
        let bytes = try Inputs.bytes(path)
        for step in [1, 100, 188, 65_536] {
            var demuxer = TransportStreamDemuxer()
            push(bytes, to: &demuxer, step: step)
            demuxer.endSegment()
            #expect(demuxer.codec == codec && !demuxer.lacksSound && !demuxer.isScrambled)
            #expect(demuxer.takeSound() == [UInt8](expected))
            let seconds = Double(demuxer.firstStamp ?? 0) / 90_000
            #expect(seconds > 1.2 && seconds < 1.6)
        }
    }

    @Test("A transport stream of pictures alone has no sound, and damaged bytes are passed over")
    func faults() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.ts")
        try FFmpeg.make(path, from: "testsrc=d=1:s=64x64", ["-c:v", "mpeg2video", "-f", "mpegts"])
        var demuxer = TransportStreamDemuxer()
        push(try Inputs.bytes(path), to: &demuxer, step: 1000)
        #expect(demuxer.lacksSound && demuxer.sound.isEmpty)
        var random = SplitMixGenerator(seed: 7)
        for _ in 0..<200 {
            var other = TransportStreamDemuxer()
            var bytes = try Inputs.bytes(path)
            for _ in 0..<200 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            push(bytes, to: &other, step: Int.random(in: 1..<500, using: &random))
            other.endSegment()
            #expect(other.sound.count <= bytes.count)
        }
    }

    @Test("Texts and the timestamp of an ID3 tag are read in each version and encoding")
    func tags() {
        func frame(_ id: String, _ body: [UInt8], version: UInt8) -> [UInt8] {
            let size = body.count
            let bytes: [UInt8] =
                version == 2
                ? [UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
                : [0, 0, UInt8(size >> 7 & 127), UInt8(size & 127), 0, 0]
            return Array(id.utf8) + bytes + body
        }
        func tag(_ frames: [UInt8], version: UInt8) -> [UInt8] {
            Array("ID3".utf8) + [version, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 127)] + frames
        }
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let wide: [UInt8] = [1, 0xFF, 0xFE] + "é♫".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + [0, 0]
        let four =
            frame("PRIV", owner + [0, 0, 0, 1, 0, 0, 0, 90], version: 4)
            + frame("TIT2", [3] + Array("Lied ♫".utf8), version: 4)
            + frame("TPE1", wide, version: 4) + frame("TXXX", [3] + Array("Station\0Name".utf8), version: 4)
        let read = ID3v2Tag(tag(four, version: 4))
        #expect(read?.stamp == Int64(4_294_967_386))
        #expect(read?.list.texts == ["title": "Lied ♫", "artist": "é♫", "station": "Name"])
        #expect(read?.size == four.count + 10)
        #expect(ID3v2Tag(tag(frame("TT2", [0, 0xE9], version: 2), version: 2))?.list.texts == ["title": "é"])
        #expect(ID3v2Tag([1, 2, 3]) == nil)
        // A frame that goes on beyond the tag.
        #expect(
            ID3v2Tag(tag(Array(frame("TIT2", [3] + Array("abcdef".utf8), version: 4).dropLast(3)), version: 4))?.list
                .texts
                == [:]
        )
    }

    @Test("Fragments tell their times, in pieces of any size")
    func fragments() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.mp4")
        try FFmpeg.make(
            path,
            from: "sine=440:d=6:r=44100",
            ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "2000000"]
        )
        let bytes = try Inputs.bytes(path)
        let start = try #require(MP4Box.boxes(in: bytes[...]).first { $0.kind == "moof" }).body.startIndex - 8
        let second = try #require(MP4Box.boxes(in: bytes[...]).filter { $0.kind == "moof" }.dropFirst().first)
        for step in [1, 7, 4096, bytes.count] {
            var times = FragmentTimes(initialization: Array(bytes[..<start]))
            #expect(times.timescale == 44_100 && times.track == 1)
            for (from, expected) in [(start, 0.0), (second.body.startIndex - 8, 2.0)] {
                times.beginSegment()
                for place in stride(from: from, to: bytes.count, by: step) {
                    bytes[place..<min(place + step, bytes.count)].withUnsafeBytes { times.push($0) }
                }
                let seconds = try #require(times.firstSeconds)
                #expect(abs(seconds - expected) < 0.05)
            }
        }
    }
}
