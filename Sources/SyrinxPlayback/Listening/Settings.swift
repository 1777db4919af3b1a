/// Playback settings, which are clamped to their ranges.
public struct PlaybackSettings: Sendable, Equatable, Codable {
    /// The playback rate, 0.25…4 (default: 1).
    public var rate: Double { didSet { rate = Self.limited(rate, 0.25, 4, 1) } }
    /// The volume, 0…1 (default: 1).
    public var volume: Double { didSet { volume = Self.limited(volume, 0, 1, 1) } }
    /// The amount by which silences are shortened, 0…1 (default: 0, which keeps them).
    public var smartSpeed: Double { didSet { smartSpeed = Self.limited(smartSpeed, 0, 1, 0) } }
    /// Whether speech is brought to an even loudness (default: `false`).
    public var voiceBoost: Bool
    /// The length of a skip forward in seconds, 1…600 (default: 30).
    public var skipForward: Double { didSet { skipForward = Self.limited(skipForward, 1, 600, 30) } }
    /// The length of a skip back in seconds, 1…600 (default: 10).
    public var skipBack: Double { didSet { skipBack = Self.limited(skipBack, 1, 600, 10) } }
    /// The duration of the intro to skip in seconds, 0…3600 (default: 0).
    public var introDuration: Double { didSet { introDuration = Self.limited(introDuration, 0, 3_600, 0) } }
    /// The duration of the outro to skip in seconds, 0…3600 (default: 0).
    public var outroDuration: Double { didSet { outroDuration = Self.limited(outroDuration, 0, 3_600, 0) } }
    /// Whether all channels are mixed to mono (default: `false`).
    public var isMono: Bool
    /// The stereo balance, from −1 (left only) to 1 (right only) (default: 0).
    public var balance: Double { didSet { balance = Self.limited(balance, -1, 1, 0) } }
    /// The name of the equalizer preset (default: `flat`).
    public var equalizer: String

    /// Creates settings; values out of range are clamped, and NaN means the default.
    public init(
        rate: Double = 1,
        volume: Double = 1,
        smartSpeed: Double = 0,
        voiceBoost: Bool = false,
        skipForward: Double = 30,
        skipBack: Double = 10,
        introDuration: Double = 0,
        outroDuration: Double = 0,
        isMono: Bool = false,
        balance: Double = 0,
        equalizer: String = "flat"
    ) {
        self.rate = Self.limited(rate, 0.25, 4, 1)
        self.volume = Self.limited(volume, 0, 1, 1)
        self.smartSpeed = Self.limited(smartSpeed, 0, 1, 0)
        self.voiceBoost = voiceBoost
        self.skipForward = Self.limited(skipForward, 1, 600, 30)
        self.skipBack = Self.limited(skipBack, 1, 600, 10)
        self.introDuration = Self.limited(introDuration, 0, 3_600, 0)
        self.outroDuration = Self.limited(outroDuration, 0, 3_600, 0)
        self.isMono = isMono
        self.balance = Self.limited(balance, -1, 1, 0)
        self.equalizer = equalizer
    }

    /// Decodes settings; missing fields and fields of another type have their defaults.
    public init(from decoder: any Decoder) throws {
        self = try ShowSettings(from: decoder).applied(to: PlaybackSettings())
    }

    private static func limited(_ value: Double, _ low: Double, _ high: Double, _ standard: Double) -> Double {
        value.isNaN ? standard : min(max(value, low), high)
    }
}

/// The episodes of a podcast that play automatically when an episode has ended and the queue is empty.
public enum Autoplay: String, Sendable, Codable, CaseIterable {
    /// No episodes: playback ends.
    case off
    /// The newer episodes, oldest first, for podcasts that are played from the beginning.
    case newer
    /// The older episodes, newest first, for news and talks.
    case older
}

