import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

/// Streamers that are pushed about by chance, on lines that break by chance, faster than they sound.
///
/// `SYRINX_SOAK_SECONDS` says for how long (3 by default), `SYRINX_SOAK_SEED` by which chance (1): `scripts/soak` sets both.
/// Each streamer has a seed of its own, one more than the last, which is printed with a failure and repeats it.
@Suite("SoakTests", .serialized) struct SoakTests {
    /// Rounds after which all that is made once has been made.
    private static let warmUp = 3

    private struct Sums {
        var rounds = 0
        var actions = 0
        var requests = 0
        var faults = 0
        var heard = 0
        var compared = 0
        var longestStop = Duration.zero
    }

    @Test("Random operations neither leak, nor corrupt samples, nor misreport the state")
    func nothingLeaksNothingIsWrongAndNothingIsALie() throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["SYRINX_SOAK_SECONDS"].flatMap(Double.init) ?? 3
        let seed = environment["SYRINX_SOAK_SEED"].flatMap(UInt64.init) ?? 1
        let scratch = try ScratchDirectory()
        let recordings = try SoakRecording.all(in: scratch)
        let begin = ContinuousClock.now
        var sums = Sums()
        var first: Holdings?
        var last = Holdings.now
        while ContinuousClock.now < begin + .seconds(seconds) || sums.rounds <= Self.warmUp {
            try round(seed + UInt64(sums.rounds), recordings, scratch, &sums)
            let isWarm = sums.rounds > Self.warmUp
            last = settled(no: isWarm ? first : nil)
            if let first, isWarm { check(last, first, after: sums.rounds, from: seed) } else { first = last }
        }
        #expect(sums.heard > 0 && sums.compared > 0 && sums.faults > 0)
        print(
            """
            soak: seeds \(seed) to \(seed + UInt64(sums.rounds) - 1) in \(ContinuousClock.now - begin): \
            \(sums.actions) actions, \(sums.requests) requests, \(sums.faults) of them answered badly, \
            \(sums.heard / 44_100) s of sound, \(sums.compared / 44_100) s of it held against the recording, \
            the longest stop took \(sums.longestStop)
            soak: \(first?.summary ?? "") in the beginning, \(last.summary) in the end
            """
        )
    }

    private func round(
        _ seed: UInt64,
        _ recordings: [SoakRecording],
        _ scratch: ScratchDirectory,
        _ sums: inout Sums
    ) throws {
        var dice = Dice(~seed)
        let line = try SoakLine(recordings, seed: seed)
        // Small enough that something has to go now and then; half of them are kept from one streamer to the next.
        let isCached = dice.isTrue(oneIn: 2)
        let cache = isCached ? DiskCache(directory: scratch.file("cache\(seed % 2)"), limit: 1 << 20) : nil
        var round = SoakRound(seed: seed, recordings, line, cache: cache)
        try round.run(actions: 60)
        #expect(line.server.waitUntilAllClosed())
        cache?.flush()
        sums.rounds += 1
        sums.actions += round.actions
        sums.requests += line.server.requests.count
        sums.faults += line.faultCount
        sums.heard += round.heard
        sums.compared += round.compared
        sums.longestStop = max(sums.longestStop, round.longestStop)
    }

    /// Returns the resources when everything that ends by itself has ended.
    private func settled(no more: Holdings?) -> Holdings {
        var now = Holdings.now
        guard let more else { return now }
        waitUntil(timeout: 20) {
            now = .now
            return now.threads <= more.threads && now.descriptors <= more.descriptors
        }
        return now
    }

    /// The HTTP client keeps about 12 KiB for each host and port that it has ever spoken to, and each streamer here has a server
    /// of its own.
    private static let heldForEachServer = 24 << 10

    private func check(_ now: Holdings, _ first: Holdings, after rounds: Int, from seed: UInt64) {
        let told: Comment = "seed \(seed + UInt64(rounds) - 1): \(now.summary); it began with \(first.summary)"
        let kept = rounds * Self.heldForEachServer
        #expect(now.threads <= first.threads + 4, told)
        #expect(now.descriptors <= first.descriptors + 4, told)
        #expect(now.heapBytes <= first.heapBytes + (8 << 20) + kept, told)
        #expect(now.residentBytes <= first.residentBytes + (64 << 20) + kept, told)
    }
}
