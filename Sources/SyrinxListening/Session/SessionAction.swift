package import SyrinxPlayback

/// An action of a session for its player to perform.
package enum SessionAction: Equatable, Sendable {
    /// Tell an event.
    case emit(ListeningEvent)
    /// Tell people of a failure: of those that the tracks of one file share, once.
    case say(Failure)
    /// Answer the listener.
    case answer(String)
    /// Tell something that is no failure.
    case note(String)
    /// Open this input and play it.
    case open(ListeningInput)
    /// Play these after the input that plays.
    case follow([ListeningQueue.Turn])
    /// Read the playlist that this input is, and say what it names.
    case expand(ListeningInput)
    case play
    case pause
    case stop
    case seek(Double)
    case skip(Double)
    case setRate(Double)
    case setPitch(Double)
    case setVolume(Double)
    /// Play the sound in the first of these languages that an input has.
    case setLanguages([String])
    /// Set keys of the effect at a place.
    case setEffect(Int, EffectArgument, keys: Set<String>)
    /// Have the sound adapt in another way than before.
    case setAdaptive(AdaptiveSound, replacing: AdaptiveSound)
    /// Have another tone.
    case setTone(Tone)
    /// Play on the output of a name.
    case setOutput(String)
    /// Keep the settings of the podcast with this number.
    case keepShow(Int64, ShowSettings)
    /// Keep the settings of a folder or a recording; `nil` forgets them.
    case keepPlace(KeptPlace, KeptSettings?)
    /// Have the current input end at another time, and go to a time of it, by default to the one that is heard.
    case playPart(from: Double?, end: Double?)
    /// Let the sound pass the effect at a place unchanged, or not.
    case setBypass(Int, Bool)
    /// Open a saved playlist, or save the queue as one.
    case openPlaylist(PlaylistName)
    case savePlaylist(PlaylistName)
    /// Add the current input to the favorites, or remove it.
    case toggleFavorite
    /// Record the station that plays, or end that; `nil` changes from one to the other.
    case record(Bool?)
    /// Go to the live sound of the station that plays.
    case goLive
    /// Let the process be stopped: nothing is heard any more.
    case confirmSuspension
    /// End the player.
    case finish(SessionOutcome)

    /// Whether it concerns the input that the streamer has.
    var isTransport: Bool {
        switch self {
        case .play, .pause, .seek, .skip: true
        default: false
        }
    }

    /// Tells that a command of the listener changes nothing, and why.
    static func refusal(_ message: String, name: String = Failure.control) -> SessionAction {
        .emit(.warning(Failure(code: .badCommand, message: message, name: name)))
    }
}

/// The way in which a session has ended.
package enum SessionOutcome: Equatable, Sendable {
    case success
    /// The first failure of an input.
    case failure(Failure)
    case interrupted
}

extension ItemSkips {
    /// Takes jumps to other places of the current input, whose position is `time` in seconds.
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
