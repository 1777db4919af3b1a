extension Streamer {
    /// Has all items give their sound in these languages from now on, where they have it in several.
    ///
    /// The input that is heard is opened once more beside itself, and is gone over to within 20 ms, without a gap, once that can be
    /// heard; what has been decoded already, some 4 seconds of the input, is heard before. If the other sound cannot be had, the one
    /// before goes on, and a warning (`media.soundUnavailable`, or the reason) tells it. Items that are set later state their own
    /// `preferredLanguages`.
    /// - Parameter languages: The languages, as BCP 47 or ISO 639 writes them, the best first; none is the input's own default.
    public func setPreferredLanguages(_ languages: [String]) {
        setSoundPreference(SoundPreference(languages: languages), of: nil)
    }

    /// The languages of the input that is heard, once it is open, in its order and each once; empty where it states none.
    public var languages: [String] {
        let languages = soundOptions.options.compactMap(\.language)
        return languages.enumerated().filter { languages.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// The language of the sound that is decoded; `nil` where the input states none.
    ///
    /// After `setPreferredLanguages(_:)` it changes when the other sound is gone over to.
    public var language: String? {
        let (options, choice) = soundOptions
        return choice.flatMap { options.indices.contains($0) ? options[$0].language : nil }
    }

    /// The sounds of the input that is heard, once it is open, and the index of the one that is decoded.
    package var soundOptions: (options: [SoundOption], choice: Int?) {
        controller.lock.withLock { controller.tracks.current.pump?.soundOptions ?? ([], nil) }
    }

    /// The presentation of HTTP Live Streaming that is played, if it is one.
    package var presentation: HLSStream? { controller.lock.withLock { controller.tracks.current.pump?.presentation } }

    /// Chooses among the sounds of an item, or of all.
    /// - Parameters:
    ///   - preference: The sound to choose.
    ///   - id: The item; `nil` stands for all.
    package func setSoundPreference(_ preference: SoundPreference, of id: StreamingItem.ID?) {
        controller.lock.withLock { controller.tracks.setPreference(preference, of: id) }
    }
}
