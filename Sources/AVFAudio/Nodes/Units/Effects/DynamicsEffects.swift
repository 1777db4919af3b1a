import CoreAudioTypes
import SyrinxDSP

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

    /// AUMultibandCompressor: four bands, each as of the dynamics processor without the expander.
    static let multibandCompressor = EffectDefinition(
        kAudioUnitSubType_MultiBandCompressor,
        "AUMultibandCompressor",
        MultibandCompressor.self,
        parameters: [
            UnitParameter(0, "preGain", "Pre-Gain", .decibels, -40...40, 0),
            UnitParameter(1, "postGain", "Post-Gain", .decibels, -40...40, 0),
            UnitParameter(2, "crossover1", "Crossover 1", .hertz, 20...20_000, 120),
            UnitParameter(3, "crossover2", "Crossover 2", .hertz, 20...20_000, 700),
            UnitParameter(4, "crossover3", "Crossover 3", .hertz, 20...20_000, 3_000),
        ] + bands(5, "threshold", "Threshold", -100...0, [-22, -32, -33, -36])
            + bands(9, "headRoom", "Head Room", 0.1...40, [5, 12, 5, 7.5]) + [
                UnitParameter(13, "attack", "Attack Time", .seconds, 0.001...0.2, 0.08),
                UnitParameter(14, "release", "Release Time", .seconds, 0.01...3, 0.12),
            ] + bands(15, "gain", "Gain", -20...20, [0, 0, 0, 0])
            + bands(1_000, "compressionAmount", "Compression Amount", -120...0, [0, 0, 0, 0], step: 1_000)
            + bands(5_000, "inputAmplitude", "Input Amplitude", -160...40, [-160, -160, -160, -160], step: 1_000)
            + bands(9_000, "outputAmplitude", "Output Amplitude", -160...40, [-160, -160, -160, -160], step: 1_000)
    )

    /// A parameter in dB for each of four bands.
    private static func bands(
        _ address: UInt64,
        _ identifier: String,
        _ name: String,
        _ range: ClosedRange<Float>,
        _ initial: [Float],
        step: UInt64 = 1
    ) -> [UnitParameter] {
        initial.enumerated().map { band, value in
            UnitParameter(
                address + UInt64(band) * step,
                "\(identifier)\(band + 1)",
                "\(name) \(band + 1)",
                .decibels,
                range,
                value,
                isReadOnly: step > 1
            )
        }
    }

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

extension MultibandCompressor: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    /// Until the lowest crossover is 240 dB down: its poles have a quality of 0.71, and are double.
    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double { 9 / max(store.double(2), 20) }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        let four = { (first: Int) in
            SIMD4(store.double(first), store.double(first + 1), store.double(first + 2), store.double(first + 3))
        }
        set(
            Settings(
                preGain: store.double(0),
                postGain: store.double(1),
                crossovers: SIMD4(store.double(2), store.double(3), store.double(4), 0),
                thresholds: four(5),
                headRooms: four(9),
                gains: four(15),
                attack: store.double(13),
                release: store.double(14)
            )
        )
        process(channels, frameCount: frameCount)
        for band in 0..<Self.bandCount {
            let meters = meters(ofBand: band)
            store.publish(19 + band, Float(meters.reduction))
            store.publish(23 + band, Float(meters.input))
            store.publish(27 + band, Float(meters.output))
        }
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
