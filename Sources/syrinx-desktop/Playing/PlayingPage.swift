import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The player's page beside the waveform and the cover: texts, times, and the buttons that skip.
@MainActor
final class PlayingPage {
    private let widgets: PlayerWidgets
    private let control: PlayerControl
    private let recording: RecordingPane
    /// The second whose times are shown.
    private var second = -1

    /// Shows the page of a player.
    init(_ widgets: PlayerWidgets, _ control: PlayerControl, _ recording: RecordingPane) {
        (self.widgets, self.control, self.recording) = (widgets, control, recording)
    }

    /// The length of the recording in seconds, if it is known: that of the whole waveform counts more than an estimate.
    var duration: Double? {
        let progress = control.session.item.progress
        return progress.durationIsEstimate ? recording.loader.length ?? progress.duration : progress.duration
    }

    /// The position that is shown, in seconds.
    var position: Double { recording.waveform.position }

    // MARK: Showing

    /// Shows the playback status and the reason for waiting.
    func show(_ page: PageState) {
        widgets.network.set("label", .string(page.waitingText ?? ""))
        recording.playButton.show(isPause: page.showsPause)
        let button = widgets.transport.play
        button.setAccessibleLabel(page.showsPause ? "Pause" : "Play")
        button.tooltip = page.showsPause ? "Pause (Space)" : "Play (Space)"
    }

    /// Shows title and performer.
    func show(_ track: TrackText) {
        widgets.title.set("label", .string(track.title))
        widgets.detail.set("label", .string(track.detail))
        widgets.detail.isVisible = !track.detail.isEmpty
    }

    /// Shows the times and the chapter, if they are other than before.
    /// - Returns: Whether they are.
    func showTimes(isForced: Bool) -> Bool {
        let position = position
        // Bounded: positions are within a billion seconds.
        let second = Int(position)
        guard isForced || second != self.second else { return false }
        self.second = second
        let total = duration
        widgets.elapsed.set("label", .string(TimeText.clock(position, of: total)))
        let rate = control.session.settings.rate
        let rest = total.map { TimeText.remaining(position, of: $0, rate: rate) } ?? ""
        widgets.remaining.set("label", .string(rest))
        recording.chapters.move(to: position, rate: rate)
        showSleep()
        return true
    }

    /// Shows when playback ends by the sleep timer.
    func showSleep() {
        let text = control.session.sleepGoal.map(TimeText.sleep) ?? ""
        widgets.sleep.set("label", .string(text))
        widgets.sleep.isVisible = !text.isEmpty
    }

    /// Shows on the buttons how far they skip.
    func showSkipIntervals() {
        let (intervals, transport) = (control.session.skipIntervals, widgets.transport)
        show(SkipButton(seconds: intervals.back, isForward: false), on: transport.skipBack, key: "Left")
        show(SkipButton(seconds: intervals.forward, isForward: true), on: transport.skipForward, key: "Right")
    }

    private func show(_ description: SkipButton, on button: Widget, key: String) {
        button.set("icon-name", .string(description.icon))
        button.tooltip = "\(description.label) (\(key))"
        button.setAccessibleLabel(description.label)
    }

    // MARK: Going elsewhere

    /// Skips by seconds.
    func skip(_ seconds: Double) {
        if control.isPlayerShown { recording.waveform.handle(.step(seconds)) }
    }

    /// Skips by the seconds of the podcast, or the usual ones.
    func skip(forward: Bool) {
        let intervals = control.session.skipIntervals
        skip(forward ? intervals.forward : -intervals.back)
    }

    /// Goes to the start of the recording, or to the one before if it has just begun.
    func previous() {
        let queue = control.session.queue
        let hasFormer = queue.index(before: queue.index, wraps: control.session.settings.loop == .all) != nil
        if position <= 3, hasFormer {
            control.carryOut(.previous(isWeak: true))
        } else {
            recording.waveform.handle(.jump(0))
        }
    }
}
