import AVFAudio
import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxStreaming

/// The controls of rate, pitch, volume, tone and effects: it shows the player's settings, and turns changes into commands.
@MainActor
final class SoundPane {
    /// Receives the listener's changes.
    var onRequest: (ListeningRequest) -> Void = { _ in }
    /// The effects of the window, which are no settings of the player.
    let rack: EffectRack
    private let widgets: Builder
    private let equalizerView: EqualizerView
    private let (rate, pitch, volume): (LabeledSlider, LabeledSlider, LabeledSlider)
    private let (smartSpeed, voiceBoost): (Widget, Widget)
    private let (mono, balance, balanceAdjustment): (Widget, Widget, Object)
    private let (equalizer, output): (Widget, Widget)
    /// The outputs of the system, and those that the control has.
    private lazy var outputs = OutputList { [weak self] in
        DispatchQueue.main.async { MainActor.assumeIsolated { self?.showOutputs() } }
    }
    private var shownOutputs: [OutputEntry] = []
    /// The name of the output that plays.
    private var outputName = PlayerOutput.automatic
    /// The bands of the equalizer as they were dragged last.
    private var customBands: [EqualizerBand] = []
    private var settings = SoundSettings()
    /// Whether the controls change because the pane shows settings, and not by the listener.
    private var isShowing = false

    /// Connects the controls of a window.
    init(_ widgets: Builder, _ rack: EffectRack) {
        (self.widgets, self.rack) = (widgets, rack)
        equalizerView = EqualizerView(widgets.get("equalizerCurve"))
        rate = LabeledSlider(widgets, "rate")
        pitch = LabeledSlider(widgets, "pitch")
        volume = LabeledSlider(widgets, "volume")
        (smartSpeed, voiceBoost) = (widgets.get("smartSpeed"), widgets.get("voiceBoost"))
        (mono, balance) = (widgets.get("mono"), widgets.get("balance"))
        balanceAdjustment = widgets.get("balanceAdjustment", Object.self)
        (equalizer, output) = (widgets.get("equalizer"), widgets.get("output"))
        connectSliders()
        connectChoices()
        connectEffects()
        connectOutputs()
        equalizerView.setBands(EffectRack.bands(of: .flat))
    }

    /// Shows the settings of the player.
    func show(_ new: SoundSettings) {
        let isEqualizerNew = new.tone.equalizer != settings.tone.equalizer
        settings = new
        isShowing = true
        defer { isShowing = false }
        rate.show(new.rate, text: SliderScale.rateText(new.rate))
        let pitchText = SliderScale.pitchText(new.pitch)
        pitch.show(new.pitch / 100, text: pitchText, shown: pitchText.split(separator: " ").first.map(String.init))
        // Bounded: the gain is 0…1.
        volume.show(new.gain * 100, text: "\(Int((min(max(new.gain, 0), 1) * 100).rounded())) %")
        smartSpeed.set("selected", .int(SmartSpeed.allCases.firstIndex(of: new.adaptive.smartSpeed) ?? 0))
        voiceBoost.set("active", .bool(new.adaptive.boostsVoice))
        mono.set("active", .bool(new.tone.isMono))
        balanceAdjustment.set("value", .double(new.tone.balance))
        balance.setAccessibleValueText(SliderScale.balanceText(new.tone.balance))
        if isEqualizerNew { showEqualizer(new.tone.equalizer) }
    }

    private func showEqualizer(_ name: String) {
        let presets = EqualizerPreset.all
        let place = presets.firstIndex { $0.identifier == name }
        // The bands of the listener's own are behind the presets.
        equalizer.set("selected", .int(place ?? presets.count))
        let bands = place.map { EffectRack.bands(of: presets[$0]) } ?? customBands
        rack.setBands(bands)
        // The view keeps a drag that is under way, whose bands these are.
        if bands != equalizerView.bands { equalizerView.setBands(bands) }
    }

    // MARK: Rate, pitch and volume

    private func connectSliders() {
        rate.onChange { [weak self] in self?.command(.rate(.to(SliderScale.rate.stepped($0)))) }
        pitch.onChange { [weak self] in self?.command(.pitch(.to($0.rounded() * 100))) }
        volume.onChange { [weak self] in self?.command(.volume(.to($0 / 100))) }
        rate.onDoubleClick { [weak self] in self?.command(.rate(.to(1))) }
        pitch.onDoubleClick { [weak self] in self?.command(.pitch(.to(0))) }
        volume.onDoubleClick { [weak self] in self?.command(.volume(.to(1))) }
    }

    private func command(_ command: ListeningCommand) { send(.command(command)) }

    private func send(_ request: ListeningRequest) { if !isShowing { onRequest(request) } }

    // MARK: Smart speed, voice boost, tone

