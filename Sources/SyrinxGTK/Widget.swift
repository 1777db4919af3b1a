import CSyrinxGTK

/// A GTK widget.
@MainActor
package class Widget: Object {
    override class var kind: GType { gtk_widget_get_type() }

    var widget: UnsafeMutablePointer<GtkWidget> { pointer() }

    /// Whether the widget is visible.
    package var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }
    /// Whether the widget accepts input.
    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
    }
    /// Whether the widget itself has the keyboard focus.
    package var hasFocus: Bool { gtk_widget_has_focus(widget) != 0 }
    /// Whether the widget, or one inside it, has the keyboard focus.
    package var containsFocus: Bool {
        guard let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root) else { return false }
        return focused == widget || gtk_widget_is_ancestor(focused, widget) != 0
    }
    /// Whether the focus is displayed, because the last input was from the keyboard.
    package var showsFocus: Bool {
        hasFocus && gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_VISIBLE.rawValue != 0
    }
    /// The width in logical pixels.
    package var width: Double { Double(gtk_widget_get_width(widget)) }
    /// The height in logical pixels.
    package var height: Double { Double(gtk_widget_get_height(widget)) }
    /// The number of device pixels per logical pixel.
    package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(widget)) }
    /// The tooltip.
    package var tooltip: String {
        get { string("tooltip-text") }
        set { gtk_widget_set_tooltip_text(widget, newValue) }
    }

    /// Adds or removes a CSS class.
    package func setClass(_ name: String, _ isOn: Bool = true) {
        if isOn { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
    }
    /// Gives the keyboard focus to the widget.
    @discardableResult
    package func grabFocus() -> Bool { gtk_widget_grab_focus(widget) != 0 }
    /// Gives the keyboard focus to an entry, and selects its text.
    package func grabFocusSelectingText() {
        grabFocus()
        gtk_editable_select_region(opaque, 0, -1)
    }
    /// Requests drawing in the next frame.
    package func queueDraw() { gtk_widget_queue_draw(widget) }
    /// Activates an action by its full name, such as `win.open`.
    package func activate(_ action: String) { gtk_widget_activate_action_variant(widget, action, nil) }
    /// Sets the minimum size in logical pixels; −1 keeps the default of a side.
    package func setSizeRequest(_ width: Int, _ height: Int) {
        gtk_widget_set_size_request(widget, gint(clamping: width), gint(clamping: height))
    }

    /// Calls `action` before each frame until it returns false, and keeps the frame clock running meanwhile.
    package func addTick(_ action: @escaping @MainActor () -> Bool) {
        gtk_widget_add_tick_callback(
            widget,
            { _, _, data in ActionBox.call(data) ? 1 : 0 },
            Unmanaged.passRetained(ActionBox(action)).toOpaque(),
            ActionBox.free
        )
    }

    /// Calls `start` and `end` at the start and the end of each frame of the window.
    ///
    /// The widget must be displayed. `end` receives the expected presentation time of the frame and the time for which
    /// it was computed, both in seconds of the monotonic clock.
    package func onFrames(start: @escaping @MainActor () -> Void, end: @escaping @MainActor (Double, Double) -> Void) {
        guard let raw = gtk_widget_get_frame_clock(widget) else { return }
        let clock = Object(UnsafeMutableRawPointer(raw))
        clock.on("before-paint") { _ in start() }
        clock.on("after-paint") { [weak self] _ in
            let time = Double(gdk_frame_clock_get_frame_time(raw)) / 1e6
            end(self?.presentationTime ?? time, time)
        }
    }

    /// The expected presentation time of the current frame, in seconds of the monotonic clock.
    ///
    /// If the display does not report it, it is one frame interval after the start of the frame.
    package var presentationTime: Double? {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return nil }
        let start = gdk_frame_clock_get_frame_time(clock)
        let timings = gdk_frame_clock_get_current_timings(clock)
        let predicted = timings.map { gdk_frame_timings_get_predicted_presentation_time($0) } ?? 0
        guard predicted <= start else { return Double(predicted) / 1e6 }
        return Double(start) / 1e6 + frameInterval
    }

    /// The time between two frames in seconds, at most 0.1; 0 if it is unknown.
    package var frameInterval: Double {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return 0 }
        var (interval, presentation): (gint64, gint64) = (0, 0)
        gdk_frame_clock_get_refresh_info(clock, gdk_frame_clock_get_frame_time(clock), &interval, &presentation)
        return Double(min(max(interval, 0), 100_000)) / 1e6
    }

    /// Returns a color of the theme by name; `nil` if there is none.
    package func color(_ name: String) -> RGBA? {
        var rgba = GdkRGBA()
        guard syrinx_theme_color(widget, name, &rgba) != 0 else { return nil }
        return RGBA(rgba)
    }

    /// The text color.
    package var textColor: RGBA {
        var rgba = GdkRGBA()
        syrinx_text_color(widget, &rgba)
        return RGBA(rgba)
    }

    // MARK: Accessibility

    private func update(_ property: GtkAccessibleProperty, _ text: String) {
        var (property, value) = (property, GValue())
        gtk_accessible_property_init_value(property, &value)
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(opaque, 1, &property, &value)
        g_value_unset(&value)
    }

    /// Sets the accessible name, which screen readers speak.
    package func setAccessibleLabel(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_LABEL, text) }
    /// Sets the accessible name of the buttons inside the widget, which get the focus in its place.
    ///
    /// This is needed for drop-down lists, and for the second part of a split button.
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

    /// Sets the accessible value text, which screen readers speak.
    package func setAccessibleValueText(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text) }
    /// Sets the accessible description, which screen readers speak.
    package func setAccessibleDescription(_ text: String) { update(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text) }
}

/// A color in sRGB, with components 0…1.
package struct RGBA: Equatable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float
    package var alpha: Float

    package init(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Converts a GTK color; components outside of sRGB are clamped.
    init(_ rgba: GdkRGBA) {
        func part(_ value: Float) -> Float { min(max(value, 0), 1) }
        self.init(part(rgba.red), part(rgba.green), part(rgba.blue), part(rgba.alpha))
    }

    var rgba: GdkRGBA { GdkRGBA(red: red, green: green, blue: blue, alpha: alpha) }

    /// Returns the color with its alpha multiplied by a factor.
    package func faded(_ factor: Float) -> RGBA { RGBA(red, green, blue, alpha * factor) }
}

extension Widget {
    /// Whether the widget accepts text from the keyboard.
    package var isTextEntry: Bool { g_type_check_instance_is_a(pointer(), gtk_text_get_type()) != 0 }
}

/// The role of a widget in keyboard handling.
package enum KeyPart: Sendable {
    case text, listRow, range, popover, button, other
}

extension Widget {
    /// Whether the widget is a row of a list.
    package var isListRow: Bool { g_type_check_instance_is_a(pointer(), gtk_list_box_row_get_type()) != 0 }

    /// The role of the widget in keyboard handling.
    package var keyPart: KeyPart {
        func isKind(_ type: GType) -> Bool { g_type_check_instance_is_a(pointer(), type) != 0 }
        if isTextEntry { return .text }
        if gtk_widget_get_ancestor(widget, gtk_popover_get_type()) != nil { return .popover }
        if isListRow { return .listRow }
        if isKind(gtk_range_get_type()) { return .range }
        return isKind(gtk_button_get_type()) ? .button : .other
    }
}
