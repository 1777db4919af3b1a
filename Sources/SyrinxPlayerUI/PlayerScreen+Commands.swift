import SyrinxListening
import SyrinxTerminal

/// Processes key commands.
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
        case .redraw: return [.redraw]
        case .sleep: return [.setSleep(SleepGoal.next(after: view.sound.sleep))]
        case .openInput: prompt = Prompt(.openInput)
        case .nextPage: turn(by: 1, in: view)
        case .previousPage: turn(by: -1, in: view)
        case .remaining: showsRemaining.toggle()
        case .help: modal = .help(ListWindow())
        case .messages: modal = .messages(ListWindow())
        case .outputs: return openOutputs(in: view)
        case .notes: return openNotes(in: view)
        default: return actInList(command, in: view)
        }
        return []
    }

    private mutating func turn(by pages: Int, in view: PlayerView) {
        let count = PlayerPage.allCases.count
        if let next = PlayerPage(rawValue: (page.rawValue + pages + count) % count) { open(next, in: view) }
    }
}
