public import SyrinxPlayback

/// A setting of a podcast that can be changed on its page.
public enum ShowSetting: String, Sendable, CaseIterable {
    case rate, volume, smartSpeed, voiceBoost, isMono, balance, equalizer
    case introDuration, outroDuration, skipForward, skipBack

    /// The settings of the sound, in the order in which they are listed.
    public static let sound: [ShowSetting] = [
        .rate, .volume, .smartSpeed, .voiceBoost, .isMono, .balance, .equalizer,
    ]
    /// The settings of skips, in the order in which they are listed.
    public static let skips: [ShowSetting] = [.introDuration, .outroDuration, .skipForward, .skipBack]

    /// The numbers that a control takes.
    public struct Bounds: Sendable, Equatable {
        /// The least value.
        public var lower: Double
        /// The greatest value.
        public var upper: Double
        /// The difference that a key makes.
        public var step: Double
        /// The digits after the decimal point.
        public var digits = 0
    }

    /// A control of a setting.
    public enum Control: Sendable, Equatable {
        /// A number that is typed.
        case number(Bounds)
        /// A number on a scale.
        case scale(Bounds)
        /// On, 1, or off, 0.
        case toggle
        /// One of several, by its place.
        case choice([String])
    }

    /// The name for people.
    public var title: String {
        switch self {
        case .rate: "Speed"
        case .volume: "Volume, Percent"
        case .smartSpeed: "Smart Speed"
        case .voiceBoost: "Voice Boost"
        case .isMono: "Mono"
        case .balance: "Balance"
        case .equalizer: "Equalizer"
        case .introDuration: "Intro"
        case .outroDuration: "Outro"
        case .skipForward: "Skip Forward"
        case .skipBack: "Skip Back"
        }
    }
}

/// The settings of a podcast as a form, in which each can also be as usual.
public struct ShowSettingsForm: Sendable, Equatable {
    /// A preset of the equalizer.
    public struct Preset: Sendable, Equatable {
        /// The name that is kept.
        public var identifier: String
        /// The name for people.
        public var name: String

        /// Creates the description of a preset.
        /// - Parameters:
        ///   - identifier: The name that is kept.
        ///   - name: The name for people.
        public init(identifier: String, name: String) { (self.identifier, self.name) = (identifier, name) }
    }

    /// The settings of the podcast.
    public private(set) var settings: ShowSettings
    private let usual: PlaybackSettings
    private let presets: [Preset]
    private static let strengths = ["Off", "Mild", "Medium", "Strong"]

    /// Creates a form.
    /// - Parameters:
    ///   - settings: The settings of the podcast.
    ///   - usual: The settings that are in force where the podcast sets none.
    ///   - presets: The presets of the equalizer.
    public init(_ settings: ShowSettings, usual: PlaybackSettings, presets: [Preset]) {
        (self.settings, self.usual, self.presets) = (settings, usual, presets)
    }

    /// Returns the control of a setting.
    public func control(_ setting: ShowSetting) -> ShowSetting.Control {
        switch setting {
        case .rate: .number(.init(lower: 0.25, upper: 4, step: 0.05, digits: 2))
        case .volume: .number(.init(lower: 0, upper: 100, step: 5))
        case .smartSpeed: .choice(Self.strengths)
        case .voiceBoost, .isMono: .toggle
        case .balance: .scale(.init(lower: -1, upper: 1, step: 0.1, digits: 1))
        case .equalizer: .choice(presets.map(\.name))
        case .introDuration, .outroDuration: .number(.init(lower: 0, upper: 3600, step: 1))
        case .skipForward, .skipBack: .number(.init(lower: 1, upper: 600, step: 5))
        }
    }

    /// Whether the podcast has a setting of its own.
    public func isSet(_ setting: ShowSetting) -> Bool {
        switch setting {
        case .rate: settings.rate != nil
        case .volume: settings.volume != nil
        case .smartSpeed: settings.smartSpeed != nil
        case .voiceBoost: settings.voiceBoost != nil
        case .isMono: settings.isMono != nil
        case .balance: settings.balance != nil
        case .equalizer: settings.equalizer != nil
        case .introDuration: settings.introDuration != nil
        case .outroDuration: settings.outroDuration != nil
        case .skipForward: settings.skipForward != nil
        case .skipBack: settings.skipBack != nil
        }
    }

    /// Returns the value that is in force, as the control shows it.
    public func value(_ setting: ShowSetting) -> Double {
        let applied = settings.applied(to: usual)
        switch setting {
        case .rate: return applied.rate
        case .volume: return (applied.volume * 100).rounded()
        case .smartSpeed: return (applied.smartSpeed * Double(Self.strengths.count - 1)).rounded()
        case .voiceBoost: return applied.voiceBoost ? 1 : 0
        case .isMono: return applied.isMono ? 1 : 0
        case .balance: return applied.balance
        case .equalizer:
            // Names were once kept without their hyphens.
            let letters = { (name: String) in name.filter { $0 != "-" } }
            let place = presets.firstIndex { letters($0.identifier) == letters(applied.equalizer) }
            return Double(place ?? 0)
        case .introDuration: return applied.introDuration
        case .outroDuration: return applied.outroDuration
        case .skipForward: return applied.skipForward
        case .skipBack: return applied.skipBack
        }
    }

    /// Sets a setting of the podcast, or lets it be as usual.
    /// - Parameters:
    ///   - setting: The setting.
    ///   - value: The value as the control shows it; `nil` for as usual.
    public mutating func set(_ setting: ShowSetting, to value: Double?) {
        switch setting {
        case .rate: settings.rate = value
        case .volume: settings.volume = value.map { $0 / 100 }
        case .smartSpeed: settings.smartSpeed = value.map { $0 / Double(Self.strengths.count - 1) }
        case .voiceBoost: settings.voiceBoost = value.map { $0 != 0 }
        case .isMono: settings.isMono = value.map { $0 != 0 }
        case .balance: settings.balance = value
        case .equalizer: settings.equalizer = value.flatMap { place in preset(at: place)?.identifier }
        case .introDuration: settings.introDuration = value
        case .outroDuration: settings.outroDuration = value
        case .skipForward: settings.skipForward = value
        case .skipBack: settings.skipBack = value
        }
    }

    private func preset(at place: Double) -> Preset? {
        guard let index = Int(exactly: place), presets.indices.contains(index) else { return nil }
        return presets[index]
    }
}
