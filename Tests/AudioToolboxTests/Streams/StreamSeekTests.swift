import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

/// The parser's behaviour where the bytes are not contiguous.
@Suite struct StreamSeekTests {
    private func bytes(_ name: String, _ options: [String] = [], seconds: Double = 6) throws -> [UInt8] {
        let folder = try ScratchDirectory()
        return [UInt8](try Data(contentsOf: try makeFile(folder, name, options, seconds: seconds)))
    }

    private func dataOffset(_ stream: Collector) throws -> Int {
        Int(try #require(stream.property(kAudioFileStreamProperty_DataOffset, as: Int64.self)))
    }

    @Test(
        "After a seek the bytes that follow give the packets from the one that was sought",
        arguments: [
            ("a.m4a", ["-movflags", "+faststart"]), ("alac.m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
            ("a.mp3", ["-b:a", "64k"]), ("a.aac", []), ("a.flac", []),
        ],
        [true, false]
    )
    func seeks(_ file: (String, [String]), isTold: Bool) throws {
        let bytes = try bytes(file.0, file.1)
        let whole = Collector()
        #expect(whole.parse(bytes) { 4000 } == noErr)
        let packets = whole.packets
        try #require(packets.count > 20)
        let start = try dataOffset(whole)
        var offset: Int64 = 0
        var flags = AudioFileStreamSeekFlags()
        for target in [0, 7, packets.count / 2, packets.count - 3, 2] {
            #expect(AudioFileStreamSeek(try #require(whole.id), Int64(target), &offset, &flags) == noErr)
            #expect(flags == [])
            whole.packets = []
            let rest = Array(bytes[(start + Int(offset))...])
            #expect(whole.parse(rest, flags: isTold ? .discontinuity : []) { 1234 } == noErr)
            #expect(whole.packets == Array(packets[target...]), "from packet \\(target)")
        }
    }

    @Test("In MP4 a packet that has not come has an exact place")
    func tablesKnowWhatHasNotCome() throws {
        let bytes = try bytes("a.m4a", ["-movflags", "+faststart"], seconds: 30)
        let whole = Collector()
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        let stream = Collector()
        #expect(stream.parse(Array(bytes.prefix(bytes.count / 4))) { 1000 } == noErr)
        try #require(whole.packets.count > 20)
        let target = whole.packets.count * 3 / 4
        var offset: Int64 = 0
        var flags = AudioFileStreamSeekFlags()
        #expect(AudioFileStreamSeek(try #require(stream.id), Int64(target), &offset, &flags) == noErr)
        #expect(flags == [])
        stream.packets = []
        let rest = Array(bytes[(try dataOffset(stream) + Int(offset))...])
        #expect(stream.parse(rest, flags: .discontinuity) { 700 } == noErr)
        #expect(stream.packets == Array(whole.packets[target...]))
        let count = stream.property(kAudioFileStreamProperty_AudioDataPacketCount, as: UInt64.self)
        #expect(count == UInt64(whole.packets.count))
        let size = stream.property(kAudioFileStreamProperty_AudioDataByteCount, as: UInt64.self)
        #expect(size == UInt64(whole.packets.reduce(0) { $0 + $1.count }))
        #expect(AudioFileStreamSeek(try #require(stream.id), 1 << 40, &offset, &flags) != noErr)
    }

    @Test("In FLAC packets before the one that was sought are left out")
    func flacLandsOnThePacket() throws {
        let bytes = try bytes("a.flac", seconds: 20)
        let whole = Collector()
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        let stream = Collector()
        #expect(stream.parse(Array(bytes.prefix(bytes.count / 4))) { 1000 } == noErr)
        try #require(whole.packets.count > 20)
        let target = whole.packets.count * 3 / 4
        var offset: Int64 = 0
        var flags = AudioFileStreamSeekFlags()
        #expect(AudioFileStreamSeek(try #require(stream.id), Int64(target), &offset, &flags) == noErr)
        #expect(flags == .offsetIsEstimated)
        stream.packets = []
        // A player may have an estimate of its own, which lies a little before.
        let place = whole.packets.prefix(target - 3).reduce(try dataOffset(whole)) { $0 + $1.count } + 17
        #expect(stream.parse(Array(bytes[place...]), flags: .discontinuity) { 900 } == noErr)
        #expect(stream.packets == Array(whole.packets[target...]))
    }

    @Test("A discontinuity that is none loses nothing", arguments: ["a.mp3", "a.aac", "a.flac", "a.ac3", "a.m4a"])
    func falseAlarms(_ name: String) throws {
        let bytes = try bytes(name, name == "a.m4a" ? ["-movflags", "+faststart"] : [])
        let whole = Collector()
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        let stream = Collector()
        var place = 0
        while place < bytes.count {
            let end = min(place + 1000, bytes.count)
            let isReady = stream.properties.contains(kAudioFileStreamProperty_ReadyToProducePackets)
            let flags: AudioFileStreamParseFlags = isReady ? .discontinuity : []
            #expect(stream.parse(Array(bytes[place..<end]), flags: flags) { 1000 } == noErr)
            place = end
        }
        #expect(stream.packets == whole.packets)
    }

    @Test("Bytes from elsewhere give whole packets, told or not", arguments: ["a.mp3", "a.aac", "a.ac3", "a.flac"])
    func jumps(_ name: String) throws {
        let bytes = try bytes(name)
        let whole = Collector()
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        for flags in [AudioFileStreamParseFlags.discontinuity, []] {
            let stream = Collector()
            #expect(stream.parse(Array(bytes.prefix(bytes.count / 3))) { 1000 } == noErr)
            let count = stream.packets.count
            #expect(stream.parse(Array(bytes[(bytes.count / 2 + 5)...]), flags: flags) { 1000 } == noErr)
            try #require(stream.packets.count > count + 2)
            let after = Array(stream.packets[count...])
            let expected = Array(whole.packets.suffix(after.count - (flags.isEmpty ? 1 : 0)))
            #expect(after.count > whole.packets.count / 3)
            // Bytes that are not marked as discontinuous complete the frame that was being read.
            #expect(Array(after.suffix(expected.count)) == expected)
        }
    }

    @Test("The formats and the counts are announced before the packets")
    func announces() throws {
        let stream = Collector()
        #expect(stream.parse(try bytes("a.m4a", ["-movflags", "+faststart"])) { 1000 } == noErr)
        #expect(
            stream.properties == [
                kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
                kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
                kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_DataOffset,
                kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
                kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_BitRate,
                kAudioFileStreamProperty_PacketSizeUpperBound, kAudioFileStreamProperty_MaximumPacketSize,
                kAudioFileStreamProperty_InfoDictionary, kAudioFileStreamProperty_ReadyToProducePackets,
            ]
        )
        let list = try #require(stream.property(kAudioFileStreamProperty_FormatList, as: AudioFormatListItem.self))
        #expect(list.mASBD.mFormatID == kAudioFormatMPEG4AAC && list.mASBD.mFramesPerPacket == 1024)
    }

    @Test("Every packet of an MP3 with a header of its encoder is counted beforehand")
    func countsAreRight() throws {
        for options in [["-b:a", "64k"], ["-q:a", "5"]] {
            let stream = Collector()
            #expect(stream.parse(try bytes("a.mp3", options)) { 5000 } == noErr)
            #expect(stream.properties.contains(kAudioFileStreamProperty_AudioDataPacketCount))
            let count = stream.property(kAudioFileStreamProperty_AudioDataPacketCount, as: UInt64.self)
            #expect(count == UInt64(stream.packetCount))
        }
    }
}
