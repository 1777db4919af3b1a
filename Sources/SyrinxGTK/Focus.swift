import CSyrinxGTK

extension Widget {
    /// Prevents buttons in the widget from taking the focus on a click, after which the space bar would press them
    /// again.
    package func keepFocusOnClicks() {
        if g_type_check_instance_is_a(pointer(), gtk_button_get_type()) != 0 {
            gtk_widget_set_focus_on_click(widget, 0)
        }
        var child = gtk_widget_get_first_child(widget)
        while let each = child {
            Widget(UnsafeMutableRawPointer(each)).keepFocusOnClicks()
            child = gtk_widget_get_next_sibling(each)
        }
    }

    /// The list that contains the widget; `nil` if there is none.
    package var list: Widget? {
        gtk_widget_get_ancestor(widget, gtk_list_box_get_type()).map { Widget(UnsafeMutableRawPointer($0)) }
    }
}

extension Window {
    /// Moves the focus like the Tab key, but skips the remaining rows of the current list.
    /// - Parameter isForward: Whether it moves forward.
    /// - Returns: Whether the focus has moved.
    package func moveFocusPastList(isForward: Bool) -> Bool {
        guard let list = focused?.list else { return moveFocus(isForward: isForward) }
        gtk_widget_set_can_focus(list.widget, 0)
        defer { gtk_widget_set_can_focus(list.widget, 1) }
        return moveFocus(isForward: isForward)
    }
}
