import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// Frames of mono FLAC in plain samples of 16 bits, or of 32, made by hand.
private struct PlainFLAC {
    static let largestBlock = 512
    let isVariable: Bool
    var has32Bits = false

    /// The number of a frame, or of its first sample, in the coding of UTF-8 (RFC 9639 section 9.1.5).
    private static func coded(_ number: Int) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(number)] }
        var count = 2
        while number >= 1 << (5 * count + 1) { count += 1 }
        let lead = UInt8(truncatingIfNeeded: 0xFF00 >> count) | UInt8(number >> (6 * (count - 1)))
        let rest = (0..<count - 1).reversed().map { (place: Int) -> UInt8 in
            let bits: Int = number >> (6 * place) & 0x3F
            return 0x80 | UInt8(bits)
        }
        return [lead] + rest
    }

    func head(_ number: Int, count: Int) -> [UInt8] {
        let head: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 0x70, has32Bits ? 0x0E : 0x08] + Self.coded(number)
        let bytes = head + [UInt8((count - 1) >> 8), UInt8(truncatingIfNeeded: count - 1)]
        let sum = bytes.reduce(UInt8(0)) { sum, byte in
            (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 == 0 ? value << 1 : value << 1 ^ 0x07 }
        }
        return bytes + [sum]
    }

    /// The CRC-16 of each byte.
    private static let remainders: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005 }
    }

    /// - Parameter samples: Two bytes for each, or four.
    func frame(_ number: Int, samples: [UInt8]) -> [UInt8] {
        let bytes = head(number, count: samples.count / (has32Bits ? 4 : 2)) + [0x02] + samples
        var sum: UInt16 = 0
        for byte in bytes { sum = sum << 8 ^ Self.remainders[Int(sum >> 8) ^ Int(byte)] }
        return bytes + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    }

    /// Without a rate in the heads and a length in the stream info.
    var streamInfo: [UInt8] {
        let size = UInt8(Self.largestBlock >> 8)
        let depth: [UInt8] = has32Bits ? [0x01, 0xF0] : [0x00, 0xF0]
        // 8000 Hz, one channel.
        return [isVariable ? 0 : size, isVariable ? 16 : 0, size, 0, 0, 0, 0, 0, 0, 0, 0x01, 0xF4] + depth
            + [UInt8](repeating: 0, count: 20)
    }

    var info: FLACStreamInfo? { FLACStreamInfo(streamInfo) }

    /// Returns the number of samples in a frame.
    func count(of frame: [UInt8]) throws -> Int {
        let info = try #require(info)
        return try #require(FLACFrameHeader(frame[...], at: 0, of: info)).count
    }

    var fileHead: [UInt8] { Array("fLaC".utf8) + [0x80, 0, 0, 34] + streamInfo }

    /// Frames one after the other, of samples by chance; a fixed size, or one that varies.
    func frames(_ count: Int, seed: UInt64 = 1) -> [[UInt8]] {
        var chance = SplitMix64(seed: seed)
        var start = 0
        return (0..<count).map { number in
            let size = isVariable ? Int.random(in: 16...Self.largestBlock, using: &chance) : Self.largestBlock
            defer { start += size }
            let samples = (0..<2 * size).map { _ in UInt8.random(in: 0...255, using: &chance) }
            return frame(isVariable ? start : number, samples: samples)
        }
    }
}

/// The output of a splitter.
private struct Cut: Equatable {
    let start: Int64?
    let offset: Int64
    let bytes: [UInt8]
}

extension FLACFrameParser {
    fileprivate mutating func takeAll() -> [Cut] {
        var all: [Cut] = []
        while let piece = next() {
            all.append(Cut(start: piece.frame?.start, offset: piece.offset, bytes: Array(piece.bytes)))
        }
        return all
    }

    /// Cuts `bytes`, which come in portions.
    fileprivate mutating func cut(_ bytes: [UInt8], at offset: Int64 = 0, portion: Int = 1024) -> [Cut] {
        var all: [Cut] = []
        for place in stride(from: 0, to: bytes.count, by: portion) {
            Array(bytes[place..<min(place + portion, bytes.count)]).withUnsafeBufferPointer {
                push($0, at: offset + Int64(place))
            }
            all += takeAll()
        }
        finish()
        return all + takeAll()
    }
}

