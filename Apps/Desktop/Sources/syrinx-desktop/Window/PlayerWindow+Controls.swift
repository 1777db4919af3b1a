import AVFAudio
import AudioStreaming
import DesktopModel
import Foundation
import GTK
import Playback

extension PlayerWindow {
    func connectControls() {
        let rateAdjustment = widgets.get("rateAdjustment", Object.self)
        rateAdjustment.on("value-changed") { [weak self] _ in
            guard let self else { return }
            let value = rateAdjustment.double("value")
            let stepped = SliderScale.rate.stepped(value)
            if stepped != value, abs(self.rate - value) > 1e-6 {
                rateAdjustment.set("value", .double(stepped))
            } else {
                self.setRate(value)
            }
        }
        let pitchAdjustment = widgets.get("pitchAdjustment", Object.self)
        pitchAdjustment.on("value-changed") { [weak self] _ in
            let value = pitchAdjustment.double("value")
            let stepped = value.rounded()
            if stepped != value { pitchAdjustment.set("value", .double(stepped)) } else { self?.setPitch(value * 100) }
        }
        let volumeAdjustment = widgets.get("volumeAdjustment", Object.self)
        volumeAdjustment.on("value-changed") { [weak self] _ in self?.setVolume(volumeAdjustment.double("value") / 100)
        }
        resetOnDoubleClick("rate", rateAdjustment, 1)
        resetOnDoubleClick("pitch", pitchAdjustment, 0)
        resetOnDoubleClick("volume", volumeAdjustment, 100)
        connectSound()
        setRate(1)
        setPitch(0)
        volumeAdjustment.set("value", .double(saved.volume * 100))
        setVolume(saved.volume)
        widgets.get("flap").set("reveal-flap", .bool(saved.showsQueue))
        window.onKey { [weak self] key, modifiers in self?.handleKey(key, modifiers) ?? false }
        widgets.get("queueList", ListBox.self).onActivate { [weak self] in self?.go(to: $0) }
        widgets.get("chapterList", ListBox.self).onActivate { [weak self] index in
            guard let self, self.chapters.chapters.indices.contains(index) else { return }
            self.waveform.handle(.jump(self.chapters.chapters[index].start))
        }
    }

