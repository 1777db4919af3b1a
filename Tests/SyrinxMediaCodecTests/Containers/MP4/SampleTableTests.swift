import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// AAC and AMR in MP4, with tables as phones and editors write them.
@Suite struct SampleTableTests {
    private static let frames = 200_000
    private static let rate = 44_100

    /// The packets of some seconds of AAC, and all that they decode to; made once, because the encoder takes most of the time.
    private static let sound = Result { try makeSound() }

    private static func makeSound() throws -> (packets: [[UInt8]], samples: [Float]) {
        let scratch = try ScratchDirectory()
        let glide = "aevalsrc=0.3*sin(2*PI*(300+90*t)*t)+0.2*(random(0)-0.5)|0.3*sin(2*PI*(900-60*t)*t):s=44100"
        let source = "\(glide):d=\(Double(frames) / Double(rate))"
        let file = try scratch.make([
            "-f", "lavfi", "-i", source, "-c:a", "aac", "-aac_pns", "0", "-f", "adts", "a.aac",
        ])
        let demuxer = try MediaDemuxer.open(TestStream(file: file))
        var packets: [[UInt8]] = []
        while let packet = try demuxer.nextPacket() { packets.append(Array(packet.data.dropFirst(7))) }
        return (packets, try MediaReader.open(TestStream(file: file)).readAll())
    }

