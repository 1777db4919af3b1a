import AudioToolbox
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite struct FileStreamTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var file: String
        var options: [String] = []
        var format: AudioFormatID
        var framesPerPacket: UInt32
        var type: AudioFileTypeID
        var testDescription: String { file }

        static let all = [
            Kind(
                file: "a.mp3",
                options: ["-b:a", "64k"],
                format: kAudioFormatMPEGLayer3,
                framesPerPacket: 1152,
                type: kAudioFileMP3Type
            ),
            Kind(file: "a.aac", format: kAudioFormatMPEG4AAC, framesPerPacket: 1024, type: kAudioFileAAC_ADTSType),
            Kind(
                file: "a.m4a",
                options: ["-c:a", "aac", "-movflags", "+faststart"],
                format: kAudioFormatMPEG4AAC,
                framesPerPacket: 1024,
                type: kAudioFileM4AType
            ),
            Kind(
                file: "alac.m4a",
                options: ["-c:a", "alac", "-movflags", "+faststart"],
                format: kAudioFormatAppleLossless,
                framesPerPacket: 4096,
                type: kAudioFileM4AType
            ),
            Kind(file: "a.flac", format: kAudioFormatFLAC, framesPerPacket: 4608, type: kAudioFileFLACType),
            Kind(file: "a.wav", format: kAudioFormatLinearPCM, framesPerPacket: 1, type: kAudioFileWAVEType),
            Kind(file: "a.aiff", format: kAudioFormatLinearPCM, framesPerPacket: 1, type: kAudioFileAIFFType),
        ]
    }

    @Test("The size of pushed pieces does not change the packets", arguments: Kind.all) func piecesDoNotMatter(
        _ kind: Kind
    ) throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, kind.file, kind.options, seconds: 4)
        let bytes = [UInt8](try Data(contentsOf: url))
        // A wrong hint does no harm.
        let whole = Collector(hint: kAudioFileMP3Type)
        #expect(whole.parse(bytes) { bytes.count } == noErr)
        #expect(whole.wasReadyFirst)
        #expect(
            whole.properties.prefix(2) == [kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat]
        )
        #expect(whole.properties.last == kAudioFileStreamProperty_ReadyToProducePackets)
        #expect(whole.property(kAudioFileStreamProperty_FileFormat, as: AudioFileTypeID.self) == kind.type)
        let format = try #require(
            whole.property(kAudioFileStreamProperty_DataFormat, as: AudioStreamBasicDescription.self)
        )
        #expect(format.mFormatID == kind.format)
        #expect(format.mFramesPerPacket == kind.framesPerPacket)
        #expect(format.mSampleRate == 44100)
        #expect(whole.packets.isEmpty == (kind.format == kAudioFormatLinearPCM))
        #expect(whole.packetCount > 0)
        var state: UInt32 = 9
        let random = { () -> Int in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 20)
        }
        // One at a time only where that is soon done.
        let sizes: [() -> Int] =
            kind.file == "a.mp3" ? [{ 1 }, random] : bytes.count < 100_000 ? [{ 7 }, random] : [random]
        for next in sizes {
            let pieces = Collector(hint: kAudioFileMP3Type)
            #expect(pieces.parse(bytes, next: next) == noErr)
            #expect(pieces.packets == whole.packets)
            #expect(pieces.plain == whole.plain)
            #expect(pieces.cookie == whole.cookie)
            #expect(pieces.properties == whole.properties)
            #expect(pieces.wasReadyFirst)
        }
    }

    /// Parsed and converted, the samples are those that a reader gives.
    @Test(
        "Parsed packets decode to the samples of the file",
        arguments: Kind.all.filter { $0.format != kAudioFormatLinearPCM }
    ) func packetsDecode(_ kind: Kind) throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, kind.file, kind.options, seconds: 4)
        let stream = Collector()
        let bytes = [UInt8](try Data(contentsOf: url))
        #expect(stream.parse(bytes) { 1000 } == noErr)
        var source = try #require(
            stream.property(kAudioFileStreamProperty_DataFormat, as: AudioStreamBasicDescription.self)
        )
        var target = floatFormat(44100, 2)
        var ref: AudioConverterRef?
        #expect(AudioConverterNew(&source, &target, &ref) == noErr)
        let converter = try #require(ref)
        defer { #expect(AudioConverterDispose(converter) == noErr) }
        let cookie = stream.cookie
        if !cookie.isEmpty {
            let dmgc = kAudioConverterDecompressionMagicCookie
            #expect(AudioConverterSetProperty(converter, dmgc, UInt32(cookie.count), cookie) == noErr)
        }
        let samples = drain(converter, Feeder(stream.packets), channels: 2, room: 500).samples
        let table = stream.property(kAudioFileStreamProperty_PacketTableInfo, as: AudioFilePacketTableInfo.self)
        let skip = Int(table?.mPrimingFrames ?? 0)
        let reader = try MediaReader.open(FileByteStream(path: url.path))
        let block = FloatBlock(2, 4096)
        var expected: [Float] = []
        while case let count = try reader.read(into: block.pointers, frameCount: 4096), count > 0 {
            for frame in 0..<count { expected += [block.pointers[0][frame], block.pointers[1][frame]] }
        }
        // The bytes are not known to be all.
        #expect(samples.count - 2 * skip >= expected.count)
        #expect(Array(samples.dropFirst(2 * skip).prefix(expected.count)) == expected)
    }

    @Test("A seek lands on the packet")
    func seeking() throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, "a.wav", seconds: 2)
        let bytes = [UInt8](try Data(contentsOf: url))
        let stream = Collector()
        let id = try #require(stream.id)
        #expect(stream.parse(Array(bytes.prefix(150_000))) { 5000 } == noErr)
        var offset: Int64 = 0
        var flags = AudioFileStreamSeekFlags()
        #expect(AudioFileStreamSeek(id, 5000, &offset, &flags) == noErr)
        #expect(offset == 20_000)
        #expect(flags == [])
        let start = Int(try #require(stream.property(kAudioFileStreamProperty_DataOffset, as: Int64.self)) + offset)
        stream.plain = []
        #expect(stream.parse(Array(bytes[start...]), flags: .discontinuity) { 333 } == noErr)
        #expect(stream.plain == Array(bytes[start...]))
        let mp3 = [UInt8](try Data(contentsOf: try makeFile(folder, "a.mp3", seconds: 12)))
        let whole = Collector()
        #expect(whole.parse(mp3) { 4000 } == noErr)
        #expect(AudioFileStreamSeek(try #require(whole.id), 10, &offset, &flags) == noErr)
        #expect(flags == [])
        let from = Int(try #require(whole.property(kAudioFileStreamProperty_DataOffset, as: Int64.self)) + offset)
        let before = whole.packets
        whole.packets = []
        #expect(whole.parse(Array(mp3[from...]), flags: .discontinuity) { 700 } == noErr)
        #expect(whole.packets.count >= 5)
        #expect(whole.packets == Array(before[10...].prefix(whole.packets.count)))
        #expect(AudioFileStreamSeek(try #require(whole.id), 10_000, &offset, &flags) == noErr)
        #expect(flags == .offsetIsEstimated)
        #expect(AudioFileStreamSeek(id, -1, &offset, &flags) == kAudioFileStreamError_InvalidPacketOffset)
    }

    @Test("Bytes that are no audio give an error")
    func whatIsNoSound() {
        let text = Collector()
        let bytes =
            Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8) + [UInt8](repeating: 32, count: 8000)
        #expect(text.parse(bytes) { 5000 } == kAudioFileStreamError_UnsupportedFileType)
        #expect(text.properties.isEmpty)
        let early = Collector()
        #expect(early.property(kAudioFileStreamProperty_DataFormat, as: AudioStreamBasicDescription.self) == nil)
        #expect(early.property(kAudioFileStreamProperty_ReadyToProducePackets, as: UInt32.self) == 0)
    }
}

/// Two buffers of floats, and the table of them.
final class FloatBlock {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let count: Int

    init(_ count: Int, _ capacity: Int) {
        self.count = count
        pointers = .allocate(capacity: count)
        for channel in 0..<count {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
            plane.initialize(repeating: 0, count: capacity)
            (pointers + channel).initialize(to: plane)
        }
    }

    deinit {
        for channel in 0..<count { pointers[channel].deallocate() }
        pointers.deallocate()
    }
}
