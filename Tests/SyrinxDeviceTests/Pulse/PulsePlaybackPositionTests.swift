import Testing

@testable import SyrinxDevice

/// The conclusions from a sound server's report of a stream, at 48 kHz in stereo.
///
/// None of its numbers ends the process.
@Suite("Sound server timing") struct PulsePlaybackPositionTests {
    private func report(
        written: Int64? = 384_000,
        read: Int64 = 345_600,
        sinkLatency: UInt64 = 20_000,
        time: UInt64 = 5_000_000,
        age: UInt64 = 0
    ) -> PulsePlaybackPosition {
        PulsePlaybackPosition(
            writeIndex: written,
            readIndex: read,
            sinkLatency: sinkLatency,
            configuredLatency: sinkLatency,
            time: time,
            age: age,
            isPlaying: true,
            frameByteCount: 8,
            sampleRate: 48_000
        )
    }

    private let answer = PulseRoundTrip(sinkLevel: 20_000, tookTime: 500)

    @Test("Samples that the sink has not read can be taken back")
    func whatTheSinkHasNotBeenHandedCanBeTakenBack() {
        #expect(report().look == SinkRewind.Look(handed: 900_000, unplayed: 20_000, time: 5_000_000, isPlaying: true))
        #expect(report().played == 880_000)
        // 100 ms have not been handed on, 2.5 ms may be before they are written over.
        #expect(report().unheardByteCount(answer, keptBySink: nil) == 38_400 - 960)
        #expect(report(age: 10_000).unheardByteCount(answer, keptBySink: nil) == 38_400 - 960 - 3_840)
        // A sink that keeps 1 ms gives 19 of its 20 back, but for the half of one that the way takes.
        #expect(report().unheardByteCount(answer, keptBySink: 1_000) == 38_400 + 7_104)
        #expect(report(written: nil).unheardByteCount(answer, keptBySink: nil) == nil)
    }

    @Test("Impossible timings do not overflow")
    func whatIsBeyondReasonDoesNotTrap() {
        let numbers: [Int64] = [.min, .min + 1, -(1 << 32), -1, 0, 1, 1 << 60, .max - 1, .max]
        let times: [UInt64] = [0, 1, 1 << 60, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, .max]
        for written in numbers {
            for read in numbers {
                for time in times {
                    check(report(written: written, read: read, sinkLatency: time, time: time, age: time))
                }
            }
        }
    }

    private func check(_ report: PulsePlaybackPosition) {
        let ages: [UInt64] = [0, 1 << 62, 1 << 63, .max]
        for kept in [nil, 0, 1 << 61, Int64.max] {
            for age in ages {
                let count = report.unheardByteCount(PulseRoundTrip(sinkLevel: age, tookTime: age), keptBySink: kept)
                #expect(count.map { $0 >= 0 } == true)
            }
        }
        #expect(report.look.handed >= 0)
        #expect(report.played >= -60_000_000)
        let held = SinkRewind.Look(handed: 0, unplayed: 0, time: 0, isPlaying: false)
        var rewind = SinkRewind()
        rewind.note(report.look)
        rewind.note(held)
        #expect(rewind.keptBySink.map { $0 >= 0 } ?? true)
    }

    /// A server whose indices have come round holds no more for that.
    @Test("A read index beyond the write index takes nothing back")
    func whatIsReadBeyondWhatIsWrittenCannotBeTakenBack() {
        #expect(report(written: .min, read: .max - 38_399).unheardByteCount(answer, keptBySink: nil) == 38_400 - 960)
        #expect(report(written: 0, read: 1 << 62).unheardByteCount(answer, keptBySink: nil) == 0)
    }

    @Test("An absurd latency gives a time within the clock's range", arguments: [1e9, 9.3e12, .infinity])
    func aLatencyBeyondReasonIsNoTimeBeyondTheClock(seconds: Double) {
        #expect(MonotonicClock.time(1, plus: seconds) > 1)
        #expect(MonotonicClock.time(1, plus: seconds) < 1 << 63)
    }
}
