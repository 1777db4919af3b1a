import CoreAudioTypes
public import Foundation
import SyrinxDSP

/// The filter type of an equalizer band.
public enum AVAudioUnitEQFilterType: Int, Sendable, CaseIterable {
    /// A peak filter of `gain` dB at `frequency`. `bandwidth` is measured at half the gain in dB.
    case parametric = 0
    /// A second-order Butterworth low-pass filter: −3 dB at `frequency`.
    case lowPass
    /// A second-order Butterworth high-pass filter: −3 dB at `frequency`.
    case highPass
    /// A low-pass filter with a resonance at `frequency`. A smaller `bandwidth` gives a higher resonance.
    case resonantLowPass
    /// A high-pass filter with a resonance at `frequency`. A smaller `bandwidth` gives a higher resonance.
    case resonantHighPass
    /// A band-pass filter with 0 dB at `frequency`. `bandwidth` is measured at −3 dB.
    case bandPass
    /// A notch filter at `frequency`. `bandwidth` is measured at −3 dB.
    case bandStop
    /// A shelf of `gain` dB below `frequency`, at which it has half the gain in dB.
    case lowShelf
    /// A shelf of `gain` dB above `frequency`, at which it has half the gain in dB.
    case highShelf
    /// A low shelf with a slope given by `bandwidth`.
    case resonantLowShelf
    /// A high shelf with a slope given by `bandwidth`.
    case resonantHighShelf
}

/// A band of an equalizer.
///
/// Any thread may change the settings during playback without clicks: frequency, bandwidth and gain ramp within 20 ms,
/// and changes of type or bypass crossfade over 20 ms.
open class AVAudioUnitEQFilterParameters: NSObject, @unchecked Sendable {
    // Unchecked: constants.
    private let store: ParameterStore
    private let first: Int

    init(_ store: ParameterStore, first: Int) {
        self.store = store
        self.first = first
    }

    /// The filter type; default `parametric`.
    open var filterType: AVAudioUnitEQFilterType {
        get { AVAudioUnitEQFilterType(rawValue: Int(store.value(first + EQLayout.type))) ?? .parametric }
        set { store.set(first + EQLayout.type, to: Float(newValue.rawValue)) }
    }

    /// The frequency in Hz: 20 to half of the sample rate, default 1000.
    ///
    /// Values below are clamped; one beyond 0.499 of the sample rate is rendered as that.
    open var frequency: Float {
        get { store.value(first + EQLayout.frequency) }
        set { store.set(first + EQLayout.frequency, to: newValue) }
    }

    /// The bandwidth in octaves: 0.05…5, default 0.5.
    ///
    /// Values out of range are clamped. Has no effect for types without one.
    open var bandwidth: Float {
        get { store.value(first + EQLayout.bandwidth) }
        set { store.set(first + EQLayout.bandwidth, to: newValue) }
    }

    /// The gain in dB: −96…24, default 0.
    ///
    /// Values out of range are clamped. Has no effect for types without one.
    open var gain: Float {
        get { store.value(first + EQLayout.gain) }
        set { store.set(first + EQLayout.gain, to: newValue) }
    }

    /// Whether the band is bypassed; default `true`.
    open var bypass: Bool {
        get { store.value(first + EQLayout.bypass) != 0 }
        set { store.set(first + EQLayout.bypass, to: newValue ? 1 : 0) }
    }
}

/// The places of an equaliser's parameters in its store: the global gain, then five for each band.
enum EQLayout {
    static let bypass = 0
    static let type = 1
    static let frequency = 2
    static let gain = 3
    static let bandwidth = 4
    private static let count = 5

    static func first(ofBand band: Int) -> Int { 1 + band * count }

    /// Returns the parameters with Core Audio's addresses: 0 for the gain, and 1000 + n, 2000 + n … 5000 + n for band
    /// n.
    static func parameters(bandCount: Int) -> [UnitParameter] {
        let gain = UnitParameter(0, "globalGain", "Global Gain", .decibels, -96...24, 0)
        return [gain] + (0..<bandCount).flatMap(parameters(ofBand:))
    }

    private static func parameters(ofBand band: Int) -> [UnitParameter] {
        let place = UInt64(band)
        return [
            UnitParameter(1_000 + place, "bypass\(band)", "Bypass \(band + 1)", .boolean, 0...1, 1),
            UnitParameter(
                2_000 + place,
                "filterType\(band)",
                "Filter Type \(band + 1)",
                .indexed,
                0...10,
                0,
                valueNames: FilterType.allCases.map { "\($0)" }
            ),
            UnitParameter(
                3_000 + place,
                "frequency\(band)",
                "Frequency \(band + 1)",
                .hertz,
                20...EffectDefinition.highestFrequency,
                1_000
            ),
            UnitParameter(4_000 + place, "gain\(band)", "Gain \(band + 1)", .decibels, -96...24, 0),
            UnitParameter(5_000 + place, "bandwidth\(band)", "Bandwidth \(band + 1)", .octaves, 0.05...5, 0.5),
        ]
    }

