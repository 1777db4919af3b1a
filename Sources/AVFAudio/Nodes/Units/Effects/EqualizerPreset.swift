/// A named set of equalizer bands.
///
/// The output gain compensates for the largest boost, so a preset does not cause clipping.
///
/// ```swift
/// let preset = EqualizerPreset.speech
/// let equalizer = AVAudioUnitEQ(numberOfBands: preset.bands.count)
/// equalizer.load(preset)
/// ```
public struct EqualizerPreset: Sendable, Equatable {
    /// The settings of a band: see `AVAudioUnitEQFilterParameters`.
    public struct Band: Sendable, Equatable {
        /// The filter type.
        public var filterType: AVAudioUnitEQFilterType
        /// The frequency in Hz.
        public var frequency: Float
        /// The bandwidth in octaves.
        public var bandwidth: Float
        /// The gain in dB.
        public var gain: Float

        /// Creates a band.
        public init(_ filterType: AVAudioUnitEQFilterType, _ frequency: Float, _ gain: Float, bandwidth: Float = 1) {
            (self.filterType, self.frequency) = (filterType, frequency)
            (self.gain, self.bandwidth) = (gain, bandwidth)
        }
    }

    /// The name for use in programs: lowercase words joined by hyphens.
    public let identifier: String
    /// The display name.
    public let name: String
    /// The bands, at most `maximumBandCount`.
    public let bands: [Band]
    /// The gain after the bands, in dB.
    public let globalGain: Float

    /// Creates a custom preset.
    public init(_ identifier: String, name: String, bands: [Band], globalGain: Float? = nil) {
        (self.identifier, self.name, self.bands) = (identifier, name, bands)
        self.globalGain = globalGain ?? -bands.reduce(0) { max($0, $1.gain) }
    }

    /// The maximum number of bands of the presets in `all`.
    public static let maximumBandCount = 6

    /// A preset without any effect.
    public static let flat = EqualizerPreset("flat", name: "Flat", bands: [])
    /// Clearer speech: less rumble and boom, and more of the frequencies of consonants.
    public static let speech = EqualizerPreset(
        "speech",
        name: "Speech",
        bands: [
            Band(.highPass, 90, 0), Band(.parametric, 250, -2), Band(.parametric, 3_000, 4, bandwidth: 1.5),
            Band(.highShelf, 9_000, -2),
        ]
    )
    /// Boosted low frequencies.
    public static let bass = EqualizerPreset("bass", name: "Bass", bands: [Band(.lowShelf, 120, 6)])
    /// Reduced low frequencies.
    public static let lessBass = EqualizerPreset("less-bass", name: "Less bass", bands: [Band(.lowShelf, 120, -6)])
    /// Boosted high frequencies.
    public static let treble = EqualizerPreset("treble", name: "Treble", bands: [Band(.highShelf, 6_000, 6)])
    /// Reduced high frequencies.
    public static let lessTreble = EqualizerPreset(
        "less-treble",
        name: "Less treble",
        bands: [Band(.highShelf, 6_000, -6)]
    )
    /// More bass and treble, for listening at low levels, at which hearing is less sensitive to both (ISO 226).
    public static let loudness = EqualizerPreset(
        "loudness",
        name: "Loudness",
        bands: [Band(.lowShelf, 100, 7), Band(.parametric, 3_000, -1), Band(.highShelf, 8_000, 4)]
    )
    /// For small loudspeakers: removes bass that they cannot reproduce, and boosts its harmonics.
    public static let smallSpeakers = EqualizerPreset(
        "small-speakers",
        name: "Small speakers",
        bands: [Band(.highPass, 140, 0), Band(.parametric, 220, 4, bandwidth: 1.2), Band(.highShelf, 5_000, 2)]
    )
    /// For rock: emphasizes drums and guitars.
    public static let rock = EqualizerPreset(
        "rock",
        name: "Rock",
        bands: [
            Band(.lowShelf, 100, 4), Band(.parametric, 500, -2, bandwidth: 1.5), Band(.parametric, 2_500, 2),
            Band(.highShelf, 8_000, 3),
        ]
    )
    /// Emphasizes voices and instruments of the middle range.
    public static let vocal = EqualizerPreset(
        "vocal",
        name: "Vocal",
        bands: [Band(.lowShelf, 150, -3), Band(.parametric, 1_500, 3, bandwidth: 2), Band(.highShelf, 10_000, -1)]
    )

    /// All presets, beginning with `flat`.
    public static let all: [EqualizerPreset] = [
        flat, speech, bass, lessBass, treble, lessTreble, loudness, smallSpeakers, rock, vocal,
    ]

    /// Returns the preset with an identifier, in any case of letters and with or without hyphens; `nil` if there is
    /// none.
    public static func named(_ identifier: String) -> EqualizerPreset? {
        let letters = identifier.lowercased().filter { $0 != "-" }
        return all.first { $0.identifier.filter { $0 != "-" } == letters }
    }
}

extension AVAudioUnitEQ {
    /// Creates an equalizer with a preset, and with enough bands for any preset in `all`.
    public convenience init(preset: EqualizerPreset) {
        self.init(numberOfBands: max(EqualizerPreset.maximumBandCount, preset.bands.count))
        load(preset)
    }

    /// Sets the bands and the output gain to a preset.
    ///
    /// You may call it during playback.
    ///
    /// Bands that the preset does not need are bypassed. Bands of the preset beyond the number of the unit's bands are
    /// ignored.
    public func load(_ preset: EqualizerPreset) {
        for (index, band) in bands.enumerated() {
            guard index < preset.bands.count else {
                band.bypass = true
                continue
            }
            let wanted = preset.bands[index]
            (band.filterType, band.frequency) = (wanted.filterType, wanted.frequency)
            (band.bandwidth, band.gain, band.bypass) = (wanted.bandwidth, wanted.gain, false)
        }
        globalGain = preset.globalGain
    }
}
