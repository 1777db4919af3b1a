import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The order of the queue: shuffling, repetition, and what follows on the recording that plays.
extension PlayerWindow {
    // MARK: Controls

    func connectOrder() {
        // Unlike `toggled`, only the listener causes it.
        widgets.get("shuffleButton").on("clicked") { [weak self] _ in self?.toggleShuffle() }
        widgets.get("repeatButton").on("clicked") { [weak self] _ in self?.cycleRepetition() }
        showOrder()
    }

    /// Shuffles, or puts the recordings back into their order.
    /// - Parameter tells: Whether a message says so: the buttons may be hidden.
    func toggleShuffle(tells: Bool = false) {
        setShuffled(!order.isShuffled)
        if tells { perform(page.handle(.warning(order.shuffleMessage))) }
    }

    /// Changes to the next repetition.
    /// - Parameter tells: Whether a message says so: the buttons may be hidden.
    func cycleRepetition(tells: Bool = false) {
        setRepetition(order.repetition.next)
        if tells { perform(page.handle(.warning(order.repetition.message))) }
    }

    /// Sets the order; the recording that plays stays, and the others follow on it.
    func setShuffled(_ isShuffled: Bool) {
        if isShuffled != order.isShuffled {
            order.isShuffled = isShuffled
            var generator = SystemRandomNumberGenerator()
            if isShuffled { queue.shuffle(using: &generator) } else { queue.unshuffle() }
            queueChanged()
        }
        showOrder()
    }

    /// Sets the repetition.
    func setRepetition(_ repetition: PlayOrder.Repetition) {
        order.repetition = repetition
        queueChanged()
        showOrder()
    }

    private func showOrder() {
        widgets.get("shuffleButton").set("active", .bool(order.isShuffled))
        let button = widgets.get("repeatButton")
        button.set("active", .bool(order.repetition != .none))
        button.set("icon-name", .string(order.repetition.icon))
        button.tooltip = "\(order.repetition.label) (Shift+L)"
        button.setAccessibleLabel(order.repetition.label)
        report()
    }

    // MARK: The queue

    /// Opens recordings in place of the queue, and plays one.
    /// - Parameters:
    ///   - tracks: The recordings.
    ///   - keepsFirst: Whether the one at `index` is the one that plays, also when they are shuffled.
    ///   - index: The place of the one that plays.
    func replaceQueue(_ tracks: [Track], keepsFirst: Bool = false, at index: Int = 0) {
        queueView.closeSearch()
        queue = PlaybackQueue(tracks)
        order.replaced()
        queue.move(to: index)
        if order.isShuffled {
            var generator = SystemRandomNumberGenerator()
            if !keepsFirst { queue.move(to: tracks.count) }
            queue.shuffle(using: &generator)
            queue.move(to: 0)
        }
        guard let first = queue.current?.element else { return }
        perform(page.handle(.opened(name: first.title, plays: true)))
    }

    /// The inputs that follow without a gap.
    func followers() -> [StreamingItem] {
        var queue = queue
        queue.repeatMode = order.repetition.mode
        // What follows a playlist is known once it has been read.
        let turns = queue.upcoming(2, repeats: order.mayRepeat).map { (turn: $0, index: queue.index(of: $0.entryID)) }
        return turns.prefix { $0.index.map { !queue[$0].source.isList } ?? false }.compactMap { turn, index in
            guard let index else { return nil }
            let playback = podcasts.playback
            // The position of the one that plays is not where it begins again.
            let isAgain = index == queue.currentIndex
            let start = isAgain ? playback.startAgain(of: queue[index]) : playback.start(of: queue[index])
            return StreamingItem(app.logins.added(to: queue[index].input), startTime: start ?? 0, id: turn.id)
        }
    }

    // MARK: Repetition of a recording

    /// Whether what follows is the recording that plays.
    func isRepetition(_ next: StreamingItem) -> Bool {
        var after = queue
        return after.advance(to: next.id) && after.currentIndex == queue.currentIndex
    }

    /// Begins the recording again, before the player has come to its end.
    func beginAgain() {
        guard let track = queue.current?.element else { return }
        keep(progress?.beganAgain(at: now))
        waveform.handle(.jump(podcasts.playback.startAgain(of: track) ?? 0))
    }

    /// Takes note that the player begins the recording again: its waveform is kept, if all of it is known.
    func advanceAgain() {
        seekUndo.clear()
        if loader.length == nil {
            loader.cancel()
            let progress = progress
            forgetRecording()
            self.progress = progress
        } else {
            isOpenedAgain = true
        }
        player.streamer.upcoming = followers()
        showQueue()
    }

    /// Takes note that the recording is open again.
    func openedAgain() {
        isOpenedAgain = false
        waveform.setPosition(player.time)
        setDuration(info?.duration, isExact: info?.durationIsExact ?? true)
        if let info { spectrogram.load(player.streamer, sampleRate: info.sampleRate) }
        if info?.isSeekable == true, let start = podcasts.playback.opened(at: player.time) {
            waveform.handle(.jump(start))
            seekUndo.clear()
        }
        showTimes(isForced: true)
        report()
    }
}

extension PlayOrder.Repetition {
    fileprivate var mode: PlaybackRepeatMode {
        switch self {
        case .none: .none
        case .all: .all
        case .one: .one
        }
    }
}
