import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

// The views of a session.

extension ItemView {
    /// The texts of the current item.
    init(_ state: ListeningState) {
        self.init()
        // The page itself describes the ways to open an input.
        guard let item = state.item else { return }
        let text = { (name: String) in item.tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        title = text("title") ?? item.shortName
        artist = text("artist") ?? text("album_artist")
        album = text("album")
        station = text("station")
        format = state.isIdle ? "Space plays it" : item.format.map(Self.formatText)
        isLive = item.format != nil && item.duration == nil && (ListeningInput(argument: item.name)?.isWeb ?? false)
    }

    private static func formatText(_ format: ListeningState.Format) -> String {
        let codec = format.codec.hasPrefix("pcm_") ? "PCM" : format.codec.uppercased()
        let rate = "\(SoundLimits.number((format.sampleRate / 100).rounded() / 10)) kHz"
        let layout = format.layout.isEmpty ? "\(format.channels) channels" : format.layout
        let bits = format.bitRate.map { "\($0.addingClamped(500) / 1000) kbit/s" }
        return [codec, bits, rate, layout].compactMap(\.self).joined(separator: " · ")
    }
}

extension StateView {
    /// The progress of the current item.
    init(_ state: ListeningState, peaks: [Float], retry: String?) {
        self.init()
        kind =
            switch state.state {
            case .opening: retry == nil ? .opening : .retrying
            case .buffering where state.lacksOutput: .waiting
            case .buffering: retry == nil ? .buffering : .retrying
            case .playing: .playing
            case .paused: .paused
            case .stopped: .stopped
            case .ended: .ended
            case .failed: .failed
            }
        if kind == .retrying { detail = retry }
        if kind == .waiting { detail = "no sound output" }
        if let recording = state.recording {
            detail = [detail, recording.text].compactMap(\.self).joined(separator: ", ")
        }
        (time, behind) = (state.time, state.behind)
        self.peaks = peaks
        (loopStart, loopEnd) = (state.partStart, state.partEnd)
        guard let item = state.item else { return }
        duration = item.duration
        isDurationEstimated = item.durationIsEstimate
        received = item.received.compactMap { $0.count == 2 ? $0[0]...max($0[0], $0[1]) : nil }
        if state.sound.smartSpeed > 0 { timeSaved = item.timeSaved }
    }
}

extension SoundView {
    /// The settings of the sound.
    /// - Parameter levels: The peak of each channel, in dBFS.
    init(_ state: ListeningState, levels: [Float]) {
        self.init()
        let sound = state.sound
        (rate, pitch, volume) = (sound.rate, sound.pitch, sound.volume)
        isMuted = sound.isMuted
        loop = state.queue.loop
        isShuffled = state.queue.isShuffled
        smartSpeed = sound.smartSpeed > 0
        voiceBoost = sound.voiceBoost
        normalization = sound.normalization != nil
        skips = SkipIntervals(back: state.skipBack, forward: state.skipForward)
        tone = sound.tone.words
        sleep = state.sleepGoal
        keptFor = sound.keptFor
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
            QueueEntry(
                session.queue.tags(at: index),
                shortName: input.shortName,
                show: session.show(of: input),
                listTitle: input.title,
                folder: input.folderName,
                failure: failures[input.name]
            )
        }
    }

    /// Creates the entry for a row of a queue in another process.
    init(_ row: AttachRow, failure: String?) {
        let entry = row.entry
        self.init(
            ListeningTags(title: entry.title, artist: entry.artist, album: entry.album, duration: entry.duration),
            shortName: row.shortName,
            show: row.show,
            listTitle: row.listTitle,
            folder: row.folder,
            failure: failure
        )
    }

    private init(
        _ tags: ListeningTags,
        shortName: String,
        show: String?,
        listTitle: String?,
        folder: @autoclosure () -> String?,
        failure: String?
    ) {
        let origin = [tags.artist, tags.album].compactMap(\.self).joined(separator: " · ")
        self.init(
            title: tags.title ?? shortName,
            detail: show ?? (origin.isEmpty ? folder() : origin),
            duration: tags.duration,
            failure: failure,
            searched: [listTitle, shortName].compactMap(\.self).joined(separator: "\n")
        )
    }
}
