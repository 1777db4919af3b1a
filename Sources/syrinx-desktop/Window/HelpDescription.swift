import SyrinxDesktopModel

extension WindowDescription {
    /// The window of shortcuts.
    ///
    /// A part has two columns: where GTK needs a third, it adds buttons for pages, whose labels it warns of and which are off the screen.
    static let help = """
        <interface>
          <object class="GtkShortcutsWindow" id="help">
            <property name="modal">True</property>
            \(section("playback", "Playback", groups(["Playback", "Chapters and Order"])))
            \(section("sound", "Sound and Waveform", groups(["Sound", "Waveform"])))
            \(section("window", "Window and Queue", groups(["General"]) + queueGroup))
          </object>
        </interface>
        """

    private static let queueGroup = group("Queue", rows: queueKeys.map { row($0.keys, $0.text) })

    private static func section(_ name: String, _ title: String, _ groups: String) -> String {
        """
        <child>
          <object class="GtkShortcutsSection">
            <property name="section-name">\(name)</property>
            <property name="title">\(title)</property>
            <property name="max-height">15</property>
            \(groups)
          </object>
        </child>
        """
    }

    private static func groups(_ titles: [String]) -> String {
        Shortcuts.groups.filter { titles.contains($0.title) }.map(group).joined(separator: "\n")
    }

    /// The keys of the queue's list, which only count there.
    private static let queueKeys = [
        ("<Shift>Up <Shift>Down", "Move the recording up or down"), ("Delete", "Take the recording out"),
        ("Menu <Shift>F10", "Menu of the recording"),
    ].map { (keys: $0.0, text: $0.1) }

    private static func group(_ group: Shortcuts.Group) -> String {
        self.group(
            group.title,
            rows: group.rows.map { row($0.keys.map(\.accelerator).joined(separator: " "), $0.title) }
        )
    }

    private static func group(_ title: String, rows: [String]) -> String {
        """
        <child><object class="GtkShortcutsGroup"><property name="title">\(title)</property>
        \(rows.joined(separator: "\n"))
        </object></child>
        """
    }

    private static func row(_ keys: String, _ text: String) -> String {
        let escaped = keys.map { $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
        return """
            <child><object class="GtkShortcutsShortcut">
              <property name="accelerator">\(escaped)</property><property name="title">\(text)</property>
            </object></child>
            """
    }
}
