import AVFAudio
import Foundation
import MediaPlayer
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The window on the session bus.
extension PlayerWindow {
    /// Carries out a request of a media key or a panel.
    func carryOut(_ command: DesktopPlayerCommand) {
        switch command {
        case .open(let text): if let input = ListeningInput(location: text) { open([input]) }
        case .raise: present()
        case .quit: app.quit()
        default: if let request = ListeningRequest(command) { act { $0.request(request) } }
        }
    }

    /// The queue as another process gets it.
    var remoteQueue: [RemoteQueueEntry] { RemoteQueueEntry.all(of: player.session.queue) }

    /// Reports to the desktop what plays, if its panels are for this window.
    func report() {
        podcasts.showNowPlaying()
        app.take(.sound(number, page.sound))
        guard app.isSpeaker(number) else { return }
        if let presence = app.presence { player.report(to: presence, position: recording.waveform.position) }
    }

    // MARK: Buttons and keys

    /// Plays or pauses; on an empty window asks for a file.
    func togglePlayback() {
        if page.page == .empty, player.session.queue.isEmpty { chooseFiles() } else { carryOut(.toggle) }
    }

    /// Goes to the start of the recording, or to the one before if it has just begun.
    func previous() {
        let queue = player.session.queue
        let hasFormer = queue.index(before: queue.index, wraps: player.session.settings.loop == .all) != nil
        let begins = recording.waveform.position <= 3
        if begins && hasFormer { carryOut(.previous(isWeak: true)) } else { recording.waveform.handle(.jump(0)) }
    }

    /// Skips by seconds.
    func skip(_ seconds: Double) {
        if case .player = page.page { recording.waveform.handle(.step(seconds)) }
    }

    /// Skips by the seconds of the podcast, or the usual ones.
    func skip(forward: Bool) {
        let intervals = player.session.skipIntervals
        skip(forward ? intervals.forward : -intervals.back)
    }

    /// Shows on the buttons how far they skip.
    func showSkipIntervals() {
        let intervals = player.session.skipIntervals
        let transport = widgets.player.transport
        for (button, key, isForward) in [(transport.skipBack, "Left", false), (transport.skipForward, "Right", true)] {
            let seconds = isForward ? intervals.forward : intervals.back
            let description = SkipButton(seconds: seconds, isForward: isForward)
            button.set("icon-name", .string(description.icon))
            button.tooltip = "\(description.label) (\(key))"
            button.setAccessibleLabel(description.label)
        }
    }

    /// Marks the start of a part that is repeated, then its end, then ends the repetition.
    func markLoop() {
        carryOut(.cyclePart)
        let part = player.session.repetition
        let text =
            switch (part.start, part.end) {
            case (let start?, let end?): "Repeating \(TimeText.clock(start)) to \(TimeText.clock(end))"
            case (let start?, nil): "Repeating from \(TimeText.clock(start)): press l again at the end"
            default: "No longer repeating"
            }
        perform(page.handle(.warning(text)))
    }

    /// Has playback end at another moment, and shows a message.
    func setSleep(_ goal: SleepGoal?) {
        act { $0.request(.setSleep(goal)) }
        showTimes(isForced: true)
        perform(page.handle(.value(goal.map(TimeText.sleep) ?? "Off", of: "Sleep timer")))
    }

    /// Takes all inputs but the current one out of the queue, which can be undone.
    func clearQueue() {
        let count = player.session.queue.count
        carryOut(.clear)
        if player.session.queue.count < count { perform(page.handle(.undoable("The queue was cleared."))) }
    }

    /// Changes the order by a key, and shows a message: the buttons may be hidden.
    func changeOrder(_ command: ListeningCommand) {
        carryOut(command)
        let text =
            command == .shuffle
            ? player.session.queue.isShuffled ? "Shuffle is on" : "Shuffle is off"
            : player.session.settings.loop.message
        perform(page.handle(.warning(text)))
    }
}

extension LoopMode {
    /// The name of the button's icon.
    var icon: String { "media-playlist-repeat\(self == .one ? "-song" : "")-symbolic" }

    /// The name of the button.
    var label: String {
        switch self {
        case .none: "Repeat: Off"
        case .all: "Repeat: All"
        case .one: "Repeat: One"
        }
    }

    /// The message after a key.
    var message: String {
        switch self {
        case .none: "Repeat is off"
        case .all: "Repeating all recordings"
        case .one: "Repeating this recording"
        }
    }
}
