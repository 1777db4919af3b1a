import Testing

@testable import DesktopModel

@Suite struct VideoTests {
    private func shown(_ decision: VideoSync<Int>.Decision) -> Int? {
        if case .show(let picture) = decision { picture } else { nil }
    }

    @Test(arguments: [24.0, 25, 30, 60, 144])
    func `Every picture of a video is shown once, within half a frame of its time, if the display is as fast`(
        rate: Double
    ) {
        let display = 144.0
        var sync = VideoSync<Int>()
        var next = 0
        var seen: [Int] = []
        for frame in 0..<Int(display * 4) {
            while sync.wantedCount > 0 {
                sync.add(next, time: Double(next) / rate, generation: 0)
                next += 1
            }
            let time = Double(frame) / display
            guard let picture = shown(sync.advance(to: time, frameDuration: 1 / display)) else { continue }
            seen.append(picture)
            #expect(abs(Double(picture) / rate - time) <= 0.5 / display + 1e-9)
        }
        #expect(seen == Array(0..<seen.count))
        #expect(sync.droppedCount == 0 && abs(Double(seen.count) - rate * 4) <= 2)
    }

    @Test func `A display that is slower than the video leaves pictures out and keeps up`() {
        var sync = VideoSync<Int>()
        var next = 0
        for frame in 0..<120 {
            while sync.wantedCount > 0 {
                sync.add(next, time: Double(next) / 60, generation: 0)
                next += 1
            }
            let time = Double(frame) / 30
            let picture = shown(sync.advance(to: time, frameDuration: 1.0 / 30))
            #expect(picture.map { abs(Double($0) / 60 - time) < 0.02 } == true)
        }
        #expect(sync.droppedCount > 100)
    }

    @Test func `The first picture after a seek is shown at once, and none of before the seek`() {
        var sync = VideoSync<Int>()
        sync.add(1, time: 0, generation: 0)
        _ = sync.advance(to: 0, frameDuration: 0.01)
        let generation = sync.flush()
        #expect(sync.add(2, time: 0.04, generation: generation - 1) == false)
        #expect(shown(sync.advance(to: 50, frameDuration: 0.01)) == nil)
        #expect(sync.add(3, time: 50.02, generation: generation) == true)
        #expect(shown(sync.advance(to: 50, frameDuration: 0.01)) == 3)
        #expect(sync.shownTime == 50.02)
        sync.add(4, time: 50.06, generation: generation)
        #expect(shown(sync.advance(to: 50.01, frameDuration: 0.01)) == nil)
        #expect(sync.nextTime == 50.06)
    }

    @Test func `While the sound stands still the picture does, too`() {
        var sync = VideoSync<Int>()
        for number in 0..<8 { sync.add(number, time: Double(number) / 30, generation: 0) }
        #expect(shown(sync.advance(to: 0.1, frameDuration: 1.0 / 60)) == 3)
        for _ in 0..<100 { #expect(shown(sync.advance(to: 0.1, frameDuration: 1.0 / 60)) == nil) }
    }

    @Test func `Times out of order and numbers that are none are left out`() {
        var sync = VideoSync<Int>(capacity: 0)
        #expect(sync.capacity == 2)
        #expect(sync.add(1, time: 1, generation: 0) == true)
        #expect(sync.add(2, time: 0.5, generation: 0) == false)
        #expect(sync.add(3, time: .nan, generation: 0) == false)
        #expect(sync.add(4, time: 1, generation: 0) == true)
        #expect(sync.add(5, time: 2, generation: 0) == false)
        #expect(shown(sync.advance(to: .nan, frameDuration: 1)) == nil)
        for number in hostileNumbers { _ = sync.advance(to: number, frameDuration: number) }
    }

    @Test func `A drag asks for one picture at a time, for the newest place`() {
        var scrub = VideoScrub()
        let first = scrub.want(10)
        #expect(first?.continues == false && first?.time == 10)
        for step in 1...100 { #expect(scrub.want(10 + Double(step) / 100) == nil) }
        let second = scrub.finish(first?.id ?? 0, decodedTime: 10)
        #expect(second?.time == 11 && second?.continues == true && second?.maximumPictures == 60)
        #expect(scrub.finish(first?.id ?? 0, decodedTime: 10) == nil)
        #expect(scrub.finish(second?.id ?? 0, decodedTime: 11) == nil)
        #expect(scrub.isIdle)
    }

    @Test func `A picture before the last one, or far ahead, needs a seek`() {
        var scrub = VideoScrub()
        var id = scrub.want(10)?.id ?? 0
        _ = scrub.finish(id, decodedTime: 10)
        let back = scrub.want(9.99)
        #expect(back?.continues == false)
        _ = scrub.finish(back?.id ?? 0, decodedTime: 9.99)
        #expect(scrub.want(11.5)?.continues == false)
        id = scrub.inFlight?.id ?? 0
        _ = scrub.finish(id, decodedTime: nil)
        #expect(scrub.want(11.6)?.continues == false)
    }

    @Test func `The last picture of a drag is exact`() {
        var scrub = VideoScrub()
        let first = scrub.want(1)
        #expect(scrub.want(2, isExact: true) == nil)
        let last = scrub.finish(first?.id ?? 0, decodedTime: 1)
        #expect(last?.isExact == true && last?.time == 2 && last?.maximumPictures == VideoScrub.maximumExactPictures)
        scrub.reset()
        #expect(scrub.isIdle && scrub.finish(last?.id ?? 0, decodedTime: 2) == nil)
        for number in hostileNumbers { _ = scrub.want(number) }
    }
}
