import CSyrinxFFmpeg
import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// Long recordings in MP4, whose table is not left to libavformat.
@Suite struct LongTableTests {
    /// A form of a long recording, and whether its table is read here.
    struct Form: Sendable, CustomTestStringConvertible {
        var name: String
        var codec = ["-c:a", "aac", "-b:a", "12k"]
        /// Options before the input that is repeated.
        var start: [String] = []
        var options: [String] = []
        var file = "long.m4a"
        var isRead = true

        var beginsLate: Bool { !start.isEmpty }

        var testDescription: String { name }
    }

    private static let forms = [
        Form(name: "index at the end"),
        Form(name: "index at the start", options: ["-movflags", "+faststart"]),
        Form(name: "no edit list", options: ["-use_editlist", "0"]),
        Form(name: "an edit list that begins late", start: ["-ss", "1.37"]),
        Form(name: "an edit list that ends early", options: ["-t", "8900.1"]),
        Form(name: "QuickTime", file: "long.mov"),
        Form(name: "Apple Lossless", codec: ["-c:a", "alac", "-sample_fmt", "s16p", "-af", "volume=0.1"]),
        Form(
            name: "fragments",
            options: ["-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "9e8"],
            isRead: false
        ),
        Form(
            name: "MP3",
            codec: ["-c:a", "libmp3lame", "-b:a", "32k", "-ar", "32000"],
            file: "long.mp4",
            isRead: false
        ),
    ]

    private static func make(_ form: Form, in scratch: ScratchDirectory) throws -> URL {
        // Packets of Apple Lossless are four times as long, and those of MP3 half as long.
        let sound = "anoisesrc=a=0.01:r=8000:d=60:seed=4"
        try scratch.make(["-f", "lavfi", "-i", sound, "-ac", "1"] + form.codec + ["part.mp4"])
        let part = scratch.url("part.mp4").path
        let count = form.name == "Apple Lossless" ? 620 : 150
        return try scratch.make(
            form.start + ["-stream_loop", "\(count)", "-i", part, "-c", "copy", "-metadata", "title=Long"]
                + form.options
                + [form.file]
        )
    }

    private static func longTable(of demuxer: MediaDemuxer) -> LongTable? {
        demuxer.source.format.longTable
    }

    /// Returns the stream of a remote file, whose table is left to libavformat.
    private static func remote(_ file: URL) throws -> TestStream {
        let stream = try TestStream(file: file)
        stream.isRemote = true
        return stream
    }

    private func compare(
        _ packet: MediaPacket?,
        _ other: MediaPacket?,
        _ comment: @autoclosure () -> Comment
    ) throws -> Bool {
        guard let packet, let other else {
            #expect((packet == nil) == (other == nil), comment())
            return false
        }
        let (bare, otherBare) = (packet.box.packet.pointee, other.box.packet.pointee)
        let isSame =
            packet.byteOffset == other.byteOffset && packet.startFrame == other.startFrame
            && packet.frameCount == other.frameCount && packet.endTrim == other.endTrim && packet.data == other.data
            && bare.pts == otherBare.pts && bare.dts == otherBare.dts && bare.duration == otherBare.duration
            && bare.flags == otherBare.flags
            && PacketTrim.of(packet.box.packet) == PacketTrim.of(other.box.packet)
        // Not for each of some hundred thousand packets.
        if !isSame { Issue.record(comment()) }
        return isSame
    }

    @Test("Packets, description and seeks of a long MP4 are those that libavformat gives", arguments: forms)
    func aLongRecordingIsReadAlike(_ form: Form) throws {
        let scratch = try ScratchDirectory()
        let file = try Self.make(form, in: scratch)
        let demuxer = try MediaDemuxer.open(TestStream(file: file))
        let other = try MediaDemuxer.open(Self.remote(file))
        #expect((Self.longTable(of: demuxer) != nil) == form.isRead)
        #expect(Self.longTable(of: other) == nil)
        #expect(demuxer.info == other.info)
        #expect(demuxer.packetTable == other.packetTable)
        var count = 0
        while try compare(demuxer.nextPacket(), other.nextPacket(), "packet \(count)") { count += 1 }
        if form.isRead { #expect(count > 65_000) }
        var chance = SplitMix64(seed: 5)
        let frames = other.info.frameCount ?? 65_536 * 1024
        let places =
            [0, 1, 3000, frames - 1, frames] + (0..<40).map { _ in Int64.random(in: 0..<frames, using: &chance) }
        for place in places {
            try demuxer.seek(toFrame: place)
            try other.seek(toFrame: place)
            var (packet, known) = (try demuxer.nextPacket(), try other.nextPacket())
            // Where the edit list begins within a packet, libavformat goes to the packet before at times.
            if form.beginsLate, let start = packet?.startFrame, let before = known?.startFrame, start > before,
                start <= max(place - 8192, 0)
            {
                known = try other.nextPacket()
            }
            for number in 0..<3 {
                guard try compare(packet, known, "packet \(number) from \(place)") else { break }
                (packet, known) = (try demuxer.nextPacket(), try other.nextPacket())
            }
        }
    }

    @Test("A long truncated recording is read the same way")
    func aLongRecordingThatIsCutOffIsReadAlike() throws {
        let scratch = try ScratchDirectory()
        let form = Form(name: "cut off", options: ["-movflags", "+faststart"])
        let file = try Self.make(form, in: scratch)
        let bytes = [UInt8](try Data(contentsOf: file))
        let cut = Array(bytes.prefix(bytes.count - bytes.count / 3))
        let other = TestStream(cut)
        other.isRemote = true
        let (first, second) = (try MediaDemuxer.open(TestStream(cut)), try MediaDemuxer.open(other))
        #expect(Self.longTable(of: first) != nil)
        var count = 0
        while try compare(first.nextPacket(), second.nextPacket(), "packet \(count)") { count += 1 }
        #expect(count > 30_000)
        for place in [Int64(1 << 26), 5, 1 << 20] {
            try first.seek(toFrame: place)
            try second.seek(toFrame: place)
            _ = try compare(first.nextPacket(), second.nextPacket(), "after a seek to \(place)")
        }
    }

    @Test("A chunk beyond the end of the file is passed over, as by libavformat", arguments: [nil, 100])
    func aChunkBeyondTheEndIsPassedOver(distance: Int?) throws {
        let scratch = try ScratchDirectory()
        let file = try Self.make(Form(name: "damaged", options: ["-movflags", "+faststart"]), in: scratch)
        var bytes = [UInt8](try Data(contentsOf: file))
        let list = try #require(bytes.firstRange(of: Array("stco".utf8))?.upperBound) + 4
        func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let count = number(at: list)
        try #require(count > 6)
        let entry = list + 4 + count / 2 * 4
        let (start, place) = (number(at: list + 4), number(at: entry))
        let other = distance.map { bytes.count + $0 } ?? 0x7FFF_FFF0
        for index in 0..<4 { bytes[entry + index] = UInt8(truncatingIfNeeded: other >> (24 - 8 * index)) }
        let remote = TestStream(bytes)
        remote.isRemote = true
        let (first, second) = (try MediaDemuxer.open(TestStream(bytes)), try MediaDemuxer.open(remote))
        #expect(Self.longTable(of: first) != nil)
        let frames = try #require(second.info.frameCount)
        let near = frames / Int64(bytes.count - start) * Int64(place - start)
        for frame in [near - 200 * 1024, near + 200 * 1024] {
            try first.seek(toFrame: frame)
            try second.seek(toFrame: frame)
            var (missing, behind) = (0, 0)
            for number in 0..<10_000 {
                let (packet, known) = (try first.nextPacket(), try second.nextPacket())
                let isThere = try compare(packet, known, "packet \(number) from \(frame)")
                guard (packet == nil) == (known == nil), isThere || packet == nil else { break }
                if packet == nil { missing += 1 } else if missing > 0 { behind += 1 }
            }
            #expect(missing > 0 && behind > 1000, "\(missing) missing, \(behind) behind, from \(frame)")
        }
    }

    @Test("A file with an unusable table is opened without it")
    func aFileThatCannotBeOpenedWithItsTableIsOpenedWithoutIt() throws {
        let scratch = try ScratchDirectory()
        let file = try scratch.make(["-f", "lavfi", "-i", "sine=440:d=1", "-c:a", "aac", "short.m4a"])
        let stream = try TestStream(file: file)
        let movie = try #require(stream.bytes.firstRange(of: Array("moov".utf8))?.lowerBound)
        let table = MP4TableReader.Result(
            table: MP4PacketTable(sizes: [1]),
            indexedCount: 1,
            corrections: [(Int64(movie), Array("junk".utf8))],
            bitRate: 0
        )
        let format = try LibavContext.open(stream, readingTable: { _ in table })
        #expect(format.longTable == nil)
        #expect(avformat_index_get_entries_count(format.stream) > 40)
    }

    /// Numbers that no file has leave the table to libavformat, which says what is wrong with it.
    @Test("A damaged table is parsed by libavformat")
    func aDamagedTableIsLeftToLibavformat() throws {
        let scratch = try ScratchDirectory()
        let file = try Self.make(Form(name: "damaged", options: ["-movflags", "+faststart"]), in: scratch)
        let bytes = [UInt8](try Data(contentsOf: file))
        for kind in ["stsz", "stsc", "stco", "stts", "elst", "mdhd", "mvhd", "stsd"] {
            let place = try #require(bytes.firstRange(of: Array(kind.utf8))?.upperBound)
            for offset in [4, 8, 12, 16] {
                for value: UInt8 in [0x00, 0x7F, 0xFF] {
                    var damaged = bytes
                    for index in 0..<4 { damaged[place + offset + index] = value }
                    let (one, two) = (TestStream(damaged), TestStream(damaged))
                    two.isRemote = true
                    let first = Result { try MediaDemuxer.open(one) }
                    let second = Result { try MediaDemuxer.open(two) }
                    let comment: Comment = "\(kind) \(offset) \(value)"
                    guard case .success(let first) = first, case .success(let second) = second else {
                        // What libavformat can open must open.
                        if case .success = second { Issue.record(comment) }
                        continue
                    }
                    for number in 0..<3 {
                        guard try compare(first.nextPacket(), second.nextPacket(), "\(comment), packet \(number)")
                        else {
                            break
                        }
                    }
                }
            }
        }
    }

    @Test("Packets are found by number and time")
    func packetsAreFoundByNumberAndTime() {
        var table = MP4PacketTable(sizes: (0..<300).map { UInt16(100 + $0) })
        let areTaken = [
            table.append(chunkOf: 100, at: 5000),
            // Sizes of the first hundred are 14,950 together: the second chunk follows on.
            table.append(chunkOf: 50, at: 19_950),
            table.append(chunkOf: 150, at: 1_000_000),
            table.append(durationOf: 200, 1024),
            table.append(durationOf: 1000, 512),
        ]
        #expect(!areTaken.contains(false))
        #expect(table.isComplete)
        #expect(table[0] == MP4PacketTable.Packet(offset: 5000, size: 100, time: 0, duration: 1024))
        #expect(table[100] == MP4PacketTable.Packet(offset: 19_950, size: 200, time: 102_400, duration: 1024))
        #expect(table[150].offset == 1_000_000)
        #expect(table[152].offset == 1_000_000 + 250 + 251)
        #expect(table[299].time == 204_800 + 99 * 512)
        #expect(table.index(at: -5) == 0)
        #expect(table.index(at: 1023) == 0)
        #expect(table.index(at: 1024) == 1)
        #expect(table.index(at: 204_800) == 200)
        #expect(table.index(at: .max) == 299)
    }

    @Test("Impossible numbers in a table are rejected")
    func numbersOfNoFileAreRefused() {
        var table = MP4PacketTable(sizes: [10, 20])
        let areTaken = [
            table.append(chunkOf: 3, at: 0),
            table.append(chunkOf: 0, at: 0),
            table.append(chunkOf: 1, at: -1),
            table.append(chunkOf: 1, at: .max),
            table.append(durationOf: 0, 1024),
            table.append(durationOf: 1, 0),
            table.append(durationOf: .max, 1 << 30),
        ]
        #expect(!areTaken.contains(true))
        #expect(!table.isComplete)
    }
}
