import AVFAudio
import AudioStreaming
import DesktopModel
import GTK

extension PlayerWindow {
    /// Opens what changes the sound.
    func showEffects() { widgets.get("soundButton").popUp() }

    /// Connects what changes the sound beside rate and pitch.
    func connectSound() {
        connectEqualizer()
        let rack = player.rack
        connect("compressor", "Compressor", EffectRack.compressors, amount: nil) { _ in }
        connect("echo", "Echo", EffectRack.echoes, amount: "echoMix") { rack.setEchoMix($0) }
        connect("reverb", "Reverb", EffectRack.reverbs, amount: "reverbMix") { rack.setReverbMix($0) }
        let effectsOn = widgets.get("effectsOn")
        effectsOn.setAccessibleLabel("All effects")
        effectsOn.on("notify::active") { _ in rack.isBypassed = !effectsOn.bool("active") }
        let smartSpeed = widgets.get("smartSpeed")
        smartSpeed.setAccessibleLabel("Smart Speed")
        smartSpeed.on("notify::selected") { [weak self] _ in
            let index = smartSpeed.int("selected")
            guard SmartSpeed.allCases.indices.contains(index) else { return }
            self?.player.streamer.smartSpeed = SmartSpeed.allCases[index]
        }
        let voiceBoost = widgets.get("voiceBoost")
        voiceBoost.setAccessibleLabel("Voice Boost")
        voiceBoost.on("notify::active") { [weak self] _ in
            self?.player.streamer.voiceBoost = voiceBoost.bool("active") ? VoiceBoostSettings() : nil
        }
    }

    private func connectEqualizer() {
        let presets = EqualizerPreset.all
        let choice = widgets.get("equalizer")
        choice.setItems(presets.map(\.name) + ["Custom"])
        choice.setAccessibleLabel("Equaliser")
        choice.on("notify::selected") { [weak self] _ in
            let index = choice.int("selected")
            guard let self, presets.indices.contains(index) else { return }
            let bands = EffectRack.bands(of: presets[index])
            self.player.rack.setBands(bands)
            self.equalizerView.setBands(bands)
        }
        equalizerView.setBands(EffectRack.bands(of: .flat))
        equalizerView.onChange = { [weak self] bands in
            self?.player.rack.setBands(bands)
            // Behind the presets, which it then no longer is.
            choice.set("selected", .int(presets.count))
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
        dropDown.on("notify::selected") { _ in
            let index = dropDown.int("selected")
            guard choices.indices.contains(index) else { return }
            rack.load(choices[index])
            slider?.isVisible = index > 0
        }
        guard let amount else { return }
        slider?.setAccessibleLabel("\(name) amount")
        let adjustment = widgets.get("\(amount)Adjustment", Object.self)
        adjustment.on("value-changed") { _ in setAmount(adjustment.double("value")) }
        setAmount(adjustment.double("value"))
    }
}
