import CoreAudioTypes
import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite struct InfoTests {
    private func info(
        _ options: [String],
        _ name: String,
        _ change: (ScratchDirectory) throws -> [String] = { _ in [] }
    ) throws
        -> MediaInfo
    {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*440*t)|0.3*sin(2*PI*550*t):s=44100:d=2"
        let extra = try change(scratch)
        let file = try scratch.make(["-f", "lavfi", "-i", source] + extra + options + [name])
        return try MediaDemuxer.open(TestStream(file: file)).info
    }

    @Test("The information has format, rate, channels and length")
    func statesWhatItIs() throws {
        let mp3 = try info(["-b:a", "128k"], "a.mp3")
        #expect(mp3.container == "mp3")
        #expect(mp3.codec == "mp3")
        #expect(mp3.sampleRate == 44100)
        #expect(mp3.channelCount == 2)
        #expect(mp3.channelLayout == "stereo")
        #expect(mp3.bitRate == 128_000)
        #expect(mp3.frameCount == Int64(88200))
        #expect(mp3.duration == 2)
        #expect(mp3.durationIsExact)
        #expect(mp3.isSeekable)
        #expect(mp3.streamDescription.mFormatID == kAudioFormatMPEGLayer3)
        #expect(mp3.streamDescription.mFramesPerPacket == 1152)
        let aac = try info([], "a.m4a")
        #expect(aac.container == "mp4")
        #expect(aac.codec == "aac")
        #expect(aac.profile == "LC")
        #expect(aac.streamDescription.mFormatID == kAudioFormatMPEG4AAC)
        #expect(aac.streamDescription.mFramesPerPacket == 1024)
        let wav = try info(["-c:a", "pcm_s24le"], "a.wav")
        #expect(wav.codec == "pcm_s24le")
        #expect(wav.streamDescription.mFormatID == kAudioFormatLinearPCM)
        #expect(wav.streamDescription.mBytesPerFrame == 6)
        #expect(wav.streamDescription.mFormatFlags == kAudioFormatFlagIsPacked | kAudioFormatFlagIsSignedInteger)
        let bare = try info(["-b:a", "128k", "-write_xing", "0"], "a.mp3")
        #expect(bare.frameCount == nil)
        #expect(!bare.durationIsExact)
        #expect(abs((bare.duration ?? 0) - 2) < 0.1)
        #expect(try info(["-c:a", "libopus"], "a.webm").container == "webm")
    }

    @Test(
        "Title, artist and album are read from every container",
        arguments: ["a.mp3", "a.m4a", "a.flac", "a.ogg", "a.opus", "a.wav"]
    )
    func readsTags(_ name: String) throws {
        let info = try info(["-metadata", "title=Ein Stück", "-metadata", "artist=B", "-metadata", "album=C"], name)
        #expect(info.tags["title"] == "Ein Stück")
        #expect(info.tags["artist"] == "B")
        #expect(info.tags["album"] == "C")
        #expect(info.tags["major_brand"] == nil)
    }

    @Test("Chapters and artwork are read", arguments: ["a.mp3", "a.m4a"])
    func readsChaptersAndArtwork(_ name: String) throws {
        let info = try info(
            ["-map", "0", "-map", "1", "-map_chapters", "2", "-c:v", "png", "-disposition:v:0", "attached_pic"],
            name
        ) { scratch in
            let picture = try scratch.make(["-f", "lavfi", "-i", "color=red:s=30x20:d=1", "-frames:v", "1", "p.png"])
            let chapters = scratch.url("c.txt")
            let text =
                ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n"
                + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=2000\ntitle=Two\n"
            try Data(text.utf8).write(to: chapters)
            return ["-i", picture.path, "-i", chapters.path]
        }
        #expect(
            info.chapters == [
                MediaChapter(start: 0, end: 0.5, title: "One"), MediaChapter(start: 0.5, end: 2, title: "Two"),
            ]
        )
        let artwork = try #require(info.artwork)
        #expect(artwork.mimeType == "image/png")
        #expect(artwork.width == 30)
        #expect(artwork.height == 20)
        #expect(artwork.byteCount > 50)
        #expect(info.frameCount == Int64(88200))
    }

    @Test("Packets cover the recording without gaps or overlap")
    func packetsCoverTheRecording() throws {
        for name in ["cbr.mp3", "a.m4a", "a.flac", "a.aac"] {
            let recipe = try #require(Recipe.all.first { $0.file == name })
            let demuxer = try MediaDemuxer.open(TestStream(file: try Library.make(recipe)))
            var next = try #require(try demuxer.nextPacket())
            let delay = ["cbr.mp3": 1105, "a.m4a": 1024][name] ?? 0
            #expect(next.startFrame == Int64(-delay))
            #expect(!next.data.isEmpty && next.data.count == next.byteCount)
            while let packet = try demuxer.nextPacket() {
                let end = try #require(next.startFrame) + Int64(try #require(next.frameCount))
                #expect(packet.startFrame == end)
                next = packet
            }
            if name == "a.aac" { #expect(demuxer.info.frameCount == Int64(131 * 1024)) }
        }
    }
}
