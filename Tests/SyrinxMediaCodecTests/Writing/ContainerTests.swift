import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Files that no tool here makes, put together from parts that one does.
@Suite struct ContainerTests {
    private static let frames = 50_123

    private func make(_ scratch: ScratchDirectory, _ options: [String], rate: Int = 44100, frames: Int = Self.frames)
        throws
        -> [UInt8]
    {
        let source =
            "aevalsrc=0.3*sin(2*PI*(440+90*t)*t)|0.3*sin(2*PI*550*t):s=\(rate):d=\(Double(frames) / Double(rate))"
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
    }

    private func read(_ bytes: [UInt8]) throws -> (info: MediaInfo, samples: [Float]) {
        let reader = try MediaReader.open(TestStream(bytes))
        let info = reader.info
        return (info, try reader.readAll())
    }

    /// From every place the same as in the whole.
    private func checkSeeks(_ bytes: [UInt8], _ whole: [Float], tolerance: Float = 0) throws {
        let reader = try MediaReader.open(TestStream(bytes))
        let channels = reader.info.channelCount
        let total = whole.count / channels
        for place in [total / 2, 7, total - 5, total * 4 / 5, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == min(2000, total - place) * channels, "at \(place)")
            #expect(largestDifference(part, whole[(place * channels)...]) <= tolerance, "at \(place)")
        }
    }

    /// Fragments are heard although their number is not known.
    @Test("A fragmented MP4 in a pipe decodes")
    func fragmentsThatComeOnce() throws {
        let scratch = try ScratchDirectory()
        let options = ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "200000", "a.m4a"]
        let bytes = try make(scratch, options)
        let whole = try read(bytes)
        #expect(abs((whole.info.duration ?? 0) - Double(Self.frames) / 44_100) < 0.05)
        for hidesLength in [true, false] {
            let stream = TestStream(bytes)
            stream.isSeekable = false
            stream.isRemote = true
            stream.hidesLength = hidesLength
            let reader = try MediaReader.open(stream)
            #expect(reader.info.frameCount == nil && !reader.info.durationIsExact)
            if let duration = reader.info.duration { #expect(duration > 0.9) }
            let samples = try reader.readAll()
            #expect(samples == whole.samples)
            #expect(reader.info.frameCount == Int64(samples.count / 2))
        }
    }

    /// Its index of segments leaves open whether the delay is counted in it.
    @Test("A fragmented MP4 with an index seeks")
    func fragmentsWithAnIndex() throws {
        let scratch = try ScratchDirectory()
        let options = ["-c:a", "aac", "-aac_pns", "0"]
        let plain = try read(try make(scratch, options + ["a.m4a"])).samples
        let flags = ["-movflags", "+dash+delay_moov+global_sidx", "-frag_duration", "300000"]
        let dash = try make(scratch, options + flags + ["dash.mp4"])
        let result = try read(dash)
        #expect(result.info.frameCount == nil)
        #expect(!result.info.durationIsExact)
        #expect((plain.count..<plain.count + 2048).contains(result.samples.count))
        #expect(largestDifference(plain, result.samples) == 0)
        try checkSeeks(dash, result.samples, tolerance: 1)
    }

    @Test("Several ID3 tags in a row are skipped")
    func severalTagsInARow() throws {
        let scratch = try ScratchDirectory()
        let plain = try make(scratch, ["-b:a", "128k", "a.mp3"])
        let tag = { (size: Int) in
            Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 127) }
                + [UInt8](repeating: 0, count: size)
        }
        for front in [tag(20), tag(5000) + tag(300), tag(10_000_000)] {
            let tagged = try read(front + plain)
            #expect(tagged.info.frameCount == Int64(Self.frames))
            #expect(tagged.samples.count == 2 * Self.frames)
        }
        let flac = try make(scratch, ["a.flac"])
        #expect(try read(tag(6000) + flac).samples.count == 2 * Self.frames)
    }

    /// The delays of an M4A without an edit list, and of an MP3 without LAME's part.
    @Test("iTunes gapless comments trim the recording")
    func whatITunesNotes() throws {
        let scratch = try ScratchDirectory()
        let note = " 00000000 00000400 00000000 \(String(Self.frames, radix: 16).leftPadded(16)) 00000000 00000000"
        let bytes = try make(scratch, ["-c:a", "aac", "-aac_pns", "0", "a.m4a"])
        let edited = try read(bytes).samples
        let unedited = try make(
            scratch,
            ["-c:a", "aac", "-aac_pns", "0", "-use_editlist", "0", "-metadata", "title=T", "b.m4a"]
        )
        let atom = ITunesAtom.comment(name: "iTunSMPB", value: note)
        let noted = try #require(ITunesAtom.insert(atom, into: unedited))
        let result = try read(noted)
        #expect(result.info.frameCount == Int64(Self.frames))
        #expect(result.samples == edited)
        try checkSeeks(noted, result.samples, tolerance: 1)
        // Of MP3 it counts the encoder's delay only: the decoder's 529 frames come on top.
        let mp3 = try read(try make(scratch, ["-b:a", "128k", "c.mp3"])).samples
        let delay = " 00000000 00000240 00000000 \(String(Self.frames, radix: 16).leftPadded(16))"
        let bare = try make(
            scratch,
            ["-b:a", "128k", "-write_xing", "0", "-metadata", "iTunSMPB=\(delay)", "d.mp3"]
        )
        let trimmed = try read(bare)
        #expect(trimmed.info.frameCount == Int64(Self.frames))
        #expect(trimmed.samples == mp3)
        try checkSeeks(bare, mp3)
    }

    @Test("A VBRI header gives the length")
    func fraunhofersHeader() throws {
        let scratch = try ScratchDirectory()
        var bytes = try make(scratch, ["-q:a", "4", "-id3v2_version", "0", "a.mp3"])
        let bare = try make(scratch, ["-q:a", "4", "-write_xing", "0", "-id3v2_version", "0", "b.mp3"])
        let whole = try read(bare)
        // In place of the Xing header, in the same frame.
        for place in 4..<200 { bytes[place] = 0 }
        let number = { (value: Int, width: Int) in (0..<width).reversed().map { UInt8(value >> (8 * $0) & 255) } }
        let packets = whole.samples.count / 2 / 1152
        let header =
            Array("VBRI".utf8) + number(1, 2) + number(0, 2) + number(60, 2) + number(bytes.count, 4)
            + number(packets, 4) + number(4, 2) + number(1, 2) + number(2, 2) + number(packets / 4, 2)
        bytes.replaceSubrange(36..<36 + header.count, with: header)
        let entries = (0..<4).flatMap { _ in number(bytes.count / 4, 2) }
        bytes.replaceSubrange(36 + header.count..<36 + header.count + entries.count, with: entries)
        let result = try read(bytes)
        #expect(result.info.frameCount == Int64(packets * 1152))
        #expect(result.info.durationIsExact)
        #expect(result.samples.count == whole.samples.count)
        try checkSeeks(bytes, result.samples)
    }

    /// AAC as Apple's tools write it: 2112 frames of priming, and a remainder.
    @Test("AAC in CAF decodes to its length")
    func aacInCAF() throws {
        let scratch = try ScratchDirectory()
        let bytes = try make(scratch, ["-c:a", "aac", "-aac_pns", "0", "-f", "adts", "a.aac"])
        let demuxer = try MediaDemuxer.open(TestStream(bytes))
        var packets: [[UInt8]] = []
        while let packet = try demuxer.nextPacket() { packets.append(Array(packet.data.dropFirst(7))) }
        let whole = try read(bytes).samples
        let total = packets.count * 1024
        let priming = 2112
        let remainder = 333
        let caf = CAFFile.aac(packets, priming: priming, remainder: remainder)
        let result = try read(caf)
        #expect(result.info.container == "caf")
        #expect(result.info.frameCount == Int64(total - priming - remainder))
        #expect(result.samples == Array(whole[2 * priming..<2 * (total - remainder)]))
        try checkSeeks(caf, result.samples, tolerance: 1)
    }

    /// With the signalling of HE-AAC and no band replication in it, the decoder doubles the rate all the same.
    @Test("An HE-AAC file without band replication has twice the frames")
    func heAACCountsInTicksOfTwoFrames() throws {
        let scratch = try ScratchDirectory()
        var bytes = try make(scratch, ["-c:a", "aac", "-aac_pns", "0", "a.m4a"], rate: 22050)
        let sync = try #require(bytes.firstRange(of: [0x56, 0xE5, 0x00]))
        // The flag that it is present, and 44,100 Hz.
        bytes[sync.lowerBound + 2] = 0xA0
        let result = try read(bytes)
        #expect(result.info.sampleRate == 44100)
        #expect(result.info.frameCount == Int64(2 * Self.frames))
        #expect(result.samples.count == 4 * Self.frames)
        try Data(bytes).write(to: scratch.url("he.m4a"))
        let theirs = try FFmpeg.decode(scratch.file("he.m4a"))
        #expect(largestDifference(result.samples, theirs) == 0)
        try checkSeeks(bytes, result.samples, tolerance: 1)
    }

    /// Bits of no meaning are frames of sound, as long as they keep within the codec's tables: from these seeds they do.
    @Test("Monkey's Audio decodes", arguments: [(1, 200, 9), (2, 100, 11)]) func monkeysAudio(
        _ channels: Int,
        _ length: Int,
        _ seed: Int
    ) throws {
        let scratch = try ScratchDirectory()
        let bytes = MonkeysAudio.file(channels: channels, blocksPerFrame: length, frames: 20, last: 101, seed: seed)
        try Data(bytes).write(to: scratch.url("a.ape"))
        let result = try read(bytes)
        #expect(result.info.container == "ape" && result.info.codec == "ape")
        #expect(result.info.frameCount == Int64(19 * length + 101))
        #expect(result.samples.count == (19 * length + 101) * channels)
        #expect(largestDifference(result.samples, try FFmpeg.decode(scratch.file("a.ape"))) == 0)
        #expect(result.samples.contains { abs($0) > 0.2 })
        try checkSeeks(bytes, result.samples)
    }

    /// Any bits are a frame of AMR.
    @Test("AMR decodes")
    func amr() throws {
        var state: UInt32 = 1
        let random = { () -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        for (header, start, size, frames) in [("#!AMR\n", 0x3C, 31, 160), ("#!AMR-WB\n", 0x44, 60, 320)] {
            let bytes = Array(header.utf8) + (0..<50).flatMap { _ in [UInt8(start)] + (0..<size).map { _ in random() } }
            let scratch = try ScratchDirectory()
            try Data(bytes).write(to: scratch.url("a.amr"))
            let result = try read(bytes)
            #expect(result.samples.count == 50 * frames)
            #expect(largestDifference(result.samples, try FFmpeg.decode(scratch.file("a.amr"))) <= 1)
        }
    }

    @Test("The sound track of a film decodes")
    func theSoundOfAFilm() throws {
        let scratch = try ScratchDirectory()
        let film = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1"]
        for name in ["a.mp4", "a.mkv", "a.webm", "a.mov"] {
            let result = try read(try make(scratch, film + [name], rate: 48000))
            #expect(result.info.channelCount == 2)
            #expect(result.info.artwork == nil)
            let theirs = try FFmpeg.decode(scratch.file(name), ["-map", "0:a:0"])
            #expect(result.samples.count <= theirs.count && result.samples.count >= 2 * Self.frames)
            #expect(largestDifference(result.samples, theirs) == 0)
        }
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String { String(repeating: "0", count: max(width - count, 0)) + self }
}
