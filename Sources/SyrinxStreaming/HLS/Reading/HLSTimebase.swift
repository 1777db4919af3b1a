import SyrinxByteStream

/// Relates the timestamps of segments to the time of a live presentation, so that a rendition opened later can be
/// aligned.
struct HLSTimebase: Sendable {
    /// The relation of one clock, identified by its discontinuity sequence number.
    struct Clock: Sendable {
        let discontinuity: Int64
        /// Seconds by the clock.
        let stamp: Double
        /// Seconds of the presentation.
        let time: Double
    }

    let clocks: [Clock]

    /// Returns the seconds by which another timebase must be shifted to agree; `nil` if they share no clock.
    func shift(of other: HLSTimebase) -> Double? {
        for clock in other.clocks.reversed() {
            guard let own = clocks.last(where: { $0.discontinuity == clock.discontinuity }) else { continue }
            // Timestamps wrap around, and both are from the same minutes.
            let elapsed = (clock.stamp - own.stamp).remainder(dividingBy: SegmentContent.wrap)
            return own.time + elapsed - clock.time
        }
        return nil
    }
}

extension HLSReader {
    /// The times of the clocks that have been met; `nil` where time 0 is the same whenever the presentation is opened.
    var timebase: HLSTimebase? {
        loader.window?.slides == true ? HLSTimebase(clocks: soundClocks) : nil
    }

    /// The times of the clocks that have been met, the newest last.
    var soundClocks: [HLSTimebase.Clock] {
        let newest = clocks.sorted { ($0.key.epoch, $0.key.discontinuity) < ($1.key.epoch, $1.key.discontinuity) }
        return newest.map { clock, anchor in
            HLSTimebase.Clock(
                discontinuity: clock.discontinuity,
                stamp: anchor.seconds,
                time: seconds(at: anchor.frame)
            )
        }
    }

    /// Aligns the time with another reader of the presentation, which plays another rendition.
    ///
    /// Call it before anything is read.
    /// - Throws: `media.soundUnavailable` if the two cannot be related.
    func align(to other: HLSTimebase) throws(SyrinxError) {
        guard let own = timebase, let run, let shift = other.shift(of: own) else {
            let message = "The other sound of the live stream has no time in common with the one that is heard."
            throw SyrinxError(.soundUnavailable, message, name: name)
        }
        move(by: frame(at: shift))
        loader.found(run.stream.first, at: seconds(at: run.start), movesAll: true)
    }
}
