extension WindowDescription {
    /// The window of shortcuts.
    static let help = """
        <interface>
          <object class="GtkShortcutsWindow" id="help">
            <property name="modal">True</property>
            <child>
              <object class="GtkShortcutsSection">
                <property name="section-name">shortcuts</property>
                <property name="max-height">12</property>
                \(group("Playing", playing))
                \(group("Waveform", waveform))
                \(group("Sound", sound))
                \(group("Window", general))
              </object>
            </child>
          </object>
        </interface>
        """

    private static let playing = [
        ("space", "Play or pause"), ("Left Right", "Back or forward 10 seconds"),
        ("&lt;Shift&gt;Left &lt;Shift&gt;Right", "Back or forward 1 second"),
        ("Down Up", "Back or forward a minute"), ("Home End", "To the start or the end"),
        ("comma period", "Previous or next chapter"), ("p n", "Previous or next recording"),
    ]
    private static let waveform = [
        ("&lt;Primary&gt;plus &lt;Primary&gt;minus", "Zoom in or out"),
        ("&lt;Primary&gt;0", "Show the whole recording"),
    ]
    private static let sound = [
        ("bracketleft bracketright", "Slower or faster"), ("BackSpace", "Usual speed and pitch"),
        ("minus plus", "Softer or louder"), ("m", "Mute"),
    ]
    private static let general = [
        ("&lt;Primary&gt;o", "Open files"), ("&lt;Primary&gt;&lt;Shift&gt;o", "Open a folder"),
        ("&lt;Primary&gt;l", "Open an address"), ("&lt;Primary&gt;v", "Open the address in the clipboard"),
        ("F9", "Show the queue"), ("F11", "Full screen"), ("&lt;Primary&gt;w", "Close the window"),
        ("&lt;Primary&gt;q", "Quit"), ("&lt;Primary&gt;question", "Show these shortcuts"),
    ]

    private static func group(_ title: String, _ shortcuts: [(keys: String, text: String)]) -> String {
        let rows = shortcuts.map { keys, text in
            """
            <child><object class="GtkShortcutsShortcut">
              <property name="accelerator">\(keys)</property><property name="title">\(text)</property>
            </object></child>
            """
        }
        return """
            <child><object class="GtkShortcutsGroup"><property name="title">\(title)</property>
            \(rows.joined(separator: "\n"))
            </object></child>
            """
    }
}
