import CSyrinxGTK

/// Any widget.
@MainActor
package class Widget: Object {
    var widget: UnsafeMutablePointer<GtkWidget> { pointer() }

    /// Whether the widget is shown.
    package var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }
    /// Whether the widget takes input.
    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
    }
    /// Whether the widget itself has the focus of the keyboard.
    package var hasFocus: Bool { gtk_widget_has_focus(widget) != 0 }
    /// Whether the focus of the window is on the widget, or on one within it.
    package var containsFocus: Bool {
        guard let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root) else { return false }
        return focused == widget || gtk_widget_is_ancestor(focused, widget) != 0
    }
    /// Whether the focus is to be shown: the last input was by keyboard.
    package var showsFocus: Bool {
        hasFocus && gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_VISIBLE.rawValue != 0
    }
    /// The width in logical pixels.
    package var width: Double { Double(gtk_widget_get_width(widget)) }
    /// The height in logical pixels.
    package var height: Double { Double(gtk_widget_get_height(widget)) }
    /// The device pixels in a logical pixel.
    package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(widget)) }
    /// The text that is shown over the widget while the pointer rests on it.
    package var tooltip: String {
        get { string("tooltip-text") }
        set { gtk_widget_set_tooltip_text(widget, newValue) }
    }

    /// Adds or removes a class of the style sheet.
    package func setClass(_ name: String, _ isOn: Bool = true) {
        if isOn { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
    }
    /// Gives the focus to the widget.
    @discardableResult
    package func grabFocus() -> Bool { gtk_widget_grab_focus(widget) != 0 }
    /// Gives the focus to an entry, and selects its text.
    package func grabFocusSelectingText() {
        grabFocus()
        gtk_editable_select_region(opaque, 0, -1)
    }
    /// Asks for a drawing in the next frame.
    package func queueDraw() { gtk_widget_queue_draw(widget) }
    /// Runs an action by its full name, as `win.open`.
    package func activate(_ action: String) { gtk_widget_activate_action_variant(widget, action, nil) }
    /// Sets the smallest size in logical pixels; −1 leaves a side as it is.
    package func setSizeRequest(_ width: Int, _ height: Int) {
        gtk_widget_set_size_request(widget, gint(clamping: width), gint(clamping: height))
    }

    /// Calls `action` before each frame until it returns false; the frame clock runs meanwhile.
    package func addTick(_ action: @escaping @MainActor () -> Bool) {
        gtk_widget_add_tick_callback(
            widget,
            { _, _, data in ActionBox.call(data) ? 1 : 0 },
            Unmanaged.passRetained(ActionBox(action)).toOpaque(),
            ActionBox.free
        )
    }

    /// Calls `start` and `end` around each frame of the window, from its first callback to its last pixel.
    ///
    /// The widget must be on a screen. `end` gets the time at which the frame is presented, as far as GDK foresees it, and the
    /// time for which it was made, in seconds of the monotonic clock.
    package func onFrames(start: @escaping @MainActor () -> Void, end: @escaping @MainActor (Double, Double) -> Void) {
        guard let raw = gtk_widget_get_frame_clock(widget) else { return }
        let clock = Object(UnsafeMutableRawPointer(raw))
        clock.on("before-paint") { _ in start() }
        clock.on("after-paint") { [weak self] _ in
            let time = Double(gdk_frame_clock_get_frame_time(raw)) / 1e6
            end(self?.presentationTime ?? time, time)
        }
    }

    /// The time at which the frame that is being prepared will be seen, in seconds of the monotonic clock.
    ///
    /// It is an interval after the start of the frame if the display does not tell.
    package var presentationTime: Double? {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return nil }
        let start = gdk_frame_clock_get_frame_time(clock)
        let timings = gdk_frame_clock_get_current_timings(clock)
        let predicted = timings.map { gdk_frame_timings_get_predicted_presentation_time($0) } ?? 0
        guard predicted <= start else { return Double(predicted) / 1e6 }
        return Double(start) / 1e6 + frameInterval
    }

    /// The seconds between two frames, at most a tenth; 0 if that is not known.
    package var frameInterval: Double {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return 0 }
        var (interval, presentation): (gint64, gint64) = (0, 0)
        gdk_frame_clock_get_refresh_info(clock, gdk_frame_clock_get_frame_time(clock), &interval, &presentation)
        return Double(min(max(interval, 0), 100_000)) / 1e6
    }

    /// Returns a colour of the theme by its name.
    package func color(_ name: String) -> RGBA? {
        var rgba = GdkRGBA()
        guard syrinx_theme_color(widget, name, &rgba) != 0 else { return nil }
        return RGBA(rgba)
    }

    /// The colour of text.
    package var textColor: RGBA {
        var rgba = GdkRGBA()
        syrinx_text_color(widget, &rgba)
        return RGBA(rgba)
    }

    // MARK: For assistive technologies

    private func update(_ property: GtkAccessibleProperty, _ text: String) {
        var (property, value) = (property, GValue())
        gtk_accessible_property_init_value(property, &value)
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(opaque, 1, &property, &value)
        g_value_unset(&value)
    }

    /// Sets the name that screen readers speak.
    package func setAccessibleLabel(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_LABEL, text) }
    /// Sets the name of the buttons that the widget is made of, which have the focus in its place: of a list with a button, and of
    /// the second part of a split button.
    package func setAccessibleLabelOfButtons(_ text: String) {
        var child = gtk_widget_get_first_child(widget)
        while let each = child {
            let part = Widget(UnsafeMutableRawPointer(each))
            if g_type_check_instance_is_a(part.pointer(), gtk_toggle_button_get_type()) != 0 {
                part.setAccessibleLabel(text)
            } else if g_type_check_instance_is_a(part.pointer(), gtk_menu_button_get_type()) != 0 {
                part.setAccessibleLabel(text)
                part.setAccessibleLabelOfButtons(text)
            }
            child = gtk_widget_get_next_sibling(each)
        }
    }

    /// Sets the value as screen readers speak it.
    package func setAccessibleValueText(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text) }
    /// Sets the description that screen readers speak.
    package func setAccessibleDescription(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text) }
}

