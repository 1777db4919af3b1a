import AVFAudio
import CoreAudioTypes
import Testing

@Suite("Names of effect parameters") struct EffectParameterNameTests {
    /// The names by unit, each with the identifier of the parameter that it addresses.
    private static let names: [(OSType, [(AudioUnitParameterID, String)])] = [
        (
            kAudioUnitSubType_LowPassFilter,
            [(kLowPassParam_CutoffFrequency, "cutoff"), (kLowPassParam_Resonance, "resonance")]
        ),
        (
            kAudioUnitSubType_HighPassFilter,
            [(kHipassParam_CutoffFrequency, "cutoff"), (kHipassParam_Resonance, "resonance")]
        ),
        (
            kAudioUnitSubType_BandPassFilter,
            [(kBandpassParam_CenterFrequency, "center"), (kBandpassParam_Bandwidth, "bandwidth")]
        ),
        (
            kAudioUnitSubType_LowShelfFilter,
            [(kAULowShelfParam_CutoffFrequency, "cutoff"), (kAULowShelfParam_Gain, "gain")]
        ),
        (
            kAudioUnitSubType_HighShelfFilter,
            [(kHighShelfParam_CutOffFrequency, "cutoff"), (kHighShelfParam_Gain, "gain")]
        ),
        (
            kAudioUnitSubType_ParametricEQ,
            [
                (kParametricEQParam_CenterFreq, "center"), (kParametricEQParam_Q, "q"),
                (kParametricEQParam_Gain, "gain"),
            ]
        ),
        (
            kAudioUnitSubType_NBandEQ,
            [
                (kAUNBandEQParam_GlobalGain, "globalGain"), (kAUNBandEQParam_BypassBand + 2, "bypass2"),
                (kAUNBandEQParam_FilterType + 2, "filterType2"), (kAUNBandEQParam_Frequency + 2, "frequency2"),
                (kAUNBandEQParam_Gain + 2, "gain2"), (kAUNBandEQParam_Bandwidth + 2, "bandwidth2"),
            ]
        ),
        (
            kAudioUnitSubType_Delay,
            [
                (kDelayParam_WetDryMix, "wetDryMix"), (kDelayParam_DelayTime, "delayTime"),
                (kDelayParam_Feedback, "feedback"), (kDelayParam_LopassCutoff, "lowPassCutoff"),
            ]
        ),
        (
            kAudioUnitSubType_Distortion,
            [
                (kDistortionParam_Delay, "delay"), (kDistortionParam_Decay, "decay"),
                (kDistortionParam_DelayMix, "delayMix"), (kDistortionParam_Decimation, "decimation"),
                (kDistortionParam_Rounding, "rounding"), (kDistortionParam_DecimationMix, "decimationMix"),
                (kDistortionParam_LinearTerm, "linearTerm"), (kDistortionParam_SquaredTerm, "squaredTerm"),
                (kDistortionParam_CubicTerm, "cubicTerm"), (kDistortionParam_PolynomialMix, "polynomialMix"),
                (kDistortionParam_RingModFreq1, "ringModFreq1"), (kDistortionParam_RingModFreq2, "ringModFreq2"),
                (kDistortionParam_RingModBalance, "ringModBalance"), (kDistortionParam_RingModMix, "ringModMix"),
                (kDistortionParam_SoftClipGain, "softClipGain"), (kDistortionParam_FinalMix, "finalMix"),
            ]
        ),
        (
            kAudioUnitSubType_DynamicsProcessor,
            [
                (kDynamicsProcessorParam_Threshold, "threshold"), (kDynamicsProcessorParam_HeadRoom, "headRoom"),
                (kDynamicsProcessorParam_ExpansionRatio, "expansionRatio"),
                (kDynamicsProcessorParam_ExpansionThreshold, "expansionThreshold"),
                (kDynamicsProcessorParam_AttackTime, "attack"), (kDynamicsProcessorParam_ReleaseTime, "release"),
                (kDynamicsProcessorParam_OverallGain, "overallGain"),
                (kDynamicsProcessorParam_MasterGain, "overallGain"),
                (kDynamicsProcessorParam_CompressionAmount, "compressionAmount"),
                (kDynamicsProcessorParam_InputAmplitude, "inputAmplitude"),
                (kDynamicsProcessorParam_OutputAmplitude, "outputAmplitude"),
            ]
        ),
        (
            kAudioUnitSubType_PeakLimiter,
            [
                (kLimiterParam_AttackTime, "attack"), (kLimiterParam_DecayTime, "decay"),
                (kLimiterParam_PreGain, "preGain"),
            ]
        ),
        (
            kAudioUnitSubType_MultiBandCompressor,
            [
                (kMultibandCompressorParam_Pregain, "preGain"), (kMultibandCompressorParam_Postgain, "postGain"),
                (kMultibandCompressorParam_Crossover1, "crossover1"),
                (kMultibandCompressorParam_Crossover3, "crossover3"),
                (kMultibandCompressorParam_Threshold1, "threshold1"),
                (kMultibandCompressorParam_Threshold4, "threshold4"),
                (kMultibandCompressorParam_Headroom1, "headRoom1"),
                (kMultibandCompressorParam_Headroom4, "headRoom4"),
                (kMultibandCompressorParam_AttackTime, "attack"), (kMultibandCompressorParam_ReleaseTime, "release"),
                (kMultibandCompressorParam_EQ1, "gain1"), (kMultibandCompressorParam_EQ4, "gain4"),
                (kMultibandCompressorParam_CompressionAmount1, "compressionAmount1"),
                (kMultibandCompressorParam_CompressionAmount4, "compressionAmount4"),
                (kMultibandCompressorParam_InputAmplitude1, "inputAmplitude1"),
                (kMultibandCompressorParam_InputAmplitude4, "inputAmplitude4"),
                (kMultibandCompressorParam_OutputAmplitude1, "outputAmplitude1"),
                (kMultibandCompressorParam_OutputAmplitude4, "outputAmplitude4"),
            ]
        ),
    ]

