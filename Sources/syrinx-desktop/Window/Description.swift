/// Parts of descriptions in GTK's XML that several pages have.
enum Description {
    /// Returns a page of a `GtkStack`.
    static func page(_ name: String, _ child: String) -> String {
        """
        <object class="GtkStackPage"><property name="name">\(name)</property><property name="child">\(child)</property></object>
        """
    }

    /// Returns the items of a menu.
    /// - Parameter items: Their labels, and the full names of their actions.
    static func items(_ items: [(label: String, action: String)]) -> String {
        items.map { label, action in
            """
            <item><attribute name="label">\(label)</attribute><attribute name="action">\(action)</attribute></item>
            """
        }
        .joined()
    }

    /// Returns a section of a menu.
    /// - Parameter items: The labels of its items, and the full names of their actions.
    static func section(_ items: (label: String, action: String)...) -> String {
        "<section>\(self.items(items))</section>"
    }
}
