import ArgumentParser
import ByteStream
import Foundation
import Playback
import PodcastLibrary

/// `syrinx resume`: goes on with what was heard last.
struct ResumeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Goes on with what was heard last, the rest of its queue included.",
        discussion: """
            That is an episode of the library, or what `syrinx play` has played to a sound device on a terminal, or with --resume. After a \
            longer pause it begins a little earlier. The options are those of play.
            """
    )
    static let examples = ["syrinx resume", "syrinx resume --rate 1.5 --sleep 30:00"]

    @OptionGroup var options: PlayOptions

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        guard let state = ListeningState.user() else {
            throw .usage("Neither XDG_STATE_HOME nor HOME names a folder for positions.", name: "resume")
        }
        let session = state.session
        if let (library, episode) = try lastEpisode(), session.map({ isLater(episode, than: $0, in: state) }) ?? true {
            return try PodcastPlay.play(episode, of: library, options, in: context)
        }
        guard let session, let (inputs, index) = rest(of: session, in: state) else {
            throw Failure(code: .nothingToResume, message: "there is nothing to go on with", name: "resume")
        }
        do { try options.check(inputs) } catch { throw .usage("\(error)", name: "resume") }
        var options = options
        // A place that is asked for, or the stored one.
        options.listening.resume = options.listening.resume ?? true
        return try options.play(inputs, from: index, in: context)
    }

    /// The episode that was heard last, with its library; `nil` if there is none.
    private func lastEpisode() throws(Failure) -> (PodcastLibrary, Episode)? {
        guard let path = LibraryOptions.path(), FilePath(path).status != nil else { return nil }
        let access = LibraryOptions.standard
        let library = try access.open()
        return try access.read { () throws(PodcastError) in try library.lastPlayed() }.map { (library, $0) }
    }

    private func isLater(_ episode: Episode, than session: ListeningState.Session, in state: ListeningState) -> Bool {
        let heard = state.positions.position(of: session.items[session.index])?.date ?? 0
        return (episode.playedAt?.timeIntervalSince1970 ?? 0) > max(session.date, heard)
    }

    /// The inputs of a queue, and the place of the one that goes on; `nil` if the last one has been heard to its end.
    private func rest(of session: ListeningState.Session, in state: ListeningState) -> ([InputArgument], Int)? {
        var index = session.index
        if state.positions.position(of: session.items[index])?.isFinished == true { index += 1 }
        var inputs: [InputArgument] = []
        var first = 0
        for (place, item) in session.items.enumerated() {
            if place == index { first = inputs.count }
            if let input = InputArgument(argument: item) { inputs.append(input) }
        }
        return index < session.items.count && first < inputs.count ? (inputs, first) : nil
    }
}

extension ErrorCode {
    /// Nothing has been heard, or all of it has been heard to its end.
    static let nothingToResume = ErrorCode(rawValue: "usage.nothingToResume")
}
