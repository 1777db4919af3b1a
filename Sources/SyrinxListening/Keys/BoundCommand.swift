/// A command of a face itself, by its name in `config.toml`.
///
/// A face that has no such command does nothing.
package enum FaceCommand: String, CaseIterable, Sendable {
    case nextPage = "next-page"
    case previousPage = "previous-page"
    case remaining = "toggle-remaining"
    case undoSeek = "undo-seek"
    case undoQueue = "undo-queue"
    case sleep
    case addBookmark = "add-bookmark"
    case openInput = "open"
    case openFiles = "open-files"
    case openFolder = "open-folder"
    case paste
    case help, messages, quit, detach, suspend, redraw
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
    case markOlderPlayed = "mark-older-played"
    case markAllPlayed = "mark-all-played"
    case undoMark = "undo-mark"
    case newEpisodes = "new-episodes"
    case filterEpisodes = "filter-episodes"
    case reverseEpisodes = "reverse-episodes"
    case rename
    case allBookmarks = "all-bookmarks"
    case notes = "show-notes"
    case saveQueue = "save-queue"
    case saved
    case mark
    case markRange = "mark-range"
    case playFromHere = "play-from-here"
    case outputs
    case toggleEffect = "toggle-effect"
    case chooseEffect = "choose-effect"
    case lower, raise
    case lowerMuch = "lower-much"
    case raiseMuch = "raise-much"
    case reset
    // Of the window.
    case end
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case zoomWhole = "zoom-whole"
    case spectrogram
    case toggleQueue = "toggle-queue"
    case itemMenu = "item-menu"
    case fullScreen = "full-screen"
    case mainMenu = "main-menu"
    case newWindow = "new-window"
    case closeWindow = "close-window"
}

/// The effect of a key: a command of the player, or of a face.
package enum BoundCommand: Hashable, Sendable {
    case listening(ListeningCommand)
    case face(FaceCommand)
    case page(PlayerPage)

    /// Reads a command from its text in `config.toml`; `nil` if it is none.
    ///
    /// `CommandTable` has the commands of the player.
    package init?(text: String) {
        let words = text.split(separator: " ")
        // An unknown name is looked up first: the error for it searches the whole table for the nearest name.
        if let name = words.first, CommandTable.row(named: String(name)) != nil,
            let command = try? ListeningCommand(text: text)
        {
            self = .listening(command)
            return
        }
        if let command = FaceCommand(rawValue: text) {
            self = .face(command)
            return
        }
        guard words.count == 2, words[0] == "page", let number = Int(words[1]), number >= 1,
            let page = PlayerPage(rawValue: number - 1)
        else { return nil }
        self = .page(page)
    }

    /// The names of all commands without their values.
    static var names: [String] { CommandTable.rows.map(\.name) + FaceCommand.allCases.map(\.rawValue) + ["page"] }

    /// The text in `config.toml`.
    package var text: String {
        switch self {
        case .listening(let command): command.text
        case .face(let command): command.rawValue
        case .page(let page): "page \(page.rawValue + 1)"
        }
    }
}
