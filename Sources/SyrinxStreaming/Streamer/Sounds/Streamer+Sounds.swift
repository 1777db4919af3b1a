extension Streamer {
    /// Selects the audio tracks of all items by language, for inputs with several tracks.
    ///
    /// The streamer opens the new track beside the current one and switches within 20 ms, without a gap, once the new
    /// one can be played. Already decoded audio, about 4 seconds of the input, is heard before. If the new track cannot
    /// be played, the current one continues and the streamer sends a warning with `media.soundUnavailable` or the
    /// cause. Items that are set later use their own `preferredLanguages`.
    ///
    /// ```swift
    /// print(streamer.languages) // for example ["en", "fr"]
    /// streamer.setPreferredLanguages(["fr"])
    /// ```
    /// - Parameter languages: BCP 47 or ISO 639 codes, most preferred first; an empty array selects the default track
    ///   of the input.
    public func setPreferredLanguages(_ languages: [String]) {
        setSoundPreference(SoundPreference(languages: languages), of: nil)
    }

    /// The languages of the current input, in its order and without duplicates.
    ///
    /// Empty until the input is open, and if the input does not state languages.
    public var languages: [String] {
        let languages = soundOptions.options.compactMap(\.language)
        return languages.enumerated().filter { languages.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// The language of the audio track that is decoded; `nil` if the input does not state it.
    ///
    /// After `setPreferredLanguages(_:)`, the value changes when the streamer switches tracks.
    public var language: String? {
        let (options, choice) = soundOptions
        return choice.flatMap { options.indices.contains($0) ? options[$0].language : nil }
    }

    /// The audio tracks of the current input, once it is open, and the index of the decoded track.
    package var soundOptions: (options: [SoundOption], choice: Int?) {
        controller.lock.withLock { controller.tracks.current.pump?.soundOptions ?? ([], nil) }
    }

    /// The HTTP Live Streaming presentation that is played; `nil` for other inputs.
    package var presentation: HLSStream? { controller.lock.withLock { controller.tracks.current.pump?.presentation } }

    /// Selects an audio track of one item or of all items.
    /// - Parameters:
    ///   - preference: The track to select.
    ///   - id: The item; `nil` means all items.
    package func setSoundPreference(_ preference: SoundPreference, of id: StreamingItem.ID?) {
        controller.lock.withLock { controller.tracks.setPreference(preference, of: id) }
    }
}
