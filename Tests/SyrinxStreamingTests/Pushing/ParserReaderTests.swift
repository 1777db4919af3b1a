import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@Suite struct ParserReaderTests {
    @Test("Pushed bytes give the packets and samples of the file", arguments: ["mp3", "aac", "flac", "wav"])
    func pushedBytesGivePacketsAndSamples(_ kind: String) throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.\(kind)", in: scratch, seconds: 3)
        let bytes = try Data(Inputs.bytes(path))
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
        let parser = Parser()
        var reader: Reader?
        var samples: [[Float]] = [[], []]

        func readAll() throws {
            guard let reader else { return }
            while true {
                do {
                    let buffer = try reader.read(4_096)
                    for channel in 0..<2 {
                        let data = buffer.floatChannelData![channel]
                        samples[channel] += UnsafeBufferPointer(start: data, count: Int(buffer.frameLength))
                    }
                } catch ReaderError.notEnoughData {
                    return
                } catch ReaderError.reachedEndOfFile {
                    return
                }
            }
        }

        var offset = 0
        while offset < bytes.count {
            let count = min(5_000, bytes.count - offset)
            try parser.parse(data: bytes.subdata(in: offset..<(offset + count)))
            offset += count
            if reader == nil, parser.dataFormat != nil { reader = try Reader(parser: parser, readFormat: format) }
            if offset % 50_000 == 0 { try readAll() }
        }
        try parser.finish()
        try readAll()

        #expect(parser.isParsingComplete)
        #expect(parser.dataFormat?.sampleRate == 44_100)
        #expect(parser.totalPacketCount == AVAudioPacketCount(parser.packets.count))
        let description = parser.dataFormat!.streamDescription.pointee
        #expect((parser.packets[0].1 == nil) == (description.mFormatID == kAudioFormatLinearPCM))
        let expected = try Inputs.decoded(path)
        try #require(samples[0].count == expected[0].count)
        for channel in 0..<2 {
            let worst = zip(samples[channel], expected[channel]).map { abs($0 - $1) }.max()!
            #expect(worst <= (["flac", "wav"].contains(kind) ? 0 : 1.0 / 32_768))
        }
    }

    @Test("A reader seeks to a packet")
    func aReaderGoesToAPacket() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 3)
        let parser = Parser()
        try parser.parse(data: Data(Inputs.bytes(path)))
        try parser.finish()
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
        let reader = try Reader(parser: parser, readFormat: format)
        let packet = parser.packetOffset(forFrame: 66_150)!
        try reader.seek(packet)
        #expect(reader.currentPacket == packet)
        let buffer = try reader.read(2_000)
        // Blocks of FLAC at 44.1 kHz, as `ffmpeg` makes them.
        let first = Int(packet) * 4_608
        let expected = try Inputs.decoded(path)[0][first..<(first + 2_000)]
        #expect(Array(UnsafeBufferPointer(start: buffer.floatChannelData![0], count: 2_000)) == Array(expected))
    }

    @Test("Bytes that are no audio are refused")
    func whatIsNotAudioIsRefused() throws {
        let parser = Parser()
        #expect(throws: ParserError.self) {
            try parser.parse(data: Data("<!DOCTYPE html><html><body>Log in</body></html>".utf8))
            try parser.finish()
        }
    }
}
