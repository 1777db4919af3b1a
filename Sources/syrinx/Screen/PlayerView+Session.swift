import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

// The views of what a session plays.

extension ItemView {
    /// The texts of the item that plays.
    init(_ session: ListeningSession, _ info: MediaInfo?) {
        self.init()
        let (input, tags) = (session.queue.current, session.item.tags)
        // The page tells by itself what can be opened.
        guard !session.queue.isEmpty else { return }
        let text = { (name: String) in tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        title = text("title") ?? input.shortName
        artist = text("artist") ?? text("album_artist")
        album = text("album")
        station = text("station")
        format = session.isIdle ? "Space plays it" : info.map(Self.formatText)
        isLive = info != nil && session.item.progress.duration == nil && input.isWeb
    }

    private static func formatText(_ info: MediaInfo) -> String {
        let codec = info.codec.hasPrefix("pcm_") ? "PCM" : info.codec.uppercased()
        let rate = "\(SoundLimits.number((info.sampleRate / 100).rounded() / 10)) kHz"
        let layout = info.channelLayout.isEmpty ? "\(info.channelCount) channels" : info.channelLayout
        let bits = info.bitRate.map { "\($0.addingClamped(500) / 1000) kbit/s" }
        return [codec, bits, rate, layout].compactMap(\.self).joined(separator: " · ")
    }
}

extension StateView {
    /// The progress of the item that plays.
    init(_ progress: PlaybackProgress, peaks: [Float], retry: String?) {
        self.init()
        kind =
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
        if kind == .retrying { detail = retry }
        if kind == .waiting { detail = "no sound output" }
        time = progress.time
        duration = progress.duration
        isDurationEstimated = progress.durationIsEstimate
        self.peaks = peaks
        received = progress.received.map { $0.lowerBound...max($0.lowerBound, $0.upperBound) }
    }
}

extension SoundView {
    /// The settings of the sound.
    /// - Parameter levels: The peak of each channel, in dBFS.
    init(_ session: ListeningSession, levels: [Float]) {
        self.init()
        let settings = session.settings
        (rate, pitch, volume) = (settings.rate, settings.pitch, settings.volume)
        isMuted = settings.isMuted
        loop = settings.loop
        isShuffled = session.queue.isShuffled
        smartSpeed = settings.adaptive.smartSpeed != .off
        voiceBoost = settings.adaptive.boostsVoice
        normalization = settings.adaptive.normalization != nil
        skips = session.skipIntervals
        tone = settings.tone.words
        sleep = session.sleepGoal
        keptFor = session.keptFor
        self.levels = levels
    }
}

extension EffectView {
    /// Returns the effects and their parameters, and behind them the tone.
    static func all(of settings: SoundSettings) -> [EffectView] {
        settings.effects.enumerated().compactMap { index, effect in
            EffectView(effect, isEnabled: !settings.isBypassed(effect: index))
        } + [EffectView(settings.tone)]
    }

    private init?(_ effect: EffectArgument, isEnabled: Bool) {
        guard let kind = EffectKind.named(effect.name) else { return nil }
        let values = Dictionary(effect.allValues.map { ($0.key, $0.value) }) { first, _ in first }
        let names = kind.nameKeys.map { key in
            let name = if case .name(let name) = values[key.name] { name } else { key.initial }
            return Parameter(
                name: key.name,
                value: Double(key.values.firstIndex(of: name) ?? 0),
                range: 0...Double(max(key.values.count - 1, 0)),
                initial: Double(key.values.firstIndex(of: key.initial) ?? 0),
                choices: key.values
            )
        }
        let numbers = kind.numberKeys.map { key in
            let value = if case .number(let number) = values[key.name] { number } else { key.initial }
            return Parameter(name: key.name, value: value, range: key.range, initial: key.initial, unit: key.unit)
        }
        self.init(name: effect.name, isEnabled: isEnabled, parameters: names + numbers)
    }
}

extension QueueEntry {
    /// Returns the inputs of the queue.
    /// - Parameter failures: The sentences about those that failed, by their names.
    static func all(of session: ListeningSession, failures: [String: String]) -> [QueueEntry] {
        session.queue.inputs.enumerated().map { index, input in
            let tags = session.queue.tags(at: index)
            let origin = [tags.artist, tags.album].compactMap(\.self).joined(separator: " · ")
            return QueueEntry(
                title: tags.title ?? input.shortName,
                detail: session.show(of: input) ?? (origin.isEmpty ? input.folderName : origin),
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
