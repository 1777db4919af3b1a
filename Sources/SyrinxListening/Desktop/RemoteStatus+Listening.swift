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
    /// The status of a player as another process gets it, but for the time.
    /// - Parameters:
    ///   - listening: The state of the player.
    ///   - track: The item as panels show it.
    ///   - languages: The languages of the sounds of the item; `nil` before it is open.
    package init(_ listening: ListeningState, _ track: DesktopPlayerState.Track?, languages: [String]?) {
        self.init()
        let (queue, sound) = (listening.queue, listening.sound)
        (state, url) = (listening.state, listening.item?.name ?? "")
        duration = JSONText.seconds(listening.item?.duration)
        (title, artist) = (track?.title, track?.artists.first)
        (rate, pitch, volume) = (sound.rate, sound.pitch, sound.volume)
        (mono, balance, equalizer) = (sound.isMono, sound.balance, sound.equalizer)
        (index, count) = (queue.index, queue.count)
        (chapters, effects) = (listening.item?.chapters.count ?? 0, sound.effects.count)
        self.languages = languages
        keptFor = sound.keptFor
        (recording, behind) = (listening.recording, listening.behind)
    }

    /// The status of a player that has no panels, but for the time.
    /// - Parameters:
    ///   - listening: The state of the player.
    ///   - languages: The languages of the sounds of the item; `nil` before it is open.
    package init(_ listening: ListeningState, languages: [String]?) {
        self.init(listening, DesktopPlayerState(listening).track, languages: languages)
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
        if let behind { parts.append(behind > 0 ? "\(ClockTime.text(behind)) behind live" : "live") }
        if let recording { parts.append(recording.text) }
        if count > 1 { parts.append("(\(index + 1) of \(count))") }
        if let keptFor { parts.append("settings kept for \(keptFor)") }
        return PrintableText.line(parts.joined(separator: "  "))
    }
}
