import Testing

@testable import AVFoundation

/// The decisions about which pictures are decoded ahead.
@Suite struct PictureScheduleTests {
    private var schedule = PictureSchedule<Int>()

    /// Decodes as a thread would: 10 pictures a second, each with its number, of which there are `count`.
    private mutating func decode(_ place: inout Int, count: Int = 100) {
        while true {
            let jumps = schedule.jumps
            switch schedule.nextStep() {
            case .wait: return
            case .seek(let time): place = min(max(Int((time * 10 + 1e-6).rounded(.down)), 0), count - 1)
            case .decode(let time):
                guard place < count else {
                    schedule.end(afterJumps: jumps)
                    continue
                }
                let (start, end) = (Double(place) / 10, Double(place + 1) / 10)
                if end <= time, place < count - 1 {
                    schedule.pass(end, afterJumps: jumps)
                } else {
                    schedule.add(place, from: start, to: end, afterJumps: jumps)
                }
                place += 1
            }
        }
    }

    @Test mutating func aFewPicturesAreHeldAheadOfTheTime() {
        var place = 0
        #expect(schedule.nextStep() == .wait)
        schedule.want(2.05)
        #expect(schedule.entry(at: 2.05) == nil)
        decode(&place)
        #expect(schedule.entries.map(\.picture) == [20, 21, 22, 23])
        #expect(schedule.entry(at: 2.05)?.picture == 20 && schedule.entry(at: 2.3)?.picture == 23)
        schedule.want(2.2)
        #expect(schedule.entries.map(\.picture) == [22, 23])
        decode(&place)
        #expect(schedule.entries.map(\.picture) == [22, 23, 24, 25])
        #expect(schedule.jumps == 1)
    }

    @Test mutating func picturesThatAreLateArePassedOver() {
        var place = 0
        schedule.want(0)
        decode(&place)
        // Within the second that is decoded rather than jumped over.
        schedule.want(1.25)
        decode(&place)
        #expect(schedule.jumps == 1 && schedule.entry(at: 1.25)?.picture == 12)
        #expect(schedule.entries.map(\.picture) == [12, 13, 14, 15])
    }

    @Test mutating func aLatePictureIsGivenUnlessTimeLeaps() {
        var place = 0
        schedule.want(0)
        decode(&place)
        schedule.want(0.2)
        schedule.want(0.41)
        #expect(schedule.entry(at: 0.41)?.picture == 3)
        schedule.want(0.9)
        #expect(schedule.entry(at: 0.9) == nil)
        decode(&place)
        #expect(schedule.entry(at: 0.9)?.picture == 9 && schedule.jumps == 1)
    }

    @Test mutating func timesFarAwayAreGoneTo() {
        var place = 0
        schedule.want(0)
        decode(&place)
        for (time, picture) in [(5.0, 50), (1.0, 10), (1.1, 11), (0.9, 9)] {
            schedule.want(time)
            decode(&place)
            #expect(schedule.entry(at: time)?.picture == picture)
        }
        #expect(schedule.jumps == 4)
    }

    @Test mutating func pollingDoesNotStartAJumpAnew() {
        schedule.want(3)
        #expect(schedule.nextStep() == .seek(3))
        for step in 1...20 { schedule.want(3 + Double(step) / 60) }
        #expect(schedule.jumps == 1 && schedule.nextStep() == .decode(notBefore: 3 + 20.0 / 60))
    }

    @Test mutating func picturesFromBeforeAJumpAreNotTaken() {
        schedule.want(0)
        _ = schedule.nextStep()
        let jumps = schedule.jumps
        schedule.jump(to: 7)
        schedule.add(0, from: 0, to: 0.1, afterJumps: jumps)
        schedule.end(afterJumps: jumps)
        #expect(schedule.entries.isEmpty && schedule.nextStep() == .seek(7))
        #expect(schedule.nextStep() == .decode(notBefore: 7))
    }

    @Test mutating func noPictureIsDecodedAheadWhileTimesGoBack() {
        var place = 0
        schedule.want(5)
        decode(&place)
        #expect(schedule.entries.count == 4)
        for picture in [49, 48, 47] {
            let time = Double(picture) / 10 + 0.05
            schedule.want(time)
            decode(&place)
            schedule.want(time)
            #expect(schedule.entries.map(\.picture) == [picture])
        }
        schedule.want(4.8)
        decode(&place)
        #expect(schedule.entries.map(\.picture) == [48, 49, 50, 51])
    }

    @Test mutating func theLastPictureStays() {
        var place = 0
        for time in [9.95, 12, 500] {
            schedule.want(time)
            decode(&place)
            #expect(schedule.entry(at: time)?.picture == 99)
        }
        let jumps = schedule.jumps
        schedule.want(600)
        #expect(schedule.jumps == jumps && schedule.nextStep() == .wait)
    }

    @Test mutating func aPictureIsNewOnce() throws {
        var place = 0
        schedule.want(1)
        decode(&place)
        let entry = try #require(schedule.entry(at: 1))
        #expect(schedule.isNew(entry))
        schedule.take(entry)
        #expect(!schedule.isNew(entry))
        let next = try #require(schedule.entry(at: 1.1))
        #expect(schedule.isNew(next))
    }

    @Test mutating func timesThatAreNoNumbersAreIgnored() {
        schedule.want(.nan)
        schedule.jump(to: .infinity)
        #expect(schedule.nextStep() == .wait && schedule.jumps == 0)
    }
}
