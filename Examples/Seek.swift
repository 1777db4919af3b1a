import AVFoundation

// snippet: seek
/// A player that can be moved about in its file, as behind a slider.
final class SeekablePlayer {
    let engine = AVAudioEngine()
    let file: AVAudioFile
    private let player = AVAudioPlayerNode()
    private var startFrame: AVAudioFramePosition = 0

    init(url: URL) throws {
        file = try AVAudioFile(forReading: url)
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
    }

    func play() { player.play() }

    /// The frame of the file that is heard.
    var currentFrame: AVAudioFramePosition {
        guard let nodeTime = player.lastRenderTime, let playerTime = player.playerTime(forNodeTime: nodeTime) else {
            return startFrame
        }
        return startFrame + playerTime.sampleTime
    }

    func seek(to frame: AVAudioFramePosition) {
        let wasPlaying = player.isPlaying
        player.stop()
        startFrame = max(0, min(frame, file.length))
        let frameCount = AVAudioFrameCount(file.length - startFrame)
        guard frameCount > 0 else { return }
        player.scheduleSegment(file, startingFrame: startFrame, frameCount: frameCount, at: nil)
        if wasPlaying { player.play() }
    }
}

/// The second half of a file.
func skipToTheMiddle(of input: URL, to output: URL) throws {
    let player = try SeekablePlayer(url: input)
    let middle = player.file.length / 2
    player.seek(to: middle)
    try render(player.engine, in: player.file.processingFormat, frames: player.file.length - middle, to: output) {
        player.play()
    }
}
// end
