import CoreMedia
import Testing

/// Times as values: how they are made, ordered, described and stored.
@Suite struct CMTimeTests {
    @Test("The structures are laid out as on Apple's systems")
    func layout() {
        #expect(MemoryLayout<CMTime>.size == 24 && MemoryLayout<CMTime>.alignment == 4)
        #expect(MemoryLayout<CMTime>.offset(of: \.epoch) == 16)
        #expect(MemoryLayout<CMTimeRange>.size == 48 && MemoryLayout<CMTimeMapping>.size == 96)
        #expect(MemoryLayout<CMSampleTimingInfo>.size == 72)
        #expect(CMTime().fields == [0, 0, 0, 0] && !CMTime().isValid)
    }

    @Test("A timescale that is not positive makes no time")
    func scales() {
        for scale: Int32 in [0, -1, .min] {
            #expect(!CMTimeMake(value: 1, timescale: scale).isValid)
            #expect(!CMTime(seconds: 1, preferredTimescale: scale).isValid)
            let raw = CMTime(value: 1, timescale: scale, flags: .valid, epoch: 0)
            #expect(raw.seconds.isNaN && raw == .invalid && !(raw + .zero).isValid)
        }
    }

    @Test("Seconds are cut to whole parts, and the timescale gives way where the value does not fit")
    func seconds() {
        #expect(CMTime(seconds: 0.5, preferredTimescale: 600).fields == [300, 600, 1, 0])
        #expect(CMTime(seconds: 1.99, preferredTimescale: 1).fields == [1, 1, 3, 0])
        #expect(CMTime(seconds: -1.99, preferredTimescale: 1).fields == [-1, 1, 3, 0])
        #expect(CMTime(seconds: 0.29, preferredTimescale: 100).fields == [28, 100, 3, 0])
        #expect(CMTime(seconds: 1e18, preferredTimescale: 1_000_000_000).timescale == 7)
        #expect(CMTime(seconds: 1e18, preferredTimescale: 1_000_000_000).seconds == 1e18)
        #expect(CMTime(seconds: 1e19, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: -.infinity, preferredTimescale: 600) == .negativeInfinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTime.indefinite.seconds.isNaN && CMTime.invalid.seconds.isNaN)
        #expect(CMTime.positiveInfinity.seconds == .infinity && CMTime.negativeInfinity.seconds == -.infinity)
    }

    @Test("Numbers compare exactly, whatever their timescales")
    func exactComparison() {
        var random = RandomTimes(seed: 11)
        for _ in 0..<3000 {
            let (a, b) = (random.number(), random.number())
            let difference =
                BigNumber(a.value) * BigNumber(Int64(b.timescale)) - BigNumber(b.value) * BigNumber(Int64(a.timescale))
            #expect(CMTimeCompare(a, b) == (difference.isZero ? 0 : difference.isNegative ? -1 : 1), "\(a) and \(b)")
        }
        // A Double does not tell these apart.
        let near = CMTimeMake(value: .max, timescale: .max)
        #expect(near > CMTimeMake(value: .max - 1, timescale: .max))
        #expect(near < CMTimeMake(value: .max / 2, timescale: .max / 2))
    }

    @Test("Kinds are ordered: minus infinity, numbers, indefinite, infinity, invalid")
    func order() {
        let ordered = [
            CMTime.negativeInfinity, CMTimeMake(value: .min, timescale: 1), .zero,
            CMTimeMakeWithEpoch(value: 0, timescale: 1, epoch: 1), .indefinite, .positiveInfinity, .invalid,
        ]
        #expect(ordered.reversed().sorted().map(\.fields) == ordered.map(\.fields))
        for time in ordered { #expect(time == time && !(time < time)) }
        #expect(CMTimeMinimum(.invalid, .zero) == .zero && CMTimeMaximum(.indefinite, .zero).isIndefinite)
    }

    @Test("Equal times have one hash")
    func hashes() {
        let half = [(1, 2), (300, 600), (22050, 44100)].map { CMTimeMake(value: $0.0, timescale: $0.1) }
        #expect(Set(half).count == 1)
        #expect(Set(half + [.zero, .invalid, .indefinite]).count == 4)
        let odd = CMTime(value: 7, timescale: 9, flags: [.valid, .positiveInfinity], epoch: 4)
        #expect(odd == .positiveInfinity && odd.hashValue == CMTime.positiveInfinity.hashValue)
    }

    @Test(
        "Texts are those of Apple's",
        arguments: [
            (CMTimeMake(value: 1001, timescale: 30000), "{1001/30000 = 0.033}"),
            (CMTime(seconds: 0.3331, preferredTimescale: 600), "{199/600 = 0.332, rounded}"),
            (CMTimeMake(value: -5, timescale: 2), "{-5/2 = -2.500}"),
            (.zero, "{0/1 = 0.000}"), (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"),
            (.positiveInfinity, "{+INFINITY}"), (.negativeInfinity, "{-INFINITY}"),
        ]
    )
    func texts(_ time: CMTime, _ text: String) {
        #expect(CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) == text)
    }

    @Test("Dictionaries, JSON and values of Foundation give back what was put in")
    func roundTrips() throws {
        var random = RandomTimes(seed: 12)
        for _ in 0..<200 {
            let time = random.anything()
            #expect(CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil)).fields == time.fields)
            let data = try JSONEncoder().encode(time)
            #expect(try JSONDecoder().decode(CMTime.self, from: data).fields == time.fields)
            #expect(NSValue(time: time).timeValue.fields == time.fields)
        }
        #expect(!CMTimeMakeFromDictionary(NSDictionary(dictionary: ["value": 1])).isValid)
        #expect(!CMTimeMakeFromDictionary(nil).isValid)
    }

    @Test("Values of Foundation compare, and hold nothing else than what they were made of")
    func values() throws {
        let time = CMTimeMake(value: 3, timescale: 4)
        let range = CMTimeRange(start: .zero, duration: time)
        let values = [NSValue(time: time), NSValue(time: .zero), NSValue(timeRange: range)]
        #expect(values[0] == NSValue(time: time) && values[0].hash == NSValue(time: time).hash)
        #expect(values[0] != values[1] && values[0] != values[2])
        #expect(Set(values + values).count == 3)
        #expect(NSArray(array: values).index(of: NSValue(timeRange: range)) == 2)
        #expect((values as [Any]).compactMap { ($0 as? NSValue)?.timeValue }.first == time)
        #expect(values[2].timeRangeValue == range && !values[2].timeValue.isValid && !values[0].timeRangeValue.isValid)
        let mapping = CMTimeMapping(source: range, target: .zero)
        #expect(NSValue(timeMapping: mapping).timeMappingValue == mapping)
        let dictionary = NSDictionary(dictionary: ["time": values[0]])
        #expect((dictionary["time"] as? NSValue)?.timeValue == time)
        #expect(!NSNumber(value: 3).timeValue.isValid)
        #expect(try #require(values[0].copy() as? NSValue).timeValue == time)
    }
}
