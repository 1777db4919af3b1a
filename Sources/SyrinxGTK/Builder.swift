import CSyrinxGTK

/// Creates widgets from a description in GTK's XML.
@MainActor
package final class Builder {
    private let builder: Object

    /// Creates the widgets.
    ///
    /// An invalid description terminates the program, because it is a programming error.
    package init(_ xml: String) {
        guard let raw = gtk_builder_new() else { fatalError("GTK made no builder") }
        builder = Object(owned: UnsafeMutableRawPointer(raw))
        var error: UnsafeMutablePointer<GError>?
        if gtk_builder_add_from_string(builder.opaque, xml, -1, &error) == 0 {
            let message = error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no reason given"
            fatalError("The description of the window is wrong: \(message)")
        }
    }

    /// Returns an object by its identifier.
    ///
    /// Its class is that of the context, else ``Object``.
    /// A missing object, or one of another class, terminates the program, because it is a programming error.
    package func get<T: Object>(_ id: String, _ type: T.Type = T.self) -> T {
        guard let found = gtk_builder_get_object(builder.opaque, id) else {
            fatalError("The description of the window has no object “\(id)”")
        }
        let object = T(UnsafeMutableRawPointer(found))
        guard g_type_check_instance_is_a(object.pointer(), T.kind) != 0 else {
            let name = g_type_name_from_instance(object.pointer()).map { String(cString: $0) } ?? ""
            fatalError("The object “\(id)” of the description is a \(name), not a \(T.self)")
        }
        return object
    }
}

extension String {
    /// The text escaped for use in markup.
    package var escapedMarkup: String {
        guard let text = g_markup_escape_text(self, -1) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

extension Widget {
    /// Appends a widget to a `GtkBox`.
    package func append(_ child: Widget) { gtk_box_append(pointer(), child.widget) }

    /// Adds a widget on top of a `GtkOverlay`.
    package func addOverlay(_ child: Widget) { gtk_overlay_add_overlay(opaque, child.widget) }

    /// Sets the child of a button or a bin, or the main child of an overlay.
    package func setChild(_ child: Widget?) { set("child", .object(child)) }

    /// Shows a toast in an `AdwToastOverlay`.
    /// - Parameters:
    ///   - text: The message, as plain text.
    ///   - seconds: The time for which it is shown.
    package func addToast(_ text: String, seconds: Int = 5) {
        let toast = adw_toast_new(text.escapedMarkup)
        adw_toast_set_timeout(toast, guint(clamping: seconds))
        adw_toast_overlay_add_toast(opaque, toast)
    }

    /// Handles clicks on links in the markup of a `GtkLabel`.
    /// - Parameter handler: Receives the target. If it returns false and the target is a web address, the desktop opens
    ///   it.
    package func followTargets(_ handler: @escaping @MainActor (String) -> Bool) {
        connect("activate-link") { arguments in
            let target = arguments.string(0) ?? ""
            return handler(target) || !(target.hasPrefix("https://") || target.hasPrefix("http://"))
        }
    }

    /// Sets the items of a `GtkDropDown`.
    package func setItems(_ texts: [String]) {
        var pointers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer(strdup($0)) } + [nil]
        defer { pointers.forEach { g_free(UnsafeMutableRawPointer(mutating: $0)) } }
        guard let raw = gtk_string_list_new(&pointers) else { return }
        let list = Object(owned: UnsafeMutableRawPointer(raw))
        gtk_drop_down_set_model(opaque, list.opaque)
    }

    /// Makes a `GtkSpinner` spin only while it is visible.
    ///
    /// A spinner on a hidden page would cause the preparation of a frame sixty times a second.
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

/// A menu model.
@MainActor
package final class Menu: Object {
    override class var kind: GType { g_menu_get_type() }

    /// Replaces the items.
    /// - Parameter items: The labels, and the full names of their actions.
    package func setItems(_ items: [(label: String, action: String)]) {
        g_menu_remove_all(opaque)
        for item in items {
            // An underscore would mark a mnemonic.
            let label = item.label.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
            g_menu_append(opaque, label, item.action)
        }
    }
}

/// A `GtkListBox`.
@MainActor
package final class ListBox: Widget {
    override class var kind: GType { gtk_list_box_get_type() }

    /// Appends a row.
    package func appendRow(_ row: Widget) { gtk_list_box_append(opaque, row.widget) }
    /// Inserts a row before the one at an index.
    package func insertRow(_ row: Widget, at index: Int) {
        gtk_list_box_insert(opaque, row.widget, gint(clamping: index))
    }

    /// Returns the index of the row at `y`, in logical pixels from the top; `nil` if there is none.
    package func index(atY y: Double) -> Int? {
        guard y.isFinite, abs(y) < 1e9, let row = gtk_list_box_get_row_at_y(opaque, gint(y)) else { return nil }
        return Int(gtk_list_box_row_get_index(row))
    }
    package func remove(_ row: Widget) { gtk_list_box_remove(opaque, row.widget) }
    /// Selects a row; `nil` clears the selection.
    package func select(_ row: Widget?) { gtk_list_box_select_row(opaque, row.map { $0.pointer() }) }
    /// Returns the index of a row; `nil` if it does not belong to this list.
    package func index(of row: Object) -> Int? {
        let index = gtk_list_box_row_get_index(row.pointer())
        return index < 0 ? nil : Int(index)
    }
    /// Calls `handler` with the index of an activated row.
    package func onActivate(_ handler: @escaping @MainActor (Int) -> Void) {
        on("row-activated") { arguments in
            guard let row = arguments.object(0, Object.self) else { return }
            let index = gtk_list_box_row_get_index(row.pointer())
            if index >= 0 { handler(Int(index)) }
        }
    }
}

/// Styles that apply to all windows.
@MainActor
package enum Style {
    /// The permanent style rules.
    private static var lasting: [StyleRules] = []

    /// Adds permanent rules to the style sheet.
    package static func add(_ css: String) {
        let rules = StyleRules()
        rules.set(css)
        lasting.append(rules)
    }

    /// Adds a folder to the icon search path.
    package static func addIcons(_ folder: String) {
        guard let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), folder)
    }

    /// Whether the dark appearance is active.
    package static var isDark: Bool { adw_style_manager_get_dark(adw_style_manager_get_default()) != 0 }

    /// Calls `handler` when the appearance changes between light and dark, or the contrast changes.
    /// - Returns: The signal connections, which last until they are disconnected.
    package static func onChange(_ handler: @escaping @MainActor () -> Void) -> [SignalConnection] {
        guard let raw = adw_style_manager_get_default() else { return [] }
        let manager = Object(UnsafeMutableRawPointer(raw))
        return ["dark", "high-contrast"].map { manager.on("notify::\($0)") { _ in handler() } }
    }
}
