import SyrinxListening
import SyrinxTerminal

/// An input line or a question at the bottom of the screen.
struct Prompt: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// Filters a list.
        case filter(ListID)
        case openInput, subscribe, search, addEffect
        /// The name of a bookmark.
        case rename(Int64)
        /// The name under which the queue is saved, and the new name of a playlist.
        case saveQueue
        case renamePlaylist(String)
        /// A question, which only the key `y` confirms.
        case confirm(String, PlayerAction)
    }

    var kind: Kind
    var field: TextField

    init(_ kind: Kind, text: String = "") {
        self.kind = kind
        field = TextField(text)
    }

    var label: String {
        switch kind {
        case .filter: "Filter"
        case .openInput: "Open"
        case .subscribe: "Subscribe to"
        case .search: "Search episodes"
        case .addEffect: "Add the effect"
        case .rename: "Name of the bookmark"
        case .saveQueue: "Name of the playlist"
        case .renamePlaylist(let name): "New name of \(name)"
        case .confirm(let question, _): question + " (y/n)"
        }
    }

    /// The key hints for the footer.
    var hints: String {
        switch kind {
        case .filter: "Enter keep · Esc show all"
        case .openInput: "Enter play · Alt-Enter append · Esc cancel"
        case .subscribe, .search, .rename, .saveQueue, .renamePlaylist: "Enter · Esc cancel"
        case .addEffect: EffectKind.all.map(\.name).joined(separator: ", ") + " · Esc cancel"
        case .confirm: ""
        }
    }

    /// Returns the actions of the text.
    /// - Parameter appends: Whether an input is added to the queue instead of played.
    func answer(appends: Bool) -> [PlayerAction] {
        let text = field.text.trimmed
        if case .rename(let id) = kind { return [.renameBookmark(id, text)] }
        guard !text.isEmpty else { return [] }
        return switch kind {
        case .filter, .confirm, .rename: []
        case .openInput: [appends ? .command(.enqueue(text)) : .playInput(text)]
        case .saveQueue: [.command(.savePlaylist(text))]
        case .renamePlaylist(let name): [.renamePlaylist(name, to: text)]
        case .subscribe: [.subscribe(text)]
        case .search: [.searchEpisodes(text)]
        case .addEffect: [.command(.addEffect(text))]
        }
    }
}

/// Processes keys in an input line.
extension PlayerScreen {
    mutating func pressInPrompt(_ key: KeyPress, in view: PlayerView) -> [PlayerAction] {
        guard var prompt else { return [] }
        if case .confirm(_, let action) = prompt.kind {
            self.prompt = nil
            return key.code == .character("y") || key.code == .character("Y") ? [action] : []
        }
        let filtered: ListID? = if case .filter(let id) = prompt.kind { id } else { nil }
        switch key.code {
        case .escape:
            self.prompt = nil
            if let filtered { pages[filtered].setFilter("", in: view) }
        case .character("c") where key.modifiers == .control:
            return [.quit]
        case .enter:
            self.prompt = nil
            let actions = prompt.answer(appends: key.modifiers.contains(.alt))
            if prompt.kind == .search, !actions.isEmpty { pages.showFoundEpisodes() }
            return actions
        case .up, .down:
            if let filtered { pages[filtered].list.window.move(by: key.code == .up ? -1 : 1) }
        case .backspace where prompt.field.text.isEmpty:
            self.prompt = nil
        default:
            guard prompt.field.handle(key) else { return [] }
            self.prompt = prompt
            if let filtered { pages[filtered].setFilter(prompt.field.text, in: view) }
        }
        return []
    }
}