    private func connectChoices() {
        for (control, name) in [(smartSpeed, "Smart Speed"), (voiceBoost, "Voice Boost"), (equalizer, "Equalizer")] {
            control.setAccessibleLabel(name)
            control.setAccessibleLabelOfButtons(name)
        }
        mono.setAccessibleLabel("Mono")
        balance.setAccessibleLabel("Balance")
        let presets = EqualizerPreset.all
        equalizer.setItems(presets.map(\.name) + ["Custom"])
        smartSpeed.observe("notify::selected") { [weak self] choice in
            let index = choice.int("selected")
            guard SmartSpeed.allCases.indices.contains(index) else { return }
            self?.send(.setSmartSpeed(SmartSpeed.allCases[index]))
        }
        voiceBoost.observe("notify::active") { [weak self] choice in
            guard let self, choice.bool("active") != self.settings.adaptive.boostsVoice else { return }
            self.command(.voiceBoost)
        }
        mono.observe("notify::active") { [weak self] in self?.command(.mono($0.bool("active"))) }
        balanceAdjustment.observe("value-changed") { [weak self] in
            self?.command(.balance(.to($0.double("value"))))
        }
        whenDoubleClicked(balance) { [weak self] in self?.command(.balance(.to(0))) }
        equalizer.observe("notify::selected") { [weak self] choice in
            guard let self else { return }
            let index = choice.int("selected")
            if presets.indices.contains(index) {
                self.command(.equalizer(presets[index].identifier))
            } else if !self.customBands.isEmpty {
                self.send(.customEqualizer)
            }
        }
        equalizerView.onChange = { [weak self] bands in
            guard let self else { return }
            self.customBands = bands
            self.send(.customEqualizer)
            self.rack.setBands(bands)
        }
    }

    // MARK: The output

    private func connectOutputs() {
        output.setAccessibleLabel("Output")
        output.setAccessibleLabelOfButtons("Output")
        // The system is asked anew whenever the pane opens.
        widgets.get("soundPane").on("map") { [weak self] _ in self?.outputs.refresh() }
        output.observe("notify::selected") { [weak self] choice in
            guard let self else { return }
            let index = choice.int("selected")
            guard self.shownOutputs.indices.contains(index) else { return }
            let name = self.shownOutputs[index].name
            if name != self.outputName { self.command(.output(name)) }
        }
        showOutputs()
    }

    /// Shows the output that plays.
    func show(output name: String) {
        outputName = name
        showOutputs()
    }

    private func showOutputs() {
        var entries = outputs.entries
        // One without sound, or one that has gone.
        if !entries.contains(where: { $0.name == outputName }) {
            entries.append(OutputEntry(name: outputName, title: outputName))
        }
        isShowing = true
        defer { isShowing = false }
        if entries != shownOutputs {
            shownOutputs = entries
            output.setItems(entries.map { Self.shortened($0.title) })
        }
        output.set("selected", .int(entries.firstIndex { $0.name == outputName } ?? 0))
    }

    /// Returns a name that leaves room for the title of the row.
    private static func shortened(_ text: String) -> String { text.count > 30 ? text.prefix(29) + "…" : text }

    // MARK: Effects of the window

    private func connectEffects() {
        let rack = rack
        connect("compressor", "Compressor", EffectRack.compressors, amount: nil) { _ in }
        connect("echo", "Echo", EffectRack.echoes, amount: "echoMix") { rack.setEchoMix($0) }
        connect("reverb", "Reverb", EffectRack.reverbs, amount: "reverbMix") { rack.setReverbMix($0) }
        let effectsOn = widgets.get("effectsOn")
        effectsOn.setAccessibleLabel("All effects")
        effectsOn.observe("notify::active") { rack.isBypassed = !$0.bool("active") }
    }

    private func connect(
        _ id: String,
        _ name: String,
        _ choices: [EffectRack.Choice],
        amount: String?,
        _ setAmount: @escaping @MainActor (Double) -> Void
    ) {
        let (rack, dropDown) = (rack, widgets.get(id))
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

/// A slider with a label that shows its value.
@MainActor
private struct LabeledSlider {
    private let (slider, label): (Widget, Widget)
    private let adjustment: Object

    init(_ widgets: Builder, _ name: String) {
        (slider, label) = (widgets.get(name), widgets.get("\(name)Value"))
        adjustment = widgets.get("\(name)Adjustment", Object.self)
    }

    /// Shows a value; the slider shows the nearest that it has.
    /// - Parameters:
    ///   - value: The value, in the units of the slider.
    ///   - text: The value for a screen reader, and for the label unless `shown` is given.
    ///   - shown: The text of the label.
    func show(_ value: Double, text: String, shown: String? = nil) {
        adjustment.set("value", .double(value))
        label.set("label", .string(shown ?? text))
        slider.setAccessibleValueText(text)
    }

    func onChange(_ handler: @escaping @MainActor (Double) -> Void) {
        adjustment.observe("value-changed") { handler($0.double("value")) }
    }

    func onDoubleClick(_ handler: @escaping @MainActor () -> Void) { whenDoubleClicked(slider, handler) }
}

/// Calls a handler after a double click on a slider, which jumps to the pointer at each press.
@MainActor
private func whenDoubleClicked(_ slider: Widget, _ handler: @escaping @MainActor () -> Void) {
    slider.onPress(captures: true) { count in
        guard count == 2 else { return }
        repeatEvery(milliseconds: 150) {
            handler()
            return false
        }
    }
}
