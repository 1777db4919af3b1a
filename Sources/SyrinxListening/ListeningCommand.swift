/// A command of the listener: from a key, a line of `--control`, `syrinx control`, a media key or a button.
///
/// Places count from 0. `CommandTable` has the name, the parameters and the help of each command, and with them two encodings:
///
///     try ListeningCommand(json: #"{"command":"goto","index":2}"#)    // .goTo(2)
///     try ListeningCommand(text: "goto 3")                            // .goTo(2)
///     ListeningCommand.volume(.by(-0.05)).text                        // volume -5
package enum ListeningCommand: Hashable, Sendable {
    /// A new value, or an amount to add to the current one.
    package enum Change: Hashable, Sendable {
        case to(Double)
        case by(Double)

        /// Returns the new value; `value` is the current one.
        package func applied(to value: Double) -> Double {
            switch self {
            case .to(let new): new
            case .by(let step): value + step
            }
        }
    }

    /// The value of a parameter of an effect.
    package enum EffectValue: Hashable, Sendable {
        case number(Double)
        case name(String)
    }

    case pause
    case resume
    /// Pauses or resumes playback.
    case toggle
    /// Quits the player.
    case stop
    /// Plays the next item. At the last item it quits the player; a weak command then does nothing.
    case next(isWeak: Bool)
    /// Plays the previous item. At the first item it reports a failure; a weak command does not.
    case previous(isWeak: Bool)
    case first
    case last
    /// Plays the item at an index of the queue.
    case goTo(Int)
    /// Reopens the item at its current time.
    case reload

    /// Seeks to a time of the item in seconds, or by a number of seconds.
    case seek(Change)
    /// Skips forward or back by the configured interval.
    case skipForward
    case skipBack
    /// Repeats a section of the item; `nil` ends the repetition.
    case repeatPart(RepeatedPart?)
    /// Sets the start of the repeated section to the current time, then its end; the third time it clears both.
    case cyclePart
    /// Seeks to the start of a chapter.
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
    /// Turns mono on or off; `nil` toggles it.
    case mono(Bool?)
    /// Selects an equalizer preset by name; `nil` selects the next one.
    case equalizer(String?)
    /// Turns the shortening of silences on or off.
    case smartSpeed
    case voiceBoost
    case normalize
    /// Deletes the settings saved for the current podcast, folder or recording.
    case forgetSettings
    /// Sets parameters of the effect at an index.
    case effect(Int, [String: EffectValue])
    /// Adds an effect behind the others, as `--effect` names it.
    case addEffect(String)
    case removeEffect(Int)
    /// Moves an effect to another place, counted without it.
    case moveEffect(from: Int, to: Int)
    /// Plays the sound in the first of these languages that an item has.
    case language(LanguageList)
    /// Plays the sound of this track of the item; `nil` takes the next one.
    case audioTrack(Int?)
    /// Plays on the output of a name, as `OutputDevices.make` takes it.
    case output(String)

    /// Appends a path or a URL to the queue.
    case enqueue(String)
    case remove(Int)
    /// Moves an item of the queue. `to` is its index afterwards.
    case move(from: Int, to: Int)
    /// Removes all items except the current one.
    case clear
    case shuffle
    /// Selects the next repeat mode: none, the item, all.
    case loop
    /// Replaces the queue by a saved playlist.
    case openPlaylist(String)
    /// Saves the queue as a playlist under a new name.
    case savePlaylist(String)
    /// Adds the item to the favorites, or removes it: a station to the stations, another one to the playlist Favorites.
    case favorite
    /// Starts or stops the recording of the station; `nil` toggles it.
    case record(Bool?)
    /// Seeks to the live sound of a station.
    case live
}

extension ListeningCommand {
    /// Whether the command removes inputs from the queue.
    package var removesInputs: Bool {
        switch self {
        case .remove, .clear: true
        default: false
        }
    }

    /// Whether the command seeks in the current item.
    package var isMove: Bool {
        switch self {
        case .seek, .skipForward, .skipBack, .chapter, .nextChapter, .previousChapter, .live: true
        default: false
        }
    }
}

/// The error for a text that is not a valid command.
package struct CommandError: Error, Equatable {
    /// One sentence, without a period.
    package let message: String

    package init(_ message: String) { self.message = message }
}
