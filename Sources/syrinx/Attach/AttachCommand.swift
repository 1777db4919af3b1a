import ArgumentParser
import Foundation
import SyrinxListening

/// `syrinx attach`: the full screen of a detached player.
struct AttachCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Opens the full screen on your detached player.",
        discussion: """
            syrinx play --detach starts a detached player, and so does the key D of the full screen. On the screen the key D leaves \
            the player running, and q ends both.
            """
    )
    static let examples = ["syrinx attach", "ssh -t livingroom syrinx attach"]

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let connection = try AttachConnection()
        let term = ProcessInfo.processInfo.environment["TERM"]
        let isTerminal = isatty(STDERR_FILENO) == 1
        guard PlayDisplay(writesJSON: false, isTerminal: isTerminal, term: term, isPlain: false) == .screen else {
            let message = "the full screen needs a terminal; syrinx control and syrinx queue need none"
            throw .usage(message, name: "attach")
        }
        return try AttachRunner(connection, context: context).run()
    }
}
