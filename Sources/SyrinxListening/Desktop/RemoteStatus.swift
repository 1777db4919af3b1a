import AVFAudio
import SyrinxByteStream
import SyrinxStreaming

/// The status of a player, as `syrinx control status --json` writes it.
package struct RemoteStatus: Codable, Equatable, Sendable {
    package var state = PlayState.opening
    /// In seconds, as `duration`.
    package var time = 0.0
    @NullEncoded package var duration: Double?
    package var url = ""
    @NullEncoded package var title: String?
    @NullEncoded package var artist: String?
    package var rate = 1.0
    /// In cents.
    package var pitch = 0.0
    package var volume = 1.0
    /// Whether mono is on.
    package var mono = false
    /// −1 is the left channel alone, 1 the right one alone.
    package var balance = 0.0
    /// The name of the equalizer's preset.
    package var equalizer = EqualizerPreset.flat.identifier
    /// The index in the queue, from 0.
    package var index = 0
    /// The number of inputs in the queue.
    package var count = 1
    /// The number of chapters of the input.
    package var chapters = 0
    /// The number of effects.
    package var effects = 0
    /// The languages of the audio tracks; left out before the input is open.
    package var languages: [String]?
    /// The recording in progress; left out without a recording.
    package var recording: RecordingStatus?
    /// The distance behind the live sound of a station, in seconds; left out for other items.
    package var behind: Double?

    /// The name of the podcast, folder or recording whose settings are kept; left out if none are.
    package var keptFor: String?

    /// Creates the status of a player that has just started.
    package init() {}

    /// Returns the reason why a command is not possible now, with indexes from 1; `nil` if it is possible.
    package func reason(against command: ListeningCommand) -> String? {
        switch command {
        case .goTo(let place) where place >= count, .remove(let place) where place >= count,
            .move(let place, _) where place >= count, .move(_, let place) where place >= count:
            "there is no input at position \(place + 1): the queue has \(count)"
        case .chapter(let place) where place >= chapters: "there is no chapter \(place + 1): the input has \(chapters)"
        case .effect(let place, _) where place >= effects, .removeEffect(let place) where place >= effects,
            .moveEffect(let place, _) where place >= effects, .moveEffect(_, let place) where place >= effects:
            "there is no effect \(place.addingClamped(1)): there are \(effects)"
        case .addEffect(let text): Self.reason(againstEffect: text)
        case .forgetSettings where keptFor == nil: "no settings are kept for the item"
        case .remove where count == 1 && state != .stopped:
            "the only input of the queue cannot be removed; stop ends playback"
        case .previous(isWeak: false) where count == 1: "there is no previous input to play"
        case .equalizer(let name?) where EqualizerPreset.named(name) == nil:
            "there is no preset \"\(name)\"; there are \(EqualizerPreset.all.map(\.identifier).joined(separator: ", "))"
        case .enqueue(let text) where ListeningInput(argument: text)?.isStandardInput ?? true:
            "enqueue takes a path, or a file:, http: or https: URL"
        case .openPlaylist(let name), .savePlaylist(let name): Self.reason(againstName: name)
        case .language(let wanted): languages.flatMap { Self.reason(against: wanted, offered: $0) }
        default: nil
        }
    }

    private static func reason(againstName text: String) -> String? {
        do throws(Failure) {
            _ = try PlaylistName(text)
            return nil
        } catch { return error.message }
    }

    private static func reason(againstEffect text: String) -> String? {
        do throws(EffectArgument.Malformed) {
            _ = try EffectArgument(text)
            return nil
        } catch {
            return error.message
        }
    }

    private static func reason(against wanted: LanguageList, offered: [String]) -> String? {
        let isMet = wanted.tags.contains { tag in offered.contains { SoundPreference.isSameLanguage($0, tag) } }
        guard !isMet else { return nil }
        let has = offered.isEmpty ? "it states no language" : "it has \(offered.joined(separator: ", "))"
        return "the input has no sound in the language \(wanted.tags.joined(separator: ", ")): \(has)"
    }
}

/// An input of a player's queue, as `syrinx queue --json` writes it.
package struct RemoteQueueEntry: Codable, Equatable, Sendable {
    /// The index in the queue, from 0.
    package var index: Int
    /// The absolute URL or path.
    package var url: String
    @NullEncoded package var title: String?
    @NullEncoded package var artist: String?
    @NullEncoded package var album: String?
    /// In seconds, if it is known.
    @NullEncoded package var duration: Double?
    /// The section of the recording that plays, in seconds; left out if the whole recording plays.
    package var start: Double?
    package var end: Double?
    /// Whether this is the current input.
    package var current: Bool

    /// Creates the entry of an input.
    /// - Parameters:
    ///   - tags: The tags of the input, as far as they have been read.
    ///   - index: The index in the queue, from 0.
    ///   - current: Whether it is the input that plays.
    package init(_ input: ListeningInput, _ tags: ListeningTags, index: Int, current: Bool) {
        (self.index, url, self.current) = (index, input.absoluteName, current)
        (title, artist, album) = (tags.title, tags.artist, tags.album)
        duration = tags.duration.map { ($0 * 1e6).rounded() / 1e6 }
        (start, end) = (input.part?.start, input.part?.end)
    }
}