    @Test("Each name addresses its parameter")
    func addresses() async throws {
        for (subtype, parameters) in Self.names {
            var description = AudioComponentDescription()
            (description.componentType, description.componentSubType) = (kAudioUnitType_Effect, subtype)
            let unit = try await AVAudioUnit.instantiate(with: description)
            let tree = try #require(unit.auAudioUnit.parameterTree)
            for (id, identifier) in parameters {
                let parameter = tree.parameter(withAddress: AUParameterAddress(id))
                #expect(parameter?.identifier == identifier, "\(unit.name) \(id)")
            }
        }
        let pitch = try #require(AVAudioUnitTimePitch().auAudioUnit.parameterTree)
        let speed = try #require(AVAudioUnitVarispeed().auAudioUnit.parameterTree)
        let changes = [
            (pitch, kNewTimePitchParam_Rate, "rate"), (pitch, kNewTimePitchParam_Pitch, "pitch"),
            (pitch, kNewTimePitchParam_Overlap, "overlap"), (speed, kVarispeedParam_PlaybackRate, "playbackRate"),
            (speed, kVarispeedParam_PlaybackCents, "playbackPitch"),
        ]
        for (tree, id, identifier) in changes {
            #expect(tree.parameter(withAddress: AUParameterAddress(id))?.identifier == identifier)
        }
    }

    @Test("A unit is found by a description with flags, where the mask asks for none")
    func flags() async throws {
        var description = AudioComponentDescription()
        (description.componentType, description.componentSubType) = (kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        description.componentFlags = AudioComponentFlags.sandboxSafe.rawValue
        #expect(description.componentFlags == 2 && AudioComponentFlags([.isV3AudioUnit, .unsearchable]).rawValue == 5)
        let unit = try await AVAudioUnit.instantiate(with: description)
        #expect(unit.auAudioUnit.parameterTree?.parameter(withAddress: 1)?.identifier == "delayTime")
    }
}
