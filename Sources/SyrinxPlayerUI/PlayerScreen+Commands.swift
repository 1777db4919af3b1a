import SyrinxListening
import SyrinxTerminal

/// Passes key commands to the page or the window that they concern.
extension PlayerScreen {
    mutating func carryOut(_ bound: BoundCommand, in view: PlayerView) -> [PlayerAction] {
        switch bound {
        case .listening(let command): return [.command(command)]
        case .page(let page):
            open(page, in: view)
            return []
        case .face(let command): return carryOut(command, in: view)
        }
    }

    private mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> [PlayerAction] {
        switch command {
        case .undoSeek: return [.undoSeek]
        case .undoQueue: return [.undoQueueChange]
        case .addBookmark: return [.addBookmark]
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .detach: return [.detach]
        case .redraw: return [.redraw]
        case .sleep: return [.setSleep(SleepGoal.next(after: view.sound.sleep))]
        case .openInput: prompt = Prompt(.openInput)
        case .nextPage: open(page.turned(by: 1), in: view)
        case .previousPage: open(page.turned(by: -1), in: view)
        case .remaining: playing.showsRemaining.toggle()
        case .help: modal = ModalWindow(.help)
        case .messages: modal = ModalWindow(.messages)
        case .outputs:
            modal = ModalWindow(view.outputs)
            return [.listOutputs]
        case .saved:
            modal = ModalWindow(view.saved)
            return [.listSaved]
        case .notes:
            guard let actions = pages.showNotes(from: listID, in: view) else { return [] }
            page = .podcasts
            return actions
        default: return listID.map { carryOut(command, in: $0, view) } ?? []
        }
        return []
    }

    /// Performs a command of pages with a list.
    private mutating func carryOut(_ command: FaceCommand, in id: ListID, _ view: PlayerView) -> [PlayerAction] {
        if pages[id].move(command, in: view) { return [] }
        switch command {
        case .filter: prompt = Prompt(.filter(id), text: pages[id].list.filter)
        case .back where !pages[id].list.filter.isEmpty: pages[id].setFilter("", in: view)
        case .subscribe: prompt = Prompt(.subscribe)
        case .search: prompt = Prompt(.search)
        case .refreshAll: return [.refresh(nil)]
        case .undoMark: return [.undoMark]
        case .newEpisodes: return pages.showInbox()
        default:
            if let actions = pages.navigate(command, from: id, in: view) { return actions }
            switch pages[id].carryOut(command, in: view) {
            case .actions(let actions): return actions
            case .prompt(let new): prompt = new
            case .message(let text): show(text, at: view.now)
            }
        }
        return []
    }

    mutating func pressInModal(_ key: KeyPress, in view: PlayerView) -> [PlayerAction] {
        guard var window = modal else { return [] }
        switch window.press(key, in: view) {
        case .asks(let new):
            (modal, prompt) = (nil, new)
            return []
        case .stays(let actions):
            modal = window
            return actions
        case .closes(let actions):
            modal = nil
            return actions
        }
    }
}
