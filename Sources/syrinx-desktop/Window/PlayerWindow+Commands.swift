import AVFAudio
import Foundation
import MediaPlayer
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The commands of the table, as the window carries them out.
extension PlayerWindow {
    /// Carries out a request of a media key or a panel.
    func carryOut(_ command: DesktopPlayerCommand) {
        switch command {
        case .loop(let loop): setRepetition(PlayOrder.Repetition(loop))
        case .shuffle(let isShuffled): setShuffled(isShuffled)
        case .open(let text): if let input = ListeningInput(location: text) { open([input]) }
        case .raise: present()
        case .quit: app.quit()
        default: if let command = ListeningCommand(command) { carryOut(command) }
        }
    }

    /// Carries out a command of `syrinx control`, a media key or a panel.
    func carryOut(_ command: ListeningCommand) {
        switch command {
        case .pause: if page.wantsPlayback { togglePlayback() }
        case .resume: if !page.wantsPlayback { togglePlayback() }
        case .toggle: togglePlayback()
        case .stop: perform(page.handle(.closedItem))
        case .next: next()
        case .previous: previous()
        case .first: goTo(0)
        case .last: goTo(queue.count - 1)
        case .goTo(let index): goTo(index)
        case .reload: reload()
        case .enqueue(let text): if let input = ListeningInput(argument: text) { open([input], adds: true) }
        case .remove(let index): removeRow(index)
        case .move(let from, let to):
            guard max(from, to) < queue.count else { return }
            queue.move(from: from, to: to)
            queueChanged()
        case .clear:
            queue.removeOthers()
            queueChanged()
        case .shuffle: toggleShuffle(tells: true)
        case .loop: cycleRepetition(tells: true)
        default: if !changeSound(command), case .player = page.page { move(command) }
        }
    }

    private func togglePlayback() {
        if case .player = page.page {} else if page.page != .loading { return }
        perform(page.handle(.togglePlayback))
    }

    private func goTo(_ index: Int) {
        if (0..<queue.count).contains(index) { go(to: index) }
    }

    /// Goes elsewhere in the recording.
    private func move(_ command: ListeningCommand) {
        switch command {
        case .seek(.to(let time)): waveform.handle(.jump(time))
        case .seek(.by(let seconds)): skip(seconds)
        case .skipForward: skip(forward: true)
        case .skipBack: skip(forward: false)
        case .repeatPart(let part?): loop.set(from: part.start, to: part.end)
        case .repeatPart(nil): loop.clear()
        case .cyclePart: markLoop()
        case .chapter(let index):
            guard chapters.chapters.indices.contains(index) else { return }
            waveform.handle(.jump(chapters.chapters[index].start))
        case .nextChapter: goToChapter(forward: true)
        case .previousChapter: goToChapter(forward: false)
        default: break
        }
    }

    /// Changes the sound.
    /// - Returns: Whether the command is one that does.
    private func changeSound(_ command: ListeningCommand) -> Bool {
        var sound = sound
        switch command {
        // Rounded, so that steps of a tenth meet whole numbers.
        case .rate(let change): sound.rate = (change.applied(to: rate) * 1e5).rounded() / 1e5
        case .multiplyRate(let factor): sound.rate = rate * factor
        case .pitch(let change): setPitch(change.applied(to: Double(player.streamer.pitch)))
        case .volume(let change):
            let slider = widgets.get("volumeAdjustment", Object.self)
            slider.set("value", .double(change.applied(to: slider.double("value") / 100) * 100))
            return true
        case .mute:
            setMuted(player.streamer.volume > 0)
            return true
        case .balance(let change): sound.balance = min(max(change.applied(to: sound.balance), -1), 1)
        case .mono(let isOn): sound.isMono = isOn ?? !sound.isMono
        case .equalizer(let name):
            let presets = EqualizerPreset.all.map(\.identifier)
            let place = sound.equalizer.flatMap { presets.firstIndex(of: $0) } ?? -1
            sound.equalizer = name ?? presets[(place + 1) % presets.count]
        case .smartSpeed: sound.smartSpeed = sound.smartSpeed > 0 ? 0 : SmartSpeed.medium.strength
        case .voiceBoost: sound.voiceBoost.toggle()
        case .normalize:
            let isOn = player.streamer.normalization != nil
            player.streamer.normalization = isOn ? nil : LoudnessNormalization()
        case .language(let languages): player.streamer.setPreferredLanguages(languages.tags)
        default: return false
        }
        setSound(sound)
        report()
        return true
    }

