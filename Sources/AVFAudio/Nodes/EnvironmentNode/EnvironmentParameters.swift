import CoreAudioTypes
import Foundation
import SyrinxDSP

/// The loss of level with distance in an environment.
///
/// Callable from any thread. A change starts at the next block and is smoothed.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject, @unchecked Sendable {
    // Unchecked: the member never changes, and its values are atomic.
    private let values: PublishedValues

    init(_ values: PublishedValues) { self.values = values }

    /// The formula of the attenuation; default `inverse`.
    open var distanceAttenuationModel: AVAudioEnvironmentDistanceAttenuationModel {
        get { .init(rawValue: Int(values.value(EnvironmentValues.model))) ?? .inverse }
        set { values.set(EnvironmentValues.model, [Float(newValue.rawValue)]) }
    }

    /// The distance in meters up to which a source is not attenuated: more than 0, default 1.
    open var referenceDistance: Float {
        get { values.value(EnvironmentValues.reference) }
        set { values.set(EnvironmentValues.reference, [max(newValue, 1e-6)]) }
    }

    /// The distance in meters beyond which the attenuation does not increase; default 100,000.
    open var maximumDistance: Float {
        get { values.value(EnvironmentValues.maximum) }
        set { values.set(EnvironmentValues.maximum, [max(newValue, 0)]) }
    }

    /// The steepness of the attenuation: 0 or more, default 1.
    open var rolloffFactor: Float {
        get { values.value(EnvironmentValues.rolloff) }
        set { values.set(EnvironmentValues.rolloff, [max(newValue, 0)]) }
    }
}

/// The reverb of an environment, which sources feed by their `reverbBlend`.
///
/// Any thread.
open class AVAudioEnvironmentReverbParameters: NSObject, @unchecked Sendable {
    // Unchecked: the members never change, and their values are atomic.
    private let values: PublishedValues
    /// The single-band equalizer after the reverb.
    let store = ParameterStore(EQLayout.parameters(bandCount: 1))

    /// The band of the equalizer after the reverb.
    ///
    /// It has no effect until you set its `bypass` to `false`.
    public let filterParameters: AVAudioUnitEQFilterParameters

    init(_ values: PublishedValues) {
        self.values = values
        filterParameters = AVAudioUnitEQFilterParameters(store, first: EQLayout.first(ofBand: 0))
    }

    /// Whether there is a reverb, default false.
    ///
    /// A change fades over 20 ms.
    open var enable: Bool {
        get { values.value(EnvironmentValues.reverbEnabled) != 0 }
        set { values.set(EnvironmentValues.reverbEnabled, [newValue ? 1 : 0]) }
    }

    /// The level of the reverb in dB: −40…40, default 0.
    ///
    /// Values out of range are clamped.
    open var level: Float {
        get { values.value(EnvironmentValues.reverbLevel) }
        set { values.set(EnvironmentValues.reverbLevel, [min(max(newValue, -40), 40)]) }
    }

    /// Changes to a reverb preset within 60 ms; the initial preset is `mediumHall`.
    open func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
        values.set(EnvironmentValues.reverbPreset, [Float(preset.rawValue)])
    }
}

/// The values of an environment, by their places.
enum EnvironmentValues {
    /// Three each.
    static let position = 0
    static let forward = 3
    static let up = 6
    static let model = 9
    static let reference = 10
    static let maximum = 11
    static let rolloff = 12
    static let reverbEnabled = 13
    static let reverbLevel = 14
    static let reverbPreset = 15
    static let outputType = 16

    static let initial: [Float] = [
        0, 0, 0, 0, 0, -1, 0, 1, 0, 2, 1, 100_000, 1, 0, 0, Float(ReverbPreset.mediumHall.rawValue), 0,
    ]
}