/// A color in sRGB, each part 0…1.
package struct RGBA: Equatable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float
    package var alpha: Float

    package init(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Takes over a colour of GTK, which can be one that sRGB has not: each part is then the nearest one.
    init(_ rgba: GdkRGBA) {
        func part(_ value: Float) -> Float { min(max(value, 0), 1) }
        self.init(part(rgba.red), part(rgba.green), part(rgba.blue), part(rgba.alpha))
    }

    var rgba: GdkRGBA { GdkRGBA(red: red, green: green, blue: blue, alpha: alpha) }

    /// Returns the colour with its opacity multiplied.
    package func faded(_ factor: Float) -> RGBA { RGBA(red, green, blue, alpha * factor) }
}

extension Widget {
    /// Whether keys enter text into the widget.
    package var isTextEntry: Bool { g_type_check_instance_is_a(pointer(), gtk_text_get_type()) != 0 }
}

/// The part that a widget plays for the keyboard.
package enum KeyPart: Sendable {
    case text, listRow, range, popover, button, other
}

extension Widget {
    /// Whether the widget is a row of a list.
    package var isListRow: Bool { g_type_check_instance_is_a(pointer(), gtk_list_box_row_get_type()) != 0 }

    /// The part that the widget plays for the keyboard.
    package var keyPart: KeyPart {
        func isKind(_ type: GType) -> Bool { g_type_check_instance_is_a(pointer(), type) != 0 }
        if isTextEntry { return .text }
        if gtk_widget_get_ancestor(widget, gtk_popover_get_type()) != nil { return .popover }
        if isListRow { return .listRow }
        if isKind(gtk_range_get_type()) { return .range }
        return isKind(gtk_button_get_type()) ? .button : .other
    }
}
