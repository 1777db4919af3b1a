import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// FLAC whose stream info states another length than there is.
@Suite struct FLACLengthTests {
    private func recording(_ options: [String] = []) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.3*sin(2*PI*(300+20*t)*t)+0.1*(random(0)-0.5):s=44100:d=5"
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options + ["a.flac"])))
    }

    private static let count = 5 * 44100

    /// Puts another number of samples into the stream info, which are its last 36 bits before the digest.
    private func stating(_ count: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[21] = bytes[21] & 0xF0 | UInt8(count >> 32)
        for index in 0..<4 { bytes[22 + index] = UInt8(count >> (24 - 8 * index) & 0xFF) }
        return bytes
    }

    private let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

    @Test("The first of recordings joined end to end does not tell the length of all", arguments: [1, 2, 5])
    func joinedLengthIsNoLength(count: Int) throws {
        let first = try recording()
        let short = try recording(["-t", "0.4"])
        for rest in [[[UInt8]](repeating: first, count: count), [short]] {
            let bytes = first + rest.flatMap(\.self)
            let reader = try MediaReader.open(TestStream(bytes))
            #expect(reader.info.frameCount == nil && !reader.info.durationIsExact)
            let expected = try #require(reader.info.duration)
            let read = try reader.readAll().count
            #expect(read > Self.count)
            #expect(abs(expected * 44100 - Double(read)) < Double(read) / 5, "\(expected)")
            #expect(reader.info.frameCount == Int64(read))
        }
    }

    @Test(
        "A STREAMINFO length that is too small does not truncate playback",
        arguments: [0, 1, 44100, Self.count - 1],
        [[], ["-frame_size", "1152"]]
    )
    func oneThatIsTooSmallHidesNothing(_ stated: Int, _ options: [String]) throws {
        let good = try recording(options)
        let whole = try MediaReader.open(TestStream(good)).readAll()
        #expect(whole.count == Self.count)
        for bytes in [stating(stated, good), stating(stated, good) + id3v1] {
            let reader = try MediaReader.open(TestStream(bytes))
            #expect(reader.info.frameCount == Int64(Self.count) && reader.info.durationIsExact)
            for place in [Self.count - 5000, 70_000, Self.count - 10] {
                try reader.seek(toFrame: Int64(place))
                let isSame = try reader.readAll()[...] == whole[place...]
                #expect(isSame, "from \(place)")
            }
        }
        for isSeekable in [true, false] {
            // A seek is what asks, if the length may be right.
            let stream = TestStream(stating(stated, good))
            (stream.isRemote, stream.isSeekable, stream.portion) = (true, isSeekable, 1400)
            let reader = try MediaReader.open(stream)
            let place = Self.count - 6000
            try reader.seek(toFrame: Int64(place))
            if isSeekable, stated < place { #expect(reader.info.frameCount == Int64(Self.count)) }
            let isSame = try reader.readAll()[...] == whole[place...]
            #expect(isSame)
            #expect(reader.info.frameCount == Int64(Self.count))
            // What is only passed is known when it is.
            (stream.isSeekable, stream.holdsAll) = (isSeekable, true)
            let other = try MediaReader.open(stream)
            _ = try other.readAll(limit: 60_000)
            if stated < 60_000 {
                #expect(other.info.frameCount == (isSeekable && stated > 0 ? Int64(Self.count) : nil))
            }
        }
    }

    @Test("A STREAMINFO length that is too large is no truncation")
    func oneThatIsTooLargeIsNoSignOfACut() throws {
        let good = try recording()
        for stated in [Self.count + 1, 10 * Self.count, 1 << 35] {
            for bytes in [stating(stated, good), stating(stated, good) + id3v1] {
                for isRemote in [false, true] {
                    let stream = TestStream(bytes)
                    stream.isRemote = isRemote
                    let reader = try MediaReader.open(stream)
                    #expect(try reader.readAll().count == Self.count)
                    #expect(reader.info.frameCount == Int64(Self.count))
                }
            }
            // What ends anywhere but behind a frame is cut.
            for missing in [1, 2, 500, 20_000] {
                let reader = try MediaReader.open(TestStream(Array(stating(stated, good).dropLast(missing))))
                let error = #expect(throws: SyrinxError.self) { try reader.readAll() }
                #expect(error?.code == .truncated, "\(missing)")
            }
            // So is what was never filled in.
            let empty = stating(stated, good) + [UInt8](repeating: 0, count: 5000)
            let error = #expect(throws: SyrinxError.self) { try MediaReader.open(TestStream(empty)).readAll() }
            #expect(error?.code == .truncated)
        }
    }

    @Test("A FLAC file that states an absurd length opens and ends", arguments: [0, 1, .max - 1, .max] as [Int64])
    func lengthsBeyondReasonDoNoHarm(_ length: Int64) throws {
        var bytes = stating(length > 1 ? 1 << 36 - 1 : 0, try recording())
        // The largest frame.
        bytes.replaceSubrange(15..<18, with: [0, 0, 1])
        for isRemote in [false, true] {
            let stream = TestStream(bytes)
            (stream.isRemote, stream.statedLength) = (isRemote, length)
            let reader = try MediaReader.open(stream)
            try reader.seek(toFrame: .max)
            try reader.seek(toFrame: 1000)
            #expect(try reader.readAll(limit: 5000).count == 5000)
        }
    }

    /// The number of the last frame is used only if the one before leads to it.
    @Test("A last FLAC frame number is used only if the frame before leads to it")
    func lastFramesThatLieAreNotBelieved() throws {
        let good = try recording()
        let demuxer = try MediaDemuxer.open(TestStream(good))
        let info = try #require(FLACStreamInfo(demuxer.magicCookie))
        var offsets: [Int] = []
        while let packet = try demuxer.nextPacket() { offsets.append(Int(try #require(packet.byteOffset))) }
        #expect(FLACTail.end(of: good, info) == Int64(Self.count))
        #expect(FLACTail.end(of: good + id3v1, info) == Int64(Self.count))
        #expect(FLACTail.end(of: Array(good.dropLast()), info) == nil)
        #expect(FLACTail.end(of: Array(good[offsets[offsets.count - 1]...]), info) == nil)
        #expect(FLACTail.end(of: Array(good[offsets[offsets.count - 2]...]), info) == Int64(Self.count))
        let joined = Array(good[..<offsets[3]] + good[offsets[10]..<offsets[11]])
        #expect(FLACTail.end(of: joined, info) == nil)
        #expect(FLACTail.end(of: [], info) == nil)
    }

    /// Each of them might be the last one, and to sum up all that follows for each would take minutes.
    @Test("A FLAC end made of frame headers takes linear time")
    func endsThatAreMadeOfHeadsTakeNoLongerThanOthers() throws {
        let good = try recording()
        let demuxer = try MediaDemuxer.open(TestStream(good))
        let info = try #require(FLACStreamInfo(demuxer.magicCookie))
        let offset = Int(try #require(demuxer.nextPacket()?.byteOffset))
        let size = try #require((5...16).first { FLACFrameHeader(good[..<(offset + $0)], at: offset, of: info) != nil })
        let heads = Array(repeatElement(good[offset..<offset + size], count: 262_144 / size).joined())
        #expect(FLACTail.end(of: heads, info) == nil)
    }

    @Test("The end of a FLAC file that could not be read is requested again")
    func anEndThatCouldNotBeHadIsAskedForAgain() throws {
        let stream = TestStream(stating(Self.count - 5000, try recording()))
        stream.isRemote = true
        let reader = try MediaReader.open(stream)
        #expect(reader.info.frameCount == Int64(Self.count - 5000))
        let place = Int64(Self.count - 1000)
        stream.failOffset = 100_000
        try? reader.seek(toFrame: place)
        stream.failOffset = .max
        try reader.seek(toFrame: place)
        #expect(reader.info.frameCount == Int64(Self.count) && reader.position == place)
    }
}
