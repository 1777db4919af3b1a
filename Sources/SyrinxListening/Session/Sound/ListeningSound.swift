import SyrinxPlayback
import SyrinxStreaming

/// The sound settings in force, their sources, and the place where changes are saved.
///
/// It has no side effects. A setting comes from the command line, else from the owner of the current input, else from the
/// defaults. The owner is a podcast, or a folder or recording with saved settings.
struct ListeningSound: Sendable {
    /// The settings that are heard.
    private(set) var settings: SoundSettings
    /// The settings of podcasts, folders and recordings, and the facts about the episodes among the inputs.
    var shows: ShowBook
    /// The folder or recording that the current input belongs to; `nil` if settings are kept for podcasts only.
    private(set) var place: KeptPlace?
    /// Whether settings are kept for folders and recordings.
    private var keepsPlaces = false
    /// The repetition of the command line, which counts until the listener changes it, and that where nothing else is set.
    private var givenLoop: LoopMode?
    private var generalLoop: LoopMode
    /// The ways in which the sound adapted at first.
    private let initialAdaptive: AdaptiveSound

    init(_ settings: SoundSettings) {
        self.settings = settings
        initialAdaptive = settings.adaptive
        generalLoop = settings.loop
        shows = ShowBook(general: settings.shared)
    }

    /// Takes the wishes of a listener, before the first input is opened.
    ///
    /// - Parameters:
    ///   - given: The settings that the command line gives.
    ///   - loop: The repetition that the command line gives.
    ///   - general: The settings where nothing else is set.
    ///   - kept: The settings of folders and recordings; `nil` keeps none.
    mutating func begin(
        given: ShowSettings,
        loop: LoopMode?,
        general: ShowSettings,
        kept: [String: KeptSettings]?
    ) {
        (givenLoop, keepsPlaces) = (loop, kept != nil)
        shows.begin(
            given: given,
            general: settings.shared.replaced(by: general).replaced(by: given),
            places: kept ?? [:]
        )
    }

    /// Finds the folder or recording that the current input of a queue belongs to.
    mutating func locate(in queue: ListeningQueue) { place = keepsPlaces ? KeptPlace(queue) : nil }

    /// The seconds of a skip by the interval that is set: of the podcast, the command line or the settings; else 5, as in mpv.
    func skipIntervals(of owner: SettingsOwner?) -> SkipIntervals {
        let set = shows.merged(owner)
        let wanted = shows.settings(of: owner)
        var intervals = SkipIntervals()
        if set.skipBack != nil { intervals.back = wanted.skipBack }
        if set.skipForward != nil { intervals.forward = wanted.skipForward }
        return intervals
    }

    /// Returns the owner of the settings that the listener changes; `nil` if they hold for all inputs without an owner.
    /// - Parameters:
    ///   - episode: The facts about the current input, if it is an episode.
    ///   - duration: Its length in seconds, if it is known.
    func owner(_ episode: EpisodeFacts?, duration: Double?) -> SettingsOwner? {
        if let episode { return .podcast(episode.podcast) }
        guard let place else { return nil }
        let isLong = duration.map { $0 >= KeptPlace.minimumDuration } ?? false
        return place.isFolder || isLong || shows.kept(place) != nil ? .place(place) : nil
    }

    /// Returns the name of that owner for people.
    func ownerName(_ episode: EpisodeFacts?) -> String? { episode?.title ?? place?.name }

    /// Returns the name of the podcast, folder or recording whose settings are kept; `nil` if none are.
    func keptFor(_ episode: EpisodeFacts?, duration: Double?) -> String? {
        switch owner(episode, duration: duration) {
        case .podcast(let podcast):
            let own = shows.own(.podcast(podcast))
            return own == own.withoutSound ? nil : ownerName(episode)
        case .place(let place): return shows.kept(place) == nil ? nil : place.name
        case nil: return nil
        }
    }

    /// Brings the sound to the settings of an input: those of its owner, if it has one.
    mutating func adopt(_ owner: SettingsOwner?) -> [SessionAction] {
        var (new, actions) = (settings, [SessionAction]())
        new.take(shows.settings(of: owner), rate: shows.merged(owner).rate)
        if new.rate != settings.rate { actions.append(.setRate(new.rate)) }
        if new.gain != settings.gain { actions.append(.setVolume(new.gain)) }
        if new.adaptive != settings.adaptive {
            actions.append(.setAdaptive(new.adaptive, replacing: settings.adaptive))
        }
        if new.tone != settings.tone { actions.append(.setTone(new.tone)) }
        let isChanged = new != settings
        new.setLoop(givenLoop ?? keptLoop(of: owner) ?? generalLoop)
        settings = new
        return isChanged ? actions + [settingsEvent] : []
    }

