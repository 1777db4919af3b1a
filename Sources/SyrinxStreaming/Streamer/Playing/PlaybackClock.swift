import AVFAudio
import Foundation
import SyrinxDevice

/// The playback position in the input.
///
/// Used with the lock of the `PlaybackController` held.
struct PlaybackClock {
    private let tracks: TrackQueue
    private let output: StreamOutput

    init(_ tracks: TrackQueue, _ output: StreamOutput) { (self.tracks, self.output) = (tracks, output) }

    /// Returns the playback position in seconds: that of the rendered frames, minus the latencies of effects and
    /// output.
    func heardTime(_ status: PlaybackStatus) -> TimeInterval {
        let progress = tracks.current.progress
        switch status {
        case .ended, .stopped, .opening: return progress.timeline.lastHeard
        case .failed, .paused, .buffering, .playing: break
        }
        return note(time(at: heardFrame))
    }

    /// Returns the position at which playback stops after the fade and the frames in the output.
    func standingTime() -> TimeInterval {
        let faded = time(at: renderedFrame + frames(output.engine.fadeAhead))
        return note(min(faded, max(time(at: renderedFrame), tracks.current.progress.timeline.decodedTime)))
    }

    /// The player frame that is being heard.
    var heardFrame: Double {
        let now = monotonicNanoseconds()
        if let frame = output.heardFrame(at: now, framesPerSecond: frames(1)) {
            return frame - frames(output.heldByEffects)
        }
        let latency = output.engine.presentationLatency
        let unheard = tracks.current.progress.output.secondsUnheard(at: now, latency: latency)
        return renderedFrame - frames(unheard)
    }

    /// The player frame at the output of the effects.
    private var renderedFrame: Double { output.playedFrames - frames(output.heldByEffects) }

    /// Returns the number of player frames for a duration in seconds at the output.
    private func frames(_ seconds: TimeInterval) -> Double {
        seconds * output.playbackRate * tracks.current.progress.timeline.sampleRate
    }

    private func time(at frame: Double) -> TimeInterval {
        tracks.current.progress.timeline.renderedTime(playedFrames: frame)
    }

    private func note(_ time: TimeInterval) -> TimeInterval {
        let current = tracks.current
        let last = current.progress.lastTime
        return current.progress.timeline.heard(time, lastTime: last, hasFollower: !tracks.followers.isEmpty)
    }
}
