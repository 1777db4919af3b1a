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
        case .addBookmark: return [.addBookmark]
        case .quit: return [.quit]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .sleep: return [.setSleep(Self.sleep(after: view.sound.sleep))]
        case .openInput: prompt = Prompt(.openInput)
        case .nextPage: turn(by: 1, in: view)
        case .previousPage: turn(by: -1, in: view)
        case .remaining: showsRemaining.toggle()
        case .help: modal = .help(ListWindow())
        case .messages: modal = .messages(ListWindow())
        case .notes: return openNotes(in: view)
        default: return actInList(command, in: view)
        }
        return []
    }

    private mutating func turn(by pages: Int, in view: PlayerView) {
        let count = PlayerPage.allCases.count
        if let next = PlayerPage(rawValue: (page.rawValue + pages + count) % count) { open(next, in: view) }
    }

    /// Returns the next setting of the sleep key: 15, 30, 45, 60 minutes, end of chapter, end of item, off.
    static func sleep(after sleep: SoundView.Sleep?) -> SoundView.Sleep? {
        switch sleep {
        case nil: return .time(15 * 60)
        case .time(let left):
            let minutes = (left / 60).rounded(.up)
            return [15, 30, 45, 60].first { $0 > minutes }.map { .time($0 * 60) } ?? .endOfChapter
        case .endOfChapter: return .endOfItem
        case .endOfItem: return nil
        }
    }
}
