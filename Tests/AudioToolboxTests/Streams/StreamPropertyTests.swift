import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

extension Collector {
    /// Hands `value` in with what is filled out of it, and gives it back complete; `nil` if that is refused.
    func translate<Value: BitwiseCopyable>(_ property: AudioFileStreamPropertyID, _ value: Value) -> Value? {
        guard let id else { return nil }
        var value = value
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioFileStreamGetProperty(id, property, &size, &value) == noErr ? value : nil
    }

    /// Says that there are no more bytes.
    func flush() -> OSStatus { id.map { AudioFileStreamParseBytes($0, 0, nil, []) } ?? -1 }
}

@Suite struct StreamPropertyTests {
    private func make(_ name: String, _ options: [String] = [], seconds: Double = 2) throws -> [UInt8] {
        let folder = try ScratchDirectory()
        return [UInt8](try Data(contentsOf: try makeFile(folder, name, options, seconds: seconds)))
    }

    private func parsed(_ bytes: [UInt8]) throws -> Collector {
        let stream = Collector()
        #expect(stream.parse(bytes) { 3000 } == noErr)
        return stream
    }

    /// The stated start of a packet is its start.
    @Test(
        "Packet offsets are the stated ones",
        arguments: [
            ("a.mp3", ["-b:a", "64k"]), ("vbr.mp3", ["-q:a", "5"]), ("a.aac", []), ("a.flac", []),
            ("a.m4a", ["-movflags", "+faststart"]), ("a.ac3", []),
        ]
    )
    func packetsLieWhereTheySay(_ name: String, _ options: [String]) throws {
        let bytes = try make(name, options)
        let stream = try parsed(bytes)
        #expect(stream.flush() == noErr)
        let start = Int(try #require(stream.property(kAudioFileStreamProperty_DataOffset, as: Int64.self)))
        #expect(stream.packets.count > 15)
        for (number, packet) in stream.packets.enumerated() {
            var asked = AudioBytePacketTranslation()
            asked.mPacket = Int64(number)
            let place = try #require(stream.translate(kAudioFileStreamProperty_PacketToByte, asked))
            let first = start + Int(place.mByte)
            #expect(place.mFlags == [], "\(number)")
            #expect(Array(bytes[first..<first + packet.count]) == packet, "\(number)")
            guard number < stream.packets.count - 1 else { continue }
            asked = AudioBytePacketTranslation()
            asked.mByte = place.mByte + 3
            let back = try #require(stream.translate(kAudioFileStreamProperty_ByteToPacket, asked))
            #expect(back.mPacket == Int64(number) && back.mByteOffsetInPacket == 3 && back.mFlags == [], "\(number)")
        }
        var asked = AudioBytePacketTranslation()
        asked.mPacket = -1
        #expect(stream.translate(kAudioFileStreamProperty_PacketToByte, asked) == nil)
        // A table knows all of them.
        guard name != "a.m4a" else { return }
        // Of what has not come there is an estimate, in line with what has.
        let count = Int64(stream.packets.count)
        asked.mPacket = 10 * count
        let far = try #require(stream.translate(kAudioFileStreamProperty_PacketToByte, asked))
        #expect(far.mFlags == .bytePacketTranslationFlag_IsEstimate)
        let length = bytes.count - start
        #expect((7 * length...12 * length).contains(Int(far.mByte)))
        asked.mByte = far.mByte
        let back = try #require(stream.translate(kAudioFileStreamProperty_ByteToPacket, asked))
        #expect(abs(back.mPacket - 10 * count) <= 1 && back.mFlags == .bytePacketTranslationFlag_IsEstimate)
    }

    @Test("Packets of linear PCM are located by arithmetic")
    func samplesLieByArithmetic() throws {
        let stream = try parsed(try make("a.wav"))
        var asked = AudioBytePacketTranslation()
        asked.mPacket = 1_000_000
        #expect(stream.translate(kAudioFileStreamProperty_PacketToByte, asked)?.mByte == 4_000_000)
        asked.mByte = 4_000_003
        let back = try #require(stream.translate(kAudioFileStreamProperty_ByteToPacket, asked))
        #expect(back.mPacket == 1_000_000 && back.mByteOffsetInPacket == 3 && back.mFlags == [])
        asked.mPacket = .max
        #expect(stream.translate(kAudioFileStreamProperty_PacketToByte, asked) == nil)
        var roll = AudioPacketRollDistanceTranslation()
        roll.mPacket = 77
        #expect(stream.translate(kAudioFileStreamProperty_PacketToRollDistance, roll)?.mRollDistance == 0)
        // Of Ogg only pages have a place.
        let ogg = try parsed(try make("a.ogg", ["-c:a", "libvorbis"]))
        asked.mPacket = 5
        #expect(
            ogg.translate(kAudioFileStreamProperty_PacketToByte, asked)?.mFlags == .bytePacketTranslationFlag_IsEstimate
        )
    }

