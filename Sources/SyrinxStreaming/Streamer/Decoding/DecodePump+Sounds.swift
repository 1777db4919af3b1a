import AVFAudio
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// The audio tracks of a pump's input, and the switch between them.
struct PumpSounds {
    /// The latest requested preference.
    var wanted: SoundPreference
    /// The preference that has been acted upon.
    var applied: SoundPreference
    /// The decoded audio track, once the input is open.
    var opened: OpenedSound?
    /// The change under way.
    var change: SoundSwitch?

    init(_ preference: SoundPreference) { (wanted, applied) = (preference, preference) }
}

extension DecodePump {
    // MARK: Control, from any thread

    /// Selects among the audio tracks of the input; a pump that is decoding switches without a gap.
    func setPreference(_ preference: SoundPreference) {
        lock.withLock { sounds.wanted = preference }
        commands.noteSound()
    }

    /// The audio tracks, once the input is open, and the index of the decoded track.
    var soundOptions: (options: [SoundOption], choice: Int?) {
        lock.withLock { (sounds.opened?.options ?? [], sounds.opened?.choice) }
    }

    // MARK: The thread

    /// Opens the input with the preferred audio track.
    /// - Returns: The reader; `nil` if the input is no longer needed.
    func openSound() throws -> (any SampleReader)? {
        let preference = lock.withLock { () -> SoundPreference in
            sounds.applied = sounds.wanted
            return sounds.applied
        }
        let opened = try settings.open(preference) { stream in
            guard commands.use(stream) else { return false }
            if settings.isListenedTo {
                let window = min(Self.openingWindow, settings.network.windowAhead)
                (stream as? HTTPByteStream)?.readAhead(byteCount: window)
            }
            host?.pump(self, made: stream)
            return true
        }
        lock.withLock { sounds.opened = opened }
        return opened?.reader
    }

    /// Reports the decoding position of the old track to a pending switch.
    func follow(_ source: SwitchedSource, jumps: Bool = false) {
        lock.withLock { sounds.change }?.follow(source.readPosition, jumps: jumps)
    }

    /// Starts a requested switch of audio tracks, or completes one that is ready.
    func changeSound(of source: SwitchedSource) throws {
        let (sounds, isNew) = lock.withLock { () -> (PumpSounds, Bool) in
            defer { self.sounds.applied = self.sounds.wanted }
            return (self.sounds, self.sounds.applied != self.sounds.wanted)
        }
        guard let opened = sounds.opened else { return }
        if isNew {
            sounds.change?.cancel()
            lock.withLock { self.sounds.change = nil }
            guard opened.otherChoice(sounds.wanted) != nil else { return checkOffer(opened, sounds.wanted) }
            return beginChange(to: sounds.wanted, from: opened, source)
        }
        guard let change = sounds.change else { return }
        switch change.take(at: source.readPosition) {
        case .notYet: break
        case .failed(let error):
            lock.withLock { self.sounds.change = nil }
            keepsSound(SyrinxError(error, name: name))
        case .taken(let taken): try goOver(to: taken, from: opened, source)
        }
    }

    private func beginChange(to preference: SoundPreference, from opened: OpenedSound, _ source: SwitchedSource) {
        guard input != .standardInput, source.info.isSeekable else {
            let message = "Its audio track can only be selected before it is opened, because it is not seekable."
            return keepsSound(SyrinxError(.soundUnavailable, message, name: name))
        }
        let timebase = (opened.reader as? HLSReader)?.timebase
        let change = SoundSwitch(
            source.readFormat,
            at: source.readPosition,
            end: source.end,
            open: { [settings] made in
                guard let opened = try settings.open(preference, made: made) else { return nil }
                if let timebase { try (opened.reader as? HLSReader)?.align(to: timebase) }
                return opened
            },
            onChange: { [commands] in commands.noteSound() }
        )
        lock.withLock { sounds.change = change }
        if commands.hasEnded { change.cancel() } else { change.run() }
    }

    private func goOver(to taken: SoundSwitch.Taken, from opened: OpenedSound, _ source: SwitchedSource) throws {
        try source.goOver(to: taken.source, ahead: taken.ahead, startingAt: taken.start)
        let sound = taken.sound
        let info = sound.reader.info
        lock.withLock {
            sounds.opened = sound
            sounds.change = nil
            noteBitRate(info)
        }
        sound.stream.setInterrupted(false)
        let isWanted = commands.use(sound.stream)
        opened.stream.cancel()
        guard isWanted else { return sound.stream.cancel() }
        host?.pump(self, made: sound.stream)
        widenWindow()
        if let choice = sound.choice, sound.options.indices.contains(choice) {
            host?.pump(self, changedSoundTo: sound.options[choice])
        }
    }

    /// Warns of languages that the input does not have.
    private func checkOffer(_ opened: OpenedSound, _ preference: SoundPreference) {
        guard !preference.isAutomatic, !preference.languages.isEmpty, !preference.isMet(by: opened.options) else {
            return
        }
        let offered = opened.options.compactMap(\.language)
        let offer = offered.isEmpty ? "It states no languages." : "There is \(offered.joined(separator: ", "))."
        let message = "It has no sound in the language \(preference.languages.joined(separator: ", ")). \(offer)"
        keepsSound(SyrinxError(.soundUnavailable, message, name: name))
    }

    private func keepsSound(_ error: SyrinxError) { host?.pump(self, keepsSound: error) }
}
