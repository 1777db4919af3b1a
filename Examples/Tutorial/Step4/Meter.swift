import SyrinxAnalysis
import SyrinxStreaming

// snippet: tutorial-meter
/// A level meter of the sound that is heard, drawn with characters.
struct Meter: Sendable {
    let meter: NodeMeter
    let scale = MeterScale(minimum: -60)  // dB

    /// Measures the main mixer of an engine with a tap of 1024 frames.
    init(of engine: AVAudioEngine) { meter = NodeMeter(node: engine.mainMixerNode, bufferSize: 1024) }

    /// The loudest channel as a bar of 20 characters: empty at −60 dB and below, full at 0 dB.
    var bar: String {
        let level = meter.reading.levels.map(\.vu).max() ?? -.infinity
        // Bounded: `position` is 0 to 1.
        let count = Int((scale.position(level) * 20).rounded())
        return String(repeating: "#", count: count) + String(repeating: ".", count: 20 - count)
    }
}
// end