/// The settings of one show, which replace those of all shows where they are set.
///
/// The ranges are those of ``PlaybackSettings``.
public struct ShowSettings: Sendable, Equatable, Codable {
    /// The playback rate, 0.25…4; `nil` means the general setting.
    public var rate: Double?
    /// The volume, 0…1; `nil` means the general setting.
    public var volume: Double?
    /// The amount by which silences are shortened.
    public var smartSpeed: Double?
    /// Whether speech is brought to an even loudness.
    public var voiceBoost: Bool?
    /// The length of a skip forward in seconds, 1…600; `nil` means the general setting.
    public var skipForward: Double?
    /// The length of a skip back in seconds, 1…600; `nil` means the general setting.
    public var skipBack: Double?
    /// The duration of the intro to skip, in seconds.
    public var introDuration: Double?
    /// The duration of the outro to skip, in seconds.
    public var outroDuration: Double?
    /// Whether all channels are mixed to mono.
    public var isMono: Bool?
    /// The stereo balance.
    public var balance: Double?
    /// The name of the equalizer preset.
    public var equalizer: String?
    /// The episodes that play automatically; `nil` means none.
    ///
    /// There is no corresponding general setting.
    public var autoplay: Autoplay?

    /// Creates settings that override nothing.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case rate, volume, smartSpeed, voiceBoost, skipForward, skipBack, introDuration, outroDuration
        case isMono, balance, equalizer, autoplay
    }

    /// A setting: its key, the general setting that it replaces, and whether it is one of the sound.
    private struct Field {
        let isSound: Bool
        let decode: (KeyedDecodingContainer<CodingKeys>, inout ShowSettings) -> Void
        let replace: (ShowSettings, inout ShowSettings) -> Void
        let apply: (ShowSettings, inout PlaybackSettings) -> Void
        let clear: (inout ShowSettings) -> Void

        init<Value: Decodable>(
            _ key: CodingKeys,
            _ own: WritableKeyPath<ShowSettings, Value?>,
            _ general: WritableKeyPath<PlaybackSettings, Value>? = nil,
            isSound: Bool = false
        ) {
            self.isSound = isSound
            clear = { $0[keyPath: own] = nil }
            decode = { $1[keyPath: own] = (try? $0.decodeIfPresent(Value.self, forKey: key)) ?? nil }
            replace = { if let value = $0[keyPath: own] { $1[keyPath: own] = value } }
            apply = { if let general, let value = $0[keyPath: own] { $1[keyPath: general] = value } }
        }
    }

    /// All settings.
    private static var fields: [Field] {
        [
            Field(.rate, \.rate, \.rate, isSound: true),
            Field(.volume, \.volume, \.volume, isSound: true),
            Field(.smartSpeed, \.smartSpeed, \.smartSpeed, isSound: true),
            Field(.voiceBoost, \.voiceBoost, \.voiceBoost, isSound: true),
            Field(.skipForward, \.skipForward, \.skipForward),
            Field(.skipBack, \.skipBack, \.skipBack),
            Field(.introDuration, \.introDuration, \.introDuration),
            Field(.outroDuration, \.outroDuration, \.outroDuration),
            Field(.isMono, \.isMono, \.isMono, isSound: true),
            Field(.balance, \.balance, \.balance, isSound: true),
            Field(.equalizer, \.equalizer, \.equalizer, isSound: true),
            Field(.autoplay, \.autoplay),
        ]
    }

    /// Decodes settings; missing fields and fields of another type override nothing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for field in Self.fields { field.decode(container, &self) }
    }

    /// Returns these settings, overridden by the values that `other` sets.
    public func replaced(by other: ShowSettings) -> ShowSettings {
        var result = self
        for field in Self.fields { field.replace(other, &result) }
        return result
    }

    /// The settings without those that a listener changes while something plays.
    package var withoutSound: ShowSettings {
        var rest = self
        for field in Self.fields where field.isSound { field.clear(&rest) }
        return rest
    }

    /// Returns the general settings, overridden by these.
    public func applied(to settings: PlaybackSettings) -> PlaybackSettings {
        var result = settings
        for field in Self.fields { field.apply(self, &result) }
        return result
    }
}
