import Foundation
import SyrinxListening

/// The entry point of the process.
@main
enum Main {
    /// Runs the command that the arguments name, and ends the process with its exit code.
    static func main() {
        let clock = ProcessClock()
        // Before anything that starts a thread.
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

    /// The threads that a player needs at least: those of signals, decoding, the device, the engine, transfers, and some of libdispatch.
    private static let leastThreads = 16

    /// Runs on the watcher's thread.
    /// - Returns: The seconds that the process may take from now on; `nil` if it has not been asked to end.
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
        // Where it could not be stopped nothing else says that it goes on.
        context.terminalRequests.send(.resume)
    }

    private static func leaveAtOnce(in context: CommandContext) -> Never {
        context.terminalRequests.send(.leave)
        context.console.dropStatus()
        _exit((context.interruption.status ?? .interrupted).rawValue)
    }

    /// - Parameter prepare: Called before the command.
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
            // As any other command whose reader goes away: quietly, and the shell sees which signal it was.
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
