import SyrinxGTK

/// A dialog that asks for one line of text.
@MainActor
struct TextPrompt {
    /// The title of the dialog, and the sentence below it if there is one.
    var heading: String
    var body = ""
    /// The name of the entry for screen readers.
    var label: String
    /// The text that is proposed.
    var text = ""
    /// The title of the button, with the letter of its key behind `_`.
    var action: String
    /// Further properties of the entry, in GTK's XML.
    var entry = ""

    /// Shows the dialog.
    /// - Parameters:
    ///   - window: The window that the dialog belongs to.
    ///   - onText: Receives the text if the listener presses the button.
    func ask(_ window: Window, _ onText: @escaping @MainActor (String) -> Void) {
        let builder = Builder(
            """
            <interface><object class="AdwMessageDialog" id="dialog">
            <property name="extra-child"><object class="GtkEntry" id="entry">
            <property name="activates-default">True</property>
            \(entry)
            <accessibility><property name="label">\(label)</property></accessibility>
              </object></property>
              <responses>
                <response id="cancel">_Cancel</response>
                <response id="done" appearance="suggested">\(action)</response>
              </responses>
              <property name="default-response">done</property><property name="close-response">cancel</property>
            </object></interface>
            """
        )
        let (dialog, entry) = (builder.get("dialog", Window.self), builder.get("entry", Widget.self))
        dialog.set("heading", .string(heading))
        dialog.set("body", .string(body))
        dialog.setParent(window)
        dialog.on("response") { arguments in
            if arguments.string(0) == "done" { onText(entry.string("text")) }
        }
        entry.set("text", .string(text))
        dialog.present()
        entry.grabFocus()
    }
}
