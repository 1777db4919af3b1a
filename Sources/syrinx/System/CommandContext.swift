/// The objects that every command uses.
struct CommandContext: Sendable {
    /// The destination of text.
    let console: Console
    /// Whether an end has been asked for.
    let interruption: Interruption
    /// When it is.
    let clock: ProcessClock
    /// The signals that concern the terminal, once somebody wants them.
    let terminalRequests: TerminalRequests
}
