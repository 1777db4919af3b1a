package import MediaPlayer
import SyrinxStreaming
import SyrinxTerminal

extension RemoteQueueEntry {
    /// Returns the entries of a queue as another process gets them.
    package static func all(of queue: ListeningQueue) -> [RemoteQueueEntry] {
        queue.inputs.enumerated().map { index, input in
            RemoteQueueEntry(input, queue.tags(at: index), index: index, current: index == queue.index)
        }
    }
}

extension RemoteStatus {
    /// The status of a session as another process gets it, but for the time.
    package init(_ session: ListeningSession, _ desktop: DesktopPlayerState) {
        self.init()
        let (queue, settings) = (session.queue, session.settings)
        state = session.item.progress.state
        duration = JSONText.seconds(session.item.progress.duration)
        url = queue.isEmpty ? "" : queue.current.name
        (title, artist) = (desktop.track?.title, desktop.track?.artists.first)
        (rate, pitch, volume) = (settings.rate, settings.pitch, settings.volume)
        (mono, balance, equalizer) = (settings.tone.isMono, settings.tone.balance, settings.tone.equalizer)
        (index, count) = (queue.index, queue.count)
        (chapters, effects) = (session.item.chapters.chapters.count, settings.effects.count)
    }

    /// The line that people read.
    package var text: String {
        let heading = [artist, title ?? url].compactMap(\.self).joined(separator: " – ")
        let times = [time, duration].compactMap(\.self).map { ClockTime.text($0, like: duration ?? 0) }.joined(
            separator: " / "
        )
        var parts = ["\(state.rawValue)", times, heading]
        if rate != 1 { parts.append("\(SoundLimits.number(rate))×") }
        if pitch != 0 { parts.append("\(SoundLimits.help(pitch)) cents") }
        if count > 1 { parts.append("(\(index + 1) of \(count))") }
        return PrintableText.line(parts.joined(separator: "  "))
    }
}
