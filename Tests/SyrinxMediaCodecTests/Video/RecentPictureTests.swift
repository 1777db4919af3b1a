import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

/// Steps back through moving pictures.
@Suite struct RecentPictureTests {
    @Test(
        "Stepping back and forth gives the right frames within the memory limit",
        arguments: ["b-frames.mp4", "long-group.mov", "mpeg4.avi", "large.mpg", "vp9.webm"]
    )
    func stepsBackAndForthGiveThePictureOfEachTimeWithinTheBytes(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let url = try VideoFiles.make(name, in: scratch)
        let reader = try VideoReader.open(url)
        let all = try VideoReader.open(url).readAll()
        let size = try #require(all.first).byteCount
        reader.recentByteLimit = 10 * size
        var random = SplitMix64(seed: 3)
        // All back, one by one; then by chance.
        let way = Array((0..<100).reversed())
        var (index, steps) = (0, 0)
        while steps < 250 {
            if steps < way.count { index = way[steps] } else { index += Int.random(in: -6...5, using: &random) }
            index = min(max(index, 0), 99)
            try reader.seek(to: all[index].start)
            let found = try #require(try reader.next())
            #expect(try found.number() == index && found.start == all[index].start, "step \(steps) to \(index)")
            #expect(reader.recentByteCount <= 10 * size)
            steps += 1
        }
        #expect(reader.recentByteCount > 0)
        // Reading on in order drops them.
        try reader.seek(to: all[20].start)
        for number in 20..<100 { #expect(try reader.next()?.number() == number) }
        #expect(try reader.next() == nil)
        #expect(reader.recentByteCount == 0)
        try reader.seek(to: all[98].start)
        #expect(try reader.next()?.number() == 98)
    }

    @Test("Frames are not cached without a step back")
    func picturesAreNotKeptWithoutAStepBack() throws {
        let scratch = try ScratchDirectory()
        let reader = try VideoReader.open(VideoFiles.make("b-frames.mp4", in: scratch))
        reader.recentByteLimit = 1 << 20
        _ = try reader.readAll()
        #expect(reader.recentByteCount == 0)
    }

    @Test("The frame cache gives the frame at a time and those after it")
    func aHistoryGivesThePictureThatIsShownAndThoseAfterIt() {
        var history = PictureHistory<Int>(byteLimit: 100)
        for number in 0..<20 { history.append(number, start: Int64(number * 10), size: 10) }
        #expect(history.count == 10 && history.byteCount == 100)
        #expect(history.take(from: 99).isEmpty)
        #expect(history.take(from: 175) == [17, 18, 19])
        #expect(history.count == 7 && history.byteCount == 70)
        history.append(17, start: 170, size: 60)
        #expect(
            history.byteCount == 100 && history.take(from: 120).isEmpty
                && history.take(from: 130) == [13, 14, 15, 16, 17]
        )
        #expect(history.byteCount == 0)
    }

    @Test("A frame cache with a gap is emptied")
    func aHistoryWithAGapIsEmptied() {
        var history = PictureHistory<Int>(byteLimit: 100)
        history.append(1, start: 10, size: 10)
        // One that begins no later, and one that is too large.
        history.append(2, start: 10, size: 10)
        #expect(history.count == 1 && history.take(from: 10) == [2])
        history.append(3, start: 30, size: 10)
        history.append(4, start: 40, size: 101)
        #expect(history.count == 0 && history.byteCount == 0)
        var none = PictureHistory<Int>(byteLimit: -5)
        none.append(1, start: 1, size: 1)
        #expect(none.count == 0)
    }
}
