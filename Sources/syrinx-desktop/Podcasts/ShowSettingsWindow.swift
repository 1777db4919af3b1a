import AVFAudio
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPlayback

/// The window of a podcast's settings, which saves each change immediately.
@MainActor
final class ShowSettingsWindow {
    /// The presets of the equalizer.
    static let presets = EqualizerPreset.all.map { ShowSettingsForm.Preset(identifier: $0.identifier, name: $0.name) }

    private var form: ShowSettingsForm
    private let rows: [ShowSetting: SettingRow]
    private let didChange: (ShowSettings) -> Void
    private let didClose: () -> Void
    /// Whether the controls are being updated from the form, so that their changes are not the user's.
    private var isShowing = false

    /// Shows the window.
    /// - Parameters:
    ///   - form: The settings.
    ///   - title: The title of the podcast.
    ///   - parent: The window in front of which it is shown.
    ///   - didChange: Receives the settings when one has been changed.
    ///   - didClose: Called when the window has been closed.
    init(
        _ form: ShowSettingsForm,
        title: String,
        parent: Window,
        didChange: @escaping (ShowSettings) -> Void,
        didClose: @escaping () -> Void
    ) {
        (self.form, self.didChange, self.didClose) = (form, didChange, didClose)
        let description = Builder(ShowSettingsDescription.content(form))
        let window = description.get("window", Window.self)
        rows = SettingRow.all(description, form)
        window.setTitle(title)
        let subtitle = "In force while episodes of “\(title)” play."
        description.get("sound").set("description", .string(subtitle.escapedMarkup))
        for (setting, row) in rows { connect(setting, row) }
        show()
        window.on("close-request") { [weak self] _ in self?.didClose() }
        window.setParent(parent)
        window.present()
    }

    private func connect(_ setting: ShowSetting, _ row: SettingRow) {
        row.control.setAccessibleLabel(setting.title)
        let signal =
            switch form.control(setting) {
            case .number, .scale: "value-changed"
            case .toggle: "notify::active"
            case .choice: "notify::selected"
            }
        if case .choice(let names) = form.control(setting) {
            row.control.setItems(names)
            row.control.setAccessibleLabelOfButtons(setting.title)
        }
        row.value.observe(signal) { [weak self] in self?.changed(setting, $0) }
        row.reset.setAccessibleLabel("\(setting.title) as Usual")
        row.reset.on("clicked") { [weak self] _ in self?.set(setting, to: nil) }
    }

    private func changed(_ setting: ShowSetting, _ value: Object) {
        guard !isShowing else { return }
        switch form.control(setting) {
        case .number, .scale: set(setting, to: value.double("value"))
        case .toggle: set(setting, to: value.bool("active") ? 1 : 0)
        case .choice: set(setting, to: Double(value.int("selected")))
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
        for (setting, row) in rows {
            let value = form.value(setting)
            switch form.control(setting) {
            case .number: row.value.set("value", .double(value))
            case .scale:
                row.value.set("value", .double(value))
                row.control.setAccessibleValueText(SliderScale.balanceText(value))
            case .toggle: row.value.set("active", .bool(value != 0))
            // Bounded: the place of a choice.
            case .choice: row.value.set("selected", .int(Int(value)))
            }
            let isSet = form.isSet(setting)
            row.row.set("subtitle", .string(isSet ? "" : "As usual"))
            // It keeps its place, so that nothing moves beneath the pointer.
            row.reset.isSensitive = isSet
            row.reset.set("opacity", .double(isSet ? 1 : 0))
        }
    }
}

/// The widgets of the row of a setting.
@MainActor
private struct SettingRow {
    let row: Widget
    let control: Widget
    /// The object that has the value: the adjustment of a number, else the control.
    let value: Object
    /// The button that makes the value the usual one.
    let reset: Widget

    /// Looks up the rows of all settings.
    static func all(_ description: Builder, _ form: ShowSettingsForm) -> [ShowSetting: SettingRow] {
        var rows: [ShowSetting: SettingRow] = [:]
        for setting in ShowSetting.allCases { rows[setting] = SettingRow(description, setting, form.control(setting)) }
        return rows
    }

    private init(_ description: Builder, _ setting: ShowSetting, _ kind: ShowSetting.Control) {
        let name = setting.rawValue
        row = description.get("\(name)Row")
        control = description.get(name)
        reset = description.get("\(name)Reset")
        switch kind {
        case .number, .scale: value = description.get("\(name)Adjustment", Object.self)
        case .toggle, .choice: value = control
        }
    }
}

/// The widgets of the window of a podcast's settings, in GTK's XML.
private enum ShowSettingsDescription {
    static func content(_ form: ShowSettingsForm) -> String {
        """
        <interface>
          <object class="AdwPreferencesWindow" id="window">
            <property name="search-enabled">False</property><property name="default-width">480</property>
            <property name="default-height">600</property>
            <child><object class="AdwPreferencesPage">
              <child>\(group("sound", "Sound", "", ShowSetting.sound, form))</child>
              <child>\(group("skips", "Skips", "In seconds.", ShowSetting.skips, form))</child>
            </object></child>
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
          <child type="suffix"><object class="GtkButton" id="\(setting.rawValue)Reset">
            <property name="icon-name">edit-undo-symbolic</property>
            <property name="tooltip-text">As Usual</property><property name="valign">center</property>
            <style><class name="flat"/><class name="circular"/></style>
          </object></child>
        </object>
        """
    }

    private static func control(_ id: String, _ control: ShowSetting.Control) -> String {
        switch control {
        case .number(let bounds):
            """
            <object class="GtkSpinButton" id="\(id)">
              <property name="valign">center</property><property name="numeric">True</property>
              <property name="digits">\(bounds.digits)</property>
              <property name="width-chars">4</property>
              \(adjustment(id, bounds))
            </object>
            """
        case .scale(let bounds):
            """
            <object class="GtkScale" id="\(id)">
              <property name="width-request">130</property><property name="valign">center</property>
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
