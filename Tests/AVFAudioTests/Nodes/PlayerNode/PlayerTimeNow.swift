import AVFAudio

extension AVAudioPlayerNode {
    /// The frame of the player's time at the end of what has been rendered, if it has one.
    var frameNow: AVAudioFramePosition? { lastRenderTime.flatMap { playerTime(forNodeTime: $0) }?.sampleTime }
}
