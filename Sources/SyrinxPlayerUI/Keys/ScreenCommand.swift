package import SyrinxListening

/// A command of the screen itself, by its name in `config.toml`.
package enum ScreenCommand: String, CaseIterable, Sendable {
    case nextPage = "next-page"
    case previousPage = "previous-page"
    case remaining = "toggle-remaining"
    case undoSeek = "undo-seek"
    case sleep
    case addBookmark = "add-bookmark"
    case openInput = "open"
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
    case enqueue, filter, refresh, subscribe, download, search
    case refreshAll = "refresh-all"
    case clearQueue = "clear-queue"
    case markPlayed = "mark-played"
    case notes = "show-notes"
    case toggleEffect = "toggle-effect"
    case lower, raise
    case lowerMuch = "lower-much"
    case raiseMuch = "raise-much"
    case reset
}

/// The effect of a key: a command of the player, or of the screen.
package enum BoundCommand: Hashable, Sendable {
    case listening(ListeningCommand)
    case screen(ScreenCommand)
    case page(Page)

    /// Reads a command from its text in `config.toml`; `nil` if it is none.
    ///
    /// `CommandTable` has the commands of the player.
    package init?(text: String) {
        if let command = try? ListeningCommand(text: text) {
            self = .listening(command)
            return
        }
        if let command = ScreenCommand(rawValue: text) {
            self = .screen(command)
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0] == "page", let number = Int(words[1]), number >= 1,
            let page = Page(rawValue: number - 1)
        else { return nil }
        self = .page(page)
    }

    /// The names of all commands without their values.
    static var names: [String] { CommandTable.rows.map(\.name) + ScreenCommand.allCases.map(\.rawValue) + ["page"] }

    /// The text in `config.toml`.
    package var text: String {
        switch self {
        case .listening(let command): command.text
        case .screen(let command): command.rawValue
        case .page(let page): "page \(page.rawValue + 1)"
        }
    }
}
