import SyrinxGTK

/// The row that names the podcast, folder or recording whose settings are kept, with the button that forgets them.
@MainActor
struct KeptSettingsRow {
    private let row: Widget
    private let label: Widget

    /// Looks the widgets up.
    init(_ description: Builder) { (row, label) = (description.get("keptRow"), description.get("keptLabel")) }

    /// Shows a name; `nil` hides the row.
    func show(_ name: String?) {
        row.isVisible = name != nil
        label.set("label", .string(name.map { "Kept for “\($0)”" } ?? ""))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox" id="keptRow">
          <property name="spacing">12</property><property name="visible">False</property>
          <child><object class="GtkLabel" id="keptLabel">
            <property name="xalign">0</property><property name="hexpand">True</property>
            <property name="ellipsize">middle</property><style><class name="dim-label"/></style>
          </object></child>
          <child><object class="GtkButton" id="forgetSettings">
            <property name="label">_Forget</property><property name="use-underline">True</property>
            <property name="action-name">win.forget-settings</property>
            <property name="tooltip-text">Forget the Settings Kept Here</property>
          </object></child>
        </object>
        """
}