    private func keptLoop(of owner: SettingsOwner?) -> LoopMode? {
        if case .place(let place) = owner { shows.kept(place)?.loop } else { nil }
    }

    /// Sets the repetition, which folders and recordings keep.
    mutating func setLoop(_ loop: LoopMode, of owner: SettingsOwner?) -> [SessionAction] {
        settings.setLoop(loop)
        givenLoop = nil
        if case .place(let place) = owner { return [shows.set(loop, of: place)] }
        generalLoop = loop
        return []
    }

    /// Forgets the settings that are kept for an owner, and brings the sound to those that hold then.
    /// - Parameter name: The name of the owner, for the answer.
    mutating func forget(_ owner: SettingsOwner?, named name: String?) -> [SessionAction] {
        guard let owner, let kept = shows.forget(owner) else {
            return [.refusal("the item has no saved settings", name: Failure.sound)]
        }
        return [kept] + adopt(owner) + [.answer("Deleted the settings of \(name ?? "the item").")]
    }

    mutating func setBypassed(_ isBypassed: Bool, effect index: Int) -> [SessionAction] {
        settings.setBypassed(isBypassed, effect: index) ? [.setBypass(index, isBypassed)] : []
    }

    /// Shortens pauses of speech with a strength.
    mutating func setSmartSpeed(_ strength: SmartSpeed, of owner: SettingsOwner?) -> [SessionAction] {
        adapt { $0.smartSpeed = strength } + keep(\.smartSpeed, strength.strength, of: owner)
    }

    /// Takes note that the listener has drawn a curve of the equalizer, which no owner keeps.
    mutating func setCustomEqualizer(of owner: SettingsOwner?) -> [SessionAction] {
        settings.tone.setCustomEqualizer()
        if owner == nil { _ = shows.set(\.equalizer, to: Tone.customEqualizer, of: nil) }
        return toneActions
    }

    /// Carries out a command that changes the sound.
    /// - Parameter owner: The owner of the settings of the current input, which keeps the change; `nil` if there is none.
    /// - Returns: `nil` for another command.
    mutating func carryOut(_ command: ListeningCommand, of owner: SettingsOwner?) -> [SessionAction]? {
        switch command {
        case .rate(.to(let rate)): return set(rate: rate, of: owner)
        case .rate(.by(let step)):
            // A rate beyond the limits of steps, such as one of the command line, only goes toward them.
            let (rate, limits) = (settings.rate, SoundLimits.steppedRate)
            let stepped = min(max(rate + step, min(limits.lowerBound, rate)), max(limits.upperBound, rate))
            return set(rate: stepped, of: owner)
        case .multiplyRate(let factor): return set(rate: settings.rate * factor, of: owner)
        case .pitch(let change):
            settings.setPitch(change.applied(to: settings.pitch))
            return [.setPitch(settings.pitch), settingsEvent]
        case .volume(let change):
            settings.setVolume(change.applied(to: settings.volume))
            return [.setVolume(settings.gain), settingsEvent] + keep(\.volume, settings.volume, of: owner)
        case .mute:
            settings.toggleMute()
            return [.setVolume(settings.gain)]
        case .balance(let change):
            // Rounded, so that steps of a tenth add up.
            let balance = (change.applied(to: settings.tone.balance) * 1e4).rounded() / 1e4
            settings.tone.setBalance(balance)
            return toneActions + keep(\.balance, settings.tone.balance, of: owner)
        case .mono(let isMono):
            settings.tone.isMono = isMono ?? !settings.tone.isMono
            return toneActions + keep(\.isMono, settings.tone.isMono, of: owner)
        case .equalizer(let name):
            guard settings.tone.setEqualizer(name ?? settings.tone.nextEqualizer) else {
                let names = Tone.equalizers.joined(separator: ", ")
                return [.refusal("there is no preset \"\(name ?? "")\"; there are \(names)")]
            }
            return toneActions + keep(\.equalizer, settings.tone.equalizer, of: owner)
        case .smartSpeed:
            let wanted = initialAdaptive.smartSpeed == .off ? .medium : initialAdaptive.smartSpeed
            return setSmartSpeed(settings.adaptive.smartSpeed == .off ? wanted : .off, of: owner)
        case .voiceBoost:
            return adapt { $0.boostsVoice.toggle() } + keep(\.voiceBoost, settings.adaptive.boostsVoice, of: owner)
        case .normalize:
            let wanted = initialAdaptive.normalization ?? AdaptiveSound.standardLoudness
            return adapt { $0.normalization = $0.normalization == nil ? wanted : nil }
        case .effect(let index, let values): return setEffect(index, values)
        case .addEffect(let text): return addEffect(text)
        case .removeEffect(let index):
            guard settings.effects.indices.contains(index) else { return [noEffect(index)] }
            settings.removeEffect(at: index)
            return [.removeEffect(index), settingsEvent]
        case .moveEffect(let index, let target):
            let missing = [index, target].first { !settings.effects.indices.contains($0) }
            if let missing { return [noEffect(missing)] }
            settings.moveEffect(from: index, to: target)
            return [.moveEffect(from: index, to: target), settingsEvent]
        case .language(let languages):
            settings.languages = languages.tags
            return [.setLanguages(languages.tags), settingsEvent]
        case .loop: return setLoop(settings.loop.next, of: owner)
        default: return nil
        }
    }

