import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Seeks over a network in MP3 whose bit rate varies and that has no table.
@Suite("Seeks at an uneven rate") struct UnevenRateTests {
    private static let rate = 44_100

    /// Sound that is easy and hard to encode in turn, after two seconds of silence, with no two parts alike.
    private static let sound =
        "if(lt(t,2),0,if(lt(mod(t,30),14),0.1*sin(2*PI*(200+9*t)*t),0.3*(random(0)-0.5)+0.2*sin(2*PI*(300+7*t)*t)))"

    private static let bare = ["-ac", "2", "-write_xing", "0", "-id3v2_version", "0"]

    private static func encoded(_ options: [String], _ seconds: Int) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc='\(sound)':s=\(rate):d=\(seconds)"
        return [UInt8](try Data(contentsOf: scratch.make(["-f", "lavfi", "-i", source] + bare + options + ["a.mp3"])))
    }

    private typealias Sample = (name: String, bytes: [UInt8], whole: [Float])

    private static let samples = Result {
        try [("varying", varying), ("joined", joined), ("misled", misled)].map { name, bytes -> Sample in
            (name, try bytes.get(), try MediaReader.open(TestStream(bytes.get())).readAll())
        }
    }
    private static let varying = Result { try encoded(["-q:a", "4"], 90) }
    /// A spot before the programme, at half its rate.
    private static let joined = Result {
        try encoded(["-b:a", "64k"], 20) + encoded(["-b:a", "128k"], 40)
    }
    /// The same with a header that speaks of the first part only.
    private static let misled = Result {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc='\(sound)':s=\(rate):d=20"
        let file = try scratch.make(["-f", "lavfi", "-i", source, "-ac", "2", "-q:a", "6", "a.mp3"])
        return try [UInt8](Data(contentsOf: file)) + encoded(["-b:a", "128k"], 40)
    }

    private func remote(_ bytes: [UInt8]) -> TestStream {
        let stream = TestStream(bytes)
        stream.isRemote = true
        return stream
    }

    /// Returns the place in the whole, in seconds, of the sound read after a seek.
    ///
    /// A second is read first, so that the decoder has the same state.
    private func place(_ reader: MediaReader, in whole: [Float]) throws -> Double? {
        _ = try reader.readAll(limit: Self.rate / 2)
        let part = try reader.readAll(limit: 64)
        guard part.count == 128 else { return nil }
        let start = whole.withUnsafeBufferPointer { whole in
            (0...(whole.count - part.count) / 2).first { frame in
                whole[2 * frame] == part[0] && part.indices.allSatisfy { whole[2 * frame + $0] == part[$0] }
            }
        }
        return try Double(#require(start)) / Double(Self.rate) - 0.5
    }

    @Test("The header of a constant rate may lie in a frame of another size", arguments: [64, 128, 320])
    func headerOfAnotherRate(kilobits: Int) throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc='\(Self.sound)':s=\(Self.rate):d=60"
        let options = ["-f", "lavfi", "-i", source, "-ac", "2", "-id3v2_version", "0", "-b:a", "\(kilobits)k", "a.mp3"]
        let bytes = [UInt8](try Data(contentsOf: scratch.make(options)))
        let whole = try MediaReader.open(TestStream(bytes)).readAll()
        for time in [15.0, 45] {
            let reader = try MediaReader.open(remote(bytes))
            try reader.seek(toFrame: Int64(time * Double(Self.rate)))
            let found = try #require(try place(reader, in: whole))
            #expect(abs(found - time) < 0.1, "\(time): \(found)")
        }
    }

    @Test("A local MP3 without a table is counted", arguments: [23.0, 46.5, 58])
    func whatIsAtHandIsCounted(time: Double) throws {
        for (name, bytes, whole) in try Self.samples.get() {
            let stream = remote(bytes)
            stream.heldEnd = Int64(bytes.count)
            let reader = try MediaReader.open(stream)
            let frame = Int64(time * Double(Self.rate))
            try reader.seek(toFrame: frame)
            #expect(reader.position == frame)
            let found = try #require(try place(reader, in: whole))
            #expect(abs(found - Double(frame) / Double(Self.rate)) < 1e-6, "\(name) \(time): \(found)")
        }
    }

    @Test("The duration of a remote MP3 without a table is estimated by samples", arguments: [23.0, 31.853, 46.5, 56])
    func whatIsNotIsFoundByALookHereAndThere(time: Double) throws {
        for (name, bytes, whole) in try Self.samples.get() {
            let seconds = Double(whole.count / 2 / Self.rate)
            let stream = remote(bytes)
            let reader = try MediaReader.open(stream)
            let before = (jumps: stream.jumpCount, bytes: stream.receivedCount)
            try reader.seek(toFrame: Int64(time * Double(Self.rate)))
            let found = try #require(try place(reader, in: whole))
            #expect(abs(found - time) < seconds / 6, "\(name) \(time): \(found)")
            // Four looks, one at where it was taken to be, and the seek.
            #expect(stream.jumpCount - before.jumps <= 8)
            #expect(stream.receivedCount - before.bytes < 80_000)
            let duration = try #require(reader.info.duration)
            #expect(abs(duration - seconds) < seconds / 6, "\(name): \(duration)")
            // The next one knows.
            let after = stream.jumpCount
            try reader.seek(toFrame: Int64(0.9 * time * Double(Self.rate)))
            _ = try reader.readAll(limit: 1_000)
            #expect(stream.jumpCount - after <= 2)
        }
    }

    /// The place that a constant rate would give belongs by chance to frames of the first part's rate.
    @Test("An MP3 whose bit rate recurs by chance is not taken for constant")
    func aRateThatIsThatOfTheFirstFrameHereAndThereIsNotConstant() throws {
        let (_, bytes, whole) = try Self.samples.get()[0]
        let stream = remote(bytes)
        stream.heldEnd = Int64(bytes.count)
        let reader = try MediaReader.open(stream)
        try reader.seek(toFrame: Int64(60.5 * Double(Self.rate)))
        let found = try #require(try place(reader, in: whole))
        #expect(abs(found - 60.5) < 1e-6)
    }

    /// The duration was too long by half: its last third is the end of the sound, and not nothing.
    @Test("Sound is found anywhere within the estimated duration")
    func somethingIsHeardAnywhereInTheDurationThatWasTold() throws {
        let bytes = try Self.varying.get()
        for share in [0.3, 0.6, 0.9, 0.99] {
            let reader = try MediaReader.open(remote(bytes))
            let told = try #require(reader.info.duration)
            let frame = Int64(share * told * Double(Self.rate))
            try reader.seek(toFrame: frame)
            #expect(reader.position == frame)
            #expect(try reader.readAll(limit: 10_000).count == 20_000)
        }
    }

    @Test("A Xing header of the first part is not taken for the whole length")
    func aHeaderOfThePartIsNoLengthOfTheWhole() throws {
        let bytes = try Self.misled.get()
        let reader = try MediaReader.open(remote(bytes))
        #expect(reader.info.frameCount == nil)
        #expect(!reader.info.durationIsExact)
        let all = try reader.readAll()
        #expect(all.count / 2 > 59 * Self.rate)
        #expect(reader.info.frameCount == Int64(all.count / 2))
    }
}
