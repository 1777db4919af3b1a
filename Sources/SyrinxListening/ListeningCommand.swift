/// A command of the listener: from a key, a line of `--control`, `syrinx control`, a media key or a button.
///
/// Places count from 0. `CommandTable` has the name, the parameters and the help of each command, and with them two encodings:
///
///     try ListeningCommand(json: #"{"command":"goto","index":2}"#)    // .goTo(2)
///     try ListeningCommand(text: "goto 3")                            // .goTo(2)
///     ListeningCommand.volume(.by(-0.05)).text                        // volume -5
package enum ListeningCommand: Hashable, Sendable {
    /// A new value, or a step from the present one.
    package enum Change: Hashable, Sendable {
        case to(Double)
        case by(Double)

        /// Returns the new value, where `value` is the present one.
        package func applied(to value: Double) -> Double {
            switch self {
            case .to(let new): new
            case .by(let step): value + step
            }
        }
    }

    /// The value of a key of an effect.
    package enum EffectValue: Hashable, Sendable {
        case number(Double)
        case name(String)
    }

    case pause
    case resume
    /// Pauses, or resumes.
    case toggle
    /// Ends all playback.
    case stop
    /// Plays the next item. After the last item it ends playback, unless it is weak.
    case next(isWeak: Bool)
    /// Plays the item before. At the first item a weak command says nothing.
    case previous(isWeak: Bool)
    case first
    case last
    /// Plays the item at this place of the queue.
    case goTo(Int)
    /// Opens the item again, at its position.
    case reload

    /// Goes to a time of the item, in seconds, or so many seconds forward.
    case seek(Change)
    /// Goes forward, or back, by the interval that is set.
    case skipForward
    case skipBack
    /// Repeats a part of the item; `nil` ends that.
    case repeatPart(RepeatedPart?)
    /// Sets the start of the part that is repeated to the position, then its end, then ends the repetition.
    case cyclePart
    /// Goes to the start of a chapter.
    case chapter(Int)
    case nextChapter
    case previousChapter

    /// Sets the rate, 1/32…32.
    case rate(Change)
    case multiplyRate(Double)
    /// Sets the pitch, in cents, −2400…2400.
    case pitch(Change)
    /// Sets the volume, 0…1.
    case volume(Change)
    case mute
    /// Sets the balance, −1…1: from the left channel alone to the right one alone.
    case balance(Change)
    /// Has all channels sound alike, or not; `nil` changes from one to the other.
    case mono(Bool?)
    /// Sets the equalizer to the preset of a name; `nil` takes the next preset.
    case equalizer(String?)
    /// Turns the shortening of pauses on or off.
    case smartSpeed
    case voiceBoost
    case normalize
    /// Forgets the settings that are kept for the podcast, the folder or the recording that plays.
    case forgetSettings
    /// Sets keys of the effect at this place.
    case effect(Int, [String: EffectValue])
    /// Plays the sound in the first of these languages that an item has.
    case language(LanguageList)
    /// Plays on the output of a name, as `OutputDevices.make` takes it.
    case output(String)

    /// Adds an item at the end of the queue: a path, or a URL.
    case enqueue(String)
    case remove(Int)
    /// Moves the item at a place of the queue to another place, counted in the queue without the item.
    case move(from: Int, to: Int)
    /// Removes all items but the one that plays.
    case clear
    case shuffle
    /// Takes the next way of repeating: none, the item, all.
    case loop
    /// Opens a saved playlist in place of the queue.
    case openPlaylist(String)
    /// Saves the queue as a playlist of a new name.
    case savePlaylist(String)
    /// Adds the item to the favorites, or removes it: a station to the stations, another one to the playlist Favorites.
    case favorite
    /// Records the station to files, or ends that; `nil` changes from one to the other.
    case record(Bool?)
    /// Goes to the live sound of a station that was gone back in.
    case live
}

extension ListeningCommand {
    /// Whether the command takes inputs out of the queue.
    package var removesInputs: Bool {
        switch self {
        case .remove, .clear: true
        default: false
        }
    }

    /// Whether the command goes to another time of the item.
    package var isMove: Bool {
        switch self {
        case .seek, .skipForward, .skipBack, .chapter, .nextChapter, .previousChapter, .live: true
        default: false
        }
    }
}

/// A text that is no command.
package struct CommandError: Error, Equatable {
    /// One sentence, without a period.
    package let message: String

    package init(_ message: String) { self.message = message }
}
