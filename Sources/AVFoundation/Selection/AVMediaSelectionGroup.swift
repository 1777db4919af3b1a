public import Foundation
internal import SyrinxStreaming

/// One of the alternatives of a group: the sound in one language, for example.
open class AVMediaSelectionOption: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    let sound: SoundOption

    init(_ sound: SoundOption) { self.sound = sound }

    /// The kind of media: sound.
    open var mediaType: AVMediaType { .audio }
    /// The language as BCP 47 writes it, if the media state it.
    open var extendedLanguageTag: String? { sound.language }
    /// The locale of the language, if the media state one.
    open var locale: Locale? { sound.language.map(Locale.init(identifier:)) }
    /// Whether it can be played: true.
    open var isPlayable: Bool { true }
    /// The name for people: that of the media, or else of the language.
    open var displayName: String { displayName(with: .current) }
    /// The name of the option as metadata.
    open var commonMetadata: [AVMetadataItem] {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = displayName as NSString
        title.extendedLanguageTag = sound.language
        return [title]
    }

    /// Returns the name for people: that of the media, or else of the language in the words of `locale`.
    open func displayName(with locale: Locale) -> String {
        if !sound.name.isEmpty { return sound.name }
        guard let language = sound.language else { return "" }
        return locale.localizedString(forIdentifier: language) ?? language
    }

    /// Whether the option has a property: `audible` only.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        mediaCharacteristic == .audible
    }

    /// Returns a dictionary to store, by which `AVMediaSelectionGroup.mediaSelectionOption(withPropertyList:)` finds the option again.
    open func propertyList() -> Any {
        var list = ["name": sound.name]
        list["language"] = sound.language
        return list
    }

    /// Compares the sounds that are meant.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVMediaSelectionOption)?.sound == sound }
    /// A hash of the sound.
    open override var hash: Int { sound.hashValue }
}

/// Alternatives of which one is heard at a time, such as the languages of a film.
///
/// Presentations of HTTP Live Streaming have them, and files with several tracks of sound.
open class AVMediaSelectionGroup: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The options, in the order of the media.
    public let options: [AVMediaSelectionOption]

    init?(_ sounds: [SoundOption]) {
        guard !sounds.isEmpty else { return nil }
        options = sounds.map(AVMediaSelectionOption.init)
    }

    /// The option that is heard where nothing else is preferred.
    open var defaultOption: AVMediaSelectionOption? { choice(SoundPreference()) }
    /// Whether none may be selected: false, as a player of sound always plays one.
    open var allowsEmptySelection: Bool { false }

    func choice(_ preference: SoundPreference) -> AVMediaSelectionOption? {
        preference.choice(among: options.map(\.sound)).map { options[$0] }
    }

    /// Returns the option that a dictionary of `propertyList()` stands for, if it is one of these.
    open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        guard let list = plist as? [String: String] else { return nil }
        return options.first { $0.sound.name == list["name"] && $0.sound.language == list["language"] }
    }

    /// Returns the options that can be played: all.
    public class func playableMediaSelectionOptions(
        from options: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] { options }

    /// Returns the options of a language, whatever its region.
    public class func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        with locale: Locale
    ) -> [AVMediaSelectionOption] {
        options.filter { SoundPreference.isSameLanguage($0.sound.language, locale.identifier) }
    }

    /// Returns the options of some languages, whatever the region, in the order of the languages.
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

    /// Compares the options.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVMediaSelectionGroup)?.options == options
    }
    /// A hash of the options.
    open override var hash: Int { options.hashValue }
}

extension AVAsset {
    /// Returns the alternatives of a kind of media; blocks until they are known.
    /// - Parameter mediaCharacteristic: Only `audible` has any.
    /// - Returns: `nil` if there is nothing to choose.
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        guard mediaCharacteristic == .audible else { return nil }
        return (try? describe()).flatMap { AVMediaSelectionGroup($0.soundOptions) }
    }

    /// Loads the alternatives of a kind of media.
    /// - Parameter mediaCharacteristic: Only `audible` has any.
    /// - Returns: `nil` if there is nothing to choose.
    /// - Throws: `AVError` if the asset cannot be opened.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        _ = try await load(.tracks)
        return mediaSelectionGroup(forMediaCharacteristic: mediaCharacteristic)
    }

    /// The kinds of media that have alternatives; blocks until they are known.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        mediaSelectionGroup(forMediaCharacteristic: .audible) == nil ? [] : [.audible]
    }
}
