import CSyrinxGTK

extension Widget {
    /// Keeps the buttons within from taking the focus when they are clicked: a space bar would press the button once more.
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

    /// The list that the widget is in; `nil` if it is in none.
    package var list: Widget? {
        gtk_widget_get_ancestor(widget, gtk_list_box_get_type()).map { Widget(UnsafeMutableRawPointer($0)) }
    }
}

extension Window {
    /// Moves the focus on, as the Tab key does, and past all rows of the list that it is in.
    /// - Parameter isForward: Whether it goes forward.
    /// - Returns: Whether it has moved.
    package func moveFocusPastList(isForward: Bool) -> Bool {
        guard let list = focused?.list else { return moveFocus(isForward: isForward) }
        gtk_widget_set_can_focus(list.widget, 0)
        defer { gtk_widget_set_can_focus(list.widget, 1) }
        return moveFocus(isForward: isForward)
    }
}
