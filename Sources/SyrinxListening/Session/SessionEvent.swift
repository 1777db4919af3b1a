package import SyrinxByteStream
import SyrinxMediaCodec
package import SyrinxPlayback
package import SyrinxStreaming

/// An event that a session handles.
package enum SessionEvent: Sendable {
    /// An event of the streamer from the opening of that number, which was `openingCount` at the time.
    case streaming(StreamingEvent, of: Int)
    /// A wish of the listener: by a key, a program, a media key or a button.
    case request(ListeningRequest)
    /// A text of the listener that is no command.
    case badCommand(CommandError)
    /// A key or the mouse, whatever it means: somebody listens.
    case activity
    /// The facts about an input that is an episode of a podcast.
    case episode(ListeningInput, EpisodeFacts)
    /// The settings of a podcast, which were changed elsewhere.
    case showSettings(ShowSettings, of: Int64)
    /// The process is asked to end, as by Ctrl-C.
    case interrupt
    /// The process is going to be stopped, as by Ctrl-Z.
    case suspend
    /// The process runs again.
    case resume
    /// The reader of the player's output has gone.
    case outputClosed
    /// The playlist that this input is names these, or cannot be read.
    case expanded(ListeningInput, Result<[ListeningInput], Failure>)
    /// A document of a feed has these chapters.
    case chapters([Chapter], from: ChapterSource, of: ListeningInput)
    /// The tags of files of the queue, whether they have any or not.
    case tags([FilePath: ListeningTags])
    /// This input is a favorite, or is none.
    case favorite(Bool, of: ListeningInput)
    /// The recording of a station has this progress, or has ended.
    case recording(RecordingProgress)
    /// Something that playback goes on without.
    case warning(Failure)
    /// Time has passed.
    case tick

    /// Whether it shows that somebody listens.
    var isActivity: Bool {
        switch self {
        case .request, .badCommand, .activity: true
        default: false
        }
    }
}

/// A wish of the listener: a command, or what no command of the table says.
package enum ListeningRequest: Equatable, Sendable {
    case command(ListeningCommand)
    case setLoop(LoopMode)
    case setShuffled(Bool)
    /// Adds inputs to the queue, or opens them in its place.
    case add([ListeningInput], QueuePlacement)
    /// Puts a typed path or URL behind the current input, and goes to it.
    case play(String)
    /// Brings back the queue before the last change that took inputs out of it.
    case undoQueueChange
    /// Shortens pauses of speech with this strength.
    case setSmartSpeed(SmartSpeed)
    /// The listener has drawn a curve of the equalizer that is no preset.
    case customEqualizer
    /// Has playback end at another moment; `nil` for its own.
    case setSleep(SleepGoal?)
    /// Lets the sound pass the effect at a place unchanged, or not.
    case setBypass(effect: Int, Bool)
}

/// The place of new inputs in the queue.
package enum QueuePlacement: Equatable, Sendable {
    /// In place of the queue; the input at `index` plays. `isChosen` says that the listener chose it among the others.
    case replacing(at: Int, isChosen: Bool)
    /// Behind the current input, and the first of them plays at once.
    case now
    /// Behind the current input.
    case next
    /// At the end.
    case last
    /// At the end, and the first of them plays at once.
    case lastNow
    /// Before the input that is at this place now.
    case at(Int)
}
