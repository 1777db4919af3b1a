import ArgumentParser
import SyrinxListening

/// A subcommand: what the parser fills, and what then runs on the main thread.
protocol RunnableCommand: ParsableCommand {
    /// Lines that show the command at work; its help starts with them.
    static var examples: [String] { get }

    /// Whether events and errors are also written as JSON.
    var writesJSON: Bool { get }

    /// Does the work.
    /// - Returns: What the process ends with.
    /// - Throws: A failure that has not been reported yet.
    func run(in context: CommandContext) throws(Failure) -> ExitStatus
}