    /// Decoded from so many packets before it, a packet gives what it gives in the whole; from itself on it does not.
    @Test(
        "The roll distance is enough to decode a packet exactly",
        arguments: [("a.mp3", ["-b:a", "96k"]), ("a.aac", ["-aac_pns", "0"])]
    )
    func theRollDistanceIsEnough(_ name: String, _ options: [String]) throws {
        let stream = try parsed(try make(name, options))
        #expect(stream.flush() == noErr)
        let format = try #require(
            stream.property(kAudioFileStreamProperty_DataFormat, as: AudioStreamBasicDescription.self)
        )
        let size = 2 * Int(format.mFramesPerPacket)
        let whole = try decode(stream.packets, format)
        var roll = AudioPacketRollDistanceTranslation()
        for packet in [30, 41] {
            roll.mPacket = Int64(packet)
            let distance = Int(
                try #require(stream.translate(kAudioFileStreamProperty_PacketToRollDistance, roll)).mRollDistance
            )
            #expect(distance > 0 && distance < packet)
            let expected = whole.dropFirst(size * packet)
            #expect(expected.count > 20 * size)
            let part = try decode(Array(stream.packets[(packet - distance)...]), format)
            #expect(part.suffix(expected.count) == expected)
            #expect(try decode(Array(stream.packets[packet...]), format).suffix(expected.count) != expected)
            var info = AudioPacketDependencyInfoTranslation()
            info.mPacket = Int64(packet)
            let dependencies = try #require(stream.translate(kAudioFileStreamProperty_PacketToDependencyInfo, info))
            #expect(dependencies.mIsIndependentlyDecodable == 1)
            #expect(dependencies.mNumberPrerollPackets == UInt32(distance))
        }
        roll.mPacket = 2
        #expect(stream.translate(kAudioFileStreamProperty_PacketToRollDistance, roll)?.mRollDistance == 2)
        #expect(stream.property(kAudioFileStreamProperty_RestrictsRandomAccess, as: UInt32.self) == 0)
        var near = AudioIndependentPacketTranslation()
        let last = Int64(stream.packets.count - 1)
        for (packet, before, after) in [(0, -1, 1), (7, 6, 8), (last, last - 1, -1)] as [(Int64, Int64, Int64)] {
            near.mPacket = packet
            let previous = try #require(stream.translate(kAudioFileStreamProperty_PreviousIndependentPacket, near))
            let next = try #require(stream.translate(kAudioFileStreamProperty_NextIndependentPacket, near))
            #expect(previous.mIndependentlyDecodablePacket == before && next.mIndependentlyDecodablePacket == after)
        }
    }

    private func decode(_ packets: [[UInt8]], _ format: AudioStreamBasicDescription) throws -> [Float] {
        var source = format
        var target = floatFormat(format.mSampleRate, 2)
        var ref: AudioConverterRef?
        #expect(AudioConverterNew(&source, &target, &ref) == noErr)
        let converter = try #require(ref)
        defer { _ = AudioConverterDispose(converter) }
        return drain(converter, Feeder(packets), channels: 2, room: 4096).samples
    }

    @Test("The info dictionary is owned by its caller")
    func theInfoDictionaryBelongsToWhoAsks() throws {
        let tags = ["title=Größe", "artist=B", "album=C", "date=2026-11-21", "track=3/12", "comment=Nice"]
        let stream = try parsed(try make("a.mp3", tags.flatMap { ["-metadata", $0] }))
        let id = try #require(stream.id)
        var size: UInt32 = 0
        #expect(AudioFileStreamGetPropertyInfo(id, kAudioFileStreamProperty_InfoDictionary, &size, nil) == noErr)
        #expect(size == UInt32(MemoryLayout<CFDictionary?>.size))
        weak var freed: CFDictionary?
        do {
            var owned: Unmanaged<CFDictionary>?
            #expect(AudioFileStreamGetProperty(id, kAudioFileStreamProperty_InfoDictionary, &size, &owned) == noErr)
            let dictionary = try #require(owned).takeRetainedValue()
            freed = dictionary
            let info = try #require(dictionary as? [String: String])
            #expect(info[kAFInfoDictionary_Title] == "Größe")
            #expect(info[kAFInfoDictionary_Artist] == "B")
            #expect(info[kAFInfoDictionary_Album] == "C")
            #expect(info[kAFInfoDictionary_RecordedDate] == "2026-11-21")
            #expect(info[kAFInfoDictionary_Year] == "2026")
            #expect(info[kAFInfoDictionary_TrackNumber] == "3/12")
            #expect(info[kAFInfoDictionary_Comments] == "Nice")
            #expect(info[kAFInfoDictionary_ApproximateDurationInSeconds] == "2.000")
            #expect(info[kAFInfoDictionary_ChannelLayout] == "stereo")
            #expect(info[kAFInfoDictionary_Composer] == nil)
        }
        #expect(freed == nil)
        size = 4
        var small: UInt32 = 0
        #expect(
            AudioFileStreamGetProperty(id, kAudioFileStreamProperty_InfoDictionary, &size, &small)
                == kAudioFileStreamError_BadPropertySize
        )
    }

    /// Short files as a whole, too.
    @Test(
        "Each packet is delivered as soon as it is complete",
        arguments: ["a.mp3", "a.aac", "a.flac", "a.ac3", "a.wav", "a.m4a"]
    )
    func everyPacketComesAsSoonAsItIsComplete(_ name: String) throws {
        let bytes = try make(name, name == "a.m4a" ? ["-movflags", "+faststart"] : [], seconds: 0.3)
        let whole = Collector()
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        let before = whole.packetCount
        let start = Int(try #require(whole.property(kAudioFileStreamProperty_DataOffset, as: Int64.self)))
        // All bytes of the sound are in packets.
        let sound = whole.packets.reduce(whole.plain.count) { $0 + $1.count }
        #expect(sound == bytes.count - start)
        // There is nothing left to come when it is said that this was all.
        #expect(whole.flush() == noErr)
        #expect(whole.packetCount == before)
        let count = whole.property(kAudioFileStreamProperty_AudioDataPacketCount, as: UInt64.self)
        #expect(count == UInt64(whole.packetCount))
        // And not one comes later than its last byte.
        let pieces = Collector()
        var ends: [Int] = []
        for (place, byte) in bytes.enumerated() {
            #expect(pieces.parse([byte]) { 1 } == noErr)
            while ends.count < pieces.packets.count { ends.append(place + 1) }
        }
        #expect(pieces.plain == whole.plain)
        try #require(pieces.packets == whole.packets)
        var end = start
        for (number, packet) in whole.packets.enumerated() {
            end += packet.count
            // The first ones wait until it is known what they are.
            if end > start + 8192 || number > 8 { #expect(ends[number] == end, "packet \(number)") }
        }
    }

    @Test("Empty and unknown files end without packets")
    func emptyAndOtherFilesEndWithoutPackets() {
        let empty = Collector()
        #expect(empty.flush() == noErr)
        let text = Collector()
        #expect(text.parse(Array("Not found.\n".utf8)) { 100 } == noErr)
        #expect(text.flush() == kAudioFileStreamError_UnsupportedFileType)
    }
}
