import ArgumentParser
import SyrinxListening

/// A subcommand, which runs on the main thread after its options have been parsed.
protocol RunnableCommand: ParsableCommand {
    /// Examples, one per line, with which the help starts.
    static var examples: [String] { get }

    /// Whether events and errors are also written as JSON.
    var writesJSON: Bool { get }

    /// Runs the command.
    /// - Returns: The exit code of the process.
    /// - Throws: An error that has not been reported yet.
    func run(in context: CommandContext) throws(Failure) -> ExitStatus
}
