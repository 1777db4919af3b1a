import SyrinxDesktopModel
import SyrinxListening

/// The window of shortcuts, in GTK's XML.
enum HelpDescription {
    /// Returns the description of the window.
    ///
    /// A part has two columns: where GTK needs a third, it adds buttons for pages, whose labels it warns of and which are off the screen.
    /// - Parameter settings: The keys and the skips.
    static func content(_ settings: FaceSettings) -> String {
        let groups = settings.bindings.groups(skips: settings.skips)
        func section(_ name: String, _ titles: String...) -> String {
            let shown = groups.filter { titles.contains($0.title) }
            return self.section(name, shown.map { group($0.title, $0.rows) }.joined(separator: "\n"))
        }
        return """
            <interface>
              <object class="GtkShortcutsWindow" id="help">
                <property name="modal">True</property>
                \(section("Playback", "Playback", "Order and Places"))
                \(section("Sound and Waveform", "Sound", "Waveform"))
                \(section("Pages and Windows", "Open", "Pages and Windows"))
                \(section("Lists", "Lists", "Queue", "Podcasts"))
              </object>
            </interface>
            """
    }

    private static func section(_ title: String, _ groups: String) -> String {
        """
        <child><object class="GtkShortcutsSection">
          <property name="section-name">\(title.lowercased())</property>
          <property name="title">\(title)</property>
          <property name="max-height">15</property>
          \(groups)
        </object></child>
        """
    }

    private static func group(_ title: String, _ rows: [(keys: [KeyName], meaning: String)]) -> String {
        """
        <child><object class="GtkShortcutsGroup"><property name="title">\(title)</property>
        \(rows.map { row($0.keys.map(\.accelerator).joined(separator: " "), $0.meaning) }.joined(separator: "\n"))
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
