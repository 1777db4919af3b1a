import SyrinxListening
import SyrinxTerminal

/// An input line or a question at the bottom of the screen.
struct Prompt: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// Filters a list.
        case filter(ListID)
        case openInput, subscribe, search
        /// The name of a bookmark.
        case rename(Int64)
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
        case .rename: "Name of the bookmark"
        case .confirm(let question, _): question + " (y/n)"
        }
    }

    /// The key hints for the footer.
    var hints: String {
        switch kind {
        case .filter: "Enter keep · Esc show all"
        case .openInput: "Enter play · Alt-Enter append · Esc cancel"
        case .subscribe, .search, .rename: "Enter · Esc cancel"
        case .confirm: ""
        }
    }
}

/// A window that covers the page.
enum Modal: Sendable {
    case help(ListWindow)
    case messages(ListWindow)
    case outputs(ListWindow)
}

extension PlayerScreen {
    mutating func pressInPrompt(_ key: KeyPress, in view: PlayerView) -> [PlayerAction] {
        guard var prompt else { return [] }
        if case .confirm(_, let action) = prompt.kind {
            self.prompt = nil
            return key.code == .character("y") || key.code == .character("Y") ? [action] : []
        }
        switch key.code {
        case .escape:
            self.prompt = nil
            if case .filter(let id) = prompt.kind { lists[id].setFilter("", id, view) }
            return []
        case .character("c") where key.modifiers == .control:
            return [.quit]
        case .enter:
            self.prompt = nil
            return answer(prompt, appends: key.modifiers.contains(.alt))
        case .up, .down:
            if case .filter(let id) = prompt.kind { lists[id].window.move(by: key.code == .up ? -1 : 1) }
            return []
        case .backspace where prompt.field.text.isEmpty:
            self.prompt = nil
            return []
        default: break
        }
        if prompt.field.handle(key) {
            self.prompt = prompt
            if case .filter(let id) = prompt.kind { lists[id].setFilter(prompt.field.text, id, view) }
        }
        return []
    }

    private mutating func answer(_ prompt: Prompt, appends: Bool) -> [PlayerAction] {
        let text = prompt.field.text.trimmed
        if case .rename(let id) = prompt.kind { return [.renameBookmark(id, text)] }
        guard !text.isEmpty else { return [] }
        switch prompt.kind {
        case .filter, .confirm, .rename: return []
        case .openInput: return [appends ? .command(.enqueue(text)) : .playInput(text)]
        case .subscribe: return [.subscribe(text)]
        case .search:
            showsEpisodes = true
            return [.searchEpisodes(text)]
        }
    }

    mutating func pressInModal(_ key: KeyPress, in view: PlayerView) -> [PlayerAction] {
        guard let modal else { return [] }
        if case .outputs(let window) = modal { return pressInOutputs(key, window, in: view) }
        var window =
            switch modal {
            case .help(let window), .messages(let window), .outputs(let window): window
            }
        let page = max(window.height - 1, 1)
        switch key.code {
        case .up, .character("k"): window.move(to: window.offset - 1)
        case .down, .character("j"): window.move(to: window.offset + 1)
        case .pageUp: window.move(to: window.offset - page)
        case .pageDown, .character(" "): window.move(to: window.offset + page)
        case .home: window.move(to: 0)
        case .end: window.move(to: window.count)
        case .character("c") where key.modifiers == .control: return [.quit]
        default:
            self.modal = nil
            return []
        }
        self.modal =
            switch modal {
            case .help: .help(window)
            case .messages: .messages(window)
            case .outputs: .outputs(window)
            }
        return []
    }

    /// Opens the list of outputs.
    mutating func openOutputs(in view: PlayerView) -> [PlayerAction] {
        var window = ListWindow()
        window.resize(count: view.outputs.entries.count)
        window.select(view.outputs.entries.firstIndex { $0.name == view.outputs.current } ?? 0)
        modal = .outputs(window)
        return [.listOutputs]
    }

    private mutating func pressInOutputs(
        _ key: KeyPress,
        _ window: ListWindow,
        in view: PlayerView
    ) -> [PlayerAction] {
        var window = window
        let page = max(window.height - 1, 1)
        switch key.code {
        case .up, .character("k"): window.move(by: -1)
        case .down, .character("j"): window.move(by: 1)
        case .pageUp: window.move(by: -page)
        case .pageDown: window.move(by: page)
        case .home: window.select(0)
        case .end: window.select(.max)
        case .character("c") where key.modifiers == .control: return [.quit]
        default:
            modal = nil
            let entries = view.outputs.entries
            guard key.code == .enter, entries.indices.contains(window.selection) else { return [] }
            return [.command(.output(entries[window.selection].name))]
        }
        modal = .outputs(window)
        return []
    }
}

extension ListWindow {
    /// Scrolls so that an entry is the first visible one, if the list is long enough.
    mutating func move(to first: Int) {
        let last = max(count - height, 0)
        let target = min(max(first, 0), last)
        select(target < offset ? target : target + max(height - 1, 0))
    }
}
