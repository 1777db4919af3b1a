import Foundation

/// The nodes of an `AVAudioPlayer` in its engine: a player node, and a time-pitch unit if the rate is adjustable.
///
/// Requires the player's lock. Deallocation removes the nodes from the engine.
final class PlayerGraph {
    let engine: AVAudioEngine
    let node = AVAudioPlayerNode()
    private let format: AVAudioFormat
    private var timePitch: AVAudioUnitTimePitch?

    init(_ engine: AVAudioEngine, format: AVAudioFormat) { (self.engine, self.format) = (engine, format) }

    deinit {
        node.removeTap(onBus: 0)
        guard node.engine != nil else { return }
        node.stop()
        // Detaching ends the sound at once, so it is delayed until the fade of `stop()` is over.
        AVAudioEngine.callbackQueue.asyncAfter(deadline: .now() + 0.05) { [engine, node, timePitch] in
            engine.detach(node)
            if let timePitch { engine.detach(timePitch) }
        }
    }

    /// Whether the rate is followed.
    var followsRate = false {
        didSet { if followsRate != oldValue, node.engine != nil { connect() } }
    }

    /// The playback rate, if it is adjustable.
    var rate: Float = 1 {
        didSet { timePitch?.rate = rate }
    }

    /// Attaches and connects the nodes, if that has not been done.
    func attach() {
        guard node.engine == nil else { return }
        engine.attach(node)
        connect()
    }

    /// Starts the engine, if it does not run.
    /// - Throws: As `AVAudioEngine.start()`.
    func start() throws {
        if !engine.isRunning { try engine.start() }
    }

    /// The latency of the nodes after the player node, in frames of the file.
    var latencyFrames: Int64 {
        Int64(clamped: node.outputPresentationLatency * format.sampleRate * Double(followsRate ? rate : 1))
    }

    private func connect() {
        var last: AVAudioNode = node
        if followsRate {
            let unit = timePitch ?? AVAudioUnitTimePitch()
            timePitch = unit
            unit.rate = rate
            if unit.engine == nil { engine.attach(unit) }
            engine.connect(last, to: unit, format: format)
            last = unit
        } else if let unit = timePitch {
            engine.detach(unit)
            timePitch = nil
        }
        engine.connect(last, to: engine.mainMixerNode, format: format)
    }
}
