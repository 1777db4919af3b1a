package import SyrinxByteStream
import SyrinxMediaCodec
package import SyrinxPlayback
package import SyrinxStreaming

/// An event that a session handles.
package enum SessionEvent: Sendable {
    /// An event of the streamer. The number is the value of `openingCount` when the input was opened.
    case streaming(StreamingEvent, of: Int)
    /// A request of the listener: from a key, a program, a media key or a button.
    case request(ListeningRequest)
    /// A text from the listener that is not a valid command.
    case badCommand(CommandError)
    /// Use of the keyboard or the mouse, which shows that the listener is present.
    case activity
    /// Facts about an input that is an episode of a podcast.
    case episode(ListeningInput, EpisodeFacts)
    /// New settings of a podcast, changed elsewhere.
    case showSettings(ShowSettings, of: Int64)
    /// The process received a request to quit, such as Ctrl-C.
    case interrupt
    /// The process is about to be suspended, such as by Ctrl-Z.
    case suspend
    /// The process continues after suspension.
    case resume
    /// The reader of the player's output closed it.
    case outputClosed
    /// The inputs that a playlist lists, or the reason why it cannot be read.
    case expanded(ListeningInput, Result<[ListeningInput], Failure>)
    /// The chapters of an input from a document of a feed.
    case chapters([Chapter], from: ChapterSource, of: ListeningInput)
    /// The tags of files of the queue; empty for files without tags.
    case tags([FilePath: ListeningTags])
    /// This input is a favorite, or is none.
    case favorite(Bool, of: ListeningInput)
    /// The progress or the end of the recording of a station.
    case recording(RecordingProgress)
    /// Something that playback goes on without.
    case warning(Failure)
    /// The clock advanced.
    case tick

    /// Whether the event shows that the listener is present.
    var isActivity: Bool {
        switch self {
        case .request, .badCommand, .activity: true
        default: false
        }
    }
}

/// A request of the listener: a command of the table, or a request that has no command.
package enum ListeningRequest: Equatable, Sendable {
    case command(ListeningCommand)
    case setLoop(LoopMode)
    case setShuffled(Bool)
    /// Adds inputs to the queue or replaces the queue by them.
    case add([ListeningInput], QueuePlacement)
    /// Inserts a typed path or URL after the current input and plays it.
    case play(String)
    /// Undoes the last removal of inputs from the queue.
    case undoQueueChange
    /// Sets the strength with which silences in speech are shortened.
    case setSmartSpeed(SmartSpeed)
    /// The listener changed the equalizer to a curve that is not a preset.
    case customEqualizer
    /// Sets the sleep timer; `nil` turns it off.
    case setSleep(SleepGoal?)
    /// Bypasses the effect at an index, or uses it again.
    case setBypass(effect: Int, Bool)
}

/// The position of new inputs in the queue.
package enum QueuePlacement: Equatable, Sendable {
    /// Replaces the queue and plays the input at `index`. `isChosen` means that the listener picked this input.
    case replacing(at: Int, isChosen: Bool)
    /// After the current input; the first of them plays at once.
    case now
    /// After the current input.
    case next
    /// At the end.
    case last
    /// At the end; the first of them plays at once.
    case lastNow
    /// Before the input that now has this index.
    case at(Int)
}
