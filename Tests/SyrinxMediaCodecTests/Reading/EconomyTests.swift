import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite struct EconomyTests {
    /// A minute of music in this form, and the bytes of it.
    private func minute(_ name: String, _ options: [String]) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*(300+20*t)*t)+0.1*(random(0)-0.5):s=44100:d=60"
        let file = try scratch.make(["-f", "lavfi", "-i", source, "-ac", "2"] + options + [name])
        return [UInt8](try Data(contentsOf: file))
    }

    private func remote(_ bytes: [UInt8]) -> TestStream {
        let stream = TestStream(bytes)
        stream.isRemote = true
        stream.portion = 1400
        return stream
    }

    @Test("The first sound of an MP3 needs few bytes")
    func theFirstSoundOfAnMP3NeedsFewBytes() throws {
        for options in [
            ["-b:a", "128k"], ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"], ["-q:a", "4"],
            ["-b:a", "320k"],
        ] {
            let stream = remote(try minute("a.mp3", options + ["-write_id3v1", "1"]))
            let reader = try MediaReader.open(stream)
            #expect(try reader.readAll(limit: 1000).count == 2000)
            #expect(stream.receivedCount <= 16384, "\(stream.receivedCount)")
            #expect(stream.jumpCount == 0)
            let duration = try #require(reader.info.duration)
            #expect(abs(duration - 60) < 1)
        }
    }

    @Test("ADTS, FLAC and WAV open without a seek", arguments: ["a.aac", "a.flac", "a.wav"])
    func otherStreamsDoNotJump(_ name: String) throws {
        let stream = remote(try minute(name, []))
        let reader = try MediaReader.open(stream)
        #expect(try reader.readAll(limit: 1000).count == 2000)
        // Less than a second of the sound.
        #expect(stream.receivedCount <= 131_072, "\(stream.receivedCount)")
        #expect(stream.jumpCount == 0)
        let duration = try #require(reader.info.duration)
        #expect(abs(duration - 60) < 3, "\(duration)")
    }

    /// A frame ends where the next begins, and that is all that has to be waited for.
    @Test("The first sound of a FLAC file needs one frame and the next header")
    func theFirstSoundOfFLACNeedsOneFrameAndTheHeadOfTheNext() throws {
        let bytes = try minute("a.flac", [])
        let demuxer = try MediaDemuxer.open(TestStream(bytes))
        let offsets = try (0..<3).map { _ in Int(try #require(demuxer.nextPacket()?.byteOffset)) }
        let stream = remote(bytes)
        let reader = try MediaReader.open(stream)
        #expect(try reader.readAll(limit: 1000).count == 2000)
        #expect(reader.info.frameCount == Int64(60 * 44100))
        #expect(stream.receivedCount <= offsets[1] + 2 * stream.portion, "\(stream.receivedCount) of \(offsets)")
        // So it is with each that follows.
        _ = try reader.demuxer.nextPacket()
        #expect(stream.receivedCount <= offsets[2] + 2 * stream.portion, "\(stream.receivedCount) of \(offsets)")
    }

    /// The bytes between the start of the sound and the index are not waited for.
    @Test("An MP4 with its index at the end reads only its beginning first")
    func ofAnMP4OnlyTheBeginningComesBeforeItsIndex() throws {
        let bytes = try minute("a.m4a", ["-c:a", "aac", "-b:a", "128k"])
        let stream = remote(bytes)
        stream.portion = 100
        // The index lies where reading fails.
        stream.failOffset = 100_000
        do throws(SyrinxError) { _ = try MediaReader.open(stream) } catch {
            #expect(error.code == .init(rawValue: SyrinxError.Code.connectionLost.rawValue))
        }
        #expect(stream.receivedCount <= 2100, "\(stream.receivedCount)")
    }

    @Test("A pipe with its index at the end gives an error that says what to do")
    func whatCannotGoBackToTheSoundSaysWhatToDo() throws {
        let stream = remote(try minute("a.m4a", ["-c:a", "aac", "-b:a", "128k"]))
        stream.isSeekable = false
        do throws(SyrinxError) {
            let reader = try MediaReader.open(stream)
            let planes = Planes(count: 2, capacity: 4096)
            while try reader.read(into: planes.pointers, frameCount: 4096) > 0 {}
            Issue.record("it has been read")
        } catch {
            #expect(error.code == .notSeekable && error.message.contains("downloaded"), "\(error)")
        }
    }

    @Test("An MP4 index at the end takes few seeks")
    func anIndexAtTheEndTakesFewJumps() throws {
        for options in [[], ["-movflags", "+faststart"]] {
            let stream = remote(try minute("a.m4a", ["-c:a", "aac", "-b:a", "128k"] + options))
            let reader = try MediaReader.open(stream)
            #expect(try reader.readAll(limit: 1000).count == 2000)
            #expect(reader.info.frameCount == Int64(60 * 44100))
            #expect(stream.jumpCount <= 8, "\(stream.jumpCount)")
            #expect(stream.receivedCount <= 150_000, "\(stream.receivedCount)")
        }
    }

    /// The last page tells how long an Ogg file is; what lies before it is not fetched for that.
    @Test("The length of an Ogg file needs its last page alone")
    func theLengthOfAnOggFileNeedsItsLastPage() throws {
        for (name, codec, rate) in [("a.ogg", "libvorbis", 44_100), ("a.opus", "libopus", 48_000)] {
            let bytes = try minute(name, ["-c:a", codec, "-b:a", "96k"])
            let ogg = remote(bytes)
            let reader = try MediaReader.open(ogg)
            #expect(reader.info.frameCount == Int64(60 * rate))
            #expect(ogg.jumpCount <= 8, "\(ogg.jumpCount)")
            // What is near the start is read twice, which costs a network nothing.
            #expect(ogg.receivedCount <= 70_000, "\(ogg.receivedCount)")
            #expect(try reader.readAll() == MediaReader.open(TestStream(bytes)).readAll())
            // What ends in something else is looked at as before, and is as long as before.
            let local = try MediaReader.open(TestStream(bytes + [0]))
            let cut = try MediaReader.open(remote(bytes + [0]))
            #expect(cut.info.frameCount == local.info.frameCount)
        }
    }

    @Test("A remote seek reads only around its target")
    func aRemoteSeekReadsOnlyWhereItGoes() throws {
        let cbr = try minute("a.mp3", ["-b:a", "128k"])
        let whole = try MediaReader.open(TestStream(cbr)).readAll()
        let bare = try minute("b.mp3", ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"])
        let wholeBare = try MediaReader.open(TestStream(bare)).readAll()
        for (bytes, all) in [(cbr, whole), (bare, wholeBare)] {
            let stream = remote(bytes)
            let reader = try MediaReader.open(stream)
            try reader.seek(toFrame: 44100 * 40)
            #expect(reader.position == 44100 * 40)
            let part = try reader.readAll(limit: 10_000)
            #expect(stream.receivedCount < 100_000, "\(stream.receivedCount)")
            // At a constant rate arithmetic finds the very frame.
            #expect(largestDifference(part, all[(44100 * 80)...]) < 1)
            try reader.seek(toFrame: 0)
            #expect(largestDifference(try reader.readAll(limit: 10_000), all) == 0)
        }
        for (name, options) in [("v.mp3", ["-q:a", "4"]), ("a.aac", []), ("a.flac", []), ("a.m4a", []), ("a.ogg", [])] {
            let stream = remote(try minute(name, options))
            let reader = try MediaReader.open(stream)
            let before = stream.receivedCount
            try reader.seek(toFrame: 44100 * 40)
            #expect(try reader.readAll(limit: 10_000).count == 20_000)
            let used = stream.receivedCount - before
            #expect(used < 150_000, "\(name) \(used) of \(stream.bytes.count)")
        }
    }

    /// Loud and quiet parts of some seconds each, so that time and bytes do not go together.
    @Test("A remote seek in Ogg takes few probes", arguments: ["libvorbis", "libopus", "flac"])
    func aSeekInOggTakesFewJumps(codec: String) throws {
        let scratch = try ScratchDirectory()
        let sound = "aevalsrc=(0.01+0.6*lt(mod(t\\,7)\\,3))*(random(0)-0.5+sin(2*PI*t*(200+t))):d=100:s=48000"
        let file = try scratch.make(["-f", "lavfi", "-i", sound, "-c:a", codec, "a.ogg"])
        let bytes = [UInt8](try Data(contentsOf: file))
        let whole = try MediaReader.open(TestStream(bytes)).readAll()
        var chance = SplitMix64(seed: 3)
        var jumps = 0
        var received = 0
        for index in 0..<40 {
            let stream = remote(bytes)
            let reader = try MediaReader.open(stream)
            let before = (stream.jumpCount, stream.receivedCount)
            let place =
                index < 3 ? whole.count - [100, 3000, 60_000][index] : Int.random(in: 0..<whole.count, using: &chance)
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == min(2000, whole.count - place))
            #expect(largestDifference(part, whole[place...]) < (codec == "flac" ? 1e-9 : 0.01), "at \(place)")
            jumps += stream.jumpCount - before.0
            received += stream.receivedCount - before.1
        }
        #expect(jumps <= 40 * (codec == "flac" ? 10 : 6), "\(jumps)")
        let rate = bytes.count / 100
        #expect(received <= 40 * (6 * rate + 30_000), "\(received / 40) of \(rate) a second")
    }

    @Test(
        "A forward-only stream decodes",
        arguments: [
            "cbr.mp3", "bare.mp3", "a.aac", "front.m4a", "a.flac", "s16.wav", "a.ogg", "a.opus", "a.webm", "a.caf",
        ]
    )
    func forwardIsEnough(_ name: String) throws {
        let file = try Library.make(try #require(Recipe.all.first { $0.file == name }))
        let whole = try MediaReader.open(TestStream(file: file)).readAll()
        let stream = try TestStream(file: file)
        stream.isSeekable = false
        stream.hidesLength = true
        stream.portion = 333
        let reader = try MediaReader.open(stream)
        #expect(!reader.info.isSeekable)
        let channels = reader.info.channelCount
        try reader.seek(toFrame: 50_000)
        #expect(reader.position == 50_000)
        #expect(try reader.readAll() == Array(whole[(50_000 * channels)...]))
        #expect(throws: SyrinxError.self) { try reader.seek(toFrame: 0) }
        #expect(stream.receivedCount == stream.bytes.count || stream.receivedCount > stream.bytes.count - 4096)
    }

    @Test("A live stream has no duration")
    func aLiveStreamHasNoDuration() throws {
        for (name, options) in [("a.mp3", ["-write_xing", "0"]), ("a.aac", [])] {
            let stream = remote(try minute(name, options))
            stream.isSeekable = false
            stream.hidesLength = true
            let reader = try MediaReader.open(stream)
            #expect(reader.info.duration == nil)
            #expect(reader.info.frameCount == nil)
            _ = try reader.readAll()
            #expect(reader.info.durationIsExact)
            #expect(reader.info.frameCount == reader.position)
        }
    }
}
