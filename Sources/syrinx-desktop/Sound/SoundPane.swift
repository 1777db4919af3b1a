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
    private let widgets: SoundWidgets
    private let equalizerView: EqualizerView
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
    init(_ widgets: SoundWidgets, _ rack: EffectRack) {
        (self.widgets, self.rack) = (widgets, rack)
        equalizerView = EqualizerView(widgets.curve)
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
        widgets.rate.show(new.rate, text: SliderScale.rateText(new.rate))
        let pitch = SliderScale.pitchText(new.pitch)
        widgets.pitch.show(new.pitch / 100, text: pitch, shown: pitch.split(separator: " ").first.map(String.init))
        widgets.volume.show(new.gain * 100, text: SliderScale.volumeText(new.gain))
        widgets.smartSpeed.set("selected", .int(SmartSpeed.allCases.firstIndex(of: new.adaptive.smartSpeed) ?? 0))
        widgets.voiceBoost.set("active", .bool(new.adaptive.boostsVoice))
        widgets.normalize.set("active", .bool(new.adaptive.normalization != nil))
        widgets.effects.show(new.effects)
        widgets.mono.set("active", .bool(new.tone.isMono))
        widgets.balanceAdjustment.set("value", .double(new.tone.balance))
        widgets.balance.setAccessibleValueText(SliderScale.balanceText(new.tone.balance))
        if isEqualizerNew { showEqualizer(new.tone.equalizer) }
    }

    private func showEqualizer(_ name: String) {
        let presets = EqualizerPreset.all
        let place = presets.firstIndex { $0.identifier == name }
        // The bands of the listener's own are behind the presets.
        widgets.equalizer.set("selected", .int(place ?? presets.count))
        let bands = place.map { EffectRack.bands(of: presets[$0]) } ?? customBands
        rack.setBands(bands)
        // The view keeps a drag that is under way, whose bands these are.
        if bands != equalizerView.bands { equalizerView.setBands(bands) }
    }

    // MARK: Rate, pitch and volume

    private func connectSliders() {
        connect(widgets.rate, reset: .rate(.to(1))) { .rate(.to(SliderScale.rate.stepped($0))) }
        connect(widgets.pitch, reset: .pitch(.to(0))) { .pitch(.to($0.rounded() * 100)) }
        connect(widgets.volume, reset: .volume(.to(1))) { .volume(.to($0 / 100)) }
    }

    private func connect(
        _ slider: SliderWidgets,
        reset: ListeningCommand,
        _ change: @escaping @MainActor (Double) -> ListeningCommand
    ) {
        slider.adjustment.observe("value-changed") { [weak self] in self?.command(change($0.double("value"))) }
        whenDoubleClicked(slider.slider) { [weak self] in self?.command(reset) }
    }

    private func command(_ command: ListeningCommand) { send(.command(command)) }

    private func send(_ request: ListeningRequest) { if !isShowing { onRequest(request) } }

    // MARK: Smart speed, voice boost, tone

    private func connectChoices() {
        name(widgets.smartSpeed, "Smart Speed")
        name(widgets.equalizer, "Equalizer")
        widgets.voiceBoost.setAccessibleLabel("Voice Boost")
        widgets.normalize.setAccessibleLabel("Even Loudness")
        widgets.mono.setAccessibleLabel("Mono")
        widgets.balance.setAccessibleLabel("Balance")
        let presets = EqualizerPreset.all
        widgets.equalizer.setItems(presets.map(\.name) + ["Custom"])
        widgets.smartSpeed.observe("notify::selected") { [weak self] choice in
            let index = choice.int("selected")
            guard SmartSpeed.allCases.indices.contains(index) else { return }
            self?.send(.setSmartSpeed(SmartSpeed.allCases[index]))
        }
        widgets.voiceBoost.observe("notify::active") { [weak self] choice in
            guard let self, choice.bool("active") != self.settings.adaptive.boostsVoice else { return }
            self.command(.voiceBoost)
        }
        widgets.normalize.observe("notify::active") { [weak self] choice in
            guard let self, choice.bool("active") != (self.settings.adaptive.normalization != nil) else { return }
            self.command(.normalize)
        }
        widgets.effects.onCommand = { [weak self] in self?.command($0) }
        widgets.mono.observe("notify::active") { [weak self] in self?.command(.mono($0.bool("active"))) }
        widgets.balanceAdjustment.observe("value-changed") { [weak self] in
            self?.command(.balance(.to($0.double("value"))))
        }
        whenDoubleClicked(widgets.balance) { [weak self] in self?.command(.balance(.to(0))) }
        widgets.equalizer.observe("notify::selected") { [weak self] choice in
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

    /// Shows whose settings are kept; `nil` if none are.
    func show(keptFor name: String?) { widgets.kept.show(name) }

    // MARK: The output

    private func connectOutputs() {
        name(widgets.output, "Output")
        // The system is asked anew whenever the pane opens.
        widgets.pane.on("map") { [weak self] _ in self?.outputs.refresh() }
        widgets.output.observe("notify::selected") { [weak self] choice in
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
            widgets.output.setItems(entries.map { Self.shortened($0.title) })
        }
        widgets.output.set("selected", .int(entries.firstIndex { $0.name == outputName } ?? 0))
    }

    /// Returns a name that leaves room for the title of the row.
    private static func shortened(_ text: String) -> String { text.count > 30 ? text.prefix(29) + "…" : text }

    // MARK: Effects of the window

    private func connectEffects() {
        let rack = rack
        connect(widgets.compressor, "Compressor", EffectRack.compressors) { _ in }
        connect(widgets.echo, "Echo", EffectRack.echoes) { rack.setEchoMix($0) }
        connect(widgets.reverb, "Reverb", EffectRack.reverbs) { rack.setReverbMix($0) }
        widgets.effectsOn.setAccessibleLabel("All effects")
        widgets.effectsOn.observe("notify::active") { rack.isBypassed = !$0.bool("active") }
    }

    private func connect(
        _ effect: EffectWidgets,
        _ name: String,
        _ choices: [EffectRack.Choice],
        _ setAmount: @escaping @MainActor (Double) -> Void
    ) {
        effect.choice.setItems(choices.map(\.name))
        self.name(effect.choice, name)
        effect.choice.observe("notify::selected") { [rack, slider = effect.amount?.slider] choice in
            let index = choice.int("selected")
            guard choices.indices.contains(index) else { return }
            rack.load(choices[index])
            slider?.isVisible = index > 0
        }
        guard let amount = effect.amount else { return }
        amount.slider.setAccessibleLabel("\(name) amount")
        amount.adjustment.observe("value-changed") { setAmount($0.double("value")) }
        setAmount(amount.adjustment.double("value"))
    }

    /// Names a drop-down list for screen readers.
    private func name(_ choice: Widget, _ name: String) {
        choice.setAccessibleLabel(name)
        choice.setAccessibleLabelOfButtons(name)
    }
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
