/// A set of bands of an equaliser with a name.
///
/// The gain behind the bands takes away what the strongest of them adds, so that no preset clips what does not clip without it.
public struct EqualizerPreset: Sendable, Equatable {
    /// The settings of a band: see `AVAudioUnitEQFilterParameters`.
    public struct Band: Sendable, Equatable {
        /// The shape.
        public var filterType: AVAudioUnitEQFilterType
        /// The frequency in Hz.
        public var frequency: Float
        /// The width in octaves.
        public var bandwidth: Float
        /// The gain in dB.
        public var gain: Float

        /// A band of these settings.
        public init(_ filterType: AVAudioUnitEQFilterType, _ frequency: Float, _ gain: Float, bandwidth: Float = 1) {
            (self.filterType, self.frequency) = (filterType, frequency)
            (self.gain, self.bandwidth) = (gain, bandwidth)
        }
    }

    /// The name that programs know it by: words in lower case with hyphens between them.
    public let identifier: String
    /// The name for people.
    public let name: String
    /// The bands, at most `maximumBandCount`.
    public let bands: [Band]
    /// The gain behind the bands, in dB.
    public let globalGain: Float

    /// A preset of one's own.
    public init(_ identifier: String, name: String, bands: [Band], globalGain: Float? = nil) {
        (self.identifier, self.name, self.bands) = (identifier, name, bands)
        self.globalGain = globalGain ?? -bands.reduce(0) { max($0, $1.gain) }
    }

    /// The most bands that a preset of `all` has.
    public static let maximumBandCount = 6

    /// No change.
    public static let flat = EqualizerPreset("flat", name: "Flat", bands: [])
    /// Speech that is easier to follow: no rumble, less boom, more of what consonants are known by.
    public static let speech = EqualizerPreset(
        "speech",
        name: "Speech",
        bands: [
            Band(.highPass, 90, 0), Band(.parametric, 250, -2), Band(.parametric, 3_000, 4, bandwidth: 1.5),
            Band(.highShelf, 9_000, -2),
        ]
    )
    /// More of the low frequencies.
    public static let bass = EqualizerPreset("bass", name: "Bass", bands: [Band(.lowShelf, 120, 6)])
    /// Less of the low frequencies.
    public static let lessBass = EqualizerPreset("less-bass", name: "Less bass", bands: [Band(.lowShelf, 120, -6)])
    /// More of the high frequencies.
    public static let treble = EqualizerPreset("treble", name: "Treble", bands: [Band(.highShelf, 6_000, 6)])
    /// Less of the high frequencies.
    public static let lessTreble = EqualizerPreset(
        "less-treble",
        name: "Less treble",
        bands: [Band(.highShelf, 6_000, -6)]
    )
    /// More of both ends, which the ear hears less of at low levels (ISO 226).
    public static let loudness = EqualizerPreset(
        "loudness",
        name: "Loudness",
        bands: [Band(.lowShelf, 100, 7), Band(.parametric, 3_000, -1), Band(.highShelf, 8_000, 4)]
    )
    /// Little loudspeakers: nothing that they cannot give, and more of what stands for it.
    public static let smallSpeakers = EqualizerPreset(
        "small-speakers",
        name: "Small speakers",
        bands: [Band(.highPass, 140, 0), Band(.parametric, 220, 4, bandwidth: 1.2), Band(.highShelf, 5_000, 2)]
    )
    /// Rock: drums and guitars to the front.
    public static let rock = EqualizerPreset(
        "rock",
        name: "Rock",
        bands: [
            Band(.lowShelf, 100, 4), Band(.parametric, 500, -2, bandwidth: 1.5), Band(.parametric, 2_500, 2),
            Band(.highShelf, 8_000, 3),
        ]
    )
    /// Voices and instruments of the middle to the front.
    public static let vocal = EqualizerPreset(
        "vocal",
        name: "Vocal",
        bands: [Band(.lowShelf, 150, -3), Band(.parametric, 1_500, 3, bandwidth: 2), Band(.highShelf, 10_000, -1)]
    )

    /// All presets, the flat one first.
    public static let all: [EqualizerPreset] = [
        flat, speech, bass, lessBass, treble, lessTreble, loudness, smallSpeakers, rock, vocal,
    ]

    /// Returns the preset with an identifier, in any case of letters and with or without hyphens; `nil` if there is none.
    public static func named(_ identifier: String) -> EqualizerPreset? {
        let letters = identifier.lowercased().filter { $0 != "-" }
        return all.first { $0.identifier.filter { $0 != "-" } == letters }
    }
}

extension AVAudioUnitEQ {
    /// An equaliser with a preset, and with bands for any other.
    public convenience init(preset: EqualizerPreset) {
        self.init(numberOfBands: max(EqualizerPreset.maximumBandCount, preset.bands.count))
        load(preset)
    }

    /// Sets the bands and the gain behind them to a preset, also while it plays.
    ///
    /// Bands that the preset does not need are bypassed; what it has more than the unit is left out.
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
