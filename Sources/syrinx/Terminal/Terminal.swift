import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTerminal

/// The terminal, if there is one: what may be drawn on it, and how its keys come.
///
/// It is put into another mode only by `enter()`, and put back by `leave()`, on every way out.
final class Terminal: Sendable {
    private struct State {
        /// The terminal's own mode, as long as it is in another one.
        var saved: termios?
        var isEntered = false
        /// Whether there is something to put back.
        var isChanged = false
        var isAllowed = true
    }

    private let state = Mutex(State())
    /// Whether all of it is drawn on, with the mouse.
    private let isFullScreen: Bool
    /// The descriptor that keys are read from, if they are read.
    let keys: Int32?

    /// Whether lines may be drawn: standard error is a terminal, and one that can go back on a line.
    ///
    /// `NO_COLOR` and `--no-color` take nothing away: no colour is ever used.
    static func allowsDrawing(environment: [String: String]) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    }

    /// A terminal, of which keys are read if `readsKeys` is true.
    ///
    /// They come from standard input if that is a terminal, and else from the terminal that controls the process: standard input
    /// may be a pipe that is played.
    init(readsKeys: Bool, isFullScreen: Bool = false) {
        self.isFullScreen = isFullScreen
        if !readsKeys {
            keys = nil
        } else if isatty(STDIN_FILENO) == 1 {
            keys = STDIN_FILENO
        } else {
            let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
            keys = descriptor >= 0 ? descriptor : nil
        }
    }

    deinit {
        if let keys, keys != STDIN_FILENO { close(keys) }
    }

    /// Whether keys can be read now: in the background they belong to somebody else.
    var hasKeys: Bool { keys.map(Self.isInForeground) ?? false }

    /// The number of columns and rows, 80 and 24 where the terminal does not say.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Takes keys one by one and unseen, and hides the cursor.
    ///
    /// Control-C and Control-Z stay signals. In the background, and after `leave()` until `allow()`, it does nothing: the
    /// terminal belongs to somebody else then.
    /// - Returns: Whether lines may be drawn now.
    func enter() -> Bool {
        state.withLock { state in
            guard state.isAllowed, Self.isInForeground(STDERR_FILENO) else { return false }
            if state.isEntered { return true }
            state.isEntered = true
            state.isChanged = true
            write(isFullScreen ? GridPainter.start : Array("\u{1B}[?25l".utf8))
            guard hasKeys, let keys else { return true }
            var mode = termios()
            guard tcgetattr(keys, &mode) == 0 else { return true }
            // One that was stopped without being asked may find its own mode here, which is not to be restored later.
            if state.saved == nil { state.saved = mode }
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Ctrl-S would hold up the player with its screen.
            if isFullScreen { mode.c_iflag &= ~tcflag_t(IXON) }
            if isFullScreen, let saved = state.saved { CrashRestoration.arm(keys, saved, GridPainter.end) }
            tcsetattr(keys, TCSADRAIN, &mode)
            return true
        }
    }

    /// Lets it be entered again.
    ///
    /// After a stop from outside, as by `SIGSTOP`, the shell may have changed the mode, so it is entered anew.
    func allow() {
        state.withLock { state in
            state.isAllowed = true
            state.isEntered = false
        }
    }

    /// Puts everything back as it was.
    func leave() {
        state.withLock { state in
            state.isAllowed = false
            state.isEntered = false
            guard state.isChanged else { return }
            // In the background the shell has put it back, and a change would stop the process.
            guard Self.isInForeground(STDERR_FILENO) else { return }
            state.isChanged = false
            write(isFullScreen ? GridPainter.end : Array("\u{1B}[?25h".utf8))
            CrashRestoration.disarm()
            guard let keys, var mode = state.saved else { return }
            state.saved = nil
            tcsetattr(keys, isFullScreen ? TCSAFLUSH : TCSADRAIN, &mode)
        }
    }

    private func write(_ bytes: [UInt8]) {
        Descriptor.writeAll(bytes, to: STDERR_FILENO)
    }

    /// Whether the terminal of `descriptor` belongs to this process and not to a shell that has it in the background.
    static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }
}
