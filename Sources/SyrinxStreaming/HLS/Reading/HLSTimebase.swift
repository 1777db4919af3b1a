import SyrinxByteStream

/// The times of a live presentation by the timestamps of its segments: by them another rendition is placed, which was opened later.
struct HLSTimebase: Sendable {
    /// The relation of one clock, which the playlists number by their discontinuities.
    struct Clock: Sendable {
        let discontinuity: Int64
        /// Seconds by the clock.
        let stamp: Double
        /// Seconds of the presentation.
        let time: Double
    }

    let clocks: [Clock]

    /// Returns the seconds by which another timebase is to be moved to agree; `nil` if they share no clock.
    func shift(of other: HLSTimebase) -> Double? {
        for clock in other.clocks.reversed() {
            guard let own = clocks.last(where: { $0.discontinuity == clock.discontinuity }) else { continue }
            // Timestamps begin anew now and then, and both are of the same minutes.
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

    /// Counts time as another reader of the presentation does, of which this one plays another rendition.
    ///
    /// Only before anything has been read.
    /// - Throws: `media.soundUnavailable` if nothing tells how the two relate.
    func align(to other: HLSTimebase) throws(SyrinxError) {
        guard let own = timebase, let run, let shift = other.shift(of: own) else {
            let message = "The other sound of the live stream has no time in common with the one that is heard."
            throw SyrinxError(.soundUnavailable, message, name: name)
        }
        move(by: frame(at: shift))
        loader.found(run.stream.first, at: seconds(at: run.start), movesAll: true)
    }
}
