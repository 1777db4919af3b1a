package import SyrinxPlayback

/// An action of a session for its player to perform.
package enum SessionAction: Equatable, Sendable {
    /// Report an event.
    case emit(ListeningEvent)
    /// Show a failure to the listener; once if several tracks of one file share it.
    case say(Failure)
    /// Show the answer to a command.
    case answer(String)
    /// Show a message that is not a failure.
    case note(String)
    /// Open this input and play it.
    case open(ListeningInput)
    /// Play these turns after the current input.
    case follow([ListeningQueue.Turn])
    /// Read this input as a playlist, and report its entries.
    case expand(ListeningInput)
    case play
    case pause
    case stop
    case seek(Double)
    case skip(Double)
    case setRate(Double)
    case setPitch(Double)
    case setVolume(Double)
    /// Select the audio track in the first of these languages that an input has.
    case setLanguages([String])
    /// Set parameters of the effect at an index.
    case setEffect(Int, EffectArgument, keys: Set<String>)
    /// Put an effect behind the others.
    case addEffect(EffectArgument)
    case removeEffect(Int)
    /// Move the effect at a place to another place, counted without it.
    case moveEffect(from: Int, to: Int)
    /// Play the sound of a track of the input; `nil` is the next one.
    case setAudioTrack(Int?)
    /// Have the sound adapt in another way than before.
    case setAdaptive(AdaptiveSound, replacing: AdaptiveSound)
    /// Set mono, balance and the equalizer.
    case setTone(Tone)
    /// Switch to the output with this name.
    case setOutput(String)
    /// Save the settings of the podcast with this number.
    case keepShow(Int64, ShowSettings)
    /// Save the settings of a folder or a recording that have changed, and keep its others; `nil` deletes them all.
    case keepPlace(KeptPlace, KeptSettings?)
    /// Set the end time of the current input, and seek to `from`; `nil` keeps the current time.
    case playPart(from: Double?, end: Double?)
    /// Bypass the effect at an index, or use it again.
    case setBypass(Int, Bool)
    /// Open a saved playlist, or save the queue as one.
    case openPlaylist(PlaylistName)
    case savePlaylist(PlaylistName)
    /// Add the current input to the favorites, or remove it.
    case toggleFavorite
    /// Start or stop the recording of the current station; `nil` toggles it.
    case record(Bool?)
    /// Seek to the live sound of the current station.
    case goLive
    /// Let the process be stopped: nothing is heard any more.
    case confirmSuspension
    /// Quit the player.
    case finish(SessionOutcome)

    /// Whether the action needs the input that is open in the streamer.
    var isTransport: Bool {
        switch self {
        case .play, .pause, .seek, .skip: true
        default: false
        }
    }

    /// The warning for a section in an input whose duration is unknown.
    static let noEnd = refusal("a section of an input without an end cannot be repeated", name: Failure.part)

    /// Returns the warning for a command that was refused.
    static func refusal(_ message: String, name: String = Failure.control) -> SessionAction {
        .emit(.warning(Failure(code: .badCommand, message: message, name: name)))
    }
}

/// The outcome of a session.
package enum SessionOutcome: Equatable, Sendable {
    case success
    /// The first failure of an input.
    case failure(Failure)
    case interrupted
}

extension ItemSkips {
    /// Notes the seeks among the actions; `time` is the current position in seconds.
    mutating func note(_ actions: [SessionAction], at time: Double) {
        for action in actions {
            switch action {
            case .seek(let target): seeked(to: target)
            case .skip(let seconds): seeked(to: max(0, time + seconds))
            default: break
            }
        }
    }
}
