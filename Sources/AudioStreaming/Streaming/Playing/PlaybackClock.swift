import AVFAudio
import AudioDevice
import Foundation

/// The time of the input that is heard.
///
/// Used under the lock of the `PlaybackController`.
struct PlaybackClock {
    private let tracks: TrackQueue
    private let output: StreamOutput

    init(_ tracks: TrackQueue, _ output: StreamOutput) { (self.tracks, self.output) = (tracks, output) }

    /// Returns the time in the input that is heard, in seconds: that of the rendered frames, less what effects and the output hold.
    func heardTime(_ status: PlaybackStatus) -> TimeInterval {
        let progress = tracks.current.progress
        switch status {
        case .ended, .stopped, .opening: return progress.timeline.lastHeard
        case .failed, .paused, .buffering, .playing: break
        }
        let latency = output.engine.presentationLatency
        let unheard = progress.output.secondsUnheard(at: monotonicNanoseconds(), latency: latency)
        return note(renderedTime - unheard * output.playbackRate)
    }

    /// Returns the time at which the sound stops once the fade and the frames on their way have been heard.
    func standingTime() -> TimeInterval {
        let faded = renderedTime + output.engine.fadeAhead * output.playbackRate
        return note(min(faded, max(renderedTime, tracks.current.progress.timeline.decodedTime)))
    }

    /// The time of what comes out of the effects.
    private var renderedTime: TimeInterval {
        let time = tracks.current.progress.timeline.renderedTime(playedFrames: output.playedFrames)
        return time - output.heldByEffects * output.playbackRate
    }

    private func note(_ time: TimeInterval) -> TimeInterval {
        let current = tracks.current
        let last = current.progress.lastTime
        return current.progress.timeline.heard(time, lastTime: last, hasFollower: !tracks.followers.isEmpty)
    }
}
