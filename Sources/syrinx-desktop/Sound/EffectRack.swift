import AVFAudio
import SyrinxDesktopModel

/// The effects of a window: compressor, echo and reverb, and the bands of the equalizer, whose unit is the player's.
@MainActor
final class EffectRack {
    /// A choice of one effect.
    struct Choice {
        /// The name for people.
        var name: String
        /// Sets the unit.
        fileprivate var load: @MainActor (EffectRack) -> Void
    }

    /// The equalizer of the player, once there is one.
    var equalizer: AVAudioUnitEQ?
    private let compressor = AVAudioUnitEffect(
        audioComponentDescription: AudioComponentDescription(
            componentType: kAudioUnitType_Effect,
            componentSubType: kAudioUnitSubType_DynamicsProcessor,
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    )
    private let echo = AVAudioUnitDelay()
    private let reverb = AVAudioUnitReverb()
    /// The bands of the equalizer.
    static let bandCount = 6
    private var wanted: [ObjectIdentifier: Bool] = [:]

    /// Makes effects that let all pass.
    init() {
        for unit in units { unit.bypass = true }
    }

    /// The units in the order in which the sound goes through them.
    var units: [AVAudioUnitEffect] { [compressor, echo, reverb] }

    /// Whether all effects let all pass, whatever they are set to.
    var isBypassed = false {
        didSet {
            for unit in units { show(unit) }
            if let equalizer { show(equalizer) }
        }
    }

    private func show(_ unit: AVAudioUnitEffect) { unit.bypass = isBypassed || wanted[ObjectIdentifier(unit)] != true }

    private func set(_ unit: AVAudioUnitEffect, isOn: Bool) {
        wanted[ObjectIdentifier(unit)] = isOn
        show(unit)
    }

    // MARK: Equalizer

    /// Sets the bands; what gains add is taken away behind them, so that nothing clips that did not before.
    func setBands(_ bands: [EqualizerBand]) {
        guard let equalizer else { return }
        for (index, unit) in equalizer.bands.enumerated() {
            guard bands.indices.contains(index) else {
                unit.bypass = true
                continue
            }
            let band = bands[index]
            unit.filterType = AVAudioUnitEQFilterType(rawValue: band.shape.rawValue) ?? .parametric
            (unit.frequency, unit.gain) = (Float(band.frequency), Float(band.gain))
            (unit.bandwidth, unit.bypass) = (Float(band.bandwidth), band.isBypassed)
        }
        equalizer.globalGain = Float(-bands.reduce(0) { max($0, $1.gain) })
        set(equalizer, isOn: bands.contains { !$0.isBypassed && ($0.gain != 0 || !$0.shape.hasGain) })
    }

    /// Returns the bands of a preset, with further ones of 0 dB to drag.
    static func bands(of preset: EqualizerPreset) -> [EqualizerBand] {
        var bands = preset.bands.prefix(bandCount).map { band in
            EqualizerBand(
                EqualizerBand.Shape(rawValue: band.filterType.rawValue) ?? .parametric,
                frequency: Double(band.frequency),
                gain: Double(band.gain),
                bandwidth: Double(band.bandwidth)
            )
        }
        for frequency in [100.0, 6000, 1000, 300, 2500, 12_000, 500, 50] where bands.count < bandCount {
            let isFree = bands.allSatisfy { max($0.frequency, frequency) / min($0.frequency, frequency) > 1.5 }
            if isFree { bands.append(EqualizerBand(frequency: frequency)) }
        }
        return bands.sorted { $0.frequency < $1.frequency }
    }

    // MARK: Compressor, echo and reverb

    /// The settings of the compressor; the first is off.
    static let compressors: [Choice] =
        [Choice(name: "Off") { $0.set($0.compressor, isOn: false) }]
        + [("Gentle", -20, 8, 3), ("Night", -32, 6, 8), ("Strong", -38, 3, 12)].map {
            (name: String, threshold: Float, headRoom: Float, gain: Float) in
            Choice(name: name) { rack in
                func set(_ parameter: AudioUnitParameterID, _ value: Float) {
                    AudioUnitSetParameter(rack.compressor.audioUnit, parameter, kAudioUnitScope_Global, 0, value, 0)
                }
                set(kDynamicsProcessorParam_Threshold, threshold)
                set(kDynamicsProcessorParam_HeadRoom, headRoom)
                set(kDynamicsProcessorParam_OverallGain, gain)
                rack.set(rack.compressor, isOn: true)
            }
        }

    /// The settings of the echo; the first is off.
    static let echoes: [Choice] =
        [Choice(name: "Off") { $0.set($0.echo, isOn: false) }]
        + [("Slapback", 0.11, 10), ("Echo", 0.35, 35), ("Long Echo", 0.7, 50)].map {
            (name: String, time: Double, feedback: Float) in
            Choice(name: name) { rack in
                rack.echo.delayTime = time
                rack.echo.feedback = feedback
                rack.set(rack.echo, isOn: true)
            }
        }

    /// The spaces of the reverb; the first is none.
    static let reverbs: [Choice] =
        [Choice(name: "Off") { $0.set($0.reverb, isOn: false) }]
        + [
            ("Small Room", .smallRoom), ("Large Room", .largeRoom), ("Chamber", .mediumChamber), ("Plate", .plate),
            ("Hall", .mediumHall), ("Large Hall", .largeHall), ("Cathedral", .cathedral),
        ].map { (name: String, preset: AVAudioUnitReverbPreset) in
            Choice(name: name) { rack in
                rack.reverb.loadFactoryPreset(preset)
                rack.set(rack.reverb, isOn: true)
            }
        }

    /// Sets an effect.
    func load(_ choice: Choice) { choice.load(self) }

    /// Sets the share of the echo in percent, 0…100.
    func setEchoMix(_ percent: Double) { echo.wetDryMix = Float(percent) }
    /// Sets the share of the reverb in percent, 0…100.
    func setReverbMix(_ percent: Double) { reverb.wetDryMix = Float(percent) }
}
