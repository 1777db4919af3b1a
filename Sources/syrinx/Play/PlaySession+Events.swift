import MediaPlayer
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTerminal

extension PlaySession {
    /// An event that a session handles.
    enum Event: Sendable {
        /// An event of the streamer from the opening of that number, which was `openingCount` at the time.
        case streaming(StreamingEvent, of: Int)
        case control(Result<ListeningCommand, CommandError>)
        case key(Key)
        /// An event of the terminal that the full screen reads.
        case terminal(TerminalEvent)
        /// The full screen has something new to show.
        case screenChanged
        /// Another process asks for the queue.
        case queueAsked(@Sendable ([RemoteQueueEntry]) -> Void)
        /// Work for the full screen has been done, or has failed.
        case report(String, isFailure: Bool)
        /// An episode of a podcast that was chosen on the full screen.
        case episode(EpisodeItem, isNow: Bool)
        /// A media key or a panel of the desktop.
        case desktop(DesktopPlayerCommand)
        /// Ctrl-C, or somebody's `kill`.
        case interrupt
        /// The process is going to be stopped, as by Ctrl-Z.
        case suspend
        /// The process runs again.
        case resume
        /// Standard output has no reader any more.
        case outputClosed
        /// The playlist that this input is names these, or cannot be read.
        case expanded(ListeningInput, Result<[ListeningInput], Failure>)
        /// A document of a feed has these chapters.
        case chapters([Chapter], from: ChapterSource, of: ListeningInput)
        /// The tags of files of the queue, whether they have any or not.
        case tags([FilePath: ListeningTags])
        /// The picture of an episode has been found.
        case artwork(MediaPicture, of: ListeningInput)
        /// Something that playback goes on without.
        case warning(Failure)
        /// Time has passed.
        case tick
    }

    /// An action for the runner to perform.
    enum Action: Equatable {
        /// Write an event, if events are wanted.
        case emit(CommandEvent)
        /// Write the line of a failure.
        case say(Failure)
        /// Write a line that warns.
        case warn(Failure)
        /// Write a line that tells what plays, on a terminal where nothing is rewritten in place.
        case announce(String)
        /// Show a line that answers the listener, on the full screen.
        case answer(String)
        /// Tell something that is no failure.
        case note(String)
        /// Write what the keys mean.
        case showHelp
        /// Open this input and play it.
        case open(ListeningInput)
        /// Play these after the input that plays.
        case follow([PlayQueue.Turn])
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
        /// Keep the settings of a podcast.
        case keepShow(Podcast.ID, ShowSettings)
        /// Have the current input end at another time, and go to a time of it, by default to the one that is heard.
        case playPart(from: Double?, end: Double?)
        /// Let the sound pass the effect at a place unchanged, or not.
        case setBypass(Int, Bool)
        /// Let the process be stopped: nothing is heard any more.
        case confirmSuspension
        /// End the process.
        case finish(ExitStatus)
    }

    /// The reason why the input that plays is being ended early.
    enum Ending: Equatable {
        /// To go on at this place of the queue; `nil` is behind its end.
        case move(to: Int?)
        case all
        case interrupted
    }
}
