import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("MP3 of a free bit rate")
struct FreeFormatTests {
    /// Makes an MP3 of a constant bit rate.
    private func make(_ options: [String], rate: Int = 44100, channels: Int = 2) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=exprs=0.4*sin(2*PI*(200*t+80*t*t))+0.2*(random(0)-0.5):s=\(rate):d=2"
        let output = ["-ac", "\(channels)", "-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"]
        let file = try scratch.make(["-f", "lavfi", "-i", source] + output + options + ["a.mp3"])
        return [UInt8](try Data(contentsOf: file))
    }

    /// The same frames without a bit rate in their headers, each with so many bytes more behind what it holds.
    private func freed(_ bytes: [UInt8], padding: Int = 0) throws -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place + 4 <= bytes.count {
            let header = try #require(MPEGFrameHeader(bytes[place...]), "at \(place)")
            guard place + header.byteCount <= bytes.count else { break }
            var frame = Array(bytes[place..<place + header.byteCount])
            frame[2] &= 0x0F
            result += frame + [UInt8](repeating: 0, count: padding)
            place += header.byteCount
        }
        return result
    }

    private func decode(_ stream: TestStream) throws -> (samples: [Float], info: MediaInfo, damaged: Int) {
        let reader = try MediaReader.open(stream)
        let planes = Planes(count: reader.info.channelCount, capacity: 4096)
        var samples: [Float] = []
        while case let count = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 4096), count > 0 {
            samples += planes.interleaved(count)
        }
        return (samples, reader.info, reader.corruptPacketCount)
    }

    @Test(
        "Free-format frames decode as the same frames with a bit rate do",
        arguments: [
            (["-b:a", "128k"], 44100, 2), (["-b:a", "128k", "-reservoir", "0"], 44100, 2),
            (["-b:a", "320k"], 48000, 2),
            (["-b:a", "64k"], 32000, 1), (["-b:a", "48k"], 22050, 1), (["-b:a", "96k"], 24000, 2),
            (["-b:a", "32k"], 11025, 1), (["-b:a", "160k", "-joint_stereo", "0"], 44100, 2),
        ]
    )
    func decodes(options: [String], rate: Int, channels: Int) throws {
        let usual = try make(options, rate: rate, channels: channels)
        let expected = try decode(TestStream(usual))
        let stream = TestStream(try freed(usual))
        let actual = try decode(stream)
        #expect(actual.samples == expected.samples)
        #expect(actual.damaged == 0)
        #expect(actual.info.container == "mp3" && actual.info.codec == "mp3")
        #expect(actual.info.sampleRate == Double(rate) && actual.info.channelCount == channels)
        let nominal = Double(options[1].dropLast()) ?? 0
        #expect(abs(Double(actual.info.bitRate ?? 0) / 1000 / nominal - 1) < 0.02)
    }

    @Test("Frames may be larger than any of a stated bit rate", arguments: [500, 1500, 3000])
    func large(padding: Int) throws {
        let usual = try make(["-b:a", "320k", "-reservoir", "0"])
        let actual = try decode(TestStream(try freed(usual, padding: padding)))
        #expect(try actual.samples == decode(TestStream(usual)).samples && actual.damaged == 0)
    }

    @Test("Free-format MP3 is read locally and remotely, behind and before a tag", arguments: [true, false])
    func comesInEveryWay(isTagged: Bool) throws {
        let usual = try make(["-b:a", "128k"])
        let expected = try decode(TestStream(usual)).samples
        let body: [UInt8] = [0, 0, 0, 5, 0, 0] + Array("\u{0}Free".utf8)
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(4 + body.count)] + Array("TIT2".utf8) + body
        let tail = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let bytes = try freed(usual)
        for isForward in [true, false] {
            let stream = TestStream(isTagged ? tag + bytes + tail : bytes)
            stream.isSeekable = !isForward
            stream.hidesLength = isForward
            stream.isRemote = true
            stream.portion = 1000
            let actual = try decode(stream)
            #expect(actual.samples == expected && actual.damaged == 0)
            if isTagged { #expect(actual.info.tags["title"] == "Free") }
        }
    }

    @Test("A seek lands on the very frame", arguments: [0, 1, 1151, 40_000, 77_777])
    func seeks(frame: Int64) throws {
        let usual = try make(["-b:a", "128k"])
        let expected = try decode(TestStream(usual)).samples
        let reader = try MediaReader.open(TestStream(try freed(usual)))
        let planes = Planes(count: 2, capacity: 4096)
        for start in [frame, 60_000, frame] {
            try reader.seek(toFrame: start)
            let count = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 1000)
            #expect(
                count > 0 && planes.interleaved(count) == Array(expected[Int(start) * 2..<(Int(start) + count) * 2])
            )
        }
    }

    @Test("Around damage the rest is within three frames of its place, and the damage is counted")
    func damaged() throws {
        let usual = try make(["-b:a", "128k", "-reservoir", "0"])
        let expected = try decode(TestStream(usual)).samples
        var bytes = try freed(usual)
        bytes.replaceSubrange(15_000..<20_000, with: [UInt8](repeating: 0x55, count: 5000))
        let actual = try decode(TestStream(bytes))
        #expect(actual.damaged > 0)
        #expect(abs(actual.samples.count - expected.count) <= 2 * 3 * 1152)
        let same = zip(actual.samples.reversed(), expected.reversed()).prefix { $0 == $1 }.count
        // Of 31,400 bytes some 11,000 are behind it.
        #expect(Double(same) > 0.3 * Double(expected.count))
    }

    @Test("What only looks like its first header is not taken for it")
    func chanceHit() throws {
        var noise: [UInt8] = [0xFF, 0xFB, 0x00, 0x64]
        var state: UInt32 = 1
        for _ in 0..<40_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            noise.append(UInt8(state >> 24))
        }
        #expect(FreeFormatStream(at: 0) { offset, count in Array(noise.dropFirst(Int(offset)).prefix(count)) } == nil)
        #expect(throws: SyrinxError.self) { try MediaReader.open(TestStream(noise)) }
    }
}