    // MARK: The session bus

    /// The queue as another process gets it.
    var remoteQueue: [RemoteQueueEntry] {
        queue.entries.enumerated().map { index, entry in
            let (source, isCurrent) = (entry.element.source, index == queue.currentIndex)
            var tags = queueView.knownTags.tags(of: source)
            if isCurrent {
                let album = info?.tags["album"]
                tags = ListeningTags(title: trackTitle, artist: trackArtist, album: album, duration: info?.duration)
            }
            return RemoteQueueEntry(source, tags, index: index, current: isCurrent)
        }
    }

    /// The status as another process gets it, but for the time.
    private var remoteStatus: RemoteStatus {
        let sound = sound
        var status = RemoteStatus()
        status.state =
            switch page.page {
            case .empty: .stopped
            case .loading: .opening
            case .player(.playing): .playing
            case .player(.paused): .paused
            case .player(.stalled): .buffering
            case .player(.ended): .ended
            case .error: .failed
            }
        status.duration = info?.duration
        status.url = queue.current?.element.source.name ?? ""
        (status.title, status.artist) = (queue.count == 0 ? nil : trackTitle, trackArtist)
        (status.rate, status.pitch, status.volume) = (rate, Double(player.streamer.pitch), sound.volume)
        (status.mono, status.balance) = (sound.isMono, sound.balance)
        status.equalizer = sound.equalizer ?? "custom"
        (status.index, status.count) = (queue.currentIndex, queue.count)
        status.chapters = chapters.chapters.count
        status.languages = info.map { _ in player.streamer.languages }
        return status
    }

    private var desktopState: DesktopPlayerState {
        var state = DesktopPlayerState()
        switch page.page {
        case .player(.ended), .empty, .error: state.status = .stopped
        case .player(.playing): state.status = .playing
        case .player, .loading: state.status = page.wantsPlayback ? .playing : .paused
        }
        (state.rate, state.volume) = (rate, Double(player.streamer.volume))
        state.loop = order.repetition.loop
        state.isShuffled = order.isShuffled
        state.canGoNext = order.next(after: queue.currentIndex, count: queue.count) != nil
        state.canGoPrevious = queue.count > 0
        state.canSeek = info?.isSeekable == true
        guard let turn = queue.currentTurn, let element = queue.current?.element else { return state }
        var track = DesktopPlayerState.Track(id: turn.id)
        (track.title, track.duration, track.url) = (trackTitle, info?.duration, element.source.shownURL)
        track.artists = [trackArtist].compactMap(\.self)
        track.album = info?.tags["album"] ?? info?.tags["station"]
        state.track = track
        return state
    }

    /// Tells the desktop what plays, if its panels are for this window.
    func report() {
        podcasts.showNowPlaying()
        app.take(.sound(number, page.sound))
        guard app.isSpeaker(number) else { return }
        app.presence?.update(desktopState, remoteStatus, position: waveform.position, picture: picture)
    }
}

extension PlayOrder.Repetition {
    fileprivate init(_ loop: DesktopPlayerState.Loop) {
        switch loop {
        case .none: self = .none
        case .track: self = .one
        case .playlist: self = .all
        }
    }

    fileprivate var loop: DesktopPlayerState.Loop {
        switch self {
        case .none: .none
        case .one: .track
        case .all: .playlist
        }
    }
}