    /// The number of bands that a store has the parameters of.
    static func bandCount(_ store: ParameterStore) -> Int { (store.parameters.count - 1) / count }

    static func settings(_ store: ParameterStore, _ first: Int) -> FilterSettings {
        FilterSettings(
            FilterType(rawValue: Int(store.value(first + type))) ?? .parametric,
            frequency: Double(store.value(first + frequency)),
            bandwidth: Double(store.value(first + bandwidth)),
            gain: Double(store.value(first + gain))
        )
    }
}

extension EffectDefinition {
    /// Returns the definition of AUNBandEQ with `bandCount` bands.
    static func equaliser(bandCount: Int) -> EffectDefinition {
        EffectDefinition(
            kAudioUnitSubType_NBandEQ,
            "AUNBandEQ",
            Equaliser.self,
            parameters: EQLayout.parameters(bandCount: bandCount)
        )
    }
}

/// An equalizer with any number of bands.
///
/// The response of each band is that of the analog filter after the bilinear transform (R. Bristow-Johnson, "Cookbook
/// formulae for audio EQ biquad filter coefficients").
///
/// ```swift
/// let equalizer = AVAudioUnitEQ(numberOfBands: 2)
/// equalizer.bands[0].filterType = .highPass
/// equalizer.bands[0].frequency = 80      // Hz
/// equalizer.bands[0].bypass = false
/// equalizer.bands[1].frequency = 3_000   // parametric by default
/// equalizer.bands[1].gain = 4            // dB
/// equalizer.bands[1].bypass = false
/// ```
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: constants; the store is atomic.

    /// The bands.
    ///
    /// Initially all are bypassed.
    public let bands: [AVAudioUnitEQFilterParameters]

    /// Creates an equalizer with 0…1000 bands; other numbers are clamped.
    public init(numberOfBands: Int) {
        // Core Audio reserves a thousand addresses for each parameter.
        let count = min(max(0, numberOfBands), 1_000)
        let definition = EffectDefinition.equaliser(bandCount: count)
        let store = ParameterStore(definition.parameters)
        bands = (0..<count).map { AVAudioUnitEQFilterParameters(store, first: EQLayout.first(ofBand: $0)) }
        super.init(definition, store: store)
    }

    /// Creates an equalizer without bands.
    public override convenience init() { self.init(numberOfBands: 0) }

    /// The gain in dB after all bands: −96…24, default 0.
    ///
    /// Values out of range are clamped. A change is ramped over 15 ms.
    open var globalGain: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }
}

/// The bands of an equalizer, and the gain after them.
private struct Equaliser: ~Copyable, EffectProcessor {
    // The pointer is the first field to work around Swift 6.3 under ThreadSanitizer. The compiler reports a write
    // through the pointer as a write to the structure, uses the first field as its address, and crashes if that is a
    // number.
    private let filters: UnsafeMutablePointer<SmoothedFilter>
    private let bandCount: Int
    private let gainFrames: Int
    private var gain = Ramp(1)
    private var isPrimed = false

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        bandCount = EQLayout.bandCount(store)
        gainFrames = Int((0.015 * sampleRate).rounded())
        filters = .allocate(capacity: max(bandCount, 1))
        for band in 0..<bandCount {
            (filters + band).initialize(to: SmoothedFilter(sampleRate: sampleRate, channelCount: channelCount))
        }
    }

    deinit {
        filters.deinitialize(count: bandCount)
        filters.deallocate()
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        var tail = 0.0
        for band in 0..<EQLayout.bandCount(store) {
            let first = EQLayout.first(ofBand: band)
            guard store.value(first + EQLayout.bypass) == 0 else { continue }
            let filter = FilterCoefficients(EQLayout.settings(store, first), sampleRate: sampleRate)
            tail += filter.tailTime(sampleRate: sampleRate)
        }
        return tail
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        for band in 0..<bandCount {
            let first = EQLayout.first(ofBand: band)
            filters[band].set(EQLayout.settings(store, first), isActive: store.value(first + EQLayout.bypass) == 0)
            filters[band].process(channels, channelCount: channelCount, frameCount: frameCount)
        }
        let decibels = store.double(0)
        let wanted = decibels == 0 ? 1 : Float(pow(10, decibels / 20))
        if isPrimed { gain.head(to: wanted, over: gainFrames) } else { gain.jump(to: wanted) }
        isPrimed = true
        guard gain.remaining > 0 || gain.current != 1 else { return }
        for channel in 0..<channelCount {
            var ramp = gain
            for frame in 0..<frameCount { channels[channel][frame] *= ramp.next() }
        }
        gain.skip(frameCount)
    }

    mutating func reset() {
        for band in 0..<bandCount { filters[band].reset() }
        isPrimed = false
    }
}
