import Foundation

/// What a command that draws on a terminal owes it when signals come.
///
/// Runs on the watcher's thread.
enum TerminalEtiquette {
    /// Deals with one request.
    static func handle(_ request: SignalWatcher.Request, terminal: Terminal, console: Console) {
        switch request {
        case .interrupt:
            console.show(status: nil)
            terminal.leave()
        case .suspend:
            terminal.leave()
            console.keepStatus()
            SignalWatcher.stopProcess()
            // It may not have been stopped, and then nothing resumes it.
            terminal.allow()
        case .resumed:
            terminal.allow()
        case .resized:
            // The line of the old width may have wrapped; the next one is drawn within a tenth of a second.
            console.show(status: nil)
        }
    }
}
