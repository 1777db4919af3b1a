import CSyrinxGTK

/// A menu that opens at a position in a widget, for example for a row, by a secondary click or a key.
@MainActor
package final class ContextMenu {
    private let menu: Menu
    private let popover: Widget
    private let parent: Widget

    /// Creates a menu without items.
    /// - Parameter parent: The `GtkBox` in which the menu opens, and which owns it.
    package init(in parent: Widget) {
        guard let menu = g_menu_new(), let popover = gtk_popover_menu_new_from_model(nil) else {
            fatalError("GTK made no menu")
        }
        (self.menu, self.popover) = (
            Menu(owned: UnsafeMutableRawPointer(menu)), Widget(UnsafeMutableRawPointer(popover))
        )
        self.parent = parent
        gtk_popover_set_has_arrow(self.popover.pointer(), 0)
        gtk_widget_set_halign(popover, GTK_ALIGN_START)
        gtk_widget_set_parent(popover, parent.widget)
        gtk_popover_menu_set_menu_model(self.popover.opaque, self.menu.pointer())
    }

    /// Opens the menu.
    /// - Parameters:
    ///   - items: The labels, and the full names of their actions.
    ///   - widget: A widget inside the parent.
    ///   - place: The position in logical pixels from the upper left corner of the widget; `nil` for the middle of its
    ///     lower
    ///     edge.
    package func open(
        _ items: [(label: String, action: String)],
        at widget: Widget,
        _ place: (x: Double, y: Double)? = nil
    ) {
        menu.setItems(items)
        let place = place ?? (widget.width / 2, widget.height - 4)
        var (origin, point) = (graphene_point_t(x: Float(place.x), y: Float(place.y)), graphene_point_t())
        guard gtk_widget_compute_point(widget.widget, parent.widget, &origin, &point) != 0 else { return }
        var rectangle = GdkRectangle(
            x: gint(clamping: Int(point.x)),
            y: gint(clamping: Int(point.y)),
            width: 1,
            height: 1
        )
        gtk_popover_set_pointing_to(popover.pointer(), &rectangle)
        gtk_popover_popup(popover.pointer())
    }
}

extension Widget {
    /// Calls `handler` for secondary clicks and long touches, with the position in logical pixels from the upper left
    /// corner.
    package func onMenuPress(_ handler: @escaping @MainActor (_ x: Double, _ y: Double) -> Void) {
        let press = add(gtk_gesture_click_new())
        gtk_gesture_single_set_button(press.opaque, guint(GDK_BUTTON_SECONDARY))
        press.on("pressed") { handler($0.double(1), $0.double(2)) }
        let touch = add(gtk_gesture_long_press_new())
        gtk_gesture_single_set_touch_only(touch.opaque, 1)
        touch.on("pressed") { handler($0.double(0), $0.double(1)) }
    }
}
