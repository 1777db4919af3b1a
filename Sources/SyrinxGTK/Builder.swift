import CSyrinxGTK

/// Widgets from a description in GTK's XML.
@MainActor
package final class Builder {
    private let builder: Object

    /// Makes the widgets.
    ///
    /// A description that is wrong ends the program: it is a part of the program.
    package init(_ xml: String) {
        guard let raw = gtk_builder_new() else { fatalError("GTK made no builder") }
        builder = Object(owned: UnsafeMutableRawPointer(raw))
        var error: UnsafeMutablePointer<GError>?
        if gtk_builder_add_from_string(builder.opaque, xml, -1, &error) == 0 {
            let message = error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no reason given"
            fatalError("The description of the window is wrong: \(message)")
        }
    }

    /// Returns a widget by its identifier, which must exist.
    package func get(_ id: String) -> Widget { get(id, Widget.self) }

    /// Returns an object by its identifier, which must exist.
    package func get<T: Object>(_ id: String, _ type: T.Type = T.self) -> T {
        guard let object = gtk_builder_get_object(builder.opaque, id) else { fatalError("No object \(id)") }
        return T(UnsafeMutableRawPointer(object))
    }
}

extension String {
    /// The text as markup that shows it as it is.
    package var escapedMarkup: String {
        guard let text = g_markup_escape_text(self, -1) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

extension Widget {
    /// Adds a widget at the end of a `GtkBox`.
    package func append(_ child: Widget) { gtk_box_append(pointer(), child.widget) }

    /// Adds a widget over a `GtkOverlay`.
    package func addOverlay(_ child: Widget) { gtk_overlay_add_overlay(opaque, child.widget) }

    /// Sets the only child of a button, a bin or the main child of an overlay.
    package func setChild(_ child: Widget?) { set("child", .object(child)) }

    /// Shows a message over an `AdwToastOverlay`.
    /// - Parameters:
    ///   - text: The message; it is not markup.
    ///   - seconds: The time for which it is shown.
    package func addToast(_ text: String, seconds: Int = 5) {
        let toast = adw_toast_new(text.escapedMarkup)
        adw_toast_set_timeout(toast, guint(clamping: seconds))
        adw_toast_overlay_add_toast(opaque, toast)
    }

    /// Follows the links in the markup of a `GtkLabel`.
    /// - Parameter handler: Receives the target. If the handler returns false and the target is a web address, the desktop opens the target.
    package func followTargets(_ handler: @escaping @MainActor (String) -> Bool) {
        connect("activate-link") { arguments in
            let target = arguments.string(0) ?? ""
            return handler(target) || !(target.hasPrefix("https://") || target.hasPrefix("http://"))
        }
    }

    /// Sets the texts that a `GtkDropDown` offers.
    package func setItems(_ texts: [String]) {
        var pointers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer(strdup($0)) } + [nil]
        defer { pointers.forEach { g_free(UnsafeMutableRawPointer(mutating: $0)) } }
        guard let raw = gtk_string_list_new(&pointers) else { return }
        let list = Object(owned: UnsafeMutableRawPointer(raw))
        gtk_drop_down_set_model(opaque, list.opaque)
    }

    /// Makes a `GtkSpinner` turn while it is on the screen, and not longer.
    ///
    /// One that turns on a page that is hidden has a frame prepared sixty times a second, of which nothing is seen.
    package func turnsWhileMapped() {
        let spinner = opaque
        on("map") { _ in gtk_spinner_set_spinning(spinner, 1) }
        on("unmap") { _ in gtk_spinner_set_spinning(spinner, 0) }
    }

    /// Opens or closes the popover of a menu button.
    package func popUp(_ isOpen: Bool = true) {
        if isOpen { gtk_menu_button_popup(opaque) } else { gtk_menu_button_popdown(opaque) }
    }
}

/// A menu.
@MainActor
package final class Menu: Object {
    /// Replaces the entries.
    /// - Parameter items: The labels and the full names of the actions that they run.
    package func setItems(_ items: [(label: String, action: String)]) {
        g_menu_remove_all(opaque)
        for item in items {
            // An underline would be taken for a mnemonic.
            let label = item.label.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
            g_menu_append(opaque, label, item.action)
        }
    }
}

/// A list of rows.
@MainActor
package final class ListBox: Widget {
    /// Adds a row at the end.
    package func appendRow(_ row: Widget) { gtk_list_box_append(opaque, row.widget) }
    /// Adds a row before the one at an index.
    package func insertRow(_ row: Widget, at index: Int) {
        gtk_list_box_insert(opaque, row.widget, gint(clamping: index))
    }

    /// Returns the index of the row at a place, in logical pixels from the upper edge; `nil` if there is none.
    package func index(atY y: Double) -> Int? {
        guard y.isFinite, abs(y) < 1e9, let row = gtk_list_box_get_row_at_y(opaque, gint(y)) else { return nil }
        return Int(gtk_list_box_row_get_index(row))
    }
    /// Removes a row.
    package func remove(_ row: Widget) { gtk_list_box_remove(opaque, row.widget) }
    /// Selects a row, or none.
    package func select(_ row: Widget?) { gtk_list_box_select_row(opaque, row.map { $0.pointer() }) }
    /// Returns the number of a row; `nil` if the object is no row of this list.
    package func index(of row: Object) -> Int? {
        let index = gtk_list_box_row_get_index(row.pointer())
        return index < 0 ? nil : Int(index)
    }
    /// Calls `handler` with the number of the row that is activated.
    package func onActivate(_ handler: @escaping @MainActor (Int) -> Void) {
        on("row-activated") { arguments in
            guard let row = arguments.object(0, Object.self) else { return }
            let index = gtk_list_box_row_get_index(row.pointer())
            if index >= 0 { handler(Int(index)) }
        }
    }
}

/// The look of all windows.
@MainActor
package enum Style {
    /// The rules that stay in force.
    private static var lasting: [StyleRules] = []

    /// Adds rules to the style sheet.
    package static func add(_ css: String) {
        let rules = StyleRules()
        rules.set(css)
        lasting.append(rules)
    }

    /// Adds a folder in which icons are looked for.
    package static func addIcons(_ folder: String) {
        guard let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), folder)
    }

    /// Whether dark is in force.
    package static var isDark: Bool { adw_style_manager_get_dark(adw_style_manager_get_default()) != 0 }

    /// Calls `handler` when light turns to dark, or back, or the contrast changes.
    /// - Returns: The connections, which last until they are ended.
    package static func onChange(_ handler: @escaping @MainActor () -> Void) -> [SignalConnection] {
        guard let raw = adw_style_manager_get_default() else { return [] }
        let manager = Object(UnsafeMutableRawPointer(raw))
        return ["dark", "high-contrast"].map { manager.on("notify::\($0)") { _ in handler() } }
    }
}
