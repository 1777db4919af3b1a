import AudioDSP
import CoreAudioTypes

extension EffectDefinition {
    /// AUDynamicsProcessor: a compressor without a fixed ratio, a downward expander and three meters.
    ///
    /// The curve is Syrinx's own: see `Compressor.Settings.staticGain`.
    static let dynamicsProcessor = EffectDefinition(
        kAudioUnitSubType_DynamicsProcessor,
        "AUDynamicsProcessor",
        Compressor.self,
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
        ]
    )

    /// AUPeakLimiter.
    static let peakLimiter = EffectDefinition(
        kAudioUnitSubType_PeakLimiter,
        "AUPeakLimiter",
        PeakLimiter.self,
        parameters: [
            UnitParameter(0, "attack", "Attack Time", .seconds, 0.001...0.03, 0.012),
            UnitParameter(1, "decay", "Decay Time", .seconds, 0.001...0.06, 0.024),
            UnitParameter(2, "preGain", "Pre-Gain", .decibels, -40...40, 0),
        ]
    )
}

extension Compressor: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double { 0 }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(
            Settings(
                threshold: store.double(0),
                headRoom: store.double(1),
                expansionThreshold: store.double(3),
                expansionRatio: store.double(2),
                attack: store.double(4),
                release: store.double(5),
                gain: store.double(6)
            )
        )
        process(channels, frameCount: frameCount)
        store.publish(7, Float(meters.reduction))
        store.publish(8, Float(meters.input))
        store.publish(9, Float(meters.output))
    }
}

extension PeakLimiter: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func latency(_ store: ParameterStore, sampleRate: Double) -> Double {
        Double(latencyFrames(attack: store.double(0), sampleRate: sampleRate)) / sampleRate
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        latency(store, sampleRate: sampleRate)
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(Settings(attack: store.double(0), decay: store.double(1), preGain: store.double(2)))
        process(channels, frameCount: frameCount)
    }
}
