import ArgumentParser
import SyrinxListening
import SyrinxPlayback

/// `syrinx resume`: resumes the last played episode or queue.
struct ResumeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Continues the last recording and its queue.",
        discussion: """
            The last recording is an episode of the library, or one that `syrinx play` played to a sound device on a terminal or with \
            --resume. After a long pause, playback begins some seconds earlier. The options are those of play.
            """
    )
    static let examples = ["syrinx resume", "syrinx resume --rate 1.5 --sleep 30:00"]

    @OptionGroup var options: PlayOptions

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        guard let state = ListeningStore.user() else {
            throw .usage("Neither XDG_STATE_HOME nor HOME names a folder for positions.", name: "resume")
        }
        switch try LastListening(state) {
        case .episode(let item): return try PodcastPlay.play(item, options, in: context)
        case .queue(let inputs, let index):
            do { try options.check(inputs) } catch { throw .usage("\(error)", name: "resume") }
            var options = options
            // Use the stored position, unless the command line has another one.
            options.listening.resume = options.listening.resume ?? true
            return try options.play(inputs, from: index, in: context)
        case nil:
            throw Failure(code: .nothingToResume, message: "there is nothing to resume", name: "resume")
        }
    }
}
