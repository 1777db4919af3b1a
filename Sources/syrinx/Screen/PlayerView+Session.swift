import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayerUI
import SyrinxStreaming
import SyrinxTerminal

/// The views of what a session plays.
extension PlaySession {
    /// The texts of the item that plays.
    func itemView(info: MediaInfo?) -> ItemView {
        // The page tells by itself what can be opened.
        guard !queue.isEmpty else { return ItemView() }
        var item = ItemView()
        let tags = nowPlaying.tags
        let text = { (name: String) in tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        item.title = text("title") ?? nowPlaying.name
        item.artist = text("artist") ?? text("album_artist")
        item.album = text("album")
        item.station = text("station")
        item.format = isIdle ? "Space plays it" : info.map(Self.formatText)
        item.isLive = info != nil && progress.duration == nil && queue.current.isWeb
        return item
    }

    private static func formatText(_ info: MediaInfo) -> String {
        let codec = info.codec.hasPrefix("pcm_") ? "PCM" : info.codec.uppercased()
        let rate = "\(SoundLimits.number((info.sampleRate / 100).rounded() / 10)) kHz"
        let layout = info.channelLayout.isEmpty ? "\(info.channelCount) channels" : info.channelLayout
        let bits = info.bitRate.map { "\($0.addingClamped(500) / 1000) kbit/s" }
        return [codec, bits, rate, layout].compactMap(\.self).joined(separator: " · ")
    }

    /// The progress of the item that plays.
    func stateView(peaks: [Float], retry: String?) -> StateView {
        var state = StateView()
        state.kind =
            switch progress.state {
            case .opening: retry == nil ? .opening : .retrying
            case .buffering where progress.lacksOutput: .waiting
            case .buffering: retry == nil ? .buffering : .retrying
            case .playing: .playing
            case .paused: .paused
            case .stopped: .stopped
            case .ended: .ended
            case .failed: .failed
            }
        if state.kind == .retrying { state.detail = retry }
        if state.kind == .waiting { state.detail = "no sound output" }
        state.time = progress.time
        state.duration = progress.duration
        state.isDurationEstimated = progress.durationIsEstimate
        state.peaks = peaks
        state.received = progress.received.map { $0.lowerBound...max($0.lowerBound, $0.upperBound) }
        return state
    }

    /// The settings of the sound.
    /// - Parameter levels: The peak of each channel, in dBFS.
    func soundView(levels: [Float]) -> SoundView {
        var sound = SoundView()
        sound.rate = settings.rate
        sound.pitch = settings.pitch
        sound.volume = settings.volume
        sound.isMuted = settings.isMuted
        sound.loop =
            switch settings.loop {
            case .none: .none
            case .one: .one
            case .all: .all
            }
        sound.isShuffled = queue.isShuffled
        sound.smartSpeed = settings.adaptive.smartSpeed != .off
        sound.voiceBoost = settings.adaptive.boostsVoice
        sound.normalization = settings.adaptive.normalization != nil
        sound.skips = skipIntervals
        sound.tone = settings.tone.words
        sound.sleep = sleepView
        sound.levels = levels
        return sound
    }

    /// The effects and their parameters, and behind them the tone.
    var effectViews: [EffectView] {
        chosenEffectViews + [EffectView(settings.tone)]
    }

    private var chosenEffectViews: [EffectView] {
        settings.effects.enumerated().compactMap { index, effect in
            guard let kind = EffectKind.named(effect.name) else { return nil }
            let values = Dictionary(effect.allValues.map { ($0.key, $0.value) }) { first, _ in first }
            let names = kind.nameKeys.map { key in
                let name = if case .name(let name) = values[key.name] { name } else { key.initial }
                return EffectView.Parameter(
                    name: key.name,
                    value: Double(key.values.firstIndex(of: name) ?? 0),
                    range: 0...Double(max(key.values.count - 1, 0)),
                    initial: Double(key.values.firstIndex(of: key.initial) ?? 0),
                    choices: key.values
                )
            }
            let numbers = kind.numberKeys.map { key in
                let value = if case .number(let number) = values[key.name] { number } else { key.initial }
                return EffectView.Parameter(
                    name: key.name,
                    value: value,
                    range: key.range,
                    initial: key.initial,
                    unit: key.unit
                )
            }
            return EffectView(
                name: effect.name,
                isEnabled: !settings.isBypassed(effect: index),
                parameters: names + numbers
            )
        }
    }

    /// The chapters of the item that plays.
    var chapterEntries: [ChapterEntry] {
        chapters.chapters.map { ChapterEntry(title: $0.title, start: $0.start) }
    }

    /// The inputs of the queue.
    /// - Parameter failures: The sentences about those that failed, by their names.
    func queueEntries(failures: [String: String]) -> [QueueEntry] {
        queue.inputs.enumerated().map { index, input in
            let tags = queue.tags(at: index)
            let origin = [tags.artist, tags.album].compactMap(\.self).joined(separator: " · ")
            return QueueEntry(
                title: tags.title ?? input.shortName,
                detail: episodes[input.name]?.title ?? (origin.isEmpty ? input.folderName : origin),
                duration: tags.duration,
                failure: failures[input.name],
                searched: [input.title, input.shortName].compactMap(\.self).joined(separator: "\n")
            )
        }
    }
}

extension ListeningInput {
    /// The folder of a file or the host of a URL, for people.
    fileprivate var folderName: String? {
        switch location {
        case .file(let path):
            let folder = path.folder.name
            return folder.isEmpty || folder == "." ? nil : folder
        case .web(let location): return location.url.host()
        case .standardInput: return nil
        }
    }
}
