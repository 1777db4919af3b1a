import SyrinxPlayback
import SyrinxStreaming

/// The values of a state, as the core has them.
extension ListeningState.Sound {
    /// The tone.
    package var tone: Tone {
        var tone = Tone()
        tone.isMono = isMono
        tone.setBalance(balance)
        if !tone.setEqualizer(equalizer), equalizer == Tone.customEqualizer { tone.setCustomEqualizer() }
        return tone
    }

    /// The settings, without the loop mode.
    ///
    /// Effects that this program does not have are left out.
    package var settings: SoundSettings {
        var effects: [EffectArgument] = []
        var bypassed: [Int] = []
        for (index, text) in self.effects.enumerated() {
            guard let effect = try? EffectArgument(text) else { continue }
            if self.bypassed.contains(index) { bypassed.append(effects.count) }
            effects.append(effect)
        }
        var settings = SoundSettings(
            effects: effects,
            adaptive: AdaptiveSound(
                smartSpeed: SmartSpeed(strength: smartSpeed),
                boostsVoice: voiceBoost,
                normalization: normalization.map { min(max($0, -70), 0) }
            ),
            tone: tone,
            languages: languages
        )
        settings.setRate(rate)
        settings.setPitch(pitch)
        settings.setVolume(volume)
        if isMuted { settings.toggleMute() }
        for index in bypassed { _ = settings.setBypassed(true, effect: index) }
        return settings
    }
}

extension ListeningState {
    /// The end that the listener has asked for; `nil` if there is none.
    package var sleepGoal: SleepGoal? {
        sleepRemaining.map(SleepGoal.time) ?? sleep.flatMap { SleepGoal(argument: $0) }
    }

    /// The chapter that is heard.
    package var currentChapter: Chapter? {
        guard let item, let index = item.chapter, item.chapters.indices.contains(index) else { return nil }
        return item.chapters[index]
    }
}

extension ListeningPlayer {
    /// The state as screens show it: with the position that was reported last, and the time that shortened pauses have saved so far.
    package var screenState: ListeningState {
        var state = state
        state.time = session.item.progress.time
        state.item?.picture = picture?.data.count
        if session.settings.adaptive.smartSpeed != .off { state.item?.timeSaved = streamer.timeSaved }
        return state
    }
}
