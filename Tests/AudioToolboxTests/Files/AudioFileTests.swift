import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

/// Files whose packets are read in any order.
@Suite struct AudioFileTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String] = []
        var testDescription: String { name }
        var isPlain: Bool { ["a.wav", "a.aiff", "a.caf"].contains(name) }

        static let all = [
            Kind(name: "a.mp3"), Kind(name: "vbr.mp3", options: ["-q:a", "5"]), Kind(name: "a.aac"),
            Kind(name: "a.m4a", options: ["-movflags", "+faststart"]), Kind(name: "late.m4a"),
            Kind(name: "alac.m4a", options: ["-c:a", "alac"]), Kind(name: "a.flac"), Kind(name: "a.ac3"),
            Kind(name: "a.wav"), Kind(name: "a.aiff"), Kind(name: "a.caf"),
            Kind(name: "a.ogg", options: ["-c:a", "libvorbis"]),
        ]
    }

    private func opened(_ url: URL) throws -> AudioFileID {
        var id: AudioFileID?
        #expect(AudioFileOpenURL(url as CFURL, .readPermission, 0, &id) == noErr)
        return try #require(id)
    }

    private func property<Value: BitwiseCopyable>(_ id: AudioFileID, _ property: AudioFilePropertyID, _ zero: Value)
        -> Value?
    {
        var value = zero
        var size: UInt32 = 0
        guard AudioFileGetPropertyInfo(id, property, &size, nil) == noErr,
            size == UInt32(MemoryLayout<Value>.size),
            AudioFileGetProperty(id, property, &size, &value) == noErr
        else { return nil }
        return value
    }

    /// Packets from `start` on, up to `count` of them, each by itself.
    private func packets(_ id: AudioFileID, from start: Int64, count: Int, room: Int = 1 << 20) throws -> [[UInt8]] {
        var buffer = [UInt8](repeating: 0, count: room)
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: count)
        var byteCount = UInt32(room)
        var packetCount = UInt32(count)
        #expect(
            AudioFileReadPacketData(id, false, &byteCount, &descriptions, start, &packetCount, &buffer) == noErr
        )
        let found = descriptions[..<Int(packetCount)]
        #expect(found.reduce(0) { $0 + Int($1.mDataByteSize) } == Int(byteCount) || found.first?.mDataByteSize == 0)
        return found.map { Array(buffer[Int($0.mStartOffset)..<Int($0.mStartOffset) + Int($0.mDataByteSize)]) }
    }

    @Test("Packets read in any order are those of a stream", arguments: Kind.all.filter { !$0.isPlain })
    func packetsInAnyOrder(_ kind: Kind) throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, kind.name, kind.options, seconds: 3)
        let id = try opened(url)
        defer { AudioFileClose(id) }
        var whole: [[UInt8]] = []
        while case let more = try packets(id, from: Int64(whole.count), count: 7), !more.isEmpty { whole += more }
        try #require(whole.count > 20)
        if kind.name != "late.m4a" {
            let bytes = [UInt8](try Data(contentsOf: url))
            let stream = Collector()
            #expect(stream.parse(bytes) { bytes.count } == noErr)
            #expect(stream.flush() == noErr || kind.name == "alac.m4a")
            if kind.name != "alac.m4a" { #expect(stream.packets == whole) }
        }
        for start in [whole.count - 3, 2, whole.count / 2, 0, whole.count] {
            #expect(try packets(id, from: Int64(start), count: 5) == Array(whole[start...].prefix(5)))
        }
        // Where there is no room for a packet, it comes the next time.
        let two = whole[4].count + whole[5].count + whole[6].count - 1
        #expect(try packets(id, from: 4, count: 5, room: two) == Array(whole[4..<6]))
        #expect(try packets(id, from: 6, count: 1) == [whole[6]])
        #expect(property(id, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == UInt64(whole.count))
        let largest = whole.map(\.count).max() ?? 0
        #expect(property(id, kAudioFilePropertyMaximumPacketSize, UInt32(0)) == UInt32(largest))
        #expect(try #require(property(id, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))) >= UInt32(largest))
        let format = try #require(property(id, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()))
        #expect(format.mSampleRate == 44100 && format.mChannelsPerFrame == 2)
        #expect(abs(try #require(property(id, kAudioFilePropertyEstimatedDuration, 0.0)) - 3) < 0.1)
        guard kind.name != "a.ogg" else { return }
        var asked = AudioBytePacketTranslation()
        asked.mPacket = 9
        var size = UInt32(MemoryLayout<AudioBytePacketTranslation>.size)
        #expect(AudioFileGetProperty(id, kAudioFilePropertyPacketToByte, &size, &asked) == noErr)
        var bytes = [UInt8](repeating: 0, count: whole[9].count)
        var count = UInt32(bytes.count)
        #expect(AudioFileReadBytes(id, false, asked.mByte, &count, &bytes) == noErr || kind.name == "late.m4a")
        #expect(bytes == whole[9])
    }

    @Test("Samples are read as they lie in the file", arguments: ["a.wav", "a.aiff", "a.caf"])
    func samples(_ name: String) throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, name, seconds: 1)
        let bytes = [UInt8](try Data(contentsOf: url))
        let id = try opened(url)
        defer { AudioFileClose(id) }
        let start = Int(try #require(property(id, kAudioFilePropertyDataOffset, Int64(0))))
        #expect(property(id, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 44100)
        #expect(property(id, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == 4 * 44100)
        #expect(property(id, kAudioFilePropertyMaximumPacketSize, UInt32(0)) == 4)
        var buffer = [UInt8](repeating: 0, count: 4000)
        var byteCount = UInt32(4000)
        var packetCount = UInt32(2000)
        #expect(AudioFileReadPacketData(id, false, &byteCount, nil, 500, &packetCount, &buffer) == noErr)
        #expect(byteCount == 4000 && packetCount == 1000)
        #expect(buffer == Array(bytes[start + 2000..<start + 6000]))
        (byteCount, packetCount) = (4000, 1000)
        #expect(AudioFileReadPackets(id, false, &byteCount, nil, 44000, &packetCount, &buffer) == noErr)
        #expect(byteCount == 400 && packetCount == 100)
        byteCount = 4000
        #expect(AudioFileReadBytes(id, false, 4 * 44000, &byteCount, &buffer) == kAudioFileEndOfFileError)
        #expect(byteCount == 400 && buffer[..<400] == bytes[start + 4 * 44000..<start + 4 * 44100])
        #expect(AudioFileReadBytes(id, false, .max, &byteCount, &buffer) == kAudioFileEndOfFileError)
        #expect(AudioFileReadBytes(id, false, -1, &byteCount, &buffer) == kAudioFilePositionError)
        packetCount = 10
        #expect(
            AudioFileReadPacketData(id, false, &byteCount, nil, -1, &packetCount, &buffer)
                == kAudioFileInvalidPacketOffsetError
        )
    }

    private final class Source {
        let bytes: [UInt8]
        var reads = 0
        var status: OSStatus = noErr
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    @Test("A file may be given by functions of the caller")
    func callbacks() throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, "a.mp3", seconds: 2)
        let source = Source([UInt8](try Data(contentsOf: url)))
        let read: AudioFile_ReadProc = { client, position, count, buffer, actual in
            let source = Unmanaged<Source>.fromOpaque(client).takeUnretainedValue()
            source.reads += 1
            let end = min(Int(position) + Int(count), source.bytes.count)
            source.bytes[Int(position)..<end].withUnsafeBytes {
                if let base = $0.baseAddress { buffer.copyMemory(from: base, byteCount: $0.count) }
            }
            actual.pointee = UInt32(end - Int(position))
            return source.status
        }
        let size: AudioFile_GetSizeProc = { Int64(Unmanaged<Source>.fromOpaque($0).takeUnretainedValue().bytes.count) }
        let client = Unmanaged.passUnretained(source).toOpaque()
        var id: AudioFileID?
        #expect(AudioFileOpenWithCallbacks(client, read, nil, size, nil, kAudioFileMP3Type, &id) == noErr)
        let file = try #require(id)
        let direct = try opened(url)
        #expect(try packets(file, from: 10, count: 20) == packets(direct, from: 10, count: 20))
        #expect(source.reads > 0)
        AudioFileClose(file)
        AudioFileClose(direct)
        source.status = -1
        #expect(AudioFileOpenWithCallbacks(client, read, nil, size, nil, 0, &id) == kAudioFileUnspecifiedError)
    }

    @Test("A file that cannot be opened gives Core Audio's numbers")
    func failures() throws {
        let folder = try ScratchDirectory()
        var id: AudioFileID?
        let none = folder.url("none.wav")
        #expect(AudioFileOpenURL(none as CFURL, .readPermission, 0, &id) == kAudio_FileNotFoundError)
        let text = folder.url("text.mp3")
        try Data("Not found.\n".utf8).write(to: text)
        #expect(AudioFileOpenURL(text as CFURL, .readPermission, 0, &id) == kAudioFileUnsupportedFileTypeError)
        #expect(AudioFileOpenURL(text as CFURL, .readWritePermission, 0, &id) == kAudioFileOperationNotSupportedError)
        let wav = try opened(try makeFile(folder, "a.wav"))
        defer { AudioFileClose(wav) }
        var size: UInt32 = 2
        var value: UInt64 = 0
        #expect(
            AudioFileGetProperty(wav, kAudioFilePropertyDataOffset, &size, &value) == kAudioFileBadPropertySizeError
        )
        #expect(AudioFileGetProperty(wav, 1234, &size, &value) == kAudioFileUnsupportedPropertyError)
        #expect(AudioFileSetProperty(wav, 1234, 0, &value) == kAudioFileUnsupportedPropertyError)
    }
}
