import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// The samples of the inputs on their way to the output.
extension TrackQueue {
    /// Schedules decoded samples of `track` after all others.
    func schedule(_ buffer: AVAudioPCMBuffer, isLast: Bool, of track: Track) {
        if usesGains { updateGain(of: track) }
        output.player.scheduleStreamed(buffer, isLast: isLast)
        let count = Int64(buffer.frameLength)
        track.progress.timeline.decodedFrames += count
        track.progress.reopening.decoded(count, isBroadcast: track.pump?.isBroadcast == true)
    }

    /// Schedules the held frames of `track`, except the last `kept`.
    func scheduleHeld(of track: Track, but kept: Int = 0) {
        guard let held = track.pump?.held else { return }
        while held.count > kept, let buffer = held.take(min(held.count - kept, Self.heldFramesAtATime)) {
            schedule(buffer, isLast: false, of: track)
        }
        track.pump?.noteTaken()
    }

    private static let heldFramesAtATime = 8_192

    /// Schedules held frames of the last decoded input until the output has `wanted` frames ahead.
    ///
    /// An output that waits for samples receives frames even if fewer than intended remain held, so that it does not
    /// underrun.
    func scheduleHeld(untilAhead wanted: Double) {
        guard let held = tail.pump?.held else { return }
        guard output.mayStarve else {
            return held.count > held.capacity ? scheduleHeld(of: tail, but: held.capacity) : ()
        }
        var hasTaken = false
        while output.framesAhead < wanted, let buffer = held.take(Self.heldFramesAtATime) {
            schedule(buffer, isLast: false, of: tail)
            hasTaken = true
        }
        if hasTaken { tail.pump?.noteTaken() }
    }

    /// Returns the number of frames by which the start of `next` overlaps the end of `last`.
    func overlapFrames(from last: Track, to next: Track, _ info: MediaInfo) -> Int {
        guard let held = last.pump?.held, let before = last.item, let after = next.item, let known = last.progress.info
        else { return 0 }
        let rule = CrossfadeRule(crossfade: settings.crossfade)
        let duration = rule.duration(
            from: CrossfadeRule.Input(item: before, info: known),
            to: CrossfadeRule.Input(item: after, info: info)
        )
        // Half of the last input is played alone.
        let timeline = last.progress.timeline
        let half = Int(clamping: (timeline.endFrames ?? 0).subtractingClamped(timeline.cuts.frameCount) / 2)
        return min(held.count, half, Int(clamped: duration * last.progress.readFormat.sampleRate))
    }

    /// Shortens the pauses of all inputs by this strength from now on.
    func setSmartSpeed(_ strength: SmartSpeed) {
        settings.smartSpeed = strength
        for track in open { track.pump?.setSmartSpeed(strength) }
    }
}
