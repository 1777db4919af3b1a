import AVFAudio
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxStreaming

extension PlayerWindow {
    /// Opens what changes the sound.
    func showEffects() { widgets.get("soundButton").popUp() }

    /// Connects what changes the sound beside rate and pitch.
    func connectSound() {
        connectEqualizer()
        widgets.get("soundPane").onKey { [weak self] in self?.passRows($0, $1, $2) ?? false }
        let rack = player.rack
        connect("compressor", "Compressor", EffectRack.compressors, amount: nil) { _ in }
        connect("echo", "Echo", EffectRack.echoes, amount: "echoMix") { rack.setEchoMix($0) }
        connect("reverb", "Reverb", EffectRack.reverbs, amount: "reverbMix") { rack.setReverbMix($0) }
        let effectsOn = widgets.get("effectsOn")
        effectsOn.setAccessibleLabel("All effects")
        effectsOn.observe("notify::active") { rack.isBypassed = !$0.bool("active") }
        let smartSpeed = widgets.get("smartSpeed")
        smartSpeed.setAccessibleLabel("Smart Speed")
        smartSpeed.setAccessibleLabelOfButtons("Smart Speed")
        smartSpeed.observe("notify::selected") { [weak self] choice in
            let index = choice.int("selected")
            guard SmartSpeed.allCases.indices.contains(index) else { return }
            self?.player.streamer.smartSpeed = SmartSpeed.allCases[index]
        }
        let voiceBoost = widgets.get("voiceBoost")
        voiceBoost.setAccessibleLabel("Voice Boost")
        voiceBoost.observe("notify::active") { [weak self] choice in
            self?.player.streamer.voiceBoost = choice.bool("active") ? VoiceBoostSettings() : nil
        }
        let (mono, balance) = (widgets.get("mono"), widgets.get("balanceAdjustment", Object.self))
        mono.setAccessibleLabel("Mono")
        widgets.get("balance").setAccessibleLabel("Balance")
        let set = { [weak self] in
            guard let self else { return }
            let value = self.widgets.get("balanceAdjustment", Object.self).double("value")
            rack.setBalance(isMono: self.widgets.get("mono").bool("active"), value)
            self.widgets.get("balance").setAccessibleValueText(SliderScale.balanceText(value))
        }
        mono.on("notify::active") { _ in set() }
        balance.on("value-changed") { _ in set() }
        resetOnDoubleClick("balance", balance, 0)
    }

    /// The sound that an episode's podcast can have of its own.
    var sound: ListeningSound {
        let place = widgets.get("equalizer").int("selected")
        return ListeningSound(
            rate: rate,
            volume: volume,
            smartSpeed: player.streamer.smartSpeed.strength,
            voiceBoost: player.streamer.voiceBoost != nil,
            isMono: widgets.get("mono").bool("active"),
            balance: widgets.get("balanceAdjustment", Object.self).double("value"),
            equalizer: EqualizerPreset.all.indices.contains(place) ? EqualizerPreset.all[place].identifier : nil
        )
    }

    /// Brings the controls to a sound, where they differ from it.
    func setSound(_ new: ListeningSound) {
        let old = sound
        if new.rate != old.rate { setRate(new.rate) }
        if new.volume != old.volume {
            widgets.get("volumeAdjustment", Object.self).set("value", .double(new.volume * 100))
        }
        if new.smartSpeed != old.smartSpeed {
            let index = SmartSpeed.allCases.firstIndex(of: SmartSpeed(strength: new.smartSpeed)) ?? 0
            widgets.get("smartSpeed").set("selected", .int(index))
        }
        widgets.get("voiceBoost").set("active", .bool(new.voiceBoost))
        widgets.get("mono").set("active", .bool(new.isMono))
        widgets.get("balanceAdjustment", Object.self).set("value", .double(new.balance))
        guard new.equalizer != old.equalizer else { return }
        let presets = EqualizerPreset.all
        // The bands of the listener's own are behind the presets. A preset of a newer version counts as the first, flat.
        let place = new.equalizer.map { name in presets.firstIndex { $0 == EqualizerPreset.named(name) } ?? 0 }
        widgets.get("equalizer").set("selected", .int(place ?? presets.count))
    }

    private func connectEqualizer() {
        let presets = EqualizerPreset.all
        let choice = widgets.get("equalizer")
        choice.setItems(presets.map(\.name) + ["Custom"])
        choice.setAccessibleLabel("Equalizer")
        choice.setAccessibleLabelOfButtons("Equalizer")
        choice.observe("notify::selected") { [weak self] choice in
            let index = choice.int("selected")
            guard let self else { return }
            let bands = presets.indices.contains(index) ? EffectRack.bands(of: presets[index]) : self.customBands
            guard !bands.isEmpty else { return }
            self.player.rack.setBands(bands)
            self.equalizerView.setBands(bands)
        }
        equalizerView.setBands(EffectRack.bands(of: .flat))
        equalizerView.onChange = { [weak self] bands in
            self?.customBands = bands
            self?.player.rack.setBands(bands)
            // Behind the presets, which it then no longer is.
            self?.widgets.get("equalizer").set("selected", .int(presets.count))
        }
    }

    private func connect(
        _ id: String,
        _ name: String,
        _ choices: [EffectRack.Choice],
        amount: String?,
        _ setAmount: @escaping @MainActor (Double) -> Void
    ) {
        let (rack, dropDown) = (player.rack, widgets.get(id))
        let slider = amount.map { widgets.get($0) }
        dropDown.setItems(choices.map(\.name))
        dropDown.setAccessibleLabel(name)
        dropDown.setAccessibleLabelOfButtons(name)
        dropDown.observe("notify::selected") { choice in
            let index = choice.int("selected")
            guard choices.indices.contains(index) else { return }
            rack.load(choices[index])
            slider?.isVisible = index > 0
        }
        guard let amount else { return }
        slider?.setAccessibleLabel("\(name) amount")
        let adjustment = widgets.get("\(amount)Adjustment", Object.self)
        adjustment.observe("value-changed") { setAmount($0.double("value")) }
        setAmount(adjustment.double("value"))
    }
}
