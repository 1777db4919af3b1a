import AVFAudio
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPlayback

/// The window of a podcast's settings, where each change is kept at once.
@MainActor
final class ShowSettingsWindow {
    /// The presets of the equalizer.
    static let presets = EqualizerPreset.all.map { ShowSettingsForm.Preset(identifier: $0.identifier, name: $0.name) }

    private var form: ShowSettingsForm
    private let widgets: Builder
    private let didChange: (ShowSettings) -> Void
    private let didClose: () -> Void
    /// Whether controls are being brought to what the form says, which is no change by the listener.
    private var isShowing = false

    /// Shows the window.
    /// - Parameters:
    ///   - form: The settings.
    ///   - title: The title of the podcast.
    ///   - parent: The window in front of which it is shown.
    ///   - didChange: Gets the settings when one has been changed.
    ///   - didClose: Called when the window has been closed.
    init(
        _ form: ShowSettingsForm,
        title: String,
        parent: Window,
        didChange: @escaping (ShowSettings) -> Void,
        didClose: @escaping () -> Void
    ) {
        (self.form, self.didChange, self.didClose) = (form, didChange, didClose)
        widgets = Builder(ShowSettingsDescription.content(form))
        let window = widgets.get("window", Window.self)
        window.setTitle(title)
        widgets.get("sound").set("description", .string("In force while episodes of “\(title)” play.".escapedMarkup))
        for setting in ShowSetting.allCases { connect(setting) }
        show()
        window.on("close-request") { [weak self] _ in self?.didClose() }
        window.setParent(parent)
        window.present()
    }

    private func connect(_ setting: ShowSetting) {
        let control = widgets.get(setting.rawValue)
        control.setAccessibleLabel(setting.title)
        let signal: (name: String, object: Object)
        switch form.control(setting) {
        case .number, .scale:
            signal = ("value-changed", widgets.get("\(setting.rawValue)Adjustment", Object.self))
        case .toggle: signal = ("notify::active", control)
        case .choice(let names):
            control.setItems(names)
            control.setAccessibleLabelOfButtons(setting.title)
            signal = ("notify::selected", control)
        }
        signal.object.on(signal.name) { [weak self] _ in self?.changed(setting) }
        let reset = widgets.get("\(setting.rawValue)Reset")
        reset.setAccessibleLabel("\(setting.title) as Usual")
        reset.on("clicked") { [weak self] _ in self?.set(setting, to: nil) }
    }

    private func changed(_ setting: ShowSetting) {
        guard !isShowing else { return }
        let control = widgets.get(setting.rawValue)
        switch form.control(setting) {
        case .number, .scale:
            set(setting, to: widgets.get("\(setting.rawValue)Adjustment", Object.self).double("value"))
        case .toggle: set(setting, to: control.bool("active") ? 1 : 0)
        case .choice: set(setting, to: Double(control.int("selected")))
        }
    }

    private func set(_ setting: ShowSetting, to value: Double?) {
        form.set(setting, to: value)
        show()
        didChange(form.settings)
    }

    private func show() {
        isShowing = true
        defer { isShowing = false }
        for setting in ShowSetting.allCases {
            let (control, value) = (widgets.get(setting.rawValue), form.value(setting))
            switch form.control(setting) {
            case .number: widgets.get("\(setting.rawValue)Adjustment", Object.self).set("value", .double(value))
            case .scale:
                widgets.get("\(setting.rawValue)Adjustment", Object.self).set("value", .double(value))
                control.setAccessibleValueText(SliderScale.balanceText(value))
            case .toggle: control.set("active", .bool(value != 0))
            // Bounded: the place of a choice.
            case .choice: control.set("selected", .int(Int(value)))
            }
            let isSet = form.isSet(setting)
            widgets.get("\(setting.rawValue)Row").set("subtitle", .string(isSet ? "" : "As usual"))
            let reset = widgets.get("\(setting.rawValue)Reset")
            // It keeps its place, so that nothing moves beneath the pointer.
            reset.isSensitive = isSet
            reset.set("opacity", .double(isSet ? 1 : 0))
        }
    }
}

/// The widgets of the window of a podcast's settings, in GTK's XML.
private enum ShowSettingsDescription {
    static func content(_ form: ShowSettingsForm) -> String {
        """
        <interface>
          <object class="AdwPreferencesWindow" id="window">
            <property name="search-enabled">False</property>
            <property name="default-width">480</property>
            <property name="default-height">600</property>
            <child>
              <object class="AdwPreferencesPage">
                <child>\(group("sound", "Sound", "", ShowSetting.sound, form))</child>
                <child>\(group("skips", "Skips", "In seconds.", ShowSetting.skips, form))</child>
              </object>
            </child>
          </object>
        </interface>
        """
    }

    private static func group(
        _ id: String,
        _ title: String,
        _ description: String,
        _ settings: [ShowSetting],
        _ form: ShowSettingsForm
    ) -> String {
        """
        <object class="AdwPreferencesGroup" id="\(id)">
          <property name="title">\(title)</property><property name="description">\(description)</property>
          \(settings.map { "<child>\(row($0, form))</child>" }.joined())
        </object>
        """
    }

    private static func row(_ setting: ShowSetting, _ form: ShowSettingsForm) -> String {
        """
        <object class="AdwActionRow" id="\(setting.rawValue)Row">
          <property name="title">\(setting.title)</property>
          <property name="activatable">False</property>
          <child type="suffix">\(control(setting.rawValue, form.control(setting)))</child>
          <child type="suffix">
            <object class="GtkButton" id="\(setting.rawValue)Reset">
              <property name="icon-name">edit-undo-symbolic</property>
              <property name="tooltip-text">As Usual</property>
              <property name="valign">center</property>
              <style><class name="flat"/><class name="circular"/></style>
            </object>
          </child>
        </object>
        """
    }

    private static func control(_ id: String, _ control: ShowSetting.Control) -> String {
        switch control {
        case .number(let bounds):
            """
            <object class="GtkSpinButton" id="\(id)">
              <property name="valign">center</property>
              <property name="numeric">True</property>
              <property name="digits">\(bounds.digits)</property>
              <property name="width-chars">4</property>
              \(adjustment(id, bounds))
            </object>
            """
        case .scale(let bounds):
            """
            <object class="GtkScale" id="\(id)">
              <property name="width-request">130</property>
              <property name="valign">center</property>
              <property name="has-origin">False</property>
              \(adjustment(id, bounds))
              <marks><mark value="0" position="bottom"/></marks>
            </object>
            """
        case .toggle: "<object class=\"GtkSwitch\" id=\"\(id)\"><property name=\"valign\">center</property></object>"
        case .choice: "<object class=\"GtkDropDown\" id=\"\(id)\"><property name=\"valign\">center</property></object>"
        }
    }

    private static func adjustment(_ id: String, _ bounds: ShowSetting.Bounds) -> String {
        """
        <property name="adjustment"><object class="GtkAdjustment" id="\(id)Adjustment">
          <property name="lower">\(bounds.lower)</property><property name="upper">\(bounds.upper)</property>
          <property name="step-increment">\(bounds.step)</property>
          <property name="page-increment">\(bounds.step * 2)</property>
        </object></property>
        """
    }
}
