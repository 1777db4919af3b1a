import AVFAudio
import CoreAudioTypes

extension Entry {
    /// All entries, in the order of the gallery.
    static func all() -> [Entry] {
        reverbs() + delays() + distortions() + equalisers() + filters() + dynamics() + times() + places()
    }

    /// All presets; half is reverb with the recording, and all of it with test signals.
    private static func reverbs() -> [Entry] {
        AVAudioUnitReverbPreset.allCases.map { preset in
            let unit = { (isRecording: Bool) in
                let unit = AVAudioUnitReverb()
                unit.loadFactoryPreset(preset)
                unit.wetDryMix = isRecording ? 50 : 100
                return unit
            }
            let tail = min(unit(false).tailTime, 10)
            return Entry(
                "Reverb",
                "\(preset)",
                "wetDryMix 50 %, 100 % in the measurements",
                .reverb,
                tail: tail,
                unit: unit
            )
        }
    }

    private static func delays() -> [Entry] {
        let all: [(String, time: Double, feedback: Float, cutoff: Float)] = [
            ("Default", 1, 50, 15_000), ("Slapback", 0.09, 0, 15_000), ("Dark echo", 0.3, 60, 1_500),
            ("Comb", 0.005, 80, 15_000), ("Comb, negative", 0.005, -80, 15_000),
        ]
        return all.map { name, time, feedback, cutoff in
            let settings = "delayTime \(time) s, feedback \(feedback) %, lowPassCutoff \(cutoff) Hz, wetDryMix 50 %"
            return Entry("Delay", name, settings, .echo, tail: 3) { _ in
                let unit = AVAudioUnitDelay()
                (unit.delayTime, unit.feedback, unit.lowPassCutoff, unit.wetDryMix) = (time, feedback, cutoff, 50)
                return unit
            }
        }
    }

    /// All presets, wet, so that nothing of the input covers them.
    private static func distortions() -> [Entry] {
        AVAudioUnitDistortionPreset.allCases.map { preset in
            Entry("Distortion", "\(preset)", "wetDryMix 100 %", .distortion, tail: 2) { _ in
                let unit = AVAudioUnitDistortion()
                unit.loadFactoryPreset(preset)
                unit.wetDryMix = 100
                return unit
            }
        }
    }

    private static func equalisers() -> [Entry] {
        AVAudioUnitEQFilterType.allCases.map { type in
            let settings = "frequency 1000 Hz, bandwidth 0.5 octaves, gain 12 dB"
            return Entry("Equaliser", "\(type)", settings, .filter) { _ in
                let unit = AVAudioUnitEQ(numberOfBands: 1)
                (unit.bands[0].filterType, unit.bands[0].gain, unit.bands[0].bypass) = (type, 12, false)
                return unit
            }
        }
    }

    /// The filters that have units of their own.
    private static func filters() -> [Entry] {
        [
            unit("Filter", "Low pass", kAudioUnitSubType_LowPassFilter, [("cutoff", 1_000), ("resonance", 0)]),
            unit(
                "Filter",
                "Low pass, resonant",
                kAudioUnitSubType_LowPassFilter,
                [("cutoff", 1_000), ("resonance", 20)]
            ),
            unit("Filter", "High pass", kAudioUnitSubType_HighPassFilter, [("cutoff", 1_000), ("resonance", 0)]),
            unit(
                "Filter",
                "High pass, resonant",
                kAudioUnitSubType_HighPassFilter,
                [("cutoff", 1_000), ("resonance", 20)]
            ),
            unit("Filter", "Band pass", kAudioUnitSubType_BandPassFilter, [("center", 1_000), ("bandwidth", 1_200)]),
            unit("Filter", "Low shelf", kAudioUnitSubType_LowShelfFilter, [("cutoff", 120), ("gain", 12)]),
            unit("Filter", "Low shelf, cut", kAudioUnitSubType_LowShelfFilter, [("cutoff", 120), ("gain", -12)]),
            unit("Filter", "High shelf", kAudioUnitSubType_HighShelfFilter, [("cutoff", 10_000), ("gain", 12)]),
            unit("Filter", "High shelf, cut", kAudioUnitSubType_HighShelfFilter, [("cutoff", 10_000), ("gain", -12)]),
            unit("Filter", "Parametric", kAudioUnitSubType_ParametricEQ, [("center", 1_000), ("q", 2), ("gain", 12)]),
            unit(
                "Filter",
                "Parametric, cut",
                kAudioUnitSubType_ParametricEQ,
                [("center", 1_000), ("q", 2), ("gain", -12)]
            ),
        ]
    }

    private static func dynamics() -> [Entry] {
        let processor = kAudioUnitSubType_DynamicsProcessor
        let limiter = kAudioUnitSubType_PeakLimiter
        return [
            unit("Dynamics", "Processor", processor, [("threshold", -20), ("headRoom", 5)], .dynamics),
            unit("Dynamics", "Processor, low threshold", processor, [("threshold", -36), ("headRoom", 12)], .dynamics),
            unit(
                "Dynamics",
                "Processor, expander",
                processor,
                [("threshold", 20), ("expansionThreshold", -30), ("expansionRatio", 4), ("release", 0.1)],
                .dynamics
            ),
            unit("Dynamics", "Peak limiter", limiter, [("preGain", 0)], .dynamics),
            unit("Dynamics", "Peak limiter, driven", limiter, [("preGain", 12)], .dynamics),
            unit("Dynamics", "Multiband compressor", kAudioUnitSubType_MultiBandCompressor, [], .dynamics),
            unit(
                "Dynamics",
                "Multiband compressor, gains",
                kAudioUnitSubType_MultiBandCompressor,
                [
                    ("postGain", 6), ("gain1", 3), ("gain4", 3),
                ],
                .dynamics
            ),
        ]
    }

