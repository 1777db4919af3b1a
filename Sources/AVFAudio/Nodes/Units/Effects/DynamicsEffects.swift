import AudioDSP
import CoreAudioTypes
import Foundation

extension EffectDefinition {
    /// AUDynamicsProcessor: a compressor without a fixed ratio, a downward expander and three meters.
    ///
    /// The curve is Syrinx's own: see `Compressor.Settings.staticGain`.
    static let dynamicsProcessor = EffectDefinition(
        subtype: kAudioUnitSubType_DynamicsProcessor,
        name: "AUDynamicsProcessor",
        parameters: [
            UnitParameter(0, "threshold", "Compression Threshold", .decibels, -40...20, -20),
            UnitParameter(1, "headRoom", "Head Room", .decibels, 0.1...40, 5),
            UnitParameter(2, "expansionRatio", "Expansion Ratio", .rate, 1...50, 2),
            UnitParameter(3, "expansionThreshold", "Expansion Threshold", .decibels, -120...0, -120),
            UnitParameter(4, "attack", "Attack Time", .seconds, 0.0001...0.2, 0.001),
            UnitParameter(5, "release", "Release Time", .seconds, 0.01...3, 0.05),
            UnitParameter(6, "overallGain", "Overall Gain", .decibels, -40...40, 0),
            UnitParameter(1_000, "compressionAmount", "Compression Amount", .decibels, -120...0, 0, isReadOnly: true),
            UnitParameter(2_000, "inputAmplitude", "Input Amplitude", .decibels, -160...40, -160, isReadOnly: true),
            UnitParameter(3_000, "outputAmplitude", "Output Amplitude", .decibels, -160...40, -160, isReadOnly: true),
        ],
        tailTime: { _, _ in 0 },
        makeKernel: { store, sampleRate, channelCount in
            DynamicsKernel(store, sampleRate: sampleRate, channelCount: channelCount)
        }
    )

    /// AUPeakLimiter.
    static let peakLimiter = EffectDefinition(
        subtype: kAudioUnitSubType_PeakLimiter,
        name: "AUPeakLimiter",
        parameters: [
            UnitParameter(0, "attack", "Attack Time", .seconds, 0.001...0.03, 0.012),
            UnitParameter(1, "decay", "Decay Time", .seconds, 0.001...0.06, 0.024),
            UnitParameter(2, "preGain", "Pre-Gain", .decibels, -40...40, 0),
        ],
        latency: limiterLatency,
        tailTime: limiterLatency,
        makeKernel: { store, sampleRate, channelCount in
            LimiterKernel(store, sampleRate: sampleRate, channelCount: channelCount)
        }
    )

    @Sendable fileprivate static func limiterLatency(_ store: ParameterStore, _ sampleRate: Double) -> TimeInterval {
        Double(PeakLimiter.latencyFrames(attack: store.double(0), sampleRate: sampleRate)) / sampleRate
    }
}

private final class DynamicsKernel: AVAudioUnitKernel {
    private let store: ParameterStore
    private let channelCount: Int
    @exclusivity(unchecked) private var compressor: Compressor
    // Unchecked: the render thread alone touches it.

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.store = store
        self.channelCount = channelCount
        compressor = Compressor(sampleRate: sampleRate, channelCount: channelCount)
    }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        for channel in 0..<channelCount {
            copySamples(from: input[channel], to: output[channel], count: frameCount)
        }
        compressor.set(
            Compressor.Settings(
                threshold: store.double(0),
                headRoom: store.double(1),
                expansionThreshold: store.double(3),
                expansionRatio: store.double(2),
                attack: store.double(4),
                release: store.double(5),
                gain: store.double(6)
            )
        )
        compressor.process(output, frameCount: frameCount)
        store.publish(7, Float(compressor.meters.reduction))
        store.publish(8, Float(compressor.meters.input))
        store.publish(9, Float(compressor.meters.output))
    }

    override func reset() { compressor.reset() }
}

private final class LimiterKernel: AVAudioUnitKernel {
    private let store: ParameterStore
    private let channelCount: Int
    @exclusivity(unchecked) private var limiter: PeakLimiter
    // Unchecked: the render thread alone touches it.

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.store = store
        self.channelCount = channelCount
        limiter = PeakLimiter(sampleRate: sampleRate, channelCount: channelCount)
    }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        for channel in 0..<channelCount {
            copySamples(from: input[channel], to: output[channel], count: frameCount)
        }
        limiter.set(PeakLimiter.Settings(attack: store.double(0), decay: store.double(1), preGain: store.double(2)))
        limiter.process(output, frameCount: frameCount)
    }

    override func reset() { limiter.reset() }

    override func currentTailTime(sampleRate: Double) -> Double {
        EffectDefinition.limiterLatency(store, sampleRate)
    }
}
