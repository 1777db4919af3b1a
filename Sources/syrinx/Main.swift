import Foundation
import SyrinxListening

/// The entry point of the process.
@main
enum Main {
    /// Runs the command in the arguments, and exits with its exit code.
    static func main() {
        let clock = ProcessClock()
        // Create the watcher before any thread, because it blocks signals for all later threads.
        let watcher = SignalWatcher()
        let context = CommandContext(
            console: Console(clock: clock),
            interruption: Interruption(),
            clock: clock,
            terminalRequests: TerminalRequests()
        )
        let status = run(ProcessArguments.texts, in: context) { () throws(Failure) in
            try watcher.start({ handle($0, in: context) }, overdue: { leaveAtOnce(in: context) })
            try SystemThread.check(count: leastThreads)
        }
        finish(status, in: context)
    }

    /// The minimum number of threads that a player needs: for signals, decoding, the device, the engine, transfers and
    /// libdispatch.
    private static let leastThreads = 16

    /// Handles a signal, on the watcher's thread.
    /// - Returns: The maximum time in seconds until the process must have ended; `nil` if no end was requested.
    private static func handle(_ request: SignalWatcher.Request, in context: CommandContext) -> Double? {
        switch request {
        case .end(let status):
            // A terminal that closes and its shell both send SIGHUP.
            let isRepeated = status == .hungUp && context.interruption.status == .hungUp
            if context.interruption.isRequested, !isRepeated { leaveAtOnce(in: context) }
            context.interruption.request(status)
            return context.interruption.patience
        case .suspend: suspend(in: context)
        case .resumed: context.terminalRequests.send(.resume)
        case .resized: context.terminalRequests.send(.resized)
        }
        return nil
    }

    private static func suspend(in context: CommandContext) {
        context.terminalRequests.send(.suspend)
        context.console.leaveStatus()
        SignalWatcher.stopProcess()
        // If the process could not be stopped, no SIGCONT follows.
        context.terminalRequests.send(.resume)
    }

    private static func leaveAtOnce(in context: CommandContext) -> Never {
        context.terminalRequests.send(.leave)
        context.console.dropStatus()
        _exit((context.interruption.status ?? .interrupted).rawValue)
    }

    /// Parses the arguments, and runs the command.
    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - context: The context of the command.
    ///   - prepare: Called before the command, but not if only text is printed.
    /// - Returns: The exit code.
    private static func run(
        _ arguments: [String],
        in context: CommandContext,
        prepare: () throws(Failure) -> Void
    ) -> ExitStatus {
        let command: any RunnableCommand
        switch CommandLineMeaning(of: arguments) {
        case .answer(let answer): return answer.give(on: context.console)
        case .command(let meant): command = meant
        }
        do throws(Failure) {
            try prepare()
            return try command.run(in: context)
        } catch {
            if context.interruption.isRequested { return .interrupted }
            context.console.tell(error, asJSON: command.writesJSON)
            return error.exitStatus
        }
    }

    private static func finish(_ status: ExitStatus, in context: CommandContext) -> Never {
        context.terminalRequests.send(.leave)
        context.console.show(status: [])
        if let status = context.interruption.status { exit(status.rawValue) }
        if context.console.isOutputClosed {
            // As other commands do when the reader of their output exits: end by SIGPIPE, without a message.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        if let failure = context.console.outputFailure {
            context.console.say(failure)
            exit(failure.exitStatus.rawValue)
        }
        exit(status.rawValue)
    }
}
