import AVFAudio
import SyrinxAnalysis
import SyrinxListening
import SyrinxStreaming

/// Measures the sound of a player for screens: level meters, and the waveform of the current input.
///
/// On the thread that plays.
final class ScreenProbe {
    private let player: ListeningPlayer
    private let meter: NodeMeter
    private let waveform: WaveformFollower
    /// The turn and opening that the waveform belongs to.
    private(set) var followed = -1

    /// Frames between two readings of the meters: 30 a second at 44.1 kHz.
    private static let meterFrames: AVAudioFrameCount = 1470

    /// Creates a probe; `didGrow` is called on another thread when more of the waveform is known.
    init(_ player: ListeningPlayer, didGrow: @escaping @Sendable () -> Void) {
        self.player = player
        meter = NodeMeter(node: player.streamer.engine.mainMixerNode, bufferSize: Self.meterFrames)
        waveform = WaveformFollower(didGrow: didGrow)
    }

    /// The peak level of each channel in dBFS; empty while nothing plays.
    var levels: [Float] {
        player.session.item.progress.state == .playing ? meter.reading.levels.map(\.peak) : []
    }

    /// The peaks of the current input from its start to its end, 0…1; negative where none is known yet.
    var peaks: [Float] { waveform.peaks }

    /// Shows the waveform of the current input.
    /// - Returns: Whether it is another input, or the same one opened again.
    func follow() -> Bool {
        let session = player.session
        if let duration = session.item.progress.duration, duration > 0 {
            waveform.note(place: session.item.progress.time / duration)
        }
        // A part that is repeated is another turn of the same input.
        let turn = (session.queue.identity(at: session.queue.index) ?? 0) &* 31 &+ session.openingCount
        guard turn != followed, !session.isIdle else { return false }
        followed = turn
        waveform.follow { [streamer = player.streamer] in streamer.makeArrivedStream() }
        return true
    }

    /// Stops measuring.
    func stop() {
        waveform.stop()
        meter.stop()
    }
}
