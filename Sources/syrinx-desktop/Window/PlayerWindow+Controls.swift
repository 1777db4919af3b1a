import AVFAudio
import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    func connectControls() {
        let rateAdjustment = widgets.get("rateAdjustment", Object.self)
        sliderChanges["rate"] = rateAdjustment.observe("value-changed") { [weak self] adjustment in
            let value = adjustment.double("value")
            let stepped = SliderScale.rate.stepped(value)
            if stepped != value { adjustment.set("value", .double(stepped)) } else { self?.setRate(value) }
        }
        let pitchAdjustment = widgets.get("pitchAdjustment", Object.self)
        sliderChanges["pitch"] = pitchAdjustment.observe("value-changed") { [weak self] adjustment in
            let value = adjustment.double("value")
            let stepped = value.rounded()
            if stepped != value { adjustment.set("value", .double(stepped)) } else { self?.setPitch(value * 100) }
        }
        let volumeAdjustment = widgets.get("volumeAdjustment", Object.self)
        volumeAdjustment.observe("value-changed") { [weak self] in self?.setVolume($0.double("value") / 100) }
        resetOnDoubleClick("rate", rateAdjustment, 1)
        resetOnDoubleClick("pitch", pitchAdjustment, 0)
        resetOnDoubleClick("volume", volumeAdjustment, 100)
        connectSound()
        widgets.get("openButton").setAccessibleLabelOfButtons("More Ways to Open")
        showSkipIntervals()
        setRate(1)
        setPitch(0)
        volumeAdjustment.set("value", .double(saved.volume * 100))
        setVolume(saved.volume)
        widgets.get("flap").set("reveal-flap", .bool(saved.showsQueue))
        window.onKey { [weak self] in self?.handleKey($0, $1, $2) ?? false }
        widgets.get("queueList", ListBox.self).onActivate { [weak self] in self?.go(to: $0) }
        widgets.get("chapterList", ListBox.self).onActivate { [weak self] index in
            guard let self, self.chapters.chapters.indices.contains(index) else { return }
            self.waveform.handle(.jump(self.chapters.chapters[index].start))
        }
    }

    /// The slider jumps to the pointer at each press; it is reset after that.
    func resetOnDoubleClick(_ name: String, _ adjustment: Object, _ value: Double) {
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
        showSlider("rate", rate)
        let text = SliderScale.rateText(rate)
        widgets.get("rateValue").set("label", .string(text))
        widgets.get("rate").setAccessibleValueText(text)
        showTimes(isForced: true)
        report()
    }

    /// Shows a value on a slider.
    private func showSlider(_ name: String, _ value: Double) {
        // Else a value that the slider does not have would be replaced by the nearest that it has.
        sliderChanges[name]?.blocked { widgets.get("\(name)Adjustment", Object.self).set("value", .double(value)) }
    }

    /// Sets the pitch in cents, −2400…2400.
    func setPitch(_ value: Double) {
        guard value.isFinite else { return }
        let cents = min(max(value, -2400), 2400)
        player.streamer.pitch = Float(cents)
        showSlider("pitch", cents / 100)
        let text = SliderScale.pitchText(cents)
        widgets.get("pitchValue").set("label", .string(text.split(separator: " ").first.map(String.init) ?? text))
        widgets.get("pitch").setAccessibleValueText(text)
        report()
    }

    func setVolume(_ volume: Double) {
        if volume > 0 { self.volume = volume }
        player.streamer.volume = Float(volume)
        // Bounded: the volume is 0…1.
        let text = "\(Int((min(max(volume, 0), 1) * 100).rounded())) %"
        widgets.get("volumeValue").set("label", .string(text))
        widgets.get("volume").setAccessibleValueText(text)
        report()
    }
}
