import SyrinxGTK

/// A list of places of the recording with its heading, hidden until there are some.
@MainActor
struct PlaceListWidgets {
    let heading: Widget
    let list: ListBox

    /// Looks the widgets up.
    /// - Parameter id: The beginning of their identifiers.
    init(_ description: Builder, _ id: String) {
        (heading, list) = (description.get("\(id)Heading"), description.get("\(id)List"))
    }

    /// Lists rows in place of others.
    func replace(_ former: [Widget], with rows: [Widget]) {
        for row in former { list.remove(row) }
        for row in rows { list.appendRow(row) }
        list.isVisible = !rows.isEmpty
        heading.isVisible = !rows.isEmpty
    }

    /// Returns the widgets in GTK's XML.
    /// - Parameters:
    ///   - title: The heading.
    ///   - id: The beginning of their identifiers.
    nonisolated static func description(_ title: String, id: String) -> String {
        """
        <child><object class="GtkLabel" id="\(id)Heading">
          <property name="label">\(title)</property>
          <property name="xalign">0</property><property name="margin-start">12</property>
          <property name="margin-top">12</property><property name="visible">False</property>
          <style><class name="heading"/></style>
        </object></child>
        <child><object class="GtkListBox" id="\(id)List">
          <property name="selection-mode">none</property><property name="visible">False</property>
          <style><class name="navigation-sidebar"/></style>
          <accessibility><property name="label">\(title)</property></accessibility>
        </object></child>
        """
    }
}

/// A row of a list of places: its title and its time.
@MainActor
struct PlaceRow {
    let row: Widget

    /// Creates a row.
    /// - Parameters:
    ///   - title: The title.
    ///   - time: The text of the time.
    ///   - spoken: The name of the row for screen readers.
    init(_ title: String, _ time: String, spoken: String, buttons: [PlaceButton] = []) {
        let builder = Builder(Self.description(buttons))
        row = builder.get("row")
        builder.get("title").set("label", .string(title))
        builder.get("time").set("label", .string(time))
        row.tooltip = title
        row.setAccessibleLabel(spoken)
        for (index, button) in buttons.enumerated() {
            let widget = builder.get("button\(index)", Widget.self)
            widget.setAccessibleLabel("\(button.label) \(title)")
            widget.on("clicked") { _ in button.action() }
        }
    }

    private static func description(_ buttons: [PlaceButton]) -> String {
        """
        <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
        <property name="spacing">\(buttons.isEmpty ? 12 : 6)</property>
        <child><object class="GtkLabel" id="title">
        <property name="xalign">0</property><property name="hexpand">True</property>
        <property name="ellipsize">end</property><property name="single-line-mode">True</property>
          </object></child>
          <child><object class="GtkLabel" id="time">
          <style><class name="numeric"/><class name="dim-label"/></style>
          </object></child>
          \(buttons.enumerated().map { self.description($1, id: "button\($0)") }.joined())
        </object></property></object></interface>
        """
    }

    private static func description(_ button: PlaceButton, id: String) -> String {
        """
        <child><object class="GtkButton" id="\(id)">
        <property name="icon-name">\(button.icon)</property>
        <property name="tooltip-text">\(button.label)</property>
        <style><class name="flat"/></style>
        </object></child>
        """
    }
}

/// A button in a row of a list of places.
struct PlaceButton {
    /// The name of the icon.
    var icon: String
    /// The tooltip, to which the title of the place is added for screen readers.
    var label: String
    /// Called when the button is pressed.
    var action: @MainActor () -> Void
}
