import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The result of reading a file as far as possible.
struct Salvage {
    private(set) var samples: [Float] = []
    private(set) var channelCount = 1
    private(set) var code: String?
    private(set) var corruptPacketCount = 0
    private(set) var concealedFrameCount: Int64 = 0

    var frameCount: Int { samples.count / channelCount }

    /// - Parameter limit: So many frames are enough.
    init(_ bytes: [UInt8], limit: Int = 4_000_000) {
        do throws(SyrinxError) {
            let reader = try MediaReader.open(TestStream(bytes))
            channelCount = reader.info.channelCount
            let planes = Planes(count: channelCount, capacity: 4096)
            defer {
                corruptPacketCount = reader.corruptPacketCount
                concealedFrameCount = reader.concealedFrameCount
            }
            while frameCount < limit {
                let count = try reader.read(into: planes.pointers, frameCount: 4096)
                if count == 0 { break }
                if channelCount == 1 {
                    samples += UnsafeBufferPointer(start: planes.pointers[0], count: count)
                } else {
                    samples += planes.interleaved(count)
                }
            }
        } catch {
            code = error.code.rawValue
        }
    }

    /// The frames that are those of `whole`, to within a bit of 16.
    /// - Parameter slip: By a few times so many frames a stretch may be out of place, where nothing tells how long a damaged
    ///   one was; 0 if none may.
    func intactFrameCount(of whole: Salvage, slip: Int) -> Int {
        guard channelCount == 1, whole.channelCount == 1 else { return 0 }
        let shifts = slip == 0 ? [0] : [0] + (1...5).flatMap { [$0 * slip, -$0 * slip] }
        var count = 0
        for start in stride(from: 0, to: frameCount, by: Self.stretch) {
            var best = 0
            for shift in shifts where best < Self.stretch / 2 { best = max(best, matches(whole, at: start, shift)) }
            count += best
        }
        return count
    }

    private static let stretch = 8000

    private func matches(_ whole: Salvage, at start: Int, _ shift: Int) -> Int {
        samples.withUnsafeBufferPointer { mine in
            whole.samples.withUnsafeBufferPointer { theirs in
                var count = 0
                var frame = max(start, -shift)
                let end = min(start + Self.stretch, mine.count, theirs.count - shift)
                // Every fourth tells as much, and debug builds are slow.
                while frame < end {
                    if abs(mine[frame] - theirs[frame + shift]) < 1 / 32768 { count += 4 }
                    frame += 4
                }
                return count
            }
        }
    }
}

/// Most of a minute of sound, and what damage its container shows.
struct Victim: Sendable, CustomTestStringConvertible {
    var file: String
    var options: [String] = []
    /// Samples that are not compressed show none.
    var showsDamage = true
    /// The container says how long it is, so that one that is cut off shows it.
    var statesLength = true
    /// Without its end nothing can be read.
    var hasIndexAtEnd = false
    /// Frames in a packet of a stream without timestamps: how many a damaged stretch held is an estimate.
    var slip = 0

    var testDescription: String { file }

    static let all: [Victim] = [
        Victim(file: "cbr.mp3", options: ["-b:a", "48k"], slip: 576),
        Victim(file: "vbr.mp3", options: ["-q:a", "5"], slip: 576),
        Victim(
            file: "bare.mp3",
            options: ["-b:a", "48k", "-write_xing", "0", "-id3v2_version", "0"],
            statesLength: false,
            slip: 576
        ),
        Victim(file: "a.aac", statesLength: false, slip: 1024),
        Victim(file: "a.m4a", hasIndexAtEnd: true),
        Victim(file: "front.m4a", options: ["-movflags", "+faststart"]),
        Victim(file: "alac.m4a", options: ["-c:a", "alac"], hasIndexAtEnd: true),
        Victim(file: "a.flac"),
        Victim(file: "a.wav", showsDamage: false),
        Victim(file: "a.ogg", options: ["-c:a", "libvorbis"], statesLength: false),
        Victim(file: "a.opus", options: ["-c:a", "libopus", "-b:a", "32k"], statesLength: false),
        Victim(file: "a.caf", showsDamage: false),
        Victim(file: "alac.caf", options: ["-c:a", "alac"], hasIndexAtEnd: true),
        Victim(file: "a.aiff", showsDamage: false),
        Victim(file: "a.mka", options: ["-c:a", "aac", "-cluster_time_limit", "1000"], statesLength: false),
        Victim(
            file: "opus.webm",
            options: ["-c:a", "libopus", "-b:a", "32k", "-cluster_time_limit", "1000"],
            statesLength: false
        ),
    ]

    func make() throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.4*sin(2*PI*(300+20*t)*t)+0.1*(random(0)-0.5):s=16000:d=50"
        let file = try scratch.make(["-f", "lavfi", "-i", source] + options + [file])
        return [UInt8](try Data(contentsOf: file))
    }
}

@Suite struct HostileTests {
    /// Puts `blocks` stretches of other bytes, a tenth of the file together, somewhere between its first and its last tenth.
    private func damage(_ bytes: [UInt8], blocks: Int, isZero: Bool, seed: UInt64) -> [UInt8] {
        var generator = SplitMix64(seed: seed)
        var damaged = bytes
        let length = bytes.count / 10 / blocks
        let span = bytes.count * 8 / 10 / blocks
        for block in 0..<blocks {
            let start = bytes.count / 10 + span * block + Int.random(in: 0..<span - length, using: &generator)
            for place in start..<start + length {
                damaged[place] = isZero ? 0 : UInt8.random(in: 0...255, using: &generator)
            }
        }
        return damaged
    }

    @Test("A recording with a tenth damaged gives at least eight tenths", arguments: Victim.all)
    func nineTenthsGiveEight(_ victim: Victim) throws {
        let bytes = try victim.make()
        let whole = Salvage(bytes)
        #expect(whole.code == nil && whole.corruptPacketCount == 0 && whole.concealedFrameCount == 0)
        for (blocks, isZero) in [(1, true), (1, false), (2, false)] {
            let salvage = Salvage(damage(bytes, blocks: blocks, isZero: isZero, seed: UInt64(blocks)))
            let intact = salvage.intactFrameCount(of: whole, slip: victim.slip)
            let what = "\(blocks) \(isZero): \(salvage.frameCount), \(intact) of \(whole.frameCount)"
            #expect(salvage.frameCount <= whole.frameCount * 101 / 100, "\(what)")
            #expect(intact >= whole.frameCount * 8 / 10, "\(what)")
            #expect((salvage.corruptPacketCount > 0) == victim.showsDamage, "\(what)")
            // Of what is gone silence has taken the place.
            #expect((salvage.concealedFrameCount >= whole.frameCount / 12) == victim.showsDamage, "\(what)")
            #expect(salvage.concealedFrameCount < whole.frameCount / 5, "\(what)")
        }
        try expectTheRest(of: bytes, whole, victim)
    }

    /// Expects nine tenths of a file that is cut off there.
    private func expectTheRest(of bytes: [UInt8], _ whole: Salvage, _ victim: Victim) throws {
        let salvage = Salvage(Array(bytes.prefix(bytes.count * 9 / 10)))
        #expect((salvage.code == "media.truncated") == victim.statesLength, "\(salvage.code ?? "")")
        guard !victim.hasIndexAtEnd else { return #expect(salvage.frameCount == 0) }
        #expect(salvage.intactFrameCount(of: whole, slip: 0) >= whole.frameCount * 85 / 100, "\(salvage.frameCount)")
        #expect(salvage.frameCount <= whole.frameCount)
    }
}