    private mutating func set(rate: Double, of owner: SettingsOwner?) -> [SessionAction] {
        settings.setRate(rate)
        return [.setRate(settings.rate), settingsEvent] + keep(\.rate, settings.rate, of: owner)
    }

    /// Sets all keys, or none.
    private mutating func setEffect(_ index: Int, _ values: [String: ListeningCommand.EffectValue]) -> [SessionAction] {
        guard settings.effects.indices.contains(index) else { return [noEffect(index)] }
        var effect = settings.effects[index]
        do throws(EffectArgument.Malformed) {
            // A preset first: it sets what is set besides.
            if let preset = values["preset"] { try effect.set("preset", preset) }
            for (key, value) in values where key != "preset" { try effect.set(key, value) }
        } catch {
            return [.refusal(error.message)]
        }
        settings.effects[index] = effect
        return [.setEffect(index, effect, keys: Set(values.keys)), settingsEvent]
    }

    private mutating func addEffect(_ text: String) -> [SessionAction] {
        guard settings.effects.count < SoundSettings.maximumEffectCount else {
            return [.refusal("there are \(settings.effects.count) effects already, and there cannot be more")]
        }
        do throws(EffectArgument.Malformed) {
            let effect = try EffectArgument(text)
            settings.effects.append(effect)
            return [.addEffect(effect), settingsEvent]
        } catch {
            return [.refusal(error.message)]
        }
    }

    private func noEffect(_ index: Int) -> SessionAction {
        .refusal("there is no effect with the index \(index): there are \(settings.effects.count)")
    }

    private mutating func adapt(_ change: (inout AdaptiveSound) -> Void) -> [SessionAction] {
        let old = settings.adaptive
        change(&settings.adaptive)
        return [.setAdaptive(settings.adaptive, replacing: old)]
    }

    /// Keeps a setting that the listener has changed: for its owner, or for all inputs without one.
    private mutating func keep<Value>(
        _ field: WritableKeyPath<ShowSettings, Value?>,
        _ value: Value,
        of owner: SettingsOwner?
    ) -> [SessionAction] {
        shows.set(field, to: value, of: owner).map { [$0] } ?? []
    }

    private var toneActions: [SessionAction] { [.setTone(settings.tone), settingsEvent] }

    private var settingsEvent: SessionAction {
        .emit(
            .settings(
                rate: settings.rate,
                pitch: settings.pitch,
                volume: settings.volume,
                tone: settings.tone,
                effects: settings.effects,
                language: settings.languages
            )
        )
    }
}

/// The settings that a podcast may have of its own: a new one has a line in each direction.
extension SoundSettings {
    /// Takes the settings of a podcast.
    /// - Parameters:
    ///   - wanted: The settings.
    ///   - rate: The rate, which may be beyond those of podcasts if the command line gives it; `nil` keeps the present one.
    fileprivate mutating func take(_ wanted: PlaybackSettings, rate: Double?) {
        if let rate, rate != self.rate { setRate(rate) }
        if wanted.volume != volume { setVolume(wanted.volume) }
        adaptive.smartSpeed = SmartSpeed(strength: wanted.smartSpeed)
        adaptive.boostsVoice = wanted.voiceBoost
        tone.isMono = wanted.isMono
        tone.setBalance(wanted.balance)
        if wanted.equalizer == Tone.customEqualizer {
            tone.setCustomEqualizer()
        } else {
            tone.setEqualizer(wanted.equalizer)
        }
    }

    /// The settings of the sound, as those of a podcast.
    var shared: ShowSettings {
        var shared = ShowSettings()
        shared.rate = rate
        shared.volume = volume
        shared.smartSpeed = adaptive.smartSpeed.strength
        shared.voiceBoost = adaptive.boostsVoice
        shared.isMono = tone.isMono
        shared.balance = tone.balance
        shared.equalizer = tone.equalizer
        return shared
    }
}
