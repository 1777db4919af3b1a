internal import AVFAudio
public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The selected options of an asset's media selection groups.
open class AVMediaSelection: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The asset of the selection.
    public let asset: AVAsset?
    private let preference: SoundPreference

    init(_ asset: AVAsset, _ preference: SoundPreference) {
        self.asset = asset
        self.preference = preference
    }

    /// Returns the selected option of a group.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        mediaSelectionGroup.choice(preference)
    }

    /// Returns whether the player selects the option of a group by itself.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(to mediaSelectionGroup: AVMediaSelectionGroup) -> Bool {
        preference.name == nil
    }
}

/// The languages by which a player selects options by itself.
///
/// ```swift
/// let french = AVPlayerMediaSelectionCriteria(preferredLanguages: ["fr"])
/// player.setMediaSelectionCriteria(french, forMediaCharacteristic: .audible)
/// ```
open class AVPlayerMediaSelectionCriteria: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The languages as BCP 47 tags, most preferred first.
    public let preferredLanguages: [String]?
    /// The preferred characteristics; have no effect, because the options do not state any.
    public let preferredMediaCharacteristics: [AVMediaCharacteristic]?

    /// Creates criteria from languages, most preferred first.
    public init(
        preferredLanguages: [String]?,
        preferredMediaCharacteristics: [AVMediaCharacteristic]? = nil
    ) {
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
    }
}

extension AVPlayerItem {
    /// Posted on the main queue when another option was selected.
    public static let mediaSelectionDidChangeNotification = Notification.Name(
        "AVPlayerItemMediaSelectionDidChangeNotification"
    )

    /// The selected options.
    public var currentMediaSelection: AVMediaSelection { AVMediaSelection(asset, soundPreference) }

    /// The selected audio track: that of the program, otherwise by the languages of the player's criteria.
    var soundPreference: SoundPreference {
        if let selected = settings.withLock({ $0.selectedSound }) {
            return SoundPreference(languages: [selected.language].compactMap(\.self), name: selected.name)
        }
        return SoundPreference(languages: player?.automaticLanguages ?? [], isAutomatic: true)
    }

    /// Selects an option of a group.
    ///
    /// During playback, the player opens the option next to the current one and switches without a gap. If the option
    /// cannot be played, the current one continues, and the error log of the item has the reason.
    ///
    /// ```swift
    /// if let group = try await item.asset.loadMediaSelectionGroup(for: .audible) {
    ///     item.select(group.options.last, in: group)
    /// }
    /// ```
    /// - Parameters:
    ///   - mediaSelectionOption: The option; `nil` lets the player choose.
    ///   - mediaSelectionGroup: The group. An option of another group is ignored.
    public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?,
        in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        if let option = mediaSelectionOption, !mediaSelectionGroup.options.contains(option) { return }
        let isNew = settings.withLock { settings in
            defer { settings.selectedSound = mediaSelectionOption?.sound }
            return settings.selectedSound != mediaSelectionOption?.sound
        }
        guard isNew else { return }
        player?.changeSound(of: self)
        DispatchQueue.main.deliver {
            NotificationCenter.default.post(name: Self.mediaSelectionDidChangeNotification, object: self)
        }
    }

    /// Lets the player choose the option of a group again.
    public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        select(nil, in: mediaSelectionGroup)
    }
}

extension AVPlayer {
    /// Whether the player selects options by its criteria, or by the system's languages if it has none; true by
    /// default.
    ///
    /// A change takes effect with the next item that is opened.
    public var appliesMediaSelectionCriteriaAutomatically: Bool {
        get { core.state.selectsByCriteria }
        set { core.change { $0.selectsByCriteria = newValue } }
    }

    /// Sets the criteria for a media characteristic; `nil` uses the system's languages.
    ///
    /// A change takes effect with the next item that is opened.
    /// - Parameters:
    ///   - criteria: The criteria.
    ///   - mediaCharacteristic: The characteristic; only `audible` has an effect.
    public func setMediaSelectionCriteria(
        _ criteria: AVPlayerMediaSelectionCriteria?,
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) {
        if mediaCharacteristic == .audible { core.change { $0.selectionCriteria = criteria } }
    }

    /// Returns the criteria for a media characteristic.
    public func mediaSelectionCriteria(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVPlayerMediaSelectionCriteria? {
        mediaCharacteristic == .audible ? core.state.selectionCriteria : nil
    }

    /// The languages by which the player selects options.
    var automaticLanguages: [String] {
        let state = core.state
        guard state.selectsByCriteria else { return [] }
        return state.selectionCriteria?.preferredLanguages ?? SystemLanguages.preferred
    }
}

/// The languages of the user, from the environment variables.
enum SystemLanguages {
    static var preferred: [String] { preferred(ProcessInfo.processInfo.environment) }

    /// Returns the languages as BCP 47 tags, from the variables of GNU gettext: the list `LANGUAGE`, otherwise the
    /// first of `LC_ALL`, `LC_MESSAGES` and `LANG`.
    ///
    /// Returns an empty array in the C locale.
    static func preferred(_ environment: [String: String]) -> [String] {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }.first ?? "C"
        guard let own = tag(locale) else { return [] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(String($0)) }
        return list.isEmpty ? [own] : list
    }

    /// Converts `language_REGION.encoding@variant` to a BCP 47 tag; returns `nil` for the C locale.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return name.replacingOccurrences(of: "_", with: "-")
    }
}
