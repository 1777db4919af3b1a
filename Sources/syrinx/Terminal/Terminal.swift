import Foundation
import Synchronization

/// The terminal, if there is one: what may be drawn on it, and how its keys come.
///
/// It is put into another mode only by `enter()`, and put back by `leave()`, on every way out.
final class Terminal: Sendable {
    private struct State {
        var saved: termios?
        var isEntered = false
        var isAllowed = true
    }

    private let state = Mutex(State())
    private let readsKeys: Bool

    /// Whether lines may be drawn: standard error is a terminal, and one that can go back on a line.
    ///
    /// `NO_COLOR` and `--no-color` take nothing away: no colour is ever used.
    static func allowsDrawing(environment: [String: String]) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    }

    /// A terminal, of which keys are read if `readsKeys` is true and standard input is one.
    init(readsKeys: Bool) {
        self.readsKeys = readsKeys && isatty(STDIN_FILENO) == 1
    }

    /// Whether keys can be read now: in the background they belong to somebody else.
    var hasKeys: Bool { readsKeys && tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// The number of columns, 80 where the terminal does not say.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Takes keys one by one and unseen, and hides the cursor.
    ///
    /// Control-C and Control-Z stay signals. In the background, and after `leave()` until `allow()`, it does nothing: the
    /// terminal belongs to somebody else then.
    /// - Returns: Whether lines may be drawn now.
    func enter() -> Bool {
        state.withLock { state in
            guard state.isAllowed, tcgetpgrp(STDERR_FILENO) == getpgrp() else { return false }
            if state.isEntered { return true }
            state.isEntered = true
            try? Descriptor.write("\u{1B}[?25l", to: STDERR_FILENO)
            guard hasKeys else { return true }
            var mode = termios()
            guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return true }
            state.saved = mode
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
            return true
        }
    }

    /// Lets it be entered again.
    func allow() { state.withLock { $0.isAllowed = true } }

    /// Puts everything back as it was.
    func leave() {
        state.withLock { state in
            state.isAllowed = false
            guard state.isEntered else { return }
            state.isEntered = false
            try? Descriptor.write("\u{1B}[?25h", to: STDERR_FILENO)
            guard var mode = state.saved else { return }
            state.saved = nil
            tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        }
    }
}
