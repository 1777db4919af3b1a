import SyrinxTerminal

/// The effects of keys.
extension PlayerScreen {
    mutating func carryOut(_ bound: BoundCommand, in view: PlayerView) -> [PlayerAction] {
        if let actions = playbackActions(bound) { return actions }
        let number = bound.number ?? 0
        switch bound.command {
        case .sleep: return [.setSleep(Self.sleep(after: view.sound.sleep))]
        case .openInput: prompt = Prompt(.openInput)
        case .page: if let page = Page(rawValue: Self.place(number)) { open(page, in: view) }
        case .nextPage: turn(by: 1, in: view)
        case .previousPage: turn(by: -1, in: view)
        case .remaining: showsRemaining.toggle()
        case .help: modal = .help(ListWindow())
        case .messages: modal = .messages(ListWindow())
        default: return actInList(bound, in: view)
        }
        return []
    }

    /// The wishes of commands that need nothing but themselves; `nil` for other commands.
    private func playbackActions(_ bound: BoundCommand) -> [PlayerAction]? {
        let number = bound.number ?? 0
        return switch bound.command {
        case .skip: [.skip(number)]
        case .skipForward: [.skipForward]
        case .skipBack: [.skipBack]
        case .rate: [.addRate(number)]
        case .multiplyRate: [.multiplyRate(number)]
        case .normalRate: [.setRate(1)]
        case .pitch: [.addPitch(number)]
        case .normalPitch: [.setPitch(0)]
        case .volume: [.addVolume(number / 100)]
        case .pause: [.togglePause]
        case .start: [.seek(0)]
        case .nextChapter: [.nextChapter]
        case .previousChapter: [.previousChapter]
        case .nextItem: [.nextItem]
        case .previousItem: [.previousItem]
        case .firstItem: [.firstItem]
        case .lastItem: [.lastItem]
        case .undoSeek: [.undoSeek]
        case .mute: [.toggleMute]
        case .shuffle: [.toggleShuffle]
        case .loop: [.cycleLoop]
        case .abLoop: [.cycleABLoop]
        case .smartSpeed: [.toggleSmartSpeed]
        case .voiceBoost: [.toggleVoiceBoost]
        case .normalization: [.toggleNormalization]
        case .mono: [.toggleMono]
        case .balance: [.addBalance(number)]
        case .equalizer: [.cycleEqualizer]
        case .addBookmark: [.addBookmark]
        case .reload: [.reload]
        case .quit: [.quit]
        case .suspend: [.suspend]
        case .redraw: [.redraw]
        default: nil
        }
    }

    /// The place of a page that is numbered from 1 on; -1 for a number that is none.
    private static func place(_ number: Double) -> Int {
        number >= 1 && number <= Double(Page.allCases.count) ? Int(number) - 1 : -1
    }

    private mutating func turn(by pages: Int, in view: PlayerView) {
        let count = Page.allCases.count
        if let next = Page(rawValue: (page.rawValue + pages + count) % count) { open(next, in: view) }
    }

    /// The setting that the sleep key leads to: 15, 30, 45, 60 minutes, the chapter's end, the item's end, off.
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
