/// The effect of a key, by the name that it has in `config.toml`.
package enum PlayerCommand: String, CaseIterable, Sendable {
    // With a number: seconds, a factor, percent, cents or the place of a page.
    case skip, rate, volume, pitch, balance, page
    case pause, start
    case multiplyRate = "multiply-rate"
    case normalRate = "normal-rate"
    case normalPitch = "normal-pitch"
    case skipForward = "skip-forward"
    case skipBack = "skip-back"
    case nextChapter = "next-chapter"
    case previousChapter = "previous-chapter"
    case nextItem = "next"
    case previousItem = "previous"
    case firstItem = "first"
    case lastItem = "last"
    case undoSeek = "undo-seek"
    case mute, shuffle
    case loop = "loop-file"
    case abLoop = "ab-loop"
    case sleep
    case smartSpeed = "smart-speed"
    case voiceBoost = "voice-boost"
    case normalization = "normalize"
    case mono, equalizer
    case addBookmark = "add-bookmark"
    case openInput = "open"
    case reload
    case nextPage = "next-page"
    case previousPage = "previous-page"
    case remaining = "toggle-remaining"
    case help, messages, quit, suspend, redraw
    // In a list.
    case selectUp = "select-up"
    case selectDown = "select-down"
    case selectPageUp = "select-page-up"
    case selectPageDown = "select-page-down"
    case selectFirst = "select-first"
    case selectLast = "select-last"
    case selectCurrent = "select-current"
    case activate, back, remove
    case moveUp = "move-up"
    case moveDown = "move-down"
    case enqueue, filter, clear, refresh, subscribe, download, search
    case markPlayed = "mark-played"
    case toggle
    case lower, raise
    case lowerMuch = "lower-much"
    case raiseMuch = "raise-much"
    case reset
}

/// A command with its number, if it takes one.
package struct BoundCommand: Hashable, Sendable {
    package var command: PlayerCommand
    package var number: Double?

    package init(_ command: PlayerCommand, _ number: Double? = nil) {
        self.command = command
        self.number = number
    }
}
