import CoreMedia
import Testing

/// Ranges of times.
@Suite struct CMTimeRangeTests {
    private func range(_ start: Int64, _ end: Int64, _ scale: Int32 = 10) -> CMTimeRange {
        CMTimeRange(start: CMTimeMake(value: start, timescale: scale), end: CMTimeMake(value: end, timescale: scale))
    }

    private func time(_ value: Int64, _ scale: Int32 = 10) -> CMTime { CMTimeMake(value: value, timescale: scale) }

    @Test("A range has a start, a duration and an end that does not belong to it")
    func parts() {
        let range = range(5, 25)
        #expect(range.duration == CMTimeMake(value: 2, timescale: 1) && range.end == time(25))
        #expect(range.containsTime(time(5)) && range.containsTime(time(249, 100)) && !range.containsTime(time(25)))
        #expect(!range.containsTime(.invalid) && !range.containsTime(.indefinite))
        #expect(CMTimeRangeCopyDescription(allocator: nil, range: range) == "{{5/10 = 0.500}, {20/10 = 2.000}}")
    }

    @Test("A range is invalid without times, with a negative duration, or with one of another epoch")
    func validity() {
        #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid && CMTimeRange.zero.isEmpty)
        #expect(!range(5, 4).isValid && range(5, 5).isEmpty)
        #expect(!CMTimeRange(start: .zero, duration: time(-1)).isValid)
        let other = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
        #expect(!CMTimeRangeMake(start: .zero, duration: other).isValid)
        #expect(!CMTimeRange(start: .zero, end: other).isValid)
        #expect(CMTimeRange(start: other, duration: time(1)).end.epoch == 1)
        #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
        let endless = CMTimeRange(start: time(3), duration: .positiveInfinity)
        #expect(endless.isValid && endless.end == .positiveInfinity && endless.containsTime(time(.max)))
        #expect(CMTimeRange(start: time(3), end: .positiveInfinity) == endless)
        #expect(!endless.containsTime(CMTimeMakeWithEpoch(value: 9, timescale: 1, epoch: 1)))
    }

    @Test("Unions and intersections hold what counting tenths of a second finds")
    func sets() {
        var random = RandomTimes(seed: 21)
        for _ in 0..<500 {
            let bounds = (0..<4).map { _ in Int64(abs(Int(random.factor())) % 20) }
            let (a, b) = (
                range(min(bounds[0], bounds[1]), max(bounds[0], bounds[1])),
                range(min(bounds[2], bounds[3]), max(bounds[2], bounds[3]))
            )
            for tenth in 0..<20 as Range<Int64> {
                let isInBoth = a.containsTime(time(tenth)) && b.containsTime(time(tenth))
                #expect(a.intersection(b).containsTime(time(tenth)) == isInBoth)
            }
            let union = a.union(b)
            #expect(union.containsTimeRange(a) && union.containsTimeRange(b))
            #expect(union.start == min(a.start, b.start) && union.end == max(a.end, b.end))
            #expect(a.intersection(b) == b.intersection(a) && union == b.union(a))
        }
        #expect(!range(0, 1).union(.invalid).isValid && !range(0, 1).intersection(.invalid).isValid)
        #expect(range(0, 5).intersection(range(7, 9)) == .zero)
        let endless = CMTimeRange(start: time(3), duration: .positiveInfinity)
        #expect(range(0, 5).union(endless) == CMTimeRange(start: .zero, duration: .positiveInfinity))
        #expect(range(0, 5).intersection(endless) == range(3, 5))
    }

    @Test("Times are clamped, mapped and folded")
    func places() {
        let range = range(10, 20)
        #expect(CMTimeClampToRange(time(3), range: range) == time(10))
        #expect(CMTimeClampToRange(time(33), range: range) == time(20))
        #expect(CMTimeClampToRange(time(13), range: range) == time(13))
        #expect(!CMTimeClampToRange(time(13), range: .zero).isValid)
        #expect(CMTimeMapTimeFromRangeToRange(time(15), fromRange: range, toRange: self.range(0, 3)) == time(15, 100))
        #expect(CMTimeMapTimeFromRangeToRange(time(20), fromRange: range, toRange: self.range(7, 9)) == time(9))
        #expect(CMTimeMapDurationFromRangeToRange(time(1), fromRange: range, toRange: self.range(0, 30)) == time(3))
        #expect(!CMTimeMapTimeFromRangeToRange(time(15), fromRange: .zero, toRange: range).isValid)
        let endless = CMTimeRange(start: time(3), duration: .positiveInfinity)
        let later = CMTimeRange(start: time(4), duration: .positiveInfinity)
        #expect(CMTimeMapTimeFromRangeToRange(time(9), fromRange: endless, toRange: later) == time(10))
        #expect(CMTimeFoldIntoRange(time(47), foldRange: range) == time(17))
        #expect(CMTimeFoldIntoRange(time(-1), foldRange: range) == time(19))
        #expect(CMTimeFoldIntoRange(time(20), foldRange: range) == time(10))
        #expect(!CMTimeFoldIntoRange(time(20), foldRange: .zero).isValid)
    }

    @Test("Ranges and mappings come back from dictionaries and JSON")
    func roundTrips() throws {
        let range = range(5, 25)
        let dictionary = try #require(CMTimeRangeCopyAsDictionary(range, allocator: nil))
        #expect(CMTimeRangeMakeFromDictionary(dictionary) == range)
        #expect(!CMTimeRangeMakeFromDictionary(NSDictionary()).isValid)
        #expect(try JSONDecoder().decode(CMTimeRange.self, from: JSONEncoder().encode(range)) == range)
        let mapping = CMTimeMappingMake(source: range, target: self.range(0, 40))
        let stored = try #require(CMTimeMappingCopyAsDictionary(mapping, allocator: nil))
        #expect(CMTimeMappingMakeFromDictionary(stored) == mapping && mapping.isValid && !mapping.isEmpty)
        #expect(CMTimeMappingMakeEmpty(target: range).isEmpty)
        #expect(Set([range, self.range(50, 250, 100)]).count == 1)
    }
}
