public import Foundation
internal import SyrinxStreaming

/// An option of a media selection group, such as the audio in one language.
open class AVMediaSelectionOption: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.
    let sound: SoundOption

    init(_ sound: SoundOption) { self.sound = sound }

    /// The media type: audio.
    open var mediaType: AVMediaType { .audio }
    /// The language as a BCP 47 tag, if the media states it.
    open var extendedLanguageTag: String? { sound.language }
    /// The locale of the language, if the media states it.
    open var locale: Locale? { sound.language.map(Locale.init(identifier:)) }
    /// Whether the option can be played: always true.
    open var isPlayable: Bool { true }
    /// The display name: that of the media, otherwise the name of the language.
    open var displayName: String { displayName(with: .current) }
    /// The display name as a metadata item.
    open var commonMetadata: [AVMetadataItem] {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = displayName as NSString
        title.extendedLanguageTag = sound.language
        return [title]
    }

    /// Returns the display name: that of the media, otherwise the name of the language, localized for `locale`.
    open func displayName(with locale: Locale) -> String {
        if !sound.name.isEmpty { return sound.name }
        guard let language = sound.language else { return "" }
        return locale.localizedString(forIdentifier: language) ?? language
    }

    /// Returns whether the option has a characteristic: true for `audible` only.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        mediaCharacteristic == .audible
    }

    /// Returns a property list for storage; `AVMediaSelectionGroup.mediaSelectionOption(withPropertyList:)` finds the
    /// option with it.
    open func propertyList() -> Any {
        var list = ["name": sound.name]
        list["language"] = sound.language
        return list
    }

    /// Returns whether both options select the same audio track.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVMediaSelectionOption)?.sound == sound }
    /// The hash value of the audio track.
    open override var hash: Int { sound.hashValue }
}

/// A group of mutually exclusive options, such as the languages of a film.
///
/// HTTP Live Streaming presentations and files with several audio tracks have a group.
open class AVMediaSelectionGroup: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The options, in the order of the media.
    public let options: [AVMediaSelectionOption]

    init?(_ sounds: [SoundOption]) {
        guard !sounds.isEmpty else { return nil }
        options = sounds.map(AVMediaSelectionOption.init)
    }

    /// The option that is selected without any preference.
    open var defaultOption: AVMediaSelectionOption? { choice(SoundPreference()) }
    /// Whether the selection may be empty: always false, because a player always plays one option.
    open var allowsEmptySelection: Bool { false }

    func choice(_ preference: SoundPreference) -> AVMediaSelectionOption? {
        preference.choice(among: options.map(\.sound)).map { options[$0] }
    }

    /// Returns the option for a property list from `propertyList()`, or `nil`.
    open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        guard let list = plist as? [String: String] else { return nil }
        return options.first { $0.sound.name == list["name"] && $0.sound.language == list["language"] }
    }

    /// Returns the playable options: all of them.
    public class func playableMediaSelectionOptions(
        from options: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] { options }

    /// Returns the options in the language of a locale, regardless of the region.
    public class func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        with locale: Locale
    ) -> [AVMediaSelectionOption] {
        options.filter { SoundPreference.isSameLanguage($0.sound.language, locale.identifier) }
    }

    /// Returns the options in some languages, regardless of the region, in the order of the languages.
    public class func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMediaSelectionOption] {
        var found: [AVMediaSelectionOption] = []
        for language in preferredLanguages {
            for option in options
            where SoundPreference.isSameLanguage(option.sound.language, language) && !found.contains(option) {
                found.append(option)
            }
        }
        return found
    }

    /// Returns whether both groups have equal options.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVMediaSelectionGroup)?.options == options
    }
    /// The hash value of the options.
    open override var hash: Int { options.hashValue }
}

extension AVAsset {
    /// Returns the media selection group for a characteristic; blocks until the asset is loaded.
    /// - Parameter mediaCharacteristic: The characteristic; only `audible` has a group.
    /// - Returns: The group; `nil` if there is nothing to select.
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        guard mediaCharacteristic == .audible else { return nil }
        return (try? describe()).flatMap { AVMediaSelectionGroup($0.soundOptions) }
    }

    /// Loads the media selection group for a characteristic.
    /// - Parameter mediaCharacteristic: The characteristic; only `audible` has a group.
    /// - Returns: The group; `nil` if there is nothing to select.
    /// - Throws: `AVError` if the asset cannot be opened.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        _ = try await load(.tracks)
        return mediaSelectionGroup(forMediaCharacteristic: mediaCharacteristic)
    }

    /// The characteristics with a media selection group; blocks until the asset is loaded.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        mediaSelectionGroup(forMediaCharacteristic: .audible) == nil ? [] : [.audible]
    }
}
