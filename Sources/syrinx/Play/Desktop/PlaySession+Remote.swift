import MediaPlayer
import SyrinxListening
import SyrinxStreaming
import SyrinxTerminal

extension PlaySession {
    /// The queue as another process gets it.
    var remoteQueue: [RemoteQueueEntry] {
        queue.inputs.enumerated().map { index, input in
            RemoteQueueEntry(input, queue.tags(at: index), index: index, current: index == queue.index)
        }
    }

    /// The status as another process gets it, but for the time.
    var remoteStatus: RemoteStatus {
        let desktop = desktopState
        var status = RemoteStatus()
        status.state = progress.state
        status.duration = JSONText.seconds(progress.duration)
        status.url = queue.isEmpty ? "" : queue.current.name
        (status.title, status.artist) = (desktop.track?.title, desktop.track?.artists.first)
        (status.rate, status.pitch, status.volume) = (settings.rate, settings.pitch, settings.volume)
        (status.mono, status.balance) = (settings.tone.isMono, settings.tone.balance)
        status.equalizer = settings.tone.equalizer
        (status.index, status.count) = (queue.index, queue.count)
        (status.chapters, status.effects) = (chapters.chapters.count, settings.effects.count)
        return status
    }
}

extension RemoteStatus {
    /// The line that people read.
    var text: String {
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