    /// Connects what changes the sound beside rate and pitch.
    func connectSound() {
        let presets = EqualizerPreset.all
        let equalizer = widgets.get("equalizer")
        equalizer.setItems(presets.map(\.name))
        equalizer.setAccessibleLabel("Equaliser")
        equalizer.on("notify::selected") { [weak self] _ in
            let index = equalizer.int("selected")
            guard presets.indices.contains(index) else { return }
            self?.player.equalizerPreset = presets[index] == .flat ? nil : presets[index]
        }
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

    /// The slider jumps to the pointer at each press; it is reset after that.
    private func resetOnDoubleClick(_ name: String, _ adjustment: Object, _ value: Double) {
        widgets.get(name).onPress(captures: true) { count in
            guard count == 2 else { return }
            repeatEvery(milliseconds: 150) {
                adjustment.set("value", .double(value))
                return false
            }
        }
    }

    /// Sets the rate; the slider shows the nearest that it has.
    func setRate(_ value: Double) {
        guard value.isFinite, value > 0 else { return }
        rate = min(max(value, 1.0 / 32), 32)
        player.streamer.rate = Float(rate)
        widgets.get("rateAdjustment", Object.self).set("value", .double(rate))
        let text = SliderScale.rateText(rate)
        widgets.get("rateValue").set("label", .string(text))
        widgets.get("rate").setAccessibleValueText(text)
        report(hasJumped: true)
    }

    func setPitch(_ cents: Double) {
        player.streamer.pitch = Float(cents)
        let text = SliderScale.pitchText(cents)
        widgets.get("pitchValue").set("label", .string(text.split(separator: " ").first.map(String.init) ?? text))
        widgets.get("pitch").setAccessibleValueText(text)
    }

    func setVolume(_ volume: Double) {
        player.streamer.volume = Float(volume)
        // Bounded: the volume is 0…1.
        let text = "\(Int((min(max(volume, 0), 1) * 100).rounded())) %"
        widgets.get("volumeValue").set("label", .string(text))
        widgets.get("volume").setAccessibleValueText(text)
    }

    /// Moves a slider by steps.
    private func move(_ name: String, by steps: Double) {
        let adjustment = widgets.get("\(name)Adjustment", Object.self)
        let step = name == "rate" ? 0.25 : name == "volume" ? 5.0 : 1.0
        adjustment.set("value", .double(adjustment.double("value") + steps * step))
    }

    /// Takes a key without a modifier, wherever the focus is, unless a text is entered.
    private func handleKey(_ key: String, _ modifiers: Modifiers) -> Bool {
        let focused = window.focused
        if let focused, focused.isTextEntry { return false }
        guard modifiers.subtracting(.shift).isEmpty else { return false }
        guard case .player = page.page else {
            guard key == "space", page.page == .loading else { return false }
            perform(page.handle(.togglePlayback))
            return true
        }
        // A slider other than the position's has its own arrow keys.
        let isOtherSlider = ["rate", "pitch", "volume"].contains { widgets.get($0).hasFocus }
        switch key {
        case "space", "k": perform(page.handle(.togglePlayback))
        case "Left", "Right", "Home", "End", "Page_Up", "Page_Down", "Up", "Down":
            guard !isOtherSlider, isForWaveform(key, focused) else { return false }
            return moveByKey(key, modifiers)
        case "n", "greater": next()
        case "p", "less": previous()
        case "bracketleft": move("rate", by: -1)
        case "bracketright": move("rate", by: 1)
        case "BackSpace":
            setRate(1)
            widgets.get("pitchAdjustment", Object.self).set("value", .double(0))
        case "minus", "9": move("volume", by: -1)
        case "plus", "equal", "0": move("volume", by: 1)
        case "m": setMuted(player.streamer.volume > 0)
        case "comma": goToChapter(forward: false)
        case "period": goToChapter(forward: true)
        default: return false
        }
        return true
    }

    /// Lists and pages use the vertical keys themselves.
    private func isForWaveform(_ key: String, _ focused: Widget?) -> Bool {
        waveform.hasFocus || focused == nil || key == "Left" || key == "Right"
    }

    private func moveByKey(_ key: String, _ modifiers: Modifiers) -> Bool {
        let small = modifiers.contains(.shift)
        switch key {
        case "Left": skip(small ? -1 : -10)
        case "Right": skip(small ? 1 : 10)
        case "Down", "Page_Down": skip(-60)
        case "Up", "Page_Up": skip(60)
        case "Home": waveform.handle(.jump(0))
        case "End": waveform.handle(.jump(waveform.interaction.viewport.lastTime))
        default: return false
        }
        return true
    }

    private func setMuted(_ isMuted: Bool) {
        if isMuted { saved.volume = Double(player.streamer.volume) }
        let volume = isMuted ? 0 : max(saved.volume, 0.05)
        widgets.get("volumeAdjustment", Object.self).set("value", .double(volume * 100))
    }

    /// Goes to a chapter's start.
    func goToChapter(forward: Bool) {
        let time = waveform.position
        let chapter = forward ? chapters.next(after: time) : chapters.previous(before: time)
        if let chapter { waveform.handle(.jump(chapter.start)) }
    }

    func connectDrops() {
        let page = widgets.get("dropPage")
        window.onDrop(
            hover: { page.isVisible = $0 },
            { [weak self] texts in
                page.isVisible = false
                self?.open(texts.compactMap(InputList.url))
            }
        )
        widgets.get("queuePane").onDrop(hover: { _ in }) { [weak self] texts in
            self?.open(texts.compactMap(InputList.url), adds: true)
        }
    }
}