    private static func times() -> [Entry] {
        func timePitch(
            _ name: String,
            rate: Float = 1,
            pitch: Float = 0,
            formants: Bool = false,
            algorithm: AVAudioUnitTimePitch.Algorithm = .automatic
        ) -> Entry {
            let settings = "rate \(rate), pitch \(pitch) cents, \(algorithm)" + (formants ? ", keeps formants" : "")
            return Entry("Time-pitch", name, settings, .time, rate: Double(rate)) { _ in
                let unit = AVAudioUnitTimePitch()
                (unit.rate, unit.pitch, unit.preservesFormants) = (rate, pitch, formants)
                unit.algorithm = algorithm
                return unit
            }
        }
        return [
            timePitch("Slow", rate: 0.75), timePitch("Fast", rate: 1.5),
            timePitch("Fast, time domain", rate: 1.5, algorithm: .timeDomain), timePitch("Down", pitch: -400),
            timePitch("Up", pitch: 400), timePitch("Up, formants kept", pitch: 400, formants: true),
        ]
            + [Float(0.8), 1.25].map { rate in
                Entry("Varispeed", rate < 1 ? "Slow" : "Fast", "rate \(rate)", .time, rate: Double(rate)) { _ in
                    let unit = AVAudioUnitVarispeed()
                    unit.rate = rate
                    return unit
                }
            }
    }

    /// A source two meters away, by its azimuth: degrees to the right.
    private static func places() -> [Entry] {
        let algorithms: [(String, AVAudio3DMixingRenderingAlgorithm, [Double])] = [
            ("Measured head", .HRTF, [-90, -45, 0, 45, 90, 135, 180]), ("Sphere", .sphericalHead, [0, 45, 90, 135]),
            ("Panning", .equalPowerPanning, [0, 45, 90, 135]), ("Distance alone", .stereoPassThrough, [45]),
        ]
        var places = algorithms.flatMap { name, algorithm, azimuths in
            azimuths.map { azimuth in
                let side = azimuth < 0 ? " to the left" : ""
                return place("\(name), \(Int(abs(azimuth)))°\(side)", algorithm, azimuth: azimuth)
            }
        }
        places.append(place("Measured head, above", .HRTF, azimuth: 0, elevation: 60))
        places.append(place("Occluded", .HRTF, azimuth: 45, occlusion: -20))
        places.append(place("In a large room", .HRTF, azimuth: 45, reverb: 0.5))
        return places
    }

    private static func place(
        _ name: String,
        _ algorithm: AVAudio3DMixingRenderingAlgorithm,
        azimuth: Double,
        elevation: Double = 0,
        occlusion: Float = 0,
        reverb: Float = 0
    ) -> Entry {
        var settings = "azimuth \(Int(azimuth))°, elevation \(Int(elevation))°, 2 m, \(algorithm)"
        if occlusion < 0 { settings += ", occlusion \(occlusion) dB" }
        if reverb > 0 { settings += ", reverbBlend \(reverb), largeRoom" }
        return Entry("Environment", name, settings, .space, tail: reverb > 0 ? 2 : 0.3) { engine, player, _ in
            let environment = AVAudioEnvironmentNode()
            environment.reverbParameters.enable = reverb > 0
            environment.reverbParameters.loadFactoryReverbPreset(.largeRoom)
            let (turn, rise) = (azimuth * .pi / 180, elevation * .pi / 180)
            player.position = AVAudioMake3DPoint(
                Float(2 * sin(turn) * cos(rise)),
                Float(2 * sin(rise)),
                Float(-2 * cos(turn) * cos(rise))
            )
            (player.sourceMode, player.renderingAlgorithm) = (.pointSource, algorithm)
            (player.occlusion, player.reverbBlend) = (occlusion, reverb)
            engine.attach(environment)
            engine.connect(player, to: environment, format: Signal.format)
            engine.connect(environment, to: engine.mainMixerNode, format: Signal.format)
        }
    }

    /// An entry of a unit by its subtype, with parameters by their identifiers.
    private static func unit(
        _ family: String,
        _ name: String,
        _ subtype: OSType,
        _ values: [(String, AUValue)],
        _ kind: Kind = .filter
    ) -> Entry {
        let settings = values.map { "\($0) \($1)" }.joined(separator: ", ")
        return Entry(family, name, settings.isEmpty ? "the defaults" : settings, kind) { _ in
            let unit = AVAudioUnitEffect(
                audioComponentDescription: AudioComponentDescription(
                    componentType: kAudioUnitType_Effect,
                    componentSubType: subtype,
                    componentManufacturer: kAudioUnitManufacturer_Apple,
                    componentFlags: 0,
                    componentFlagsMask: 0
                )
            )
            for (identifier, value) in values {
                let parameter = unit.auAudioUnit.parameterTree?.allParameters.first { $0.identifier == identifier }
                guard let parameter else { throw UnknownParameter(identifier: identifier) }
                parameter.value = value
            }
            return unit
        }
    }

    private struct UnknownParameter: Error { let identifier: String }
}
