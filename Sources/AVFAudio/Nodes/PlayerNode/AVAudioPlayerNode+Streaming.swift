import Synchronization

/// The part of a player's interface that a streamer needs beyond Apple's.
extension AVAudioPlayerNode {
    /// Schedules `buffer` after the current schedule.
    ///
    /// After the last buffer of a stream, the node outputs no more content, and its time stops.
    package func scheduleStreamed(_ buffer: AVAudioPCMBuffer, isLast: Bool) {
        schedule.schedule(buffer, start: .following, options: [], completion: nil, isLast: isLast)
    }

    /// Frames of buffers scheduled since the last stop that have not been played.
    package var framesAhead: Int64 { max(0, schedule.scheduledFrames - playedFrames) }

    /// The number of scheduled frames rendered since the last `stop()`.
    package var playedFrames: Int64 {
        let (_, player, resets) = kernel.time.read()
        guard resets == Int64(kernel.requestedTimeResets) else { return 0 }
        return max(0, player - starvedFrames)
    }

    /// The number of silent frames rendered since the last `stop()` because the schedule was empty.
    package var starvedFrames: Int64 { kernel.starvedFrames.load(ordering: .relaxed) }

    /// The number of incomplete blocks because the schedule was empty.
    package var starvedCount: Int { kernel.starvedCount.load(ordering: .relaxed) }

    /// Sets the gains of a stream's frames, in order; at most 16, and none is no change.
    ///
    /// They count from the last stop, and are forgotten at the next.
    package func setStreamedGains(_ gains: [StreamedGain]) {
        kernel.gains.set(gains, resets: kernel.requestedTimeResets)
    }
}
