/// The objects that every command uses.
struct CommandContext: Sendable {
    /// The console for all output.
    let console: Console
    /// The request to end the command, if there is one.
    let interruption: Interruption
    /// The clock of the process.
    let clock: ProcessClock
    /// The terminal signals, for the command that handles them.
    let terminalRequests: TerminalRequests
}
