package import SyrinxStreaming

/// The choice among the audio tracks of an item, such as the languages of a film.
package struct AudioTracks: Equatable, Sendable {
    /// The names of the tracks, in the order of the item; empty before it is open.
    package let names: [String]
    /// The index of the track that is decoded.
    package let current: Int?

    /// Reads the tracks of the item that a streamer plays.
    package init(of streamer: Streamer) {
        let (options, choice) = streamer.soundOptions
        names = options.map(Self.name)
        current = choice
    }

    /// The name of a track for people: its language and its own name.
    fileprivate static func name(_ option: SoundOption) -> String {
        let parts = [option.language, option.name.isEmpty ? nil : option.name].compactMap(\.self)
        return parts.joined(separator: ", ")
    }
}

/// The audio track that the listener has chosen last, which is heard some seconds later.
struct AudioTrackChoice {
    private var chosen: (index: Int, opening: Int)?

    /// Has a streamer play a track of its item.
    ///
    /// - Parameters:
    ///   - index: The track; `nil` is the one behind the track that was chosen last.
    ///   - streamer: The streamer.
    ///   - opening: The number of the opening of the item.
    /// - Returns: The answer to the listener.
    mutating func choose(_ index: Int?, on streamer: Streamer, of opening: Int) -> String {
        let (options, current) = streamer.soundOptions
        guard options.count > 1 else { return "The item has no other audio track." }
        let former = chosen.flatMap { $0.opening == opening ? $0.index : nil } ?? current ?? -1
        let place = index ?? (former + 1) % options.count
        guard options.indices.contains(place) else {
            return "There is no audio track \(place.addingClamped(1)): the item has \(options.count)."
        }
        chosen = (place, opening)
        let option = options[place]
        let preference = SoundPreference(languages: [option.language].compactMap(\.self), name: option.name)
        streamer.setSoundPreference(preference, of: nil)
        return "Audio track \(place + 1) of \(options.count): \(AudioTracks.name(option))"
    }
}