    /// Checks what a file gives, from its start and from twenty other places, and that nothing is said to be missing.
    private func check(_ bytes: [UInt8], _ expected: [Float], channels: Int = 2, tolerance: Float = 1) throws {
        let reader = try MediaReader.open(TestStream(bytes))
        let count = expected.count / channels
        #expect(reader.info.frameCount == Int64(count))
        let samples = try reader.readAll()
        #expect(samples.count == expected.count)
        #expect(largestDifference(samples, expected) <= tolerance)
        #expect(reader.shortfall == nil && reader.corruptPacketCount == 0)
        var chance = SplitMix64(seed: 20)
        for _ in 0..<20 {
            let place = Int.random(in: 0..<count, using: &chance)
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 1500)
            #expect(part.count == min(1500, count - place) * channels, "at \(place)")
            #expect(largestDifference(part, expected[(place * channels)...]) <= tolerance, "at \(place)")
        }
    }

    private func frames(_ range: Range<Int>, of samples: [Float]) -> [Float] {
        Array(samples[range.lowerBound * 2..<range.upperBound * 2])
    }

    /// Durations that phones write: those of their clock, of another encoder, with one for a pause, and without the last.
    private static let durations: [String: @Sendable (Int, Int) -> Int] = [
        "of a clock": { index, _ in 1024 + [-41, 17, 3, 30, -28, 12][index % 6] },
        "of a slow clock": { index, _ in 1021 + index % 3 },
        "of a fast clock": { index, _ in 1027 - index % 3 },
        "of nonsense": { index, _ in 1 + index * 797 % 2048 },
        "of 1000 ticks": { _, _ in 1000 },
        "with a pause": { index, _ in index == 60 ? 90_000 : 1024 },
        "with none for the last": { index, count in index == count - 1 ? 0 : 1024 },
    ]

    @Test("Durations that do not add up cost no sound, and seeks are exact", arguments: durations.keys.sorted())
    func durationsDoNotAddUp(_ name: String) throws {
        let (packets, samples) = try Self.sound.get()
        let duration = try #require(Self.durations[name])
        var file = MP4File(packets, packets.indices.map { duration($0, packets.count) })
        try check(file.bytes, samples)
        let ticks = file.durations.reduce(0, +)
        file.edits = [(ticks * 1000 / Self.rate, 0)]
        try check(file.bytes, samples)
        let primed = frames(1024..<packets.count * 1024, of: samples)
        file.edits = [((ticks - 1024) * 1000 / Self.rate, 1024)]
        try check(file.bytes, primed)
        let padding = packets.count * 1024 - 1024 - Self.frames
        file.edits = []
        file.gapless = String(format: " 00000000 00000400 %08X %016X 00000000", padding, Self.frames)
        try check(file.bytes, frames(1024..<1024 + Self.frames, of: samples))
    }

    /// The comment counts where an edit list says that all is heard, and settles the rounding of one that agrees.
    @Test("A comment of iTunes and an edit list go together")
    func gaplessWithEdits() throws {
        let (packets, samples) = try Self.sound.get()
        var file = MP4File(packets, packets.map { _ in 1024 })
        let padding = packets.count * 1024 - 2112 - 190_000
        file.gapless = String(format: " 00000000 00000840 %08X %016X 00000000", padding, 190_000)
        for edit in [(packets.count * 1024 * 1000 / Self.rate, 0), (190_020 * 1000 / Self.rate, 2112)] {
            file.edits = [edit]
            try check(file.bytes, frames(2112..<2112 + 190_000, of: samples))
        }
        // A list that cuts more off is meant.
        file.edits = [(1000, 2112)]
        try check(file.bytes, frames(2112..<2112 + 44_100, of: samples))
    }

    @Test("An edit list plays its pieces and nothing between")
    func editsWithHoles() throws {
        let (packets, samples) = try Self.sound.get()
        var file = MP4File(packets, packets.map { _ in 1024 })
        file.edits = [(1000, 1024), (1500, 1024 + 100_000)]
        let two = frames(1024..<45_124, of: samples) + frames(101_024..<167_174, of: samples)
        try check(file.bytes, two)
        // Backwards, and with a hole that is shorter than a packet.
        file.edits = [(1000, 150_000), (500, 5000), (1000, 27_500)]
        let three = [150_000..<194_100, 5000..<27_050, 27_500..<71_600].flatMap { frames($0, of: samples) }
        try check(file.bytes, three)
        // Where one piece follows on the other, rounding leaves no gap.
        file.edits = [(1333, 1024), (1000, 1024 + 58_785), (9000, 1024 + 102_885)]
        try check(file.bytes, frames(1024..<packets.count * 1024, of: samples))
    }

    @Test("An edit of no length plays all, and a pause before the sound takes nothing of it")
    func editsWithoutLength() throws {
        let (packets, samples) = try Self.sound.get()
        var file = MP4File(packets, packets.map { _ in 1024 })
        let all = frames(1024..<packets.count * 1024, of: samples)
        for edits in [[(0, 1024)], [(1500, -1), (20_000, 1024)], [(1500, -1), (0, 1024)]] {
            file.edits = edits
            try check(file.bytes, all)
        }
        // Of these nothing would be left.
        for edits in [[(0, 0)], [(1500, -1)], [(1500, 1 << 30)]] {
            file.edits = edits
            try check(file.bytes, samples)
        }
    }

    /// All bits set mean that the length is not known; 27 hours they are not.
    @Test("An unknown duration is counted", arguments: [0xFFFF_FFFF, 0, 5])
    func unknownDuration(_ duration: Int) throws {
        let (packets, samples) = try Self.sound.get()
        var file = MP4File(packets, packets.map { _ in 1024 })
        file.mediaDuration = duration
        try check(file.bytes, samples)
    }

    /// However often a list repeats the sound, reading ends.
    @Test("An edit list that repeats the sound again and again is bounded")
    func repeatsAreBounded() throws {
        let (packets, _) = try Self.sound.get()
        var file = MP4File(packets, packets.map { _ in 1024 })
        file.edits = (0..<1000).map { (4000, 20_000 + $0 % 2 * 500) }
        let count = try #require(try MediaReader.open(TestStream(file.bytes)).info.frameCount)
        #expect(count < Int64(18 * packets.count * 1024))
    }

    @Test("A file that is cut off is still said to be")
    func aFileThatIsCutOff() throws {
        let (packets, _) = try Self.sound.get()
        let file = MP4File(packets, packets.map { _ in 1021 })
        // The header is moved to the front, where it survives.
        let bytes = file.bytes
        let movie = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
        var front = Array(bytes[..<28]) + Array(bytes[movie...])
        let list = try #require(front.firstRange(of: Array("stco".utf8))).upperBound + 8
        let place = front.count + 8
        for index in 0..<4 { front[list + index] = UInt8(truncatingIfNeeded: place >> (24 - 8 * index)) }
        let whole = front + Array(bytes[28..<movie])
        #expect(try MediaReader.open(TestStream(whole)).readAll().count == packets.count * 2048)
        let reader = try MediaReader.open(TestStream(Array(whole.prefix(whole.count * 2 / 3))))
        let error = #expect(throws: SyrinxError.self) { try reader.readAll() }
        #expect(error?.code == .truncated)
    }

    /// The name is in a fill element before the sound: its bits are moved up.
    @Test("The delay of FAAC, which nothing states, is left out")
    func faac() throws {
        let (packets, samples) = try Self.sound.get()
        let name = Array("libfaac 1.28".utf8) + [0]
        let bits = { (value: Int, width: Int) in (0..<width).reversed().map { value >> $0 & 1 } }
        var fill = bits(6, 3) + bits(15, 4) + bits(name.count + 3 - 14, 8) + bits(0, 17)
        fill += name.flatMap { bits(Int($0), 8) } + bits(0, 7)
        var all = fill + packets[0].flatMap { bits(Int($0), 8) }
        all += bits(0, (8 - all.count % 8) % 8)
        let first = stride(from: 0, to: all.count, by: 8).map {
            all[$0..<$0 + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        let file = MP4File([first] + packets.dropFirst(), packets.map { _ in 1024 })
        try check(file.bytes, frames(1024..<packets.count * 1024, of: samples))
    }

    /// FFmpeg decodes the first of them only; any bits are a frame.
    @Test("All frames of AMR in a sample are heard", arguments: [1, 5, 10], [160, 0])
    func severalFramesInASample(_ count: Int, _ duration: Int) throws {
        var state: UInt32 = 7
        let frames = (0..<200).map { _ in
            [0x3C]
                + (0..<31).map { _ -> UInt8 in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return UInt8(state >> 24)
                }
        }
        let bare = Array("#!AMR\n".utf8) + frames.flatMap { $0 }
        let expected = try MediaReader.open(TestStream(bare)).readAll()
        #expect(expected.count == 200 * 160)
        let samples = stride(from: 0, to: frames.count, by: count).map { frames[$0..<$0 + count].flatMap { $0 } }
        // The times of one frame for each sample, or of all.
        let ticks = duration > 0 ? duration : 160 * count
        let file = MP4File(samples, samples.map { _ in ticks }, codec: .amr)
        let reader = try MediaReader.open(TestStream(file.bytes))
        #expect(reader.info.frameCount == 32_000)
        #expect(try reader.readAll() == expected)
        try reader.seek(toFrame: 20_000)
        // Its filters remember long.
        #expect(try reader.readAll().count == 12_000)
    }
}
