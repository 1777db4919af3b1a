public import SyrinxPlayback

/// A setting of a podcast that the user can change on its page.
public enum ShowSetting: String, Sendable, CaseIterable {
    case rate, volume, smartSpeed, voiceBoost, isMono, balance, equalizer
    case introDuration, outroDuration, skipForward, skipBack

    /// The sound settings, in display order.
    public static let sound: [ShowSetting] = [
        .rate, .volume, .smartSpeed, .voiceBoost, .isMono, .balance, .equalizer,
    ]
    /// The skip settings, in display order.
    public static let skips: [ShowSetting] = [.introDuration, .outroDuration, .skipForward, .skipBack]

    /// The valid numbers of a control.
    public struct Bounds: Sendable, Equatable {
        /// The minimum value.
        public var lower: Double
        /// The maximum value.
        public var upper: Double
        /// The change by one key press.
        public var step: Double
        /// The number of decimals.
        public var digits = 0
    }

    /// The control for a setting.
    public enum Control: Sendable, Equatable {
        /// A number field.
        case number(Bounds)
        /// A slider.
        case scale(Bounds)
        /// A switch: 1 is on, 0 is off.
        case toggle
        /// A selection, whose value is an index.
        case choice([String])
    }

    /// The title for display.
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

/// The settings of a podcast as a form, in which each setting can also be unset.
public struct ShowSettingsForm: Sendable, Equatable {
    /// An equalizer preset.
    public struct Preset: Sendable, Equatable {
        /// The name under which it is stored.
        public var identifier: String
        /// The name for display.
        public var name: String

        /// Creates the description of a preset.
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
    ///   - usual: The general settings, which apply if the podcast does not override them.
    ///   - presets: The equalizer presets.
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

    /// Returns whether the podcast overrides a setting.
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

    /// Returns the effective value of a setting, as displayed by its control.
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
            // Older versions stored names without hyphens.
            let letters = { (name: String) in name.filter { $0 != "-" } }
            let place = presets.firstIndex { letters($0.identifier) == letters(applied.equalizer) }
            return Double(place ?? 0)
        case .introDuration: return applied.introDuration
        case .outroDuration: return applied.outroDuration
        case .skipForward: return applied.skipForward
        case .skipBack: return applied.skipBack
        }
    }

    /// Sets or unsets a setting of the podcast.
    /// - Parameters:
    ///   - setting: The setting.
    ///   - value: The value of the control; `nil` unsets the setting.
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
