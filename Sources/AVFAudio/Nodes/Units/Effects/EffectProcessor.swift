import SyrinxDSP

/// The signal processing of a built-in effect, whose settings are in a parameter store.
///
/// All members except the initializer are called on the render thread.
protocol EffectProcessor: ~Copyable, SendableMetatype {
    /// Creates a processor for a connection, and allocates all its memory.
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int)

    /// Seconds by which the output lags.
    static func latency(_ store: ParameterStore, sampleRate: Double) -> Double

    /// Seconds for which it sounds on when the input has become silent.
    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double

    /// The longest silence within the tail, in seconds: from an input sample to its first echo, or from one echo to
    /// the next.
    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double

    /// Follows the parameters and processes `frameCount` frames of each channel in place.
    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    )

    /// Forgets the input.
    mutating func reset()
}

extension EffectProcessor where Self: ~Copyable {
    static func latency(_ store: ParameterStore, sampleRate: Double) -> Double { 0 }

    /// The latency, and half a period of 10 Hz: a filter's tail crosses zero.
    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double {
        latency(store, sampleRate: sampleRate) + 0.05
    }
}

/// The kernel of an effect of the library.
final class EffectKernel<Processor: EffectProcessor & ~Copyable>: AVAudioUnitKernel {
    private let store: ParameterStore
    private let channelCount: Int
    @exclusivity(unchecked) private var processor: Processor
    // Unchecked: only the render thread accesses it.
    private let automation = ParameterAutomation()
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.store = store
        self.channelCount = channelCount
        processor = Processor(store, sampleRate: sampleRate, channelCount: channelCount)
        places = .allocate(capacity: max(channelCount, 1))
    }

    deinit { places.deallocate() }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        for channel in 0..<channelCount {
            copySamples(from: input[channel], to: output[channel], count: frameCount)
        }
        var done = 0
        while done < frameCount {
            let count = automation.advance(store, at: blockTime &+ Int64(done), limit: frameCount &- done)
            for channel in 0..<channelCount { places[channel] = output[channel] + done }
            processor.process(UnsafePointer(places), channelCount: channelCount, frameCount: count, parameters: store)
            done &+= count
        }
    }

    override func reset() { processor.reset() }

    override func currentTailTime(sampleRate: Double) -> Double { Processor.tailTime(store, sampleRate: sampleRate) }

    override func longestGap(sampleRate: Double) -> Double { Processor.longestGap(store, sampleRate: sampleRate) }
}
