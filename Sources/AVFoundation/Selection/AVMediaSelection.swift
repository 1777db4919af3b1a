internal import AVFAudio
public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The options of an asset's groups that are selected.
open class AVMediaSelection: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The asset.
    public let asset: AVAsset?
    private let preference: SoundPreference

    init(_ asset: AVAsset, _ preference: SoundPreference) {
        self.asset = asset
        self.preference = preference
    }

    /// Returns the option of a group that is heard.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        mediaSelectionGroup.choice(preference)
    }

    /// Whether an option is what the player chooses by itself.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(to mediaSelectionGroup: AVMediaSelectionGroup) -> Bool {
        preference.name == nil
    }
}

/// The languages that a player selects by itself.
open class AVPlayerMediaSelectionCriteria: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The languages, the best first, as BCP 47 writes them.
    public let preferredLanguages: [String]?
    /// Accepted for programs that give them: media here state none.
    public let preferredMediaCharacteristics: [AVMediaCharacteristic]?

    /// Criteria of some languages.
    public init(
        preferredLanguages: [String]?,
        preferredMediaCharacteristics: [AVMediaCharacteristic]? = nil
    ) {
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
    }
}

extension AVPlayerItem {
    /// Posted on the main queue when another option has been selected.
    public static let mediaSelectionDidChangeNotification = Notification.Name(
        "AVPlayerItemMediaSelectionDidChangeNotification"
    )

    /// The options that are selected.
    public var currentMediaSelection: AVMediaSelection { AVMediaSelection(asset, soundPreference) }

    /// The preference: what the program has selected, or else the languages of the player's criteria.
    var soundPreference: SoundPreference {
        if let selected = settings.withLock({ $0.selectedSound }) {
            return SoundPreference(languages: [selected.language].compactMap(\.self), name: selected.name)
        }
        return SoundPreference(languages: player?.automaticLanguages ?? [], isAutomatic: true)
    }

    /// Plays an option of a group from now on.
    ///
    /// While it plays, the option is opened beside the one that is heard, and gone over to without a gap. If it cannot be had, the
    /// one before goes on, and the error log of the item tells why.
    /// - Parameters:
    ///   - mediaSelectionOption: The option; `nil` leaves the choice to the player.
    ///   - mediaSelectionGroup: The group. An option of another is ignored.
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

    /// Leaves the choice in a group to the player again.
    public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        select(nil, in: mediaSelectionGroup)
    }
}

extension AVPlayer {
    /// Whether the player selects options by its criteria, or else by the languages of the system; default true.
    ///
    /// Takes effect with the next item that is opened.
    public var appliesMediaSelectionCriteriaAutomatically: Bool {
        get { core.state.selectsByCriteria }
        set { core.change { $0.selectsByCriteria = newValue } }
    }

    /// Sets the criteria for a kind of media; `nil` stands for the languages of the system.
    ///
    /// Takes effect with the next item that is opened.
    /// - Parameters:
    ///   - criteria: The criteria.
    ///   - mediaCharacteristic: Only `audible` has an effect.
    public func setMediaSelectionCriteria(
        _ criteria: AVPlayerMediaSelectionCriteria?,
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) {
        if mediaCharacteristic == .audible { core.change { $0.selectionCriteria = criteria } }
    }

    /// Returns the criteria that have been set for a kind of media.
    public func mediaSelectionCriteria(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVPlayerMediaSelectionCriteria? {
        mediaCharacteristic == .audible ? core.state.selectionCriteria : nil
    }

    /// The languages by which options are selected.
    var automaticLanguages: [String] {
        let state = core.state
        guard state.selectsByCriteria else { return [] }
        return state.selectionCriteria?.preferredLanguages ?? SystemLanguages.preferred
    }
}

/// The languages of the user, as the environment states them.
enum SystemLanguages {
    static var preferred: [String] { preferred(ProcessInfo.processInfo.environment) }

    /// Returns the languages as BCP 47 writes them, from the variables that GNU gettext reads: `LANGUAGE`, which is a list, or else the
    /// first of `LC_ALL`, `LC_MESSAGES` and `LANG`.
    ///
    /// None where the locale is that of C.
    static func preferred(_ environment: [String: String]) -> [String] {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }.first ?? "C"
        guard let own = tag(locale) else { return [] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(String($0)) }
        return list.isEmpty ? [own] : list
    }

    /// Returns the tag of `language_REGION.encoding@variant`; `nil` for the locale of C.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return name.replacingOccurrences(of: "_", with: "-")
    }
}