@Suite struct FLACFrameParserTests {
    private func splitter(_ maker: PlainFLAC) throws -> FLACFrameParser { FLACFrameParser(try #require(maker.info)) }

    @Test("FLAC frames are parsed whole from pieces of any size", arguments: [false, true], [1, 7, 1024, 1_000_000])
    func framesComeOutWholeHoweverTheyComeIn(isVariable: Bool, portion: Int) throws {
        let maker = PlainFLAC(isVariable: isVariable)
        let frames = maker.frames(150)
        var splitter = try splitter(maker)
        let cuts = splitter.cut(Array(frames.joined()), at: 86, portion: portion)
        #expect(cuts.map(\.bytes) == frames)
        var (offset, start) = (Int64(86), Int64(0))
        for (cut, frame) in zip(cuts, frames) {
            #expect(cut.offset == offset && cut.start == start)
            offset += Int64(frame.count)
            start += Int64(try maker.count(of: frame))
        }
    }

    @Test("A FLAC frame is parsed as soon as the next header arrives")
    func aFrameIsThereAsSoonAsTheNextHeadIs() throws {
        let maker = PlainFLAC(isVariable: false)
        let frames = maker.frames(3)
        var splitter = try splitter(maker)
        let bytes = Array(frames.joined())
        var pushed = 0
        var found: [Cut] = []
        while found.isEmpty {
            bytes[pushed..<pushed + 1].withUnsafeBufferPointer { splitter.push($0, at: Int64(pushed)) }
            pushed += 1
            found = splitter.takeAll()
        }
        #expect(found.map(\.bytes) == [frames[0]])
        #expect(pushed <= frames[0].count + 17)
        splitter.breakOff()
        // From another place, and in the middle of a frame.
        let place = frames[0].count + 100
        let cuts = splitter.cut(Array(bytes[place...]), at: Int64(place))
        #expect(cuts.map(\.start) == [nil, Int64(2 * PlainFLAC.largestBlock)])
        #expect(cuts.last?.offset == Int64(2 * frames[0].count))
    }

    @Test("Bytes that resemble a frame header do not end a frame", arguments: [false, true])
    func whatOnlyLooksLikeAHeadEndsNoFrame(isVariable: Bool) throws {
        let maker = PlainFLAC(isVariable: isVariable)
        for number in [0, 3, 4, 6, 900] {
            var frames: [[UInt8]] = []
            for index in 0..<8 {
                var samples = [UInt8](repeating: UInt8(index), count: 2 * PlainFLAC.largestBlock)
                let unit = isVariable ? PlainFLAC.largestBlock : 1
                let head = maker.head(number * unit, count: PlainFLAC.largestBlock)
                if index == 4 { samples.replaceSubrange(100..<100 + head.count, with: head) }
                frames.append(maker.frame(index * unit, samples: samples))
            }
            var splitter = try splitter(maker)
            #expect(splitter.cut(Array(frames.joined())).map(\.bytes) == frames, "\(number)")
            // Also in the last one.
            var other = try self.splitter(maker)
            #expect(other.cut(Array(frames[...4].joined())).map(\.bytes) == Array(frames[...4]), "\(number)")
        }
    }

    private func around(_ frame: [UInt8], _ before: ArraySlice<[UInt8]>, _ after: ArraySlice<[UInt8]>) -> [[UInt8]] {
        Array(before) + [frame] + Array(after)
    }

    @Test("The FLAC parser continues after lost frames", arguments: [false, true]) func afterLostFramesItGoesOn(
        isVariable: Bool
    ) throws {
        let maker = PlainFLAC(isVariable: isVariable)
        let frames = maker.frames(12)
        var splitter = try splitter(maker)
        let kept = Array(frames[..<4] + frames[7...])
        #expect(splitter.cut(Array(kept.joined())).map(\.bytes) == kept)
        // A head that is lost leaves its frame with the one before.
        var damaged = frames
        damaged[5][1] = 0
        splitter.breakOff()
        #expect(
            splitter.cut(Array(damaged.joined())).map(\.bytes)
                == around(frames[4] + damaged[5], frames[..<4], frames[6...])
        )
        // One that has lost bytes besides.
        damaged[4].removeSubrange(20..<25)
        splitter.breakOff()
        #expect(
            splitter.cut(Array(damaged.joined())).map(\.bytes)
                == around(damaged[4] + damaged[5], frames[..<4], frames[6...])
        )
        // Just before the last one.
        splitter.breakOff()
        #expect(
            splitter.cut(Array(damaged[..<7].joined())).map(\.bytes)
                == around(damaged[4] + damaged[5], frames[..<4], frames[6..<7])
        )
    }

    @Test("The FLAC parser follows frame numbers that restart")
    func numbersThatBeginAnewAreFollowed() throws {
        let maker = PlainFLAC(isVariable: false)
        let (first, second) = (maker.frames(6), maker.frames(6, seed: 2))
        var splitter = try splitter(maker)
        let cuts = splitter.cut(Array(first.joined()) + maker.fileHead + Array(second.joined()))
        #expect(cuts.map(\.bytes) == first[..<5] + [first[5] + maker.fileHead] + second)
        #expect(cuts.map { ($0.start ?? -1) / 512 } == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
    }

    @Test("FLAC frames that contradict the stream info are parsed too")
    func framesOfAnotherFormThanTheStreamInfoSaysAreFramesToo() throws {
        let maker = PlainFLAC(isVariable: false)
        let frames = maker.frames(8)
        for (place, value) in [(12, 0x03), (12, 0x0F), (13, 0x70)] as [(Int, UInt8)] {
            var info = maker.streamInfo
            info[place] = value
            var splitter = FLACFrameParser(try #require(FLACStreamInfo(info)))
            #expect(splitter.cut(Array(frames.joined())).map(\.bytes) == frames)
        }
    }

    /// Each of them is a head, and none follows from another: what that costs grows with the bytes and no faster.
    @Test("Input made of frame headers alone takes linear time")
    func nothingButHeadsTakesNoLonger() throws {
        let maker = PlainFLAC(isVariable: true)
        let upward = (0..<20_000).flatMap { maker.head(100_000 + 600 * $0, count: 512) }
        let downward = (0..<20_000).flatMap { maker.head(20_000_000 - 600 * $0, count: 512) }
        for bytes in [upward, downward] {
            var splitter = try splitter(maker)
            let begin = ContinuousClock.now
            let cuts = splitter.cut(bytes)
            #expect(ContinuousClock.now - begin < .seconds(20))
            #expect(Array(cuts.map(\.bytes).joined()).count >= bytes.count - 20_000)
        }
    }

    @Test("Bytes behind the last frame are not part of it")
    func whatStandsBehindTheLastFrameIsNoneOfIt() throws {
        let maker = PlainFLAC(isVariable: true)
        var extra = 0
        for seed in 0..<1000 {
            let frame = try #require(maker.frames(1, seed: UInt64(seed)).first)
            let tag = Array("TAG".utf8) + [UInt8](repeating: seed % 2 == 0 ? 0x20 : 0, count: 125)
            var splitter = try splitter(maker)
            let cuts = splitter.cut(frame + tag)
            #expect(cuts.count == 1 && cuts[0].bytes.starts(with: frame))
            extra += (cuts.first?.bytes.count ?? 0) - frame.count > 8 ? 1 : 0
            splitter.breakOff()
            let padded = splitter.cut(frame + [UInt8](repeating: 0, count: 500))
            #expect(padded.count == 1 && frame.count...frame.count + 8 ~= padded[0].bytes.count)
        }
        // By chance the checksum is right once in 65536 places.
        #expect(extra <= 10, "\(extra)")
        // What is cut off is all given out.
        let frame = try #require(maker.frames(1).first)
        var splitter = try splitter(maker)
        #expect(splitter.cut(Array(frame.dropLast(5))).first?.bytes.count == frame.count - 5)
    }

    @Test("Data without a frame header is passed through without buffering")
    func whereNoHeadComesNothingIsHeldAndNothingSwallowed() throws {
        let maker = PlainFLAC(isVariable: false)
        let frames = maker.frames(4)
        var chance = SplitMix64(seed: 3)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &chance) }
        let bytes = Array(frames[..<2].joined()) + noise + Array(frames[2...].joined())
        for portion in [100, bytes.count] {
            var splitter = try splitter(maker)
            let cuts = splitter.cut(bytes, portion: portion)
            #expect(Array(cuts.map(\.bytes).joined()) == bytes)
            #expect(cuts.allSatisfy { $0.bytes.count < 20_000 })
            #expect(cuts.suffix(2).map(\.bytes) == Array(frames[2...]))
        }
        // Not one that is a frame.
        var splitter = try splitter(maker)
        #expect(splitter.cut(noise).allSatisfy { $0.start == nil })
        #expect(splitter.takeAll().isEmpty)
    }

    /// From the bytes to the samples: of blocks that vary in size, after a tag, as a broadcast, and after a seek.
    /// Encoders differ in the size of their blocks, and files are joined end to end.
    @Test("FLAC blocks may have other sizes than the first")
    func blocksMayBeOfOtherSizesThanTheFirst() throws {
        let scratch = try ScratchDirectory()
        let files = try [4608, 1152].map { size in
            let sound = "aevalsrc=0.4*sin(2*PI*t*(200+30*t+\(size))):d=6:s=44100"
            let options = ["-f", "lavfi", "-i", sound, "-c:a", "flac", "-frame_size", "\(size)", "\(size).flac"]
            return [UInt8](try Data(contentsOf: try scratch.make(options)))
        }
        let parts = try files.map { try MediaReader.open(TestStream($0)).readAll() }
        #expect(try MediaReader.open(TestStream(files[0] + files[1])).readAll() == parts[0] + parts[1])
        // A stream info that leaves open how large the blocks are does not lead astray.
        var open = files[0]
        (open[10], open[11]) = (0xFF, 0xFF)
        let reader = try MediaReader.open(TestStream(open))
        #expect(try reader.readAll() == parts[0])
        for place in [100_000, 5, 200_000] {
            try reader.seek(toFrame: Int64(place))
            #expect(try reader.readAll(limit: 3_000)[...] == parts[0][place..<place + 3_000])
        }
    }

    /// libavcodec decodes them from version 6.0 on; where it does not, they are not damaged for that.
    @Test("FLAC samples of 32 bits are decoded, or refused with an error that names them")
    func samplesOf32BitsAreDecodedOrNamed() throws {
        let maker = PlainFLAC(isVariable: false, has32Bits: true)
        let samples = (0..<4 * PlainFLAC.largestBlock).map { UInt8($0 * 7 & 0xFF) }
        let frames = (0..<20).map { maker.frame($0, samples: samples) }
        let bytes = maker.fileHead + Array(frames.joined())
        do throws(SyrinxError) {
            let reader = try MediaReader.open(TestStream(bytes))
            #expect(reader.info.frameCount == Int64(20 * PlainFLAC.largestBlock) && reader.corruptPacketCount == 0)
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.message.contains("FLAC of up to 24 bits"), "\(error.message)")
        }
        // What is damaged still says so.
        let damaged = PlainFLAC(isVariable: false).fileHead + [UInt8](repeating: 0x55, count: 20_000)
        let error = #expect(throws: SyrinxError.self) { try MediaReader.open(TestStream(damaged)) }
        #expect(error?.code == .corrupt)
    }

    @Test("Hand-made FLAC files decode to their samples", arguments: [false, true])
    func handMadeFilesDecodeToTheirSamples(isVariable: Bool) throws {
        let maker = PlainFLAC(isVariable: isVariable)
        let frames = maker.frames(200)
        let samples = try frames.flatMap { frame -> [Float] in
            let count = try maker.count(of: frame)
            let first = frame.count - 2 - 2 * count
            return (0..<count).map {
                Float(Int16(bitPattern: UInt16(frame[first + 2 * $0]) << 8 | UInt16(frame[first + 2 * $0 + 1]))) / 32768
            }
        }
        let bytes = maker.fileHead + Array(frames.joined())
        for tag in [[], Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)] {
            let reader = try MediaReader.open(TestStream(bytes + tag))
            #expect(try reader.readAll() == samples)
            #expect(reader.corruptPacketCount == 0)
            for place in [samples.count / 2, 7, samples.count - 1, samples.count / 3] {
                try reader.seek(toFrame: Int64(place))
                #expect(try reader.readAll(limit: 2000)[...] == samples[place...].prefix(2000))
            }
        }
        let live = TestStream(bytes)
        (live.isSeekable, live.hidesLength, live.isRemote, live.portion) = (false, true, true, 100)
        #expect(try MediaReader.open(live).readAll() == samples)
    }
}
