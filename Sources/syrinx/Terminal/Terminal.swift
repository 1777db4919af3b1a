import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTerminal

/// The terminal of the process: whether it supports drawing, and how keys are read.
///
/// Only `enter()` changes its mode, and `leave()` restores it whenever the process ends or is suspended.
final class Terminal: Sendable {
    private struct State {
        /// The original mode of the terminal; `nil` while it is in that mode.
        var saved: termios?
        var isEntered = false
        /// Whether there is something to restore.
        var isChanged = false
        var isAllowed = true
    }

    private let state = Mutex(State())
    /// Whether the full screen is used, with the mouse.
    private let isFullScreen: Bool
    /// The descriptor from which keys are read; `nil` if they are not read.
    let keys: Int32?

    /// Whether lines can be redrawn, because standard error is a terminal that supports it.
    ///
    /// `NO_COLOR` and `--no-color` have no effect here, because no colors are used.
    static func allowsDrawing(environment: [String: String]) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    }

    /// Creates a terminal, from which keys are read if `readsKeys` is true.
    ///
    /// Keys are read from standard input if it is a terminal, otherwise from the controlling terminal, because standard
    /// input may be a pipe with audio.
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

    /// Whether keys can be read now; in the background they belong to another process.
    var hasKeys: Bool { keys.map(Self.isInForeground) ?? false }

    /// The number of columns and rows; 80 and 24 if they are unknown.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Changes the mode so that keys are read one by one and not echoed, and hides the cursor.
    ///
    /// Control-C and Control-Z still send signals. Does nothing in the background, when the terminal belongs to another
    /// process, and after `leave()` until `allow()` is called.
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
            // After an unexpected stop, the terminal may still have this mode, which must not be saved as the original.
            if state.saved == nil { state.saved = mode }
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Disable Control-S, which would block the output.
            if isFullScreen { mode.c_iflag &= ~tcflag_t(IXON) }
            if isFullScreen, let saved = state.saved { CrashRestoration.arm(keys, saved, GridPainter.end) }
            tcsetattr(keys, TCSADRAIN, &mode)
            return true
        }
    }

    /// Allows `enter()` again.
    ///
    /// After a stop that was not announced, such as by `SIGSTOP`, the shell may have changed the mode, so it must be
    /// set again.
    func allow() {
        state.withLock { state in
            state.isAllowed = true
            state.isEntered = false
        }
    }

    /// Restores the original state.
    func leave() {
        state.withLock { state in
            state.isAllowed = false
            state.isEntered = false
            guard state.isChanged else { return }
            // In the background, the shell has already restored it, and a change would stop the process.
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

    /// Whether this process is in the foreground of a terminal.
    static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }
}
